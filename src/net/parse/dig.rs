//! Reads dig's text with `+noall +comments +answer`: status, flags and records in the form of a zone file.
//!
//! The exit code says little: it is 0 for NXDOMAIN, SERVFAIL and REFUSED, and 9 where no server answers, for whatever reason.

use super::{Outside, Unreadable, bounds};

/// The answer to a look-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// `NOERROR`, `NXDOMAIN`, `REFUSED`, …; `None` where no server answered.
    pub status: Option<String>,
    /// `true`: the resolver says that it has checked the signatures (flag `ad`).
    pub authenticated: bool,
    /// `true`: the answer was cut (flag `tc`).
    pub cut: bool,
    /// `true`: the answer was cut, and asked for over TCP.
    pub over_tcp: bool,
    /// How long the server took, in milliseconds; `None` without `+stats`.
    pub took: Option<u32>,
    /// Why servers did not answer, each reason once.
    pub trouble: Vec<ServerTrouble>,
    /// The records of the answer, at most [`MOST`].
    pub records: Vec<Record>,
    /// `true`: the answer had more records.
    pub more: bool,
}

/// The most records that are kept.
pub const MOST: usize = 256;

/// Why a server did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerTrouble {
    /// The server gave no answer in time.
    TimedOut,
    /// Nothing listens at the server's port.
    Refused,
    /// There is no route to the server.
    Unreachable,
    /// This machine's own firewall forbids to ask.
    Forbidden,
    /// The answer came from another address than the one that was asked.
    OtherSource,
    /// Any other trouble.
    Other,
}

/// A record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The name to which the record belongs.
    pub owner: Outside,
    /// For how many seconds the record may be kept.
    pub ttl: u32,
    /// The record's type.
    pub kind: String,
    /// The record's data.
    pub data: Data,
}

/// The data of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// A, AAAA: an address in canonical form.
    Address(std::net::IpAddr),
    /// NS, CNAME, PTR: a name.
    Name(Outside),
    /// MX: preference, name.
    Mail(u16, Outside),
    /// SRV: priority, weight, port, name.
    Service(u16, u16, u16, Outside),
    /// TXT: the segments as they were sent.
    Text(Vec<Outside>),
    /// CAA: flags, tag, value.
    Authority(u8, Outside, Outside),
    /// SOA: primary server, mailbox, serial, refresh, retry, expire, minimum.
    Zone(Outside, Outside, [u32; 5]),
    /// Any other record, or one of another form.
    Other(Outside),
}

/// Reads the whole output.
///
/// # Errors
/// The text is too long, or has neither an answer nor the reason why there is none.
pub fn read(text: &str) -> Result<Reply, Unreadable> {
    bounds::length(text)?;
    let mut answer = Reply {
        status: None,
        authenticated: false,
        cut: false,
        over_tcp: false,
        took: None,
        trouble: Vec::new(),
        records: Vec::new(),
        more: false,
    };
    let mut in_answer = false;
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix(";;") {
            let comment = comment.trim_start();
            in_answer = comment == "ANSWER SECTION:";
            if let Some((_, rest)) = comment.split_once(", status: ") {
                answer.status = rest
                    .split(',')
                    .next()
                    .filter(|s| s.len() <= 16 && s.bytes().all(|b| b.is_ascii_alphanumeric()))
                    .map(str::to_owned);
            } else if let Some(flags) = comment.strip_prefix("flags: ") {
                let flags: Vec<&str> = flags.split(';').next().unwrap_or("").split(' ').collect();
                answer.authenticated = flags.contains(&"ad");
                answer.cut = flags.contains(&"tc");
            } else if comment.starts_with("Truncated, retrying in TCP mode") {
                answer.over_tcp = true;
            } else if let Some(rest) = comment.strip_prefix("Query time: ") {
                answer.took = rest.split(' ').next().and_then(|ms| ms.parse().ok());
            } else if let Some(trouble) = trouble(comment)
                && !answer.trouble.contains(&trouble)
            {
                answer.trouble.push(trouble);
            }
        } else if in_answer && !line.is_empty() && !line.starts_with(';') {
            if answer.records.len() == MOST {
                answer.more = true;
            } else if let Some(record) = record(line) {
                answer.records.push(record);
            }
        }
    }
    if answer.status.is_none() && answer.trouble.is_empty() {
        return Err(Unreadable::Form);
    }
    Ok(answer)
}

