//! The programs that the network tools run.

/// The programs, what each is for, and the packages of Debian, Fedora and Arch that have it; empty for a program of another system.
pub const PROGRAMS: &[(&str, &str, [&str; 3])] = &[
    (
        "getent",
        "looks names up",
        ["libc-bin", "glibc-common", "glibc"],
    ),
    (
        "ip",
        "interfaces, routes",
        ["iproute2", "iproute", "iproute2"],
    ),
    (
        "ss",
        "what listens here",
        ["iproute2", "iproute", "iproute2"],
    ),
    (
        "dig",
        "DNS records",
        ["bind9-dnsutils", "bind-utils", "bind"],
    ),
    (
        "ping",
        "whether a host answers",
        ["iputils-ping", "iputils", "iputils"],
    ),
    (
        "traceroute",
        "the route to a host",
        ["traceroute", "traceroute", "traceroute"],
    ),
    ("curl", "HTTP and TLS", ["curl", "curl", "curl"]),
    (
        "nmap",
        "hosts, ports and services",
        ["nmap", "nmap", "nmap"],
    ),
    (
        "nft",
        "rules of this machine's firewall, as root",
        ["nftables", "nftables", "nftables"],
    ),
    (
        "nmcli",
        "connections of NetworkManager",
        ["network-manager", "NetworkManager", "networkmanager"],
    ),
    (
        "resolvectl",
        "state of systemd-resolved",
        ["systemd-resolved", "systemd-resolved", "systemd"],
    ),
    (
        "ifconfig",
        "interfaces, where there is no ip",
        ["net-tools", "net-tools", "net-tools"],
    ),
    (
        "netstat",
        "what listens here, where there is no ss",
        ["net-tools", "net-tools", "net-tools"],
    ),
    ("scutil", "DNS servers of macOS", ["", "", ""]),
];
