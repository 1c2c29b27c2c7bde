//! Opens TCP connections to find out whether a port answers, and if not, who says so.
//!
//! Nothing is sent over a connection, and no right is needed: with `IP_RECVERR` (ip(7), ipv6(7)) the kernel puts ICMP errors for an
//! ordinary socket on its error queue, with the router or host that sent them.

use std::net::{IpAddr, SocketAddr};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::time::{Duration, Instant};
use std::{fmt, io};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{
    AddressFamily, ControlMessageOwned, MsgFlags, SockFlag, SockProtocol, SockType,
    SockaddrStorage, connect, getsockopt, recvmsg, setsockopt, socket, sockopt,
};

/// How an attempt to connect ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The port is open.
    Open,
    /// The address itself refused the connection (a TCP reset).
    Reset,
    /// An ICMP error came.
    Icmp(Icmp, IpAddr),
    /// This machine did not send: no route, a firewall of its own, no source address.
    NotSent(Errno),
    /// Nothing came in time.
    Silence,
}

/// The ICMP errors that can answer a connection (RFC 792, RFC 1812 section 5.2.7, RFC 4443).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icmp {
    /// No route to the network.
    NetUnreachable,
    /// The last router, or this machine, finds no machine with the address.
    HostUnreachable,
    /// The protocol is unknown there.
    ProtocolUnreachable,
    /// Nothing listens; firewalls say this too, as iptables' REJECT does by default.
    PortUnreachable,
    /// A packet was too large for the next link: the link's size in bytes.
    TooBig(u32),
    /// A firewall forbids this.
    Prohibited,
    /// The packet went through too many routers.
    TimeExceeded,
    /// Any other error.
    Other(u8, u8),
}

impl fmt::Display for Icmp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NetUnreachable => f.write_str("that the network is unreachable"),
            Self::HostUnreachable => f.write_str("that the host is unreachable"),
            Self::ProtocolUnreachable => f.write_str("that the protocol is unknown"),
            Self::PortUnreachable => f.write_str("that the port is unreachable"),
            Self::TooBig(most) => write!(f, "that packets may have {most} bytes"),
            Self::Prohibited => f.write_str("that a firewall prohibits it"),
            Self::TimeExceeded => f.write_str("that the packet met too many routers"),
            Self::Other(kind, code) => write!(f, "ICMP {kind}, code {code}"),
        }
    }
}

/// One attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Where to.
    pub to: SocketAddr,
    /// How it ended.
    pub answer: Answer,
    /// After how long.
    pub after: Duration,
}

/// So often a cancelled call is noticed.
const TICK: Duration = Duration::from_millis(50);

/// Connects to each of `to`, all at once, for at most `time`, and closes the connections again.  `go_on` is asked every 50 ms; once
/// it says no, the attempts that are still open count as [`Answer::Silence`].  The result is in the order of `to`.
pub fn attempts(to: &[SocketAddr], time: Duration, go_on: &dyn Fn() -> bool) -> Vec<Attempt> {
    let begun = Instant::now();
    let mut open: Vec<(usize, OwnedFd)> = Vec::new();
    let mut out: Vec<Attempt> = Vec::new();
    for (nth, &to) in to.iter().enumerate() {
        let answer = match begin(to) {
            Ok(Begun::Open) => Answer::Open,
            Ok(Begun::Waiting(socket)) => {
                open.push((nth, socket));
                Answer::Silence
            }
            Err(error) => Answer::NotSent(error),
        };
        let after = begun.elapsed();
        out.push(Attempt { to, answer, after });
    }
    while !open.is_empty() && begun.elapsed() < time && go_on() {
        let left = time.saturating_sub(begun.elapsed()).min(TICK);
        let mut polled: Vec<PollFd<'_>> = open
            .iter()
            .map(|(_, socket)| PollFd::new(socket.as_fd(), PollFlags::POLLOUT))
            .collect();
        let wait = PollTimeout::try_from(left).unwrap_or(PollTimeout::ZERO);
        if poll(&mut polled, wait).is_err_and(|error| error != Errno::EINTR) {
            break;
        }
        let ready: Vec<bool> = polled
            .iter()
            .map(|one| one.revents().is_some_and(|events| !events.is_empty()))
            .collect();
        let mut ready = ready.into_iter();
        open.retain(|(nth, socket)| {
            if !ready.next().unwrap_or(false) {
                return true;
            }
            out[*nth].answer = ended(socket, out[*nth].to.ip());
            out[*nth].after = begun.elapsed();
            false
        });
    }
    let waited = begun.elapsed();
    for (nth, _) in open {
        out[nth].after = waited;
    }
    out
}

