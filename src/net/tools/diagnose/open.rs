//! What an open port says: HTTP, TLS, a greeting, or nothing; and what is wrong with it.

use std::fmt::Write as _;

use super::findings::Findings;
use super::tls;
use crate::net::connect::{Answer, Greeting};
use crate::net::parse::Outside;
use crate::net::parse::curl::Request;

/// What is spoken on a port by convention (IANA's registry of ports).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speech {
    Http,
    /// Often HTTP.
    MaybeHttp,
    Https,
    /// TLS, with a protocol other than HTTP in it.
    Tls,
    /// The server speaks first, with this service's greeting.
    Greets(&'static str),
    /// The client speaks first, in a language other than HTTP.
    Quiet,
    /// Nothing is agreed.
    Unknown,
}

const SPEECH: &[(u16, Speech)] = &[
    (21, Speech::Greets("FTP")),
    (22, Speech::Greets("SSH")),
    (25, Speech::Greets("SMTP")),
    (53, Speech::Quiet),
    (80, Speech::Http),
    (88, Speech::Quiet),
    (110, Speech::Greets("POP3")),
    (111, Speech::Quiet),
    (135, Speech::Quiet),
    (139, Speech::Quiet),
    (143, Speech::Greets("IMAP")),
    (389, Speech::Quiet),
    (443, Speech::Https),
    (445, Speech::Quiet),
    (465, Speech::Tls),
    (515, Speech::Quiet),
    (587, Speech::Greets("SMTP")),
    (636, Speech::Tls),
    (853, Speech::Tls),
    (873, Speech::Greets("rsync")),
    (989, Speech::Tls),
    (990, Speech::Tls),
    (993, Speech::Tls),
    (995, Speech::Tls),
    (1433, Speech::Quiet),
    (1521, Speech::Quiet),
    (1883, Speech::Quiet),
    (2049, Speech::Quiet),
    (2222, Speech::Greets("SSH")),
    (3306, Speech::Greets("MySQL")),
    (3389, Speech::Quiet),
    (5061, Speech::Tls),
    (5432, Speech::Quiet),
    (5671, Speech::Tls),
    (5672, Speech::Quiet),
    (5900, Speech::Greets("VNC")),
    (6379, Speech::Quiet),
    (6443, Speech::Https),
    (6697, Speech::Tls),
    (8080, Speech::Http),
    (8443, Speech::Https),
    (8883, Speech::Tls),
    (9092, Speech::Quiet),
    (9418, Speech::Quiet),
    (9443, Speech::Https),
    (11211, Speech::Quiet),
    (27017, Speech::Quiet),
];

/// For so many seconds a greeting is waited for, at the least.
pub const GREET_SECONDS: u64 = 6;

/// What is spoken on `port`.
pub fn speech(port: u16) -> Speech {
    let known = SPEECH.iter().find(|(known, _)| *known == port);
    match (known, port) {
        (Some((_, speech)), _) => *speech,
        // Printers print what they are sent (RFC 1179's successor: raw printing on 9100 to 9107).
        (None, 9100..=9107) => Speech::Quiet,
        (None, 3000 | 5000 | 8000..=8999 | 9000 | 9090) => Speech::MaybeHttp,
        (None, _) => Speech::Unknown,
    }
}

fn port(f: &Findings) -> String {
    f.port()
        .map_or_else(String::new, |one| format!("TCP {}", one.to.port()))
}

/// The largest size that passed, where a larger one did not: of packets that no router may divide.
pub fn largest(f: &Findings) -> Option<(u32, u32)> {
    let passes = f.sizes.iter().filter(|(_, passed)| *passed);
    let passes = passes.map(|(bytes, _)| *bytes).max()?;
    let lost = f.sizes.iter().filter(|(_, passed)| !passed);
    let lost = lost.map(|(bytes, _)| *bytes).min()?;
    (lost > passes).then_some((passes, lost))
}

fn silent_service(f: &Findings) -> Option<&'static str> {
    let port = f.port()?.to.port();
    match (speech(port), f.heard.greeting.as_ref()) {
        (Speech::Greets(service), Some(Greeting::Silent)) => Some(service),
        _ => None,
    }
}

