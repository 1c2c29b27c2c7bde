//! The table of address ranges, with the rule for each: of several ranges that hold an address, the one with
//! the longest prefix decides.
//!
//! Sources: the IANA special-purpose address registries for IPv4 and IPv6 (RFC 6890 and its updates), RFC 1918, RFC 6598,
//! RFC 4193, RFC 4291; for metadata addresses the providers' own manuals.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// The rule for a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The user's own network, as far as an address shows this: allowed.
    Private,
    /// A service that hands out credentials to every program that asks: a person must approve, even though the range is private.
    Metadata,
    /// Another owner's network: refused, or with the argument `external` a person is asked.
    Public,
    /// The address of no single host (multicast, reserved), or a form that would bypass the other rows: always refused.
    Never,
}

/// A row of the table.
pub struct Range {
    /// The addresses.
    pub net: IpNet,
    /// The rule for these addresses.
    pub kind: Kind,
    /// A description that completes the sentence `10.0.0.1 is …`.
    pub what: &'static str,
}

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u8, kind: Kind, what: &'static str) -> Range {
    Range {
        net: IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)),
        kind,
        what,
    }
}

const fn v6(groups: [u16; 8], length: u8, kind: Kind, what: &'static str) -> Range {
    let mut bits = 0_u128;
    let mut at = 0;
    while at < groups.len() {
        bits = bits << 16 | groups[at] as u128;
        at += 1;
    }
    Range {
        net: IpNet::V6(Ipv6Net::new_assert(Ipv6Addr::from_bits(bits), length)),
        kind,
        what,
    }
}

use Kind::{Metadata, Never, Private, Public};

/// The table of ranges.
#[rustfmt::skip]
pub const RANGES: &[Range] = &[
    // IPv4: the user's own networks.
    v4(10, 0, 0, 0, 8, Private, "a private address (10.0.0.0/8)"),
    v4(172, 16, 0, 0, 12, Private, "a private address (172.16.0.0/12)"),
    v4(192, 168, 0, 0, 16, Private, "a private address (192.168.0.0/16)"),
    v4(100, 64, 0, 0, 10, Private, "an address behind a carrier's or a VPN's NAT (100.64.0.0/10)"),
    v4(169, 254, 0, 0, 16, Private, "a link-local address (169.254.0.0/16)"),
    v4(127, 0, 0, 0, 8, Private, "this machine's loopback (127.0.0.0/8)"),
    // IPv4: services of a cloud that hand out credentials.
    v4(169, 254, 169, 254, 32, Metadata, "the metadata service of most clouds, which hands out credentials"),
    v4(169, 254, 170, 2, 32, Metadata, "the credential service of Amazon's containers"),
    v4(169, 254, 170, 23, 32, Metadata, "the credential service of Amazon's Kubernetes pods"),
    v4(169, 254, 0, 23, 32, Metadata, "the metadata service of Tencent's cloud, which hands out credentials"),
    v4(169, 254, 42, 42, 32, Metadata, "the metadata service of Scaleway's cloud, which hands out user data"),
    v4(100, 100, 100, 200, 32, Metadata, "the metadata service of Alibaba's cloud, which hands out credentials"),
    // IPv4: all other addresses are public, unless a row says otherwise.
    v4(0, 0, 0, 0, 0, Public, "a public address"),
    v4(168, 63, 129, 16, 32, Public, "the platform service of Microsoft's cloud, a public address"),
    v4(0, 0, 0, 0, 8, Never, "in 0.0.0.0/8, which names no host; 0.0.0.0 connects to this machine itself"),
    v4(192, 0, 0, 0, 24, Never, "kept for protocols (192.0.0.0/24)"),
    v4(192, 0, 2, 0, 24, Never, "kept for documentation (192.0.2.0/24)"),
    v4(198, 51, 100, 0, 24, Never, "kept for documentation (198.51.100.0/24)"),
    v4(203, 0, 113, 0, 24, Never, "kept for documentation (203.0.113.0/24)"),
    v4(192, 88, 99, 0, 24, Never, "the relay of 6to4, which is withdrawn (192.88.99.0/24)"),
    v4(198, 18, 0, 0, 15, Never, "kept for measurements of network devices (198.18.0.0/15)"),
    v4(224, 0, 0, 0, 4, Never, "a multicast group, many hosts at once (224.0.0.0/4)"),
    v4(240, 0, 0, 0, 4, Never, "reserved (240.0.0.0/4)"),
    v4(255, 255, 255, 255, 32, Never, "the broadcast address, every host at once"),
    // IPv6: the user's own networks.
    v6([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, Private, "a unique local address (fc00::/7)"),
    v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10, Private, "a link-local address (fe80::/10)"),
    v6([0, 0, 0, 0, 0, 0, 0, 1], 128, Private, "this machine's loopback (::1)"),
    // IPv6: services of a cloud that hand out credentials.
    v6([0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254], 128, Metadata, "the metadata service of Amazon's cloud, which hands out credentials"),
    v6([0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23], 128, Metadata, "the credential service of Amazon's Kubernetes pods"),
    v6([0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254], 128, Metadata, "the metadata service of Google's cloud, which hands out credentials"),
    v6([0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42], 128, Metadata, "the metadata service of Scaleway's cloud, which hands out user data"),
    v6([0xfd00, 0xc1, 0, 0, 0, 0, 0xa9fe, 0xa9fe], 128, Metadata, "the metadata service of Oracle's cloud, which hands out credentials"),
    v6([0xfe80, 0, 0, 0, 0, 0, 0xa9fe, 0xa9fe], 128, Metadata, "the metadata service of OpenStack, which hands out credentials"),
    // IPv6: public addresses come from 2000::/3 only.
    v6([0, 0, 0, 0, 0, 0, 0, 0], 0, Never, "in a range that is not given out"),
    v6([0x2000, 0, 0, 0, 0, 0, 0, 0], 3, Public, "a public address"),
    v6([0, 0, 0, 0, 0, 0, 0, 0], 128, Never, "the unspecified address; it connects to this machine itself"),
    v6([0, 0, 0, 0, 0, 0, 0, 0], 96, Never, "an IPv4 address in a withdrawn IPv6 form (::/96)"),
    v6([0, 0, 0, 0, 0, 0xffff, 0, 0], 96, Never, "a network of IPv4 addresses in an IPv6 form (::ffff:0:0/96)"),
    v6([0, 0, 0, 0, 0xffff, 0, 0, 0], 96, Never, "an IPv4 address behind a translator (::ffff:0:0:0/96)"),
    v6([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96, Never, "an IPv4 address behind a NAT64 gateway (64:ff9b::/96)"),
    v6([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48, Never, "an IPv4 address behind a local NAT64 gateway (64:ff9b:1::/48)"),
    v6([0x100, 0, 0, 0, 0, 0, 0, 0], 64, Never, "where packets are thrown away (100::/64)"),
    v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23, Never, "kept for protocols (2001::/23)"),
    v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 32, Never, "a Teredo tunnel to an IPv4 address (2001::/32)"),
    v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, Never, "kept for documentation (2001:db8::/32)"),
    v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, Never, "kept for documentation (3fff::/20)"),
    v6([0x2002, 0, 0, 0, 0, 0, 0, 0], 16, Never, "a 6to4 tunnel to an IPv4 address (2002::/16)"),
    v6([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10, Never, "a site-local address, a withdrawn form (fec0::/10)"),
    v6([0xff00, 0, 0, 0, 0, 0, 0, 0], 8, Never, "a multicast group, many hosts at once (ff00::/8)"),
];