/// An attempt that was begun.
enum Begun {
    Open,
    Waiting(OwnedFd),
}

fn begin(to: SocketAddr) -> Result<Begun, Errno> {
    let family = if to.is_ipv4() {
        AddressFamily::Inet
    } else {
        AddressFamily::Inet6
    };
    let socket = socket(
        family,
        SockType::Stream,
        SockFlag::SOCK_NONBLOCK | SockFlag::SOCK_CLOEXEC,
        SockProtocol::Tcp,
    )?;
    if to.is_ipv4() {
        setsockopt(&socket, sockopt::Ipv4RecvErr, &true)?;
    } else {
        setsockopt(&socket, sockopt::Ipv6RecvErr, &true)?;
    }
    match connect(socket.as_raw_fd(), &SockaddrStorage::from(to)) {
        Ok(()) => Ok(Begun::Open),
        Err(Errno::EINPROGRESS) => Ok(Begun::Waiting(socket)),
        Err(error) => Err(error),
    }
}

/// How the attempt on `socket`, which poll reports, has ended.
fn ended(socket: &OwnedFd, to: IpAddr) -> Answer {
    if let Some((icmp, by)) = queued(socket) {
        return Answer::Icmp(icmp, by.unwrap_or(to));
    }
    let error =
        getsockopt(socket, sockopt::SocketError).map_or_else(|error| error, Errno::from_raw);
    match error as i32 {
        0 => Answer::Open,
        _ if matches!(error, Errno::ECONNREFUSED | Errno::ECONNRESET) => Answer::Reset,
        _ if error == Errno::ETIMEDOUT => Answer::Silence,
        _ => Answer::NotSent(error),
    }
}

/// The ICMP error on the error queue of `socket`, and the address that sent it, if the kernel says so.  This machine's own kernel
/// may be the sender: then there is no address.
fn queued(socket: &OwnedFd) -> Option<(Icmp, Option<IpAddr>)> {
    let mut space = nix::cmsg_space!(libc::sock_extended_err, libc::sockaddr_in6);
    let mut none = [0_u8; 1];
    let mut buffer = [io::IoSliceMut::new(&mut none)];
    let flags = MsgFlags::MSG_ERRQUEUE | MsgFlags::MSG_DONTWAIT;
    let message =
        recvmsg::<SockaddrStorage>(socket.as_raw_fd(), &mut buffer, Some(&mut space), flags)
            .ok()?;
    message.cmsgs().ok()?.find_map(|one| match one {
        ControlMessageOwned::Ipv4RecvErr(error, from) => {
            let from = from.map(|from| IpAddr::from(from.sin_addr.s_addr.to_ne_bytes()));
            of_ipv4(&error).map(|icmp| (icmp, from.filter(|from| !from.is_unspecified())))
        }
        ControlMessageOwned::Ipv6RecvErr(error, from) => {
            let from = from.map(|from| IpAddr::from(from.sin6_addr.s6_addr));
            of_ipv6(&error).map(|icmp| (icmp, from.filter(|from| !from.is_unspecified())))
        }
        _ => None,
    })
}

/// The meaning of an ICMP error; `None` for an error of another origin.
fn of_ipv4(error: &libc::sock_extended_err) -> Option<Icmp> {
    (error.ee_origin == libc::SO_EE_ORIGIN_ICMP).then_some(match (error.ee_type, error.ee_code) {
        (3, 0 | 6 | 8) => Icmp::NetUnreachable,
        (3, 1 | 7) => Icmp::HostUnreachable,
        (3, 2) => Icmp::ProtocolUnreachable,
        (3, 3) => Icmp::PortUnreachable,
        (3, 4) => Icmp::TooBig(error.ee_info),
        (3, 9 | 10 | 13) => Icmp::Prohibited,
        (11, 0) => Icmp::TimeExceeded,
        (kind, code) => Icmp::Other(kind, code),
    })
}

