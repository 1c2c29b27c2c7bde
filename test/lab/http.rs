//! The part of HTTP/1.1 that a stand-in needs: it reads a request of limited size, writes one answer, and keeps the connection if the client does.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A request line and headers longer than this are answered with 431.
const HEAD_LIMIT: usize = 64 * 1024;
/// A body longer than this is answered with 413.
const BODY_LIMIT: usize = 16 * 1024 * 1024;
/// Further connections are closed at once: no client under test opens so many at a time.
const CONNECTIONS: usize = 256;
/// The connection of a client that sends nothing for this long is closed.
const IDLE: Duration = Duration::from_secs(120);

/// One request as it came over the wire.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    /// The path without the query string, not decoded.
    pub path: String,
    /// The text after `?`, or an empty string.
    pub query: String,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    /// Returns the first header `name`, in any case of letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self
            .headers
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// HTTP/1.1 keeps the connection unless a side says `close`.
    fn keeps_connection(&self) -> bool {
        !self
            .header("connection")
            .is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }
}

/// An answer of the stand-in.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A whole response.
    Whole(Response),
    /// The head of a response, then pieces written one by one with a pause before each (server-sent events).
    Pieces {
        content_type: &'static str,
        pieces: Vec<Vec<u8>>,
        pause: Duration,
        /// Whether the answer is complete; if not, the connection ends in the middle, as with a broken server.
        finish: bool,
    },
    /// These bytes, sent unchanged; then the connection ends.
    Raw(Vec<u8>),
    /// No byte for this long; then the connection ends.
    Silence(Duration),
}

/// A status, headers and a body with a known length.
#[derive(Debug, Clone)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// The wait before the first byte.
    pub delay: Duration,
}

impl Response {
    pub fn new(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("Content-Type".to_owned(), content_type.to_owned())];
        Self {
            status,
            headers,
            body: body.into(),
            delay: Duration::ZERO,
        }
    }

    pub fn json(status: u16, body: &serde_json::Value) -> Self {
        Self::new(status, "application/json; charset=utf-8", body.to_string())
    }

    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }
}

/// A server's answers to requests.
pub trait Service: Send + Sync + 'static {
    fn answer(&self, request: &Request) -> Answer;
}

/// A bound listener, on a unix socket or a TCP port.
pub enum Listener {
    Unix(UnixListener),
    Tcp(TcpListener),
}

/// A connection, by a unix socket or TCP.
trait Wire: Read + Write + Send + 'static {
    fn second(&self) -> io::Result<Box<dyn Read + Send>>;
}

impl Wire for UnixStream {
    fn second(&self) -> io::Result<Box<dyn Read + Send>> {
        self.set_read_timeout(Some(IDLE))?;
        Ok(Box::new(self.try_clone()?))
    }
}

impl Wire for TcpStream {
    fn second(&self) -> io::Result<Box<dyn Read + Send>> {
        self.set_read_timeout(Some(IDLE))?;
        self.set_nodelay(true)?;
        Ok(Box::new(self.try_clone()?))
    }
}

