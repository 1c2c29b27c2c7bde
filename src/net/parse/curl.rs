//! Reads curl's `-w '%{json}'`: the result of one request, and the server's certificate (curl 7.88 or later).

use serde_json::Value;

use super::{Outside, Unreadable, bounds};

/// The result of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// curl's exit code.
    pub exit: u64,
    /// The meaning of the exit code, in words of ours.
    pub outcome: &'static str,
    /// curl's own message; it can hold names from certificates.
    pub message: Option<Outside>,
    /// The HTTP status of the answer; `None` without an answer.
    pub status: Option<u16>,
    /// Where the server sends the client instead.
    pub redirect: Option<Outside>,
    /// The status with which a proxy answered CONNECT.
    pub proxy_status: Option<u16>,
    /// How many bytes the server sent.
    pub received: u64,
    /// The address to which curl really connected.
    pub address: Option<String>,
    /// Seconds from the start to the connection, to the end of the TLS handshake, and to the end of the request.
    pub seconds: (f64, f64, f64),
    /// Seconds from the start to the first byte of the answer; 0: none came.
    pub first_byte: f64,
    /// The certificates that the server sent, its own first, if the handshake got as far as showing them.
    pub chain: Vec<Certificate>,
}

/// Facts of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The subject that the certificate is for.
    pub subject: Outside,
    /// The issuer that signed the certificate.
    pub issuer: Outside,
    /// The names and addresses for which the certificate is valid.
    pub names: Outside,
    /// When its validity starts, as OpenSSL writes it: `Nov 23 06:00:00 2026 GMT`.
    pub from: Outside,
    /// When its validity ends.
    pub until: Outside,
}

/// curl's exit codes (curl(1)) that a request can end with, in words.
const OUTCOMES: &[(u64, &str)] = &[
    (0, "it answered"),
    (1, "it does not speak HTTP"),
    (5, "the proxy's name has no address"),
    (6, "the name has no address"),
    (7, "no connection could be made"),
    (8, "it does not speak HTTP"),
    (28, "no answer in time"),
    (35, "the TLS handshake failed"),
    (47, "it redirects"),
    (52, "it closed the connection without an answer"),
    (56, "the connection broke"),
    (60, "the certificate is not trusted"),
];

/// With these words in curl's message, exit code 60 means a certificate for another name; and the outcome then.  curl's message
/// about an untrusted chain holds no text of the certificate, so the certificate cannot fake these words.
const OTHER_NAME: (&str, &str) = ("target host name", "the certificate is for another name");

/// Reads the object that curl writes.
///
/// # Errors
/// The text is no JSON object, too long or too deep.
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
    let status = |key: &str| {
        let status = value[key].as_u64();
        status
            .and_then(|status| u16::try_from(status).ok())
            .filter(|status| *status > 0)
    };
    Ok(Request {
        exit,
        outcome,
        message: message.map(Outside::new),
        status: status("http_code"),
        redirect: value["redirect_url"]
            .as_str()
            .filter(|url| !url.is_empty())
            .map(Outside::new),
        proxy_status: status("http_connect"),
        received: ["size_header", "size_download"]
            .iter()
            .filter_map(|key| value[*key].as_u64())
            .sum(),
        address: value["remote_ip"]
            .as_str()
            .filter(|a| a.parse::<std::net::IpAddr>().is_ok())
            .map(str::to_owned),
        seconds: (
            seconds("time_connect"),
            seconds("time_appconnect"),
            seconds("time_total"),
        ),
        first_byte: seconds("time_starttransfer"),
        chain: value["certs"].as_str().map(chain).unwrap_or_default(),
    })
}

/// The most certificates that are kept.
const CHAIN: usize = 8;

/// The certificates in curl's list, each as lines of `KEY:VALUE` before its PEM block.
fn chain(text: &str) -> Vec<Certificate> {
    let parts = text.split("-----BEGIN");
    parts.filter_map(certificate).take(CHAIN).collect()
}

fn certificate(text: &str) -> Option<Certificate> {
    let value = |key: &str| {
        text.lines()
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
