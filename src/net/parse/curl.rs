//! curl's `-w '%{json}'`: what came of one request, and the certificate that was shown (curl 7.88 or later for the latter).

use serde_json::Value;

use super::{Outside, Unreadable, bounds};

/// What came of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// What curl exits with.
    pub exit: u64,
    /// What that is, in words of ours.
    pub outcome: &'static str,
    /// curl's own words; they hold names from certificates.
    pub message: Option<Outside>,
    /// The status of the answer; none without one.
    pub status: Option<u16>,
    /// The address that was really spoken to.
    pub address: Option<String>,
    /// Seconds until the connection stood, until TLS stood, and in all.
    pub seconds: (f64, f64, f64),
    /// The certificate of the server, where the handshake came that far.
    pub certificate: Option<Certificate>,
}

/// Facts of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Whom it is for.
    pub subject: Outside,
    /// Who signed it.
    pub issuer: Outside,
    /// The names and addresses it is good for.
    pub names: Outside,
    /// From when, as OpenSSL writes it.
    pub from: Outside,
    /// Until when.
    pub until: Outside,
}

/// curl's exit codes (curl(1)) that a check can meet.
const OUTCOMES: &[(u64, &str)] = &[
    (0, "it answered"),
    (1, "it does not speak HTTP"),
    (5, "the proxy's name has no address"),
    (6, "the name has no address"),
    (7, "the connection was refused, or there is no way there"),
    (8, "it does not speak HTTP"),
    (28, "no answer in time"),
    (35, "the TLS handshake failed"),
    (47, "it redirects"),
    (52, "it closed the connection without an answer"),
    (56, "the connection broke"),
    (60, "the certificate is not trusted"),
];

/// What 60 is where curl says that no name matches; its words about a chain that is not trusted hold nothing of the certificate.
const OTHER_NAME: (&str, &str) = ("target host name", "the certificate is for another name");

/// Reads the object that curl writes.
///
/// # Errors
/// Where it is no JSON object, too long or too deep.
pub fn read(text: &str) -> Result<Request, Unreadable> {
    bounds::json(text)?;
    let value: Value = serde_json::from_str(text).map_err(|_| Unreadable::Form)?;
    let exit = value["exitcode"].as_u64().ok_or(Unreadable::Form)?;
    let message = value["errormsg"].as_str();
    let (sign, other_name) = OTHER_NAME;
    let outcome = if exit == 60 && message.is_some_and(|text| text.contains(sign)) {
        other_name
    } else {
        OUTCOMES
            .iter()
            .find(|(code, _)| *code == exit)
            .map_or("the request failed", |(_, words)| words)
    };
    let seconds = |key: &str| value[key].as_f64().unwrap_or_default();
    Ok(Request {
        exit,
        outcome,
        message: message.map(Outside::new),
        status: value["http_code"]
            .as_u64()
            .and_then(|s| u16::try_from(s).ok())
            .filter(|s| *s > 0),
        address: value["remote_ip"]
            .as_str()
            .filter(|a| a.parse::<std::net::IpAddr>().is_ok())
            .map(str::to_owned),
        seconds: (
            seconds("time_connect"),
            seconds("time_appconnect"),
            seconds("time_total"),
        ),
        certificate: value["certs"].as_str().and_then(certificate),
    })
}

/// The first certificate of the chain, as curl lists it: `KEY:VALUE` a line.
fn certificate(text: &str) -> Option<Certificate> {
    let first = text.split("-----BEGIN").next()?;
    let value = |key: &str| {
        first
            .lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))
            .map(Outside::new)
    };
    Some(Certificate {
        subject: value("Subject")?,
        issuer: value("Issuer")?,
        names: value("X509v3 Subject Alternative Name").unwrap_or_else(|| Outside::new("")),
        from: value("Start date")?,
        until: value("Expire date")?,
    })
}