/// What the server speaks by its first bytes.
fn service(bytes: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(bytes);
    if text.starts_with("SSH-") {
        Some("SSH")
    } else if text.starts_with("HTTP/") || text.starts_with('<') {
        Some("HTTP")
    } else if text.starts_with("+OK") {
        Some("POP3")
    } else if text.starts_with("* OK") {
        Some("IMAP")
    } else if text.starts_with("RFB ") {
        Some("VNC")
    } else if text.starts_with("@RSYNCD") {
        Some("rsync")
    } else if text.starts_with("220") {
        // Both protocols greet with 220; most servers name theirs.
        if text.contains("FTP") {
            Some("FTP")
        } else if text.contains("SMTP") {
            Some("SMTP")
        } else {
            None
        }
    } else if bytes.get(4) == Some(&10) {
        Some("MySQL")
    } else {
        None
    }
}

fn first_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().next().unwrap_or_default();
    let line: String = line.chars().take(60).collect();
    Outside::new(&line).to_string()
}

/// What is wrong with the open port, in words; `None` where all is well or nothing was heard.
pub fn fault(f: &Findings) -> Option<String> {
    if !f.open() {
        return None;
    }
    let tcp = port(f);
    let number = f.port()?.to.port();
    let heard = &f.heard;
    if let Some(service) = silent_service(f) {
        return Some(match heard.plain.as_ref().and_then(|one| one.status) {
            Some(status) => format!(
                "is reached, but on {tcp} a web server answers (HTTP {status}) in place of {service}: the wrong service"
            ),
            None => format!(
                "is reached on {tcp}, but the {service} server says nothing: no banner comes in {GREET_SECONDS} s (it hangs)"
            ),
        });
    }
    match heard.greeting.as_ref() {
        Some(Greeting::Bytes(bytes)) => {
            if let (Speech::Greets(awaited), Some(other)) = (speech(number), service(bytes))
                && awaited != other
            {
                return Some(format!(
                    "is reached, but on {tcp} a server of {other} answers in place of {awaited}: the wrong service"
                ));
            }
            if heard.scheme.is_some()
                && heard
                    .request
                    .as_ref()
                    .is_some_and(|one| one.status.is_none())
            {
                let what = service(bytes).map_or_else(
                    || format!("another service, which says {}", first_line(bytes)),
                    |service| format!("a server of {service}"),
                );
                let awaited = match speech(number) {
                    Speech::Tls => "TLS",
                    Speech::Unknown | Speech::MaybeHttp => return None,
                    _ => heard.scheme.unwrap_or_default(),
                };
                return Some(format!(
                    "is reached, but on {tcp} {what} answers in place of {awaited}: the wrong service"
                ));
            }
        }
        Some(Greeting::Closed) if heard.scheme.is_none() => {
            return Some(format!(
                "is reached, but {tcp} accepts the connection and closes it at once"
            ));
        }
        Some(Greeting::Reset) if heard.scheme.is_none() => {
            return Some(format!(
                "is reached, but {tcp} accepts the connection and resets it at once"
            ));
        }
        _ => {}
    }
    let request = heard.request.as_ref()?;
    answer(f, request, heard.scheme.unwrap_or("HTTP"), &tcp)
}

