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
    SockaddrStorage, connect, getsockname, getsockopt, recv, recvmsg, setsockopt, socket, sockopt,
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

/// The kernel sends a second SYN after one second (RFC 6298, section 2.1); this is a little less.
const SECOND_SYN: Duration = Duration::from_millis(950);

impl Attempt {
    /// Whether the first packets were lost: the connection needed a second SYN, or got no answer at all.
    pub fn resent(&self) -> bool {
        self.answer == Answer::Silence || self.answer == Answer::Open && self.after >= SECOND_SYN
    }
}

impl fmt::Display for Attempt {
    /// `TCP 443 open (3 ms)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.after.as_millis();
        write!(f, "TCP {}", self.to.port())?;
        match self.answer {
            Answer::Open => write!(f, " open ({ms} ms)"),
            Answer::Reset => write!(f, " reset ({ms} ms)"),
            Answer::Silence => write!(f, " no answer in {:.1} s", self.after.as_secs_f64()),
            Answer::NotSent(error) => write!(f, " not sent ({})", error.desc()),
            Answer::Icmp(icmp, by) => write!(f, ": {by} says {icmp} ({ms} ms)"),
        }
    }
}

/// So often a cancelled call is noticed.
const TICK: Duration = Duration::from_millis(50);

/// Connects to each of `to`, all at once, for at most as long as `time` says by the answers so far, and closes the connections again.
/// `go_on` is asked every 50 ms; once it says no, the attempts that are still open count as [`Answer::Silence`].  The result is in
/// the order of `to`.
pub fn attempts(
    to: &[SocketAddr],
    time: &dyn Fn(&[Attempt]) -> Duration,
    go_on: &dyn Fn() -> bool,
) -> Vec<Attempt> {
    let begun = Instant::now();
    let mut open: Vec<(usize, OwnedFd)> = Vec::new();
    let mut out: Vec<Attempt> = Vec::new();
    for (nth, &to) in to.iter().enumerate() {
        let answer = match begin(to) {
            Ok(Begun::Open(_)) => Answer::Open,
            Ok(Begun::Waiting(socket)) => {
                open.push((nth, socket));
                Answer::Silence
            }
            Err(error) => Answer::NotSent(error),
        };
        let after = begun.elapsed();
        out.push(Attempt { to, answer, after });
    }
    while !open.is_empty() && begun.elapsed() < time(&out) && go_on() {
        let left = time(&out).saturating_sub(begun.elapsed()).min(TICK);
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

/// What a port says by itself to whoever connects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Greeting {
    /// Its first bytes, at most 256.
    Bytes(Vec<u8>),
    /// It closed the connection without a word.
    Closed,
    /// It reset the connection.
    Reset,
    /// It says nothing.
    Silent,
    /// No connection could be made.
    NotOpen,
}

/// Connects to `to` and waits for at most `time` for what it says; nothing is sent.  `go_on` is asked every 50 ms.
pub fn greeting(to: SocketAddr, time: Duration, go_on: &dyn Fn() -> bool) -> Greeting {
    let begun = Instant::now();
    let Ok(Begun::Open(socket) | Begun::Waiting(socket)) = begin(to) else {
        return Greeting::NotOpen;
    };
    let mut connected = false;
    let mut bytes = [0_u8; 256];
    while begun.elapsed() < time && go_on() {
        let wanted = if connected {
            PollFlags::POLLIN
        } else {
            PollFlags::POLLOUT
        };
        let mut polled = [PollFd::new(socket.as_fd(), wanted)];
        let wait = PollTimeout::try_from(TICK).unwrap_or(PollTimeout::ZERO);
        match poll(&mut polled, wait) {
            Ok(0) | Err(Errno::EINTR) => continue,
            Ok(_) => {}
            Err(_) => break,
        }
        if !connected {
            if ended(&socket, to.ip()) != Answer::Open {
                return Greeting::NotOpen;
            }
            connected = true;
            continue;
        }
        match recv(socket.as_raw_fd(), &mut bytes, MsgFlags::MSG_DONTWAIT) {
            Ok(0) => return Greeting::Closed,
            Ok(length) => return Greeting::Bytes(bytes[..length].to_vec()),
            Err(Errno::ECONNRESET) => return Greeting::Reset,
            Err(Errno::EAGAIN | Errno::EINTR) => {}
            Err(_) => break,
        }
    }
    if connected {
        Greeting::Silent
    } else {
        Greeting::NotOpen
    }
}

/// The address that packets to `to` leave from; nothing is sent (connect(2) on a socket for datagrams).
///
/// # Errors
/// The kernel has no way to `to`, or a rule forbids it.
#[expect(
    clippy::disallowed_methods,
    reason = "a socket for datagrams that sends none"
)]
pub fn source(to: IpAddr) -> Result<IpAddr, Errno> {
    let family = if to.is_ipv4() {
        AddressFamily::Inet
    } else {
        AddressFamily::Inet6
    };
    let socket = socket(family, SockType::Datagram, SockFlag::SOCK_CLOEXEC, None)?;
    // Port 9 is for what is thrown away (RFC 863).
    connect(
        socket.as_raw_fd(),
        &SockaddrStorage::from(SocketAddr::new(to, 9)),
    )?;
    let own: SockaddrStorage = getsockname(socket.as_raw_fd())?;
    ip(&own).ok_or(Errno::EAFNOSUPPORT)
}

/// The IP address in a socket's address; `None` for one of another family.
pub fn ip(address: &SockaddrStorage) -> Option<IpAddr> {
    let four = address.as_sockaddr_in().map(|four| IpAddr::V4(four.ip()));
    four.or_else(|| Some(IpAddr::V6(address.as_sockaddr_in6()?.ip())))
}

/// An attempt that was begun.
enum Begun {
    Open(OwnedFd),
    Waiting(OwnedFd),
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that connects; a tool of a Plan calls it with addresses that the Plan shows"
)]
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
        Ok(()) => Ok(Begun::Open(socket)),
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
    use std::io::Write;
    use std::net::TcpListener;

    use super::*;

    fn of(to: SocketAddr, time: Duration) -> Attempt {
        attempts(&[to], &|_| time, &|| true)[0]
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
        let all = attempts(&[to, to], &|_| Duration::from_secs(60), &|| false);
        assert_eq!(all.len(), 2);
        assert!(begun.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn what_a_port_says_by_itself_is_heard() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
        let to = listener.local_addr().expect("it is bound");
        let server = std::thread::spawn(move || {
            let (mut one, _) = listener.accept().expect("a connection");
            one.write_all(b"SSH-2.0-x\r\n").expect("written");
            drop(one);
            let (two, _) = listener.accept().expect("a connection");
            drop(two);
            let (three, _) = listener.accept().expect("a connection");
            (listener, three)
        });
        let hear = |time| greeting(to, Duration::from_millis(time), &|| true);
        assert_eq!(hear(5000), Greeting::Bytes(b"SSH-2.0-x\r\n".to_vec()));
        assert_eq!(hear(5000), Greeting::Closed);
        assert_eq!(hear(200), Greeting::Silent);
        drop(server.join());
        assert_eq!(hear(5000), Greeting::NotOpen);
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