/// Answers the connections of `listener` with `service`, each in a thread of its own; returns only on an error.
pub fn serve(listener: &Listener, service: &Arc<dyn Service>) -> io::Result<()> {
    static LIVE: AtomicUsize = AtomicUsize::new(0);
    loop {
        let mut wire: Box<dyn Wire> = match listener {
            Listener::Unix(unix) => Box::new(unix.accept()?.0),
            Listener::Tcp(tcp) => Box::new(tcp.accept()?.0),
        };
        if LIVE.fetch_add(1, Ordering::SeqCst) >= CONNECTIONS {
            LIVE.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let service = Arc::clone(service);
        std::thread::spawn(move || {
            // An error here means that the client closed the connection; the stand-in ignores that.
            let _ = converse(&mut wire, service.as_ref());
            LIVE.fetch_sub(1, Ordering::SeqCst);
        });
    }
}

fn converse(wire: &mut Box<dyn Wire>, service: &dyn Service) -> io::Result<()> {
    let mut reader = BufReader::new(wire.second()?);
    loop {
        let request = match read_request(&mut reader)? {
            Incoming::Request(request) => request,
            Incoming::End => return Ok(()),
            Incoming::Bad(status, why) => {
                let body = serde_json::json!({ "message": why });
                return write_response(wire, &Response::json(status, &body), false);
            }
        };
        let keep = request.keeps_connection();
        match service.answer(&request) {
            Answer::Whole(response) => {
                std::thread::sleep(response.delay);
                write_response(wire, &response, keep)?;
            }
            Answer::Pieces {
                content_type,
                pieces,
                pause,
                finish,
            } => {
                write!(
                    wire,
                    "HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                )?;
                for piece in pieces {
                    std::thread::sleep(pause);
                    write!(wire, "{:x}\r\n", piece.len())?;
                    wire.write_all(&piece)?;
                    wire.write_all(b"\r\n")?;
                    wire.flush()?;
                }
                if finish {
                    wire.write_all(b"0\r\n\r\n")?;
                }
                return wire.flush();
            }
            Answer::Raw(bytes) => {
                wire.write_all(&bytes)?;
                return wire.flush();
            }
            Answer::Silence(long) => {
                std::thread::sleep(long);
                return Ok(());
            }
        }
        if !keep {
            return Ok(());
        }
    }
}

enum Incoming {
    Request(Request),
    End,
    Bad(u16, &'static str),
}

fn read_request(reader: &mut impl BufRead) -> io::Result<Incoming> {
    let mut left = HEAD_LIMIT;
    let Some(line) = read_line(reader, &mut left)? else {
        return Ok(Incoming::End);
    };
    let mut words = line.split(' ');
    let (Some(method), Some(target), Some(version)) = (words.next(), words.next(), words.next())
    else {
        return Ok(Incoming::Bad(400, "not an HTTP request line"));
    };
    if !version.starts_with("HTTP/1.") {
        return Ok(Incoming::Bad(505, "only HTTP/1.1 is spoken here"));
    }
    // A proxy gets the absolute form (`GET http://host/path`); the stand-in uses its path.
    let target = match target.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("/", |at| &rest[at..]),
        None => target,
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut request = Request {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        headers: Vec::new(),
        body: Vec::new(),
    };
    loop {
        let Some(line) = read_line(reader, &mut left)? else {
            return Ok(Incoming::Bad(431, "the headers are cut or too long"));
        };
        if line.is_empty() {
            break;
        }
        let Some((name, value)) = line.split_once(':') else {
            return Ok(Incoming::Bad(400, "a header has no colon"));
        };
        request
            .headers
            .push((name.trim().to_owned(), value.trim().to_owned()));
    }
    let chunked = request
        .header("transfer-encoding")
        .is_some_and(|value| value.eq_ignore_ascii_case("chunked"));
    if chunked {
        loop {
            let mut left = 1024;
            let Some(line) = read_line(reader, &mut left)? else {
                return Ok(Incoming::Bad(400, "a chunk has no length"));
            };
            let Ok(size) = usize::from_str_radix(line.split(';').next().unwrap_or("").trim(), 16)
            else {
                return Ok(Incoming::Bad(400, "a chunk has no length"));
            };
            if request.body.len().saturating_add(size) > BODY_LIMIT {
                return Ok(Incoming::Bad(413, "the body is too long"));
            }
            let start = request.body.len();
            request.body.resize(start + size, 0);
            reader.read_exact(&mut request.body[start..])?;
            let mut left = 1024;
            read_line(reader, &mut left)?;
            if size == 0 {
                break;
            }
        }
    } else if let Some(length) = request.header("content-length") {
        let Ok(length) = length.parse::<usize>() else {
            return Ok(Incoming::Bad(400, "the length is no number"));
        };
        if length > BODY_LIMIT {
            return Ok(Incoming::Bad(413, "the body is too long"));
        }
        request.body = vec![0; length];
        reader.read_exact(&mut request.body)?;
    }
    Ok(Incoming::Request(request))
}

/// Reads a line and returns it without its end; `None` at the end of the input, or when the line exceeds `left` bytes.  `left` is reduced by
/// the bytes read.
fn read_line(reader: &mut impl BufRead, left: &mut usize) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let limit = u64::try_from(*left).unwrap_or(u64::MAX);
    reader.take(limit).read_until(b'\n', &mut line)?;
    *left -= line.len();
    if line.pop() != Some(b'\n') {
        return Ok(None);
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

fn write_response(wire: &mut Box<dyn Wire>, response: &Response, keep: bool) -> io::Result<()> {
    let mut out = format!(
        "HTTP/1.1 {} {}\r\n",
        response.status,
        phrase(response.status)
    );
    for (name, value) in &response.headers {
        out.push_str(&format!("{name}: {value}\r\n"));
    }
    // 204 and 304 have no body, and a length would be wrong there.
    if response.status != 204 && response.status != 304 {
        out.push_str(&format!("Content-Length: {}\r\n", response.body.len()));
    }
    let connection = if keep { "keep-alive" } else { "close" };
    out.push_str(&format!("Connection: {connection}\r\n\r\n"));
    wire.write_all(out.as_bytes())?;
    wire.write_all(&response.body)?;
    wire.flush()
}

fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No Content",
        302 => "Found",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        410 => "Gone",
        413 => "Content Too Large",
        422 => "Unprocessable Entity",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        505 => "HTTP Version Not Supported",
        _ => "Answer",
    }
}

/// Returns `text` with each `%XX` decoded; a `+` stays.
pub fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes
            .get(at + 1..at + 3)
            .and_then(|hex| std::str::from_utf8(hex).ok());
        match (
            bytes[at],
            hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()),
        ) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