/// What is wrong with the answer to the request.
fn answer(f: &Findings, request: &Request, scheme: &str, tcp: &str) -> Option<String> {
    let speech = speech(f.port()?.to.port());
    let secured = request.seconds.1 > 0.0;
    // Behind TLS something else is spoken than HTTP, so that only the handshake counts.
    if speech == Speech::Tls && secured && request.exit != 60 {
        return None;
    }
    if let Some(status) = request.status {
        if status >= 400 {
            return Some(format!(
                "is reached on {tcp}; the server answers {scheme} {status}{}",
                meaning(status)
            ));
        }
        if let Some(to) = &request.redirect {
            return redirected(f, status, to, scheme, tcp);
        }
        if request.exit == 28 {
            return Some(format!(
                "is reached on {tcp}, and {scheme} answers {status}, but the answer is not complete after {:.0} s ({} bytes came): the data stalls, or it is a stream",
                request.seconds.2, request.received
            ));
        }
        let late = request.first_byte - request.seconds.0.max(request.seconds.1);
        return (late > 1.5).then(|| {
            format!("is reached on {tcp}, and {scheme} answers {status}, but slowly: the first byte comes after {late:.1} s")
        });
    }
    let message = request.message.as_ref().map_or("", Outside::as_str);
    // Where HTTP was a guess, no answer to it is no fault.
    if speech == Speech::Unknown && request.exit != 60 {
        return None;
    }
    let guess = if speech == Speech::MaybeHttp {
        ", or something other than HTTP is spoken there"
    } else {
        ""
    };
    let open = format!("{tcp} is open, but");
    let plain = f.heard.plain.as_ref().and_then(|one| one.status);
    // curl(1) has the meanings of the exit codes.
    Some(match request.exit {
        28 if scheme == "HTTPS" && !secured => {
            format!(
                "is reached: {open} the TLS handshake gets no answer in {:.0} s (it hangs, or a filter drops it)",
                request.seconds.2
            )
        }
        28 if request.received > 0 => {
            format!(
                "is reached: {open} the answer stalls after {} bytes",
                request.received
            )
        }
        28 => format!(
            "is reached: {open} the server gives no answer to the {scheme} request in {:.0} s (it hangs{guess})",
            request.seconds.2
        ),
        _ if plain.is_some() && scheme == "HTTPS" => {
            format!(
                "is reached: {open} it speaks plain HTTP, not HTTPS (HTTP {}): the wrong service",
                plain.unwrap_or_default()
            )
        }
        35 | 60 | 58 | 59 if tls::fault(message).is_some() => {
            let what = tls::fault(message).unwrap_or_default();
            format!(
                "is reached: {open} TLS fails: {what}{}",
                tls::certificate(f, message)
            )
        }
        60 => format!(
            "is reached: {open} TLS fails: its certificate is not trusted{}",
            tls::certificate(f, message)
        ),
        35 if message.contains("wrong version number") || message.contains("packet length") => {
            format!("is reached: {open} it does not speak TLS: the wrong service")
        }
        35 | 56 if message.contains("reset") => {
            let when = if scheme == "HTTPS" && !secured {
                "in the TLS handshake"
            } else {
                "when the request comes"
            };
            format!("is reached: {open} the connection is reset {when}{guess}")
        }
        35 => format!("is reached: {open} the connection is closed in the TLS handshake"),
        52 | 56 => format!(
            "is reached: {open} the connection is closed without an answer to the {scheme} request{guess}"
        ),
        1 | 8 if speech == Speech::MaybeHttp => {
            format!("is reached: {open} it does not speak {scheme}")
        }
        1 | 8 => format!("is reached: {open} it does not speak {scheme}: the wrong service"),
        7 => format!(
            "is reached, but a second connection to {tcp} fails: {}",
            request.outcome
        ),
        _ => format!("is reached: {open} {scheme} fails: {}", request.outcome),
    })
}

/// The meaning of a status (RFC 9110, section 15).
const fn meaning(status: u16) -> &'static str {
    match status {
        401 => " (unauthorized)",
        403 => " (forbidden)",
        404 => " (not found): the network is well",
        407 => " (the proxy wants a login)",
        429 => " (too many requests)",
        500 => " (internal server error): the network is well",
        502 => " (bad gateway): what stands behind the server fails",
        503 => " (service unavailable): the network is well",
        504 => " (gateway timeout): what stands behind the server does not answer",
        511 => " (network authentication required): a captive portal",
        _ => ": the network is well",
    }
}

/// The host of a URL, without its port.
fn host(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    let host = host.rsplit('@').next()?;
    let host = match host.strip_prefix('[') {
        Some(six) => six.split(']').next()?,
        None => host.split(':').next()?,
    };
    Some((scheme, host))
}