fn trouble(comment: &str) -> Option<ServerTrouble> {
    if comment.starts_with("no servers could be reached") {
        return None;
    }
    if comment.starts_with("reply from unexpected source: ") {
        return Some(ServerTrouble::OtherSource);
    }
    let (_, what) = comment
        .strip_prefix("communications error to ")
        .or_else(|| comment.strip_prefix("connection timed out; "))
        // TCP: `Connection to 10.1.0.53#53(10.1.0.53) for a.test failed: timed out.`
        .or_else(|| comment.strip_prefix("Connection to "))
        // What the system refuses at once: `UDP setup with 10.1.0.53#53(10.1.0.53) for a.test failed: network unreachable.`
        .or_else(|| comment.strip_prefix("UDP setup with "))
        .or_else(|| comment.strip_prefix("TCP setup with "))
        .map(|rest| rest.rsplit_once(": ").unwrap_or((rest, "timed out")))?;
    Some(match what.trim_end_matches('.') {
        "timed out" => ServerTrouble::TimedOut,
        "connection refused" => ServerTrouble::Refused,
        "network unreachable" | "host unreachable" => ServerTrouble::Unreachable,
        "permission denied" | "not permitted" => ServerTrouble::Forbidden,
        _ => ServerTrouble::Other,
    })
}

fn record(line: &str) -> Option<Record> {
    let mut rest = line;
    let mut word = || {
        rest = rest.trim_start_matches(['\t', ' ']);
        let end = rest.find(['\t', ' ']).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        word
    };
    let (owner, ttl, class, kind) = (word(), word(), word(), word());
    if class != "IN" || !kind.bytes().all(|b| b.is_ascii_alphanumeric()) || kind.len() > 16 {
        return None;
    }
    let data = rest.trim_matches(['\t', ' ']);
    Some(Record {
        owner: Outside::new(owner),
        ttl: ttl.parse().ok()?,
        kind: kind.to_owned(),
        data: typed(kind, data).unwrap_or_else(|| Data::Other(Outside::new(data))),
    })
}

fn typed(kind: &str, data: &str) -> Option<Data> {
    let words: Vec<&str> = data.split_ascii_whitespace().take(16).collect();
    match (kind, words.as_slice()) {
        ("A" | "AAAA", [address]) => Some(Data::Address(address.parse().ok()?)),
        ("NS" | "CNAME" | "PTR", [name]) => Some(Data::Name(Outside::new(name))),
        ("MX", [preference, name]) => {
            Some(Data::Mail(preference.parse().ok()?, Outside::new(name)))
        }
        ("SRV", [priority, weight, port, name]) => Some(Data::Service(
            priority.parse().ok()?,
            weight.parse().ok()?,
            port.parse().ok()?,
            Outside::new(name),
        )),
        ("TXT", _) => Some(Data::Text(segments(data)?)),
        ("CAA", [flags, tag, ..]) => {
            let value = segments(&data[data.find('"')?..])?.into_iter().next()?;
            Some(Data::Authority(
                flags.parse().ok()?,
                Outside::new(tag),
                value,
            ))
        }
        ("SOA", [primary, mailbox, numbers @ ..]) if numbers.len() == 5 => {
            let mut read = [0; 5];
            for (number, word) in read.iter_mut().zip(numbers) {
                *number = word.parse().ok()?;
            }
            Some(Data::Zone(
                Outside::new(primary),
                Outside::new(mailbox),
                read,
            ))
        }
        _ => None,
    }
}

/// The quoted strings of a TXT record, with `\"`, `\\` and `\027` (three decimal digits) decoded (RFC 1035, section 5.1).
fn segments(data: &str) -> Option<Vec<Outside>> {
    let (mut out, mut bytes) = (Vec::new(), data.bytes());
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => {}
            b' ' | b'\t' => continue,
            _ => return None,
        }
        let mut segment = Vec::new();
        loop {
            match bytes.next()? {
                b'"' => break,
                b'\\' => {
                    let first = bytes.next()?;
                    if first.is_ascii_digit() {
                        let digit = |b: u8| char::from(b).to_digit(10);
                        let code = digit(first)? * 100
                            + digit(bytes.next()?)? * 10
                            + digit(bytes.next()?)?;
                        segment.push(u8::try_from(code).ok()?);
                    } else {
                        segment.push(first);
                    }
                }
                other => segment.push(other),
            }
        }
        out.push(Outside::new(&String::from_utf8_lossy(&segment)));
    }
    Some(out)
}