/// The row for an ISATAP address.  Its mark stands in the middle of the address, so no prefix can match it.
const ISATAP: Range = v6([0; 8], 0, Never, "an ISATAP tunnel to an IPv4 address");

/// The row that holds for `address`.  The caller must first turn a v4-mapped address into IPv4 ([`unwrapped`]).
pub fn of(address: IpAddr) -> &'static Range {
    if isatap(address) {
        return &ISATAP;
    }
    RANGES
        .iter()
        .filter(|range| range.net.contains(&address))
        .max_by_key(|range| range.net.prefix_len())
        .expect("each family has a row for all of its addresses")
}

/// The row that holds for the whole network `net`: the row of a metadata service inside, if there is one; else the row of the first
/// address, or of the last address where the first is private, since `10.0.0.0/7` begins in a private range and ends in a public one.
pub fn of_net(net: IpNet) -> &'static Range {
    if let Some(inside) = RANGES
        .iter()
        .find(|range| range.kind == Metadata && net.contains(&range.net))
    {
        return inside;
    }
    let (first, last) = (of(net.network()), of(net.broadcast()));
    if first.kind == Private { last } else { first }
}

/// The IPv4 address of a v4-mapped one (`10.0.0.1` for `::ffff:10.0.0.1`), to which the kernel sends; any other address unchanged.
pub fn unwrapped(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

/// Whether `address` has the interface identifier of RFC 5214, section 6.1; its last 32 bits are the IPv4 address at the tunnel's end.
fn isatap(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(_) => false,
        IpAddr::V6(address) => {
            let groups = address.segments();
            matches!(groups[4], 0 | 0x200 | 0x100 | 0x300) && groups[5] == 0x5efe
        }
    }
}