/// The port of a URL.
fn port_of(url: &str) -> Option<u16> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?.rsplit('@').next()?;
    let after = host.rsplit(']').next()?;
    match after.rsplit_once(':') {
        Some((_, port)) => port.parse().ok(),
        None if scheme.eq_ignore_ascii_case("https") => Some(443),
        None => Some(80),
    }
}

/// What is not well about a redirect; `None` for one to HTTPS of the same host.
fn redirected(f: &Findings, status: u16, to: &Outside, scheme: &str, tcp: &str) -> Option<String> {
    let own = f.name.as_deref().unwrap_or(&f.address);
    let (to_scheme, to_host) = host(to.as_str())?;
    let path = to.as_str().splitn(4, '/').nth(3).unwrap_or_default();
    let said = format!("is reached on {tcp}; the server redirects ({status}) to {to}");
    if !to_host.eq_ignore_ascii_case(own) {
        let login = ["login", "portal", "captive", "signin", "auth"];
        let lower = to.as_str().to_ascii_lowercase();
        let portal = login.iter().any(|word| lower.contains(word));
        return Some(if portal {
            format!("{said}, another host: a login page, perhaps of a captive portal")
        } else {
            format!("{said}, another host, which was not asked")
        });
    }
    let same = f.port().map(|one| one.to.port()) == port_of(to.as_str());
    (path.is_empty() && same && to_scheme.eq_ignore_ascii_case(scheme))
        .then(|| format!("{said}, which is itself: a redirect loop, unless a cookie ends it"))
}

/// The state of the open port in words: `TCP 443 open after 3 ms, HTTPS answers 200`.
pub fn state(f: &Findings) -> String {
    let mut out = f.port().map_or_else(String::new, |one| match one.answer {
        Answer::Open => format!(
            "TCP {} is open ({} ms)",
            one.to.port(),
            one.after.as_millis()
        ),
        _ => one.to_string(),
    });
    if let (Some(request), Some(scheme)) = (&f.heard.request, f.heard.scheme)
        && let Some(status) = request.status
    {
        let _ = write!(out, ", {scheme} answers {status}");
        if let Some(to) = &request.redirect {
            let _ = write!(out, " and redirects to {to}");
        }
        let _ = write!(out, ", first byte after {:.0} ms", request.first_byte * 1e3);
    }
    if let Some(Greeting::Bytes(bytes)) = &f.heard.greeting {
        let _ = write!(out, ", it says {}", first_line(bytes));
    } else if let (Some(request), Some(one)) = (&f.heard.request, f.port())
        && request.status.is_none()
    {
        out.push_str(match speech(one.to.port()) {
            Speech::Tls if request.seconds.1 > 0.0 => ", TLS is well",
            Speech::Unknown => {
                ", what is spoken there is not known (no greeting, and no answer to HTTP)"
            }
            _ => "",
        });
    }
    if let Some(why) = &f.heard.missing {
        let _ = write!(out, ", {why}");
    }
    match &f.ping {
        Some(ping) if ping.received > 0 => {
            if let Some((_, mean, _)) = ping.times {
                let _ = write!(out, ", ping {mean:.1} ms");
            }
        }
        Some(_) => out.push_str(", ping gets no answer"),
        None => {}
    }
    if let Some(time) = f.resolving.time() {
        let _ = write!(out, ", {time}");
    }
    out
}

/// What the request saw, as evidence.
pub fn seen(f: &Findings) -> Option<String> {
    let scheme = f.heard.scheme?;
    let request = f.heard.request.as_ref()?;
    let (connected, secured, all) = request.seconds;
    let mut out = match request.status {
        Some(status) => format!("{scheme} {status}"),
        None => format!("{scheme}: {}", request.outcome),
    };
    if connected > 0.0 {
        let _ = write!(out, " (connected after {:.0} ms", connected * 1e3);
        if secured > 0.0 {
            let _ = write!(out, ", TLS {:.0} ms", secured * 1e3);
        }
        let _ = write!(out, ", all {:.0} ms)", all * 1e3);
    }
    if let Some(message) = request
        .message
        .as_ref()
        .filter(|_| request.status.is_none())
    {
        let _ = write!(out, ", curl says {message}");
    }
    Some(out)
}
