//! Asks on a link by ARP (RFC 826) who has an address; for root alone.

use std::net::Ipv4Addr;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::ifaddrs::getifaddrs;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{
    AddressFamily, LinkAddr, MsgFlags, SockFlag, SockProtocol, SockType, bind, recv, send, socket,
};

/// The hardware address of another machine on the link of `interface` that has the address `own` too; `None` where none answers
/// within `time`, or this machine may not ask.
pub fn other_owner(
    interface: &str,
    own: Ipv4Addr,
    time: Duration,
    go_on: &dyn Fn() -> bool,
) -> Option<String> {
    // A question without a sender's address, so that nobody learns anything from it (RFC 5227, section 2.1.1).
    ask(interface, Ipv4Addr::UNSPECIFIED, own, time, go_on)
        .ok()
        .flatten()
}

/// Whether a machine on the link of `interface` answers for `wanted` within `time`; `source` is this machine's own address.
///
/// # Errors
/// This machine may not ask: it is not root, or there is no such interface.
pub fn answers(
    interface: &str,
    source: Ipv4Addr,
    wanted: Ipv4Addr,
    time: Duration,
    go_on: &dyn Fn() -> bool,
) -> Result<bool, Errno> {
    Ok(ask(interface, source, wanted, time, go_on)?.is_some())
}

/// How long an answer is waited for before the question is sent again.
const AGAIN: Duration = Duration::from_millis(350);

fn ask(
    interface: &str,
    source: Ipv4Addr,
    wanted: Ipv4Addr,
    time: Duration,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<String>, Errno> {
    let links = getifaddrs()?.filter_map(|one| {
        let address = *one.address.as_ref()?.as_link_addr()?;
        Some((one.interface_name, address))
    });
    let links: Vec<(String, LinkAddr)> = links.collect();
    let link = links.iter().find(|(name, _)| name == interface);
    let (_, link) = link.ok_or(Errno::ENODEV)?;
    let mac = link.addr().ok_or(Errno::ENODEV)?;
    // This machine answers on every link for each of its addresses (`arp_ignore` in the kernel's ip-sysctl), so on a bridge of its own
    // it may hear itself.
    let mine = |other: &[u8; 6]| {
        links
            .iter()
            .any(|(_, link)| link.addr().as_ref() == Some(other))
    };
    let socket = listen(link)?;
    let question = question(mac, source, wanted);
    let begun = Instant::now();
    let mut sent: Option<Instant> = None;
    let mut frame = [0_u8; 128];
    while begun.elapsed() < time && go_on() {
        if sent.is_none_or(|at| at.elapsed() >= AGAIN) {
            send(socket.as_raw_fd(), &question, MsgFlags::empty())?;
            sent = Some(Instant::now());
        }
        let mut polled = [PollFd::new(socket.as_fd(), PollFlags::POLLIN)];
        let wait = PollTimeout::try_from(Duration::from_millis(50)).unwrap_or(PollTimeout::ZERO);
        if poll(&mut polled, wait).is_err_and(|error| error != Errno::EINTR) {
            break;
        }
        // One frame a turn, so that a flooded link delays neither the end nor a cancel.
        if let Ok(length) = recv(socket.as_raw_fd(), &mut frame, MsgFlags::MSG_DONTWAIT)
            && let Some(other) = owner(&frame[..length], wanted).filter(|other| !mine(other))
        {
            let text: Vec<String> = other.iter().map(|byte| format!("{byte:02x}")).collect();
            return Ok(Some(text.join(":")));
        }
    }
    Ok(None)
}

/// A socket for the frames of one interface.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that asks a link about this machine's own address"
)]
fn listen(link: &LinkAddr) -> Result<OwnedFd, Errno> {
    let socket = socket(
        AddressFamily::Packet,
        SockType::Raw,
        SockFlag::SOCK_CLOEXEC,
        SockProtocol::EthAll,
    )?;
    bind(socket.as_raw_fd(), link)?;
    Ok(socket)
}

/// The type of a frame with ARP.
const ARP: [u8; 2] = [0x08, 0x06];

/// An ARP request about `wanted`.
fn question(mac: [u8; 6], source: Ipv4Addr, wanted: Ipv4Addr) -> Vec<u8> {
    let mut frame = vec![0xff; 6];
    frame.extend(mac);
    frame.extend(ARP);
    // Ethernet, IPv4, the lengths of their addresses, a request.
    frame.extend([0, 1, 8, 0, 6, 4, 0, 1]);
    frame.extend(mac);
    frame.extend(source.octets());
    frame.extend([0; 6]);
    frame.extend(wanted.octets());
    frame
}

/// The hardware address that `frame`, if it is an ARP reply, gives for `wanted`.
fn owner(frame: &[u8], wanted: Ipv4Addr) -> Option<[u8; 6]> {
    let arp = frame.get(14..42)?;
    let reply = frame[12..14] == ARP && arp[..8] == [0, 1, 8, 0, 6, 4, 0, 2];
    let sender: [u8; 6] = arp[8..14].try_into().ok()?;
    (reply && arp[14..18] == wanted.octets()).then_some(sender)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_reply_about_the_address_names_an_owner() {
        let own = Ipv4Addr::new(10, 1, 0, 20);
        let mac = [2, 0, 0, 0, 0, 1];
        let request = question(mac, Ipv4Addr::UNSPECIFIED, own);
        assert_eq!(request.len(), 42);
        assert_eq!(owner(&request, own), None);
        let mut reply = request;
        reply[21] = 2;
        reply[22..28].copy_from_slice(&[2, 0, 0, 0, 0, 0x66]);
        reply[28..32].copy_from_slice(&own.octets());
        assert_eq!(owner(&reply, own), Some([2, 0, 0, 0, 0, 0x66]));
        assert_eq!(owner(&reply, Ipv4Addr::new(10, 1, 0, 21)), None);
        for length in 0..reply.len() {
            assert_eq!(owner(&reply[..length], own), None);
        }
    }

    #[test]
    fn without_such_an_interface_nobody_is_asked() {
        let none = other_owner(
            "no-such-if",
            Ipv4Addr::LOCALHOST,
            Duration::from_secs(60),
            &|| true,
        );
        assert_eq!(none, None);
    }
}
