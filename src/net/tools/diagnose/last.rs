//! The last look: what only the answer to a request makes worth a look: certificates, another language, the size of packets, a proxy.

use std::net::SocketAddr;
use std::time::Duration;

use super::answers::request;
use super::asked::Asked;
use super::findings::{Findings, Proxy};
use super::greeting::greeting;
use super::open::{self, Speech};
use super::proxies;
use crate::address::literal::Literal;
use crate::address::ranges::{self, Kind};
use crate::gate::Reads;
use crate::net::commands;
use crate::net::connect::{self, Answer, Attempt, Greeting};
use crate::net::parse::ping;
use crate::net::step::Step;
use crate::net::step_runner::StepRunner;
use crate::net::tools::words::{err, out};

/// A further step, and what its answer is.
enum Further {
    /// The request without a check of the certificate.
    Unchecked,
    /// The request by plain HTTP.
    Plain,
    /// The request by HTTPS.
    Secure,
    /// A packet of so many bytes that no router may divide.
    Size(u32),
    /// The request by way of the proxy.
    Proxied(Box<Proxy>),
}

/// Looks, and adds to the findings `f`.
pub fn last(asked: &Asked<'_>, f: &mut Findings, runner: &StepRunner, reads: &mut dyn Reads) {
    let mut steps = other_languages(asked, f, reads);
    steps.extend(sizes(asked, f));
    steps.extend(by_proxy(asked, f, runner, reads));
    let (kinds, steps): (Vec<Further>, Vec<Step>) = steps.into_iter().unzip();
    let answers = runner.run(&steps, reads);
    for (kind, answer) in kinds.into_iter().zip(&answers) {
        match kind {
            Further::Unchecked => f.heard.unchecked = request(answer),
            Further::Plain => f.heard.plain = request(answer),
            Further::Secure => {
                // 35 is a handshake that failed: no TLS is spoken there either.
                let found = request(answer).filter(|one| one.exit != 35);
                if found.is_some() {
                    f.heard.scheme = Some("HTTPS");
                    f.heard.request = found;
                }
            }
            Further::Size(bytes) => {
                let Ok(captured) = answer else { continue };
                // Where this machine knows of a smaller link (ip(7), EMSGSIZE), the path's MTU works.
                let known = err(captured).contains("essage too long");
                if let Ok(ping) = ping::read(&out(captured))
                    && ping.errors.is_empty()
                    && !known
                {
                    f.sizes.push((bytes, ping.received > 0));
                }
            }
            Further::Proxied(proxy) => {
                let request = request(answer);
                f.proxy = Some(Proxy { request, ..*proxy });
            }
        }
    }
}

/// The steps about certificates, and about other languages than the one that the port should speak.
fn other_languages(asked: &Asked<'_>, f: &mut Findings, reads: &dyn Reads) -> Vec<(Further, Step)> {
    let name = asked.name.unwrap_or(asked.address);
    let number = f.port().map_or(0, |one| one.to.port());
    let mut steps: Vec<(Further, Step)> = Vec::new();
    let exit = f.heard.request.as_ref().map(|one| one.exit);
    let https = f.heard.scheme == Some("HTTPS");
    // curl(1): 60 is a certificate that is not trusted, 35 a handshake that failed, 1 and 8 an answer that is no HTTP.
    if exit == Some(60)
        && f.heard
            .request
            .as_ref()
            .is_some_and(|one| one.chain.is_empty())
    {
        let step = commands::certificate(name, asked.address, number);
        steps.push((Further::Unchecked, step));
    }
    // On a port where HTTP was a guess, TLS is the next one.
    let guessed = matches!(open::speech(number), Speech::MaybeHttp | Speech::Unknown);
    if guessed && !https && matches!(exit, Some(1 | 8 | 52 | 56)) {
        let step = commands::curl(name, asked.address, "https", number);
        steps.push((Further::Secure, step));
    }
    let secured = f
        .heard
        .request
        .as_ref()
        .is_some_and(|one| one.seconds.1 > 0.0);
    if matches!(exit, Some(1 | 8 | 35 | 56)) && !secured && f.heard.greeting.is_none() {
        f.heard.greeting = greeting(asked, number, reads);
    }
    let greets = matches!(open::speech(number), Speech::Greets(_));
    let mute = greets && f.heard.greeting == Some(Greeting::Silent);
    // OpenSSL's words for an answer that is no TLS at all.
    let message = f
        .heard
        .request
        .as_ref()
        .and_then(|one| one.message.as_ref());
    let no_tls = message.is_some_and(|text| {
        let text = text.as_str();
        text.contains("wrong version number") || text.contains("packet length")
    });
    if https && no_tls && f.heard.greeting == Some(Greeting::Silent) || mute {
        let step = commands::curl(name, asked.address, "http", number);
        steps.push((Further::Plain, step));
    }
    steps
}

