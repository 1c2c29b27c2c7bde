//! What is wrong with TLS on a port, from curl's message and the certificates that the server showed.

use chrono::{NaiveDateTime, Utc};

use super::findings::Findings;
use crate::net::parse::Outside;
use crate::net::parse::curl::Certificate;
use crate::net::tools::words::name;

/// A word in curl's message, the sentence about the port, and the next step.
///
/// The words are OpenSSL's (`ssl/ssl_err.c`, `crypto/x509/x509_txt.c`) and libcurl's (`lib/vtls/openssl.c`).
const TLS: &[(&str, &str)] = &[
    ("certificate has expired", "its certificate has expired"),
    (
        "certificate is not yet valid",
        "its certificate is not yet valid",
    ),
    (
        "self-signed certificate in certificate chain",
        "its certificate is not trusted: the chain ends at an authority that this machine does not know",
    ),
    (
        "self signed certificate in certificate chain",
        "its certificate is not trusted: the chain ends at an authority that this machine does not know",
    ),
    (
        "self-signed certificate",
        "its certificate is self-signed, so it is not trusted",
    ),
    (
        "self signed certificate",
        "its certificate is self-signed, so it is not trusted",
    ),
    ("certificate revoked", "its certificate is revoked"),
    (
        "key too weak",
        "the key of its certificate is too weak for this machine",
    ),
    (
        "dh key too small",
        "its key exchange is too weak for this machine",
    ),
    ("target host name", "its certificate is for another name"),
    (
        "alternative certificate subject name",
        "its certificate is for another name",
    ),
    (
        "does not match target",
        "its certificate is for another name",
    ),
    (
        "certificate required",
        "the server wants a certificate of the client (mutual TLS)",
    ),
    (
        "handshake failure",
        "the server ends the TLS handshake with an alert: handshake failure (no common cipher, or it wants a certificate of the client)",
    ),
    (
        "bad certificate",
        "the server ends the TLS handshake with an alert: it does not accept the client's certificate, or wants one",
    ),
    (
        "unrecognized name",
        "the server ends the TLS handshake with an alert: it does not know this name (unrecognized name, SNI)",
    ),
    (
        "alert internal error",
        "the server ends the TLS handshake with an alert: internal error",
    ),
    (
        "alert access denied",
        "the server ends the TLS handshake with an alert: access denied",
    ),
    (
        "protocol version",
        "the TLS versions do not match: the server ends the handshake with the alert protocol version",
    ),
    (
        "unsupported protocol",
        "the TLS versions do not match: the server speaks only old versions of TLS, which this machine does not accept",
    ),
    (
        "legacy sigalg",
        "the TLS versions do not match: the server offers only signatures of old versions, which this machine does not accept",
    ),
    (
        "version too low",
        "the TLS versions do not match: the server speaks only old versions of TLS, which this machine does not accept",
    ),
    (
        "no protocols available",
        "the TLS versions do not match: this machine allows none that the server speaks",
    ),
    ("alert", "the server ends the TLS handshake with an alert"),
];

/// The certificate's fault in curl's `message`, in words.
pub fn fault(message: &str) -> Option<&'static str> {
    let message = message.to_ascii_lowercase();
    TLS.iter()
        .find(|(sign, _)| message.contains(sign))
        .map(|(_, words)| *words)
}

/// What the certificates show, for a request that failed for `message`.
pub fn certificate(f: &Findings, message: &str) -> String {
    let chain = [&f.heard.request, &f.heard.unchecked];
    let chain = chain
        .iter()
        .filter_map(|one| one.as_ref())
        .map(|one| &one.chain)
        .find(|chain| !chain.is_empty());
    let Some((leaf, rest)) = chain.and_then(|chain| chain.split_first()) else {
        return String::new();
    };
    let date = |text: &Outside| {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b" :".contains(&b);
        if text.as_str().bytes().all(plain) {
            text.as_str().to_owned()
        } else {
            text.to_string()
        }
    };
    let message = message.to_ascii_lowercase();
    let now = Utc::now().naive_utc();
    if message.contains("expired") {
        let over = |one: &&Certificate| ends(&one.until).is_some_and(|end| end < now);
        return match (over(&leaf), rest.iter().find(over)) {
            (false, Some(one)) => format!(
                ": the intermediate certificate {} ended on {}",
                common(&one.subject),
                date(&one.until)
            ),
            _ => format!(" on {}", date(&leaf.until)),
        };
    }
    if message.contains("not yet") {
        return format!(": it begins on {}", date(&leaf.from));
    }
    if message.contains("name") {
        return format!(
            ", not for {}: it names {}",
            f.name.as_deref().unwrap_or(&f.address),
            if leaf.names.as_str().is_empty() {
                common(&leaf.subject)
            } else {
                leaf.names.to_string()
            }
        );
    }
    if message.contains("local issuer") || message.contains("first certificate") {
        let last = rest.last().unwrap_or(leaf);
        let issuer = common(&last.issuer);
        return if issuer.to_ascii_lowercase().contains("root") || !rest.is_empty() {
            format!(": it is signed by the authority {issuer}, which this machine does not know")
        } else {
            format!(
                ": its issuer {issuer} is unknown here, and the server sends no certificate of it; an intermediate certificate is missing in the chain, or the authority is not trusted here"
            )
        };
    }
    if message.contains("self-signed certificate") && !message.contains("chain") {
        let names = if leaf.names.as_str().is_empty() {
            String::new()
        } else {
            format!(", names {}", leaf.names)
        };
        return format!(" (for {}{names})", leaf.subject);
    }
    if message.contains("in certificate chain") {
        return format!(" ({})", common(&rest.last().unwrap_or(leaf).subject));
    }
    String::new()
}

/// When a certificate ends, from OpenSSL's `Nov 23 06:00:00 2026 GMT`.
fn ends(text: &Outside) -> Option<NaiveDateTime> {
    NaiveDateTime::parse_from_str(text.as_str(), "%b %e %H:%M:%S %Y GMT").ok()
}

/// The common name of a subject: `CN = a.test, O = Lab` is `a.test`.
fn common(subject: &Outside) -> String {
    let parts = subject.as_str().split(", ");
    let mut names = parts.filter_map(|part| part.trim().strip_prefix("CN"));
    let found = names.find_map(|rest| rest.trim_start().strip_prefix('='));
    match found {
        Some(common) => name(&Outside::new(common.trim())),
        None => subject.to_string(),
    }
}
