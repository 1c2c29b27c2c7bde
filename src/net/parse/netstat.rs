//! Reads netstat, for machines without `ss`: listening sockets in the forms of net-tools (`-tulpnW`) and of the BSDs (`-an`), and
//! routes in the form of the BSDs (`-rn`).

use super::ip::Route;
use super::ss::Listener;
use super::{Bounded, Outside, Unreadable, bounds};

/// Reads the listening sockets.
///
/// # Errors
/// The text is too long, or has no line of headings.
pub fn listeners(text: &str) -> Result<Bounded<Listener>, Unreadable> {
    table(text, "Proto")?;
    Ok(Bounded::of(text.lines().filter_map(listener)))
}

/// Checks the length, and that a line of headings begins with `first`.
fn table(text: &str, first: &str) -> Result<(), Unreadable> {
    bounds::length(text)?;
    if text.lines().any(|line| line.starts_with(first)) {
        Ok(())
    } else {
        Err(Unreadable::Form)
    }
}

/// The listener of a line: `tcp6  0  0 :::443  :::*  LISTEN  812/nginx`, or without a state
/// `udp  0  0 0.0.0.0:68  0.0.0.0:*  512/dhclient`.
fn listener(line: &str) -> Option<Listener> {
    let words: Vec<&str> = line.split_ascii_whitespace().take(64).collect();
    let [protocol, _, _, local, foreign, rest @ ..] = words.as_slice() else {
        return None;
    };
    let protocol = protocol.trim_end_matches(['4', '6']);
    if !matches!(protocol, "tcp" | "udp") || !foreign.ends_with('*') {
        return None;
    }
    let program = match rest {
        ["LISTEN", program @ ..] => program,
        _ if protocol == "tcp" => return None,
        program => program,
    };
    // The BSDs write the port behind a dot: `127.0.0.1.8080`.
    let sign = if foreign.ends_with(".*") { '.' } else { ':' };
    let (address, port) = local.rsplit_once(sign)?;
    let (address, zone) = match address.split_once('%') {
        Some((address, zone)) => (address, Some(Outside::new(zone))),
        None => (address, None),
    };
    if address != "*" && address.parse::<std::net::IpAddr>().is_err() {
        return None;
    }
    // `812/nginx: master`, or `-` where the user may not see the program.
    let (id, name) = program
        .split_first()
        .map_or(("", String::new()), |(first, more)| {
            let (id, name) = first.split_once('/').unwrap_or(("", first));
            let words: Vec<&str> = std::iter::once(name).chain(more.iter().copied()).collect();
            (id, words.join(" "))
        });
    let known = !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit());
    Some(Listener {
        protocol: protocol.to_owned(),
        address: address.to_owned(),
        zone,
        port: port.parse().ok()?,
        programs: Vec::from_iter(known.then(|| Outside::new(&name))),
    })
}

/// Reads the routes of the BSDs.
///
/// # Errors
/// The text is too long, or has no line of headings.
pub fn routes(text: &str) -> Result<Bounded<Route>, Unreadable> {
    table(text, "Destination")?;
    if text.contains("Genmask") {
        // The form of Linux's netstat is not read: network_status has read the same routes from /proc/net/route.
        return Err(Unreadable::Form);
    }
    Ok(Bounded::of(text.lines().filter_map(route)))
}

/// The route of a line: `default  192.168.1.1  UGScg  en0`, `192.168.1  link#6  UCS  en0`.
fn route(line: &str) -> Option<Route> {
    let words: Vec<&str> = line.split_ascii_whitespace().take(16).collect();
    let [to, gateway, flags, device, ..] = words.as_slice() else {
        return None;
    };
    let place = |text: &str| {
        text == "default" || text.contains(['.', ':']) || text.bytes().all(|b| b.is_ascii_digit())
    };
    let plain = |text: &str| {
        text.len() <= 64
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b".:/%".contains(&b))
    };
    if !place(to) || !plain(to) || !flags.starts_with('U') {
        return None;
    }
    let router = gateway.split('%').next().unwrap_or(gateway);
    Some(Route {
        to: (*to).to_owned(),
        via: (flags.contains('G') && router.parse::<std::net::IpAddr>().is_ok())
            .then(|| router.to_owned()),
        device: Some(Outside::new(device)),
        source: None,
        table: None,
        kind: None,
        metric: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written after the manual of netstat on macOS; not recorded there.
    const ROUTES: &str = "Routing tables\n\nInternet:\nDestination        Gateway            Flags               Netif Expire\ndefault            10.77.0.1          UGScg                 en0       \n127                127.0.0.1          UCS                   lo0       \n10.77              link#6             UCS                   en0      !\n\nInternet6:\nDestination                             Gateway                                 Flags               Netif Expire\ndefault                                 fe80::1%en0                             UGcg                  en0       \n";
    const SOCKETS: &str = "Active Internet connections (including servers)\nProto Recv-Q Send-Q  Local Address          Foreign Address        (state)    \ntcp4       0      0  127.0.0.1.8080         *.*                    LISTEN     \ntcp4       0      0  10.77.0.10.51234       10.77.0.80.443         ESTABLISHED\ntcp46      0      0  *.22                   *.*                    LISTEN     \nudp6       0      0  fe80::1%lo0.123        *.*                               \n";

    #[test]
    fn the_form_of_the_bsds_is_read_too() {
        let routes = routes(ROUTES).expect("routes").rows;
        let told: Vec<(&str, Option<&str>)> = routes
            .iter()
            .map(|route| (route.to.as_str(), route.via.as_deref()))
            .collect();
        assert_eq!(
            told,
            [
                ("default", Some("10.77.0.1")),
                ("127", None),
                ("10.77", None),
                ("default", Some("fe80::1"))
            ]
        );
        let sockets = listeners(SOCKETS).expect("sockets").rows;
        let told: Vec<(&str, &str, u16)> = sockets
            .iter()
            .map(|one| (one.protocol.as_str(), one.address.as_str(), one.port))
            .collect();
        assert_eq!(
            told,
            [
                ("tcp", "127.0.0.1", 8080),
                ("tcp", "*", 22),
                ("udp", "fe80::1", 123)
            ]
        );
    }
}