/// The steps about the size of packets, where data stalls.
fn sizes(asked: &Asked<'_>, f: &Findings) -> Vec<(Further, Step)> {
    let mut steps = Vec::new();
    if f.stalled() && f.pinged() {
        let mtu = f
            .way
            .as_ref()
            .and_then(|way| way.mtu)
            .unwrap_or(1500)
            .min(1500);
        for bytes in [mtu, 1400, 1280, 1000] {
            if bytes <= mtu {
                let step = commands::whole(asked.address, bytes);
                steps.push((Further::Size(bytes), step));
            }
        }
    }
    steps
}

/// The request by way of the proxy, where one is named and takes connections.
fn by_proxy(
    asked: &Asked<'_>,
    f: &mut Findings,
    runner: &StepRunner,
    reads: &mut dyn Reads,
) -> Option<(Further, Step)> {
    let name = asked.name.unwrap_or(asked.address);
    let number = f.port().map_or(0, |one| one.to.port());
    let scheme = match open::speech(number) {
        Speech::Https => Some("https"),
        Speech::Http | Speech::MaybeHttp => Some("http"),
        _ => None,
    };
    let named = scheme
        .and_then(|scheme| proxies::named(&runner.settings, scheme, name))
        .filter(|_| {
            let own = scheme.unwrap_or_default();
            proxies::named(&runner.settings, own, asked.address).is_some()
        });
    let (named, scheme) = (named?, scheme?);
    let (proxy, near) = tried(&named, runner, reads);
    let open = proxy
        .attempt
        .as_ref()
        .is_some_and(|one| one.answer == Answer::Open);
    if let (true, Some(near)) = (open && named.scheme.starts_with("http"), near) {
        let url = format!("{}://{near}", named.scheme);
        let step = commands::proxied(&url, name, asked.address, scheme, number);
        Some((Further::Proxied(Box::new(proxy)), step))
    } else {
        f.proxy = Some(proxy);
        None
    }
}

/// How long a connection to a proxy may take.
const CONNECT: Duration = Duration::from_millis(2_300);

/// Tries to connect to the proxy, if it is on this machine's own networks; and its address and port, for curl.
fn tried(
    named: &proxies::Named,
    runner: &StepRunner,
    reads: &mut dyn Reads,
) -> (Proxy, Option<SocketAddr>) {
    let mut proxy = Proxy {
        variable: named.variable.clone(),
        at: format!("{}:{}", named.host, named.port),
        attempt: None,
        foreign: false,
        request: None,
    };
    let address = Literal::read(&named.host)
        .map(|one| one.address)
        .or_else(|| {
            let step = Step::new("getent", &["ahosts", &named.host], Duration::from_secs(3));
            let text = runner.run_one(&step, reads).ok().map(|one| out(&one))?;
            text.split_ascii_whitespace().next()?.parse().ok()
        });
    let Some(address) = address else {
        return (proxy, None);
    };
    // A public proxy gets no packets: nobody was asked about it.
    let near = ranges::of(address).kind == Kind::Private || address.is_loopback();
    if !near {
        proxy.foreign = true;
        return (proxy, None);
    }
    let to = SocketAddr::new(address, named.port);
    let attempts: Vec<Attempt> = connect::attempts(&[to], &|_| CONNECT, &|| reads.go_on().is_ok());
    proxy.attempt = attempts.into_iter().next();
    (proxy, Some(to))
}