/// The same for `ICMPv6` (RFC 4443, section 3).
fn of_ipv6(error: &libc::sock_extended_err) -> Option<Icmp> {
    (error.ee_origin == libc::SO_EE_ORIGIN_ICMP6).then_some(match (error.ee_type, error.ee_code) {
        (1, 0) => Icmp::NetUnreachable,
        (1, 1 | 5 | 6) => Icmp::Prohibited,
        (1, 3) => Icmp::HostUnreachable,
        (1, 4) => Icmp::PortUnreachable,
        (2, _) => Icmp::TooBig(error.ee_info),
        (3, 0) => Icmp::TimeExceeded,
        (kind, code) => Icmp::Other(kind, code),
    })
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    fn of(to: SocketAddr, time: Duration) -> Attempt {
        attempts(&[to], time, &|| true)[0]
    }

    #[test]
    fn open_closed_and_silent_ports_are_told_apart_without_rights() {
        for local in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = TcpListener::bind(local) else {
                continue; // a machine without IPv6
            };
            let open = listener.local_addr().expect("it is bound");
            assert_eq!(
                of(open, Duration::from_secs(5)).answer,
                Answer::Open,
                "{open}"
            );
            drop(listener);
            assert_eq!(
                of(open, Duration::from_secs(5)).answer,
                Answer::Reset,
                "{open}"
            );
        }
    }

    #[test]
    fn a_server_that_accepts_nobody_is_silent_and_the_time_is_kept() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
        let to = listener.local_addr().expect("it is bound");
        // A listener whose queue is full drops what comes (listen(2)); that of Rust has 128 places.
        let _kept: Vec<_> = (0..400)
            .filter_map(|_| begin(to).ok())
            .filter(|one| matches!(one, Begun::Waiting(_)))
            .collect();
        let attempt = of(to, Duration::from_millis(300));
        assert_eq!(attempt.answer, Answer::Silence);
        assert!(
            (250..5_000).contains(&attempt.after.as_millis()),
            "{attempt:?}"
        );
    }

    #[test]
    fn a_cancelled_call_stops_waiting() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
        let to = listener.local_addr().expect("it is bound");
        let _kept: Vec<_> = (0..400).filter_map(|_| begin(to).ok()).collect();
        let begun = Instant::now();
        let all = attempts(&[to, to], Duration::from_secs(60), &|| false);
        assert_eq!(all.len(), 2);
        assert!(begun.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn an_address_without_a_route_is_not_sent_to() {
        // TCP has no broadcast (RFC 1122, section 4.2.3.10).
        let attempt = of(
            ([255, 255, 255, 255], 80).into(),
            Duration::from_millis(300),
        );
        assert!(matches!(attempt.answer, Answer::NotSent(_)), "{attempt:?}");
    }

    #[test]
    fn icmp_errors_have_the_meaning_that_their_standards_give() {
        let error = |origin, kind, code, info| libc::sock_extended_err {
            ee_errno: 0,
            ee_origin: origin,
            ee_type: kind,
            ee_code: code,
            ee_pad: 0,
            ee_info: info,
            ee_data: 0,
        };
        let four = libc::SO_EE_ORIGIN_ICMP;
        for (kind, code, icmp) in [
            (3, 0, Icmp::NetUnreachable),
            (3, 1, Icmp::HostUnreachable),
            (3, 3, Icmp::PortUnreachable),
            (3, 4, Icmp::TooBig(1280)),
            (3, 9, Icmp::Prohibited),
            (3, 10, Icmp::Prohibited),
            (3, 13, Icmp::Prohibited),
            (11, 0, Icmp::TimeExceeded),
            (12, 1, Icmp::Other(12, 1)),
        ] {
            assert_eq!(of_ipv4(&error(four, kind, code, 1280)), Some(icmp));
        }
        let six = libc::SO_EE_ORIGIN_ICMP6;
        for (kind, code, icmp) in [
            (1, 0, Icmp::NetUnreachable),
            (1, 1, Icmp::Prohibited),
            (1, 3, Icmp::HostUnreachable),
            (1, 4, Icmp::PortUnreachable),
            (2, 0, Icmp::TooBig(1280)),
            (3, 0, Icmp::TimeExceeded),
        ] {
            assert_eq!(of_ipv6(&error(six, kind, code, 1280)), Some(icmp));
        }
        assert_eq!(of_ipv4(&error(libc::SO_EE_ORIGIN_LOCAL, 3, 1, 0)), None);
    }
}
