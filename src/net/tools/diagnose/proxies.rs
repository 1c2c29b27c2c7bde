//! The proxy that the environment names for a request: programs that read these variables go another way than the checks.

use std::net::IpAddr;

use ipnet::IpNet;

use super::findings::Proxy;
use crate::net::connect::Answer;
use crate::net::settings::NetSettings;

/// A proxy as the environment names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The variable that names it.
    pub variable: String,
    /// `http`, `https`, `socks5`, …
    pub scheme: String,
    pub host: String,
    pub port: u16,
}

/// The proxy for a request of `scheme` to `host`; none where `no_proxy` names the host (curl(1), ENVIRONMENT).
pub fn named(settings: &NetSettings, scheme: &str, host: &str) -> Option<Named> {
    let entries = settings.environment.reveal();
    let value = |name: &str| {
        entries.iter().find_map(|entry| {
            let (known, value) = entry.split_once('=')?;
            (known == name && !value.is_empty()).then(|| value.to_owned())
        })
    };
    let spared = value("no_proxy").or_else(|| value("NO_PROXY"));
    if spared.is_some_and(|list| spares(&list, host)) {
        return None;
    }
    let own = format!("{}_proxy", scheme.to_ascii_lowercase());
    // HTTP_PROXY in capitals is not read: a web server sets it from a header of the request (CVE-2016-5388).
    let capitals = (own != "http_proxy").then(|| own.to_ascii_uppercase());
    let names = [
        Some(own),
        capitals,
        Some("all_proxy".to_owned()),
        Some("ALL_PROXY".to_owned()),
    ];
    names
        .into_iter()
        .flatten()
        .find_map(|name| read(&name, &value(&name)?))
}

fn spares(list: &str, host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let address: Option<IpAddr> = host.parse().ok();
    list.split([',', ' ']).map(str::trim).any(|one| {
        let one = one.trim_start_matches("*.").trim_start_matches('.');
        let one = one.to_ascii_lowercase();
        // Programs differ in whether they know networks and ports here; a host that one of them spares is no trouble of the proxy's.
        let net = one.parse::<IpNet>().ok().zip(address);
        let bare = match one.rsplit_once(':') {
            Some((bare, port)) if !bare.contains(':') && port.parse::<u16>().is_ok() => bare,
            _ => one.trim_matches(['[', ']']),
        };
        one == "*"
            || net.is_some_and(|(net, address)| net.contains(&address))
            || !bare.is_empty() && (host == bare || host.ends_with(&format!(".{bare}")))
    })
}

/// Reads `scheme://user:password@host:port/`; user and password are dropped.
fn read(variable: &str, text: &str) -> Option<Named> {
    let (scheme, rest) = text.split_once("://").unwrap_or(("http", text));
    let rest = rest.split('/').next()?;
    let rest = rest.rsplit('@').next()?;
    let (host, port) = match rest.strip_prefix('[') {
        Some(six) => {
            let (host, after) = six.split_once(']')?;
            (host, after.strip_prefix(':'))
        }
        None => match rest.rsplit_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (rest, None),
        },
    };
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.:".contains(&b);
    if host.is_empty() || host.len() > 253 || !host.bytes().all(plain) {
        return None;
    }
    Some(Named {
        variable: variable.to_owned(),
        scheme: scheme.to_ascii_lowercase(),
        host: host.to_owned(),
        // curl's defaults.
        port: match port {
            Some(port) => port.parse().ok()?,
            None if scheme.eq_ignore_ascii_case("https") => 443,
            None => 1080,
        },
    })
}

/// What the proxy of the environment does, in words; `well`: without it all is well.
pub fn told(proxy: &Proxy, well: bool) -> String {
    let at = format!("the proxy {} ({})", proxy.at, proxy.variable);
    let direct = if well {
        ", while the direct way works"
    } else {
        ""
    };
    if proxy.foreign {
        return format!("{at} is set; it is public, and was neither tried nor used");
    }
    let Some(attempt) = &proxy.attempt else {
        return format!("{at} does not resolve{direct}");
    };
    let fails = match attempt.answer {
        Answer::Open => None,
        Answer::Reset => Some("is refused: nothing listens there".to_owned()),
        Answer::Silence => Some("gives no answer".to_owned()),
        Answer::Icmp(icmp, by) => Some(format!("cannot be reached: {by} says {icmp}")),
        Answer::NotSent(error) => Some(format!("cannot be reached ({})", error.desc())),
    };
    if let Some(fails) = fails {
        return format!("{at} {fails}{direct}");
    }
    let request = proxy.request.as_ref();
    let refused = request.and_then(|one| one.proxy_status.filter(|status| *status >= 400));
    match (refused.or(request.and_then(|one| one.status)), request) {
        (Some(status), _) if refused.is_some() || matches!(status, 407 | 502..=504) => {
            format!("{at} answers {status}{}{direct}", meaning_of_proxy(status))
        }
        (Some(status), _) if well => {
            format!("{at} is set, which was not used; by way of it the server answers {status} too")
        }
        (Some(status), _) => format!("{at} reaches it: the server answers {status} by way of it"),
        (None, Some(request)) if request.exit != 0 => {
            format!("{at} fails: {}{direct}", request.outcome)
        }
        _ => format!("{at} is set, and was not used here"),
    }
}

const fn meaning_of_proxy(status: u16) -> &'static str {
    match status {
        403 => " (it forbids this)",
        407 => " (it wants a login)",
        502..=504 => " (it cannot reach the host)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(entries: &[&str], scheme: &str) -> Option<String> {
        let entries: Vec<String> = entries.iter().map(|one| (*one).to_owned()).collect();
        let settings = NetSettings {
            environment: entries.into(),
            ..NetSettings::default()
        };
        let named = named(&settings, scheme, "app.corp.test")?;
        Some(format!("{} {}:{}", named.variable, named.host, named.port))
    }

    #[test]
    fn the_proxy_of_the_scheme_is_found_without_its_password() {
        let set = [
            "https_proxy=http://me:pass@10.1.0.9:3128/",
            "http_proxy=p.test",
        ];
        assert_eq!(
            of(&set, "HTTPS").as_deref(),
            Some("https_proxy 10.1.0.9:3128")
        );
        assert_eq!(of(&set, "HTTP").as_deref(), Some("http_proxy p.test:1080"));
        assert_eq!(of(&["HTTP_PROXY=http://p.test:1"], "HTTP"), None);
        assert_eq!(
            of(&["ALL_PROXY=socks5://[fd00::9]:1080"], "HTTP").as_deref(),
            Some("ALL_PROXY fd00::9:1080")
        );
    }

    #[test]
    fn hosts_that_no_proxy_names_are_spared() {
        for list in [
            "app.corp.test",
            ".corp.test",
            "x, corp.test",
            "*",
            "app.corp.test:443",
        ] {
            assert_eq!(
                of(&["http_proxy=p:1", &format!("no_proxy={list}")], "HTTP"),
                None
            );
        }
        let settings = NetSettings {
            environment: vec![
                "http_proxy=p:1".to_owned(),
                "no_proxy=10.0.0.0/8".to_owned(),
            ]
            .into(),
            ..NetSettings::default()
        };
        assert_eq!(named(&settings, "http", "10.2.0.80"), None);
        assert!(named(&settings, "http", "192.168.1.1").is_some());
        for list in ["other.test", "p.test", ""] {
            assert!(of(&["http_proxy=p:1", &format!("no_proxy={list}")], "HTTP").is_some());
        }
    }
}
