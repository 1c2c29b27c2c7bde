//! Secrets that are known by the place they stand in: headers, URLs, query strings, command lines.
//!
//! Sources: RFC 9110 section 11.6 (Authorization), RFC 6265 (cookies), RFC 3986 section 3.2.1
//! (userinfo), the AWS and Azure signing documents (query names), each program's manual.

use super::names;
use super::separator::{skip_space, value_word};
use super::span::Span;
use super::value::{closing, named, placeholder, random, words_only};

/// A place: the key at which it is tried, and what to do there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// `Authorization: SCHEME credentials`.
    Authorization,
    /// `Cookie:` and `Set-Cookie:`.
    Cookie,
    /// `Bearer X` with no header name.
    Bearer,
    /// `scheme://user:password@host`.
    Userinfo,
    /// `?name=value` and `&name=value`; the key is the name with its `=`.
    Query,
    /// `host:port:database:user:password`, a line of .pgpass.
    Pgpass,
    /// A private key block, from BEGIN on.
    KeyBlock,
    /// A program that reads its password from a pipe: `echo x | docker login --password-stdin`.
    Piped,
    /// `jdbc:oracle:thin:user/password@host`.
    Thin,
    /// The end of a private key block whose beginning was cut off.
    KeyBlockEnd,
    /// `user:password` lines for chpasswd.
    Chpasswd,
    /// A heading over recovery codes.
    Codes,
    /// A JSON Web Key, at the member that says its type.
    WebKey,
    /// A key of .NET in XML.
    XmlKey,
    /// `Basic` credentials with no header name.
    Basic,
    /// A line that speaks of logging in: `admin / password`.
    Login,
    /// `[host]:587 user:password`, a line of Postfix's `sasl_passwd`.
    Relay,
    /// A call that takes a password by its place among the arguments.
    Call,
    /// `user NAME on >password`, a rule of Redis.
    Acl,
    /// The code of an OAuth grant, in a form, a log or a JSON object.
    Grant,
    /// `:pserver:user:password@host`, a root of CVS.
    Pserver,
    /// `INSERT INTO users (name, password) VALUES …`.
    Insert,
    /// `-u user -p password` of any program.
    Flag,
    /// `send "password\r"`, a line of Expect.
    Send,
    /// A command of a network device.
    Device,
    /// `/msg NickServ IDENTIFY password`.
    Services,
    /// `user NAME PASSWORD`, as an FTP client is fed it.
    FtpUser,
    /// A heading over lines of `"user" "password"`.
    Userlist,
    /// `SET PASSWORD FOR 'u'@'h' = 'x'`.
    SetPassword,
    /// `$USER5$=x`.
    Nagios,
    /// `*.host:user@domain:password`.
    Exim,
    /// `https://host/t/TOKEN/`.
    Conda,
    /// `accounts: ["0x…"]`.
    Wallet,
    /// `child.sendline("x")`.
    Sendline,
    /// What Terraform and others keep the secret of under an innocent name.
    Kept,
}

/// Where each place is tried, in lower case.
pub(super) const PLACES: &[(&str, Place)] = &[
    ("authorization", Place::Authorization),
    ("cookie", Place::Cookie),
    ("bearer ", Place::Bearer),
    ("://", Place::Userinfo),
    ("sig=", Place::Query),
    ("signature=", Place::Query),
    ("token=", Place::Query),
    ("key=", Place::Query),
    ("secret=", Place::Query),
    ("jwt=", Place::Query),
    ("code=", Place::Query),
    ("code=", Place::Grant),
    ("code\"", Place::Grant),
    ("code'", Place::Grant),
    (":pserver:", Place::Pserver),
    ("magic=", Place::Query),
    ("invite=", Place::Query),
    ("otp=", Place::Query),
    ("auth=", Place::Query),
    ("password=", Place::Query),
    ("passwd=", Place::Query),
    ("pwd=", Place::Query),
    ("session=", Place::Query),
    ("sessionid=", Place::Query),
    ("ticket=", Place::Query),
    ("hmac=", Place::Query),
    ("credential=", Place::Query),
    ("assertion=", Place::Query),
    ("samlresponse=", Place::Query),
    ("gh secret set", Place::Piped),
    ("--with-token", Place::Piped),
    ("--password-stdin", Place::Piped),
    ("sudo -s", Place::Piped),
    ("sudo --stdin", Place::Piped),
    ("kinit", Place::Piped),
    ("passwd --stdin", Place::Piped),
    ("smbpasswd", Place::Piped),
    ("vncpasswd", Place::Piped),
    ("cryptsetup", Place::Piped),
    ("--passwd-on-stdin", Place::Piped),
    ("wandb login", Place::Piped),
    ("--passphrase-fd", Place::Piped),
    ("-pass stdin", Place::Piped),
    ("auth login", Place::Piped),
    ("docker login", Place::Piped),
    ("chpasswd", Place::Chpasswd),
    ("oracle:thin:", Place::Thin),
    ("-----begin ", Place::KeyBlock),
    ("-----begin+", Place::KeyBlock),
    ("-----end ", Place::KeyBlockEnd),
    (":5432:", Place::Pgpass),
    (":5433:", Place::Pgpass),
    (":6432:", Place::Pgpass),
    (":*:", Place::Pgpass),
    ("recovery code", Place::Codes),
    ("recovery_code", Place::Codes),
    ("recovery-code", Place::Codes),
    ("recoverycode", Place::Codes),
    ("backup code", Place::Codes),
    ("backup_code", Place::Codes),
    ("backup-code", Place::Codes),
    ("backupcode", Place::Codes),
    ("scratch code", Place::Codes),
    ("scratch_code", Place::Codes),
    ("emergency code", Place::Codes),
    ("emergency_code", Place::Codes),
    ("rescue code", Place::Codes),
    ("one-time codes", Place::Codes),
    ("2fa codes", Place::Codes),
    ("two-factor codes", Place::Codes),
    ("bypass codes", Place::Codes),
    ("seed phrase", Place::Codes),
    ("seed_phrase", Place::Codes),
    ("seedphrase", Place::Codes),
    ("recovery phrase", Place::Codes),
    ("recovery_phrase", Place::Codes),
    ("mnemonic", Place::Codes),
    ("kty", Place::WebKey),
    ("<rsakeyvalue>", Place::XmlKey),
    ("<dsakeyvalue>", Place::XmlKey),
    ("<rsaparameters", Place::XmlKey),
    ("basic ", Place::Basic),
    ("log in", Place::Login),
    ("login", Place::Login),
    ("sign in", Place::Login),
    ("cred", Place::Login),
    ("]:587 ", Place::Relay),
    ("]:465 ", Place::Relay),
    ("]:25 ", Place::Relay),
    ("]:2525 ", Place::Relay),
    ("getconnection(", Place::Call),
    ("mysqli(", Place::Call),
    ("mysqli_connect(", Place::Call),
    ("mysql_connect(", Place::Call),
    ("new pdo(", Place::Call),
    ("pymysql.connect(", Place::Call),
    (".login(", Place::Call),
    ("basicauth(", Place::Call),
    ("credentials(", Place::Call),
    ("credential(", Place::Call),
    ("passwordauthentication(", Place::Call),
    ("auth=(", Place::Call),
    (".auth(", Place::Call),
    ("mysqldb.connect(", Place::Call),
    ("create_user(", Place::Call),
    ("__construct(", Place::Call),
    ("twilio(", Place::Call),
    ("bot.run(", Place::Call),
    (" -p ", Place::Flag),
    ("insert into ", Place::Insert),
    ("send \"", Place::Send),
    ("send -- \"", Place::Send),
    (" on >", Place::Acl),
    ("tacacs-server ", Place::Device),
    ("radius-server ", Place::Device),
    ("snmp-server ", Place::Device),
    ("set snmp ", Place::Device),
    ("isakmp key ", Place::Device),
    ("key-string ", Place::Device),
    ("authentication-key ", Place::Device),
    ("message-digest-key ", Place::Device),
    ("authentication-password ", Place::Device),
    ("username ", Place::Device),
    ("neighbor ", Place::Device),
    ("wpa-psk ", Place::Device),
    ("nickserv", Place::Services),
    ("chanserv", Place::Services),
    ("user ", Place::FtpUser),
    ("userlist", Place::Userlist),
    ("set password", Place::SetPassword),
    ("$user", Place::Nagios),
    ("*.", Place::Exim),
    ("/t/", Place::Conda),
    ("accounts", Place::Wallet),
    ("sendline(", Place::Sendline),
    (".send(", Place::Sendline),
    ("dbi->connect(", Place::Call),
    ("dbi.connect(", Place::Call),
    ("oci_connect(", Place::Call),
    ("odbc_connect(", Place::Call),
    ("mssql_connect(", Place::Call),
    ("ftp_login(", Place::Call),
    ("imap_open(", Place::Call),
    ("ssh2_auth_password(", Place::Call),
    ("ftp.open(", Place::Call),
    ("ldap_bind(", Place::Call),
    ("simple_bind_s(", Place::Call),
    ("plainauth(", Place::Call),
    ("cx_oracle.connect(", Place::Call),
    ("oracledb.connect(", Place::Call),
    ("basic_auth(", Place::Call),
    ("random_password", Place::Kept),
    ("random_string", Place::Kept),
    ("\"permissions\"", Place::Kept),
];

/// A line is looked at no further than this to either side.
const WINDOW: usize = 4096;

pub(super) fn line_end(text: &[u8], at: usize) -> usize {
    let window = &text[at..text.len().min(at + WINDOW)];
    at + memchr::memchr2(b'\n', b'\r', window).unwrap_or(window.len())
}

pub(super) fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && (text[at] == b' ' || text[at] == b'\t') {
        at += 1;
    }
    at
}

/// After a header's name: past closing quote, separator and opening quotes; with the quote that
/// the value must end at, if there is one.
fn header_value(text: &[u8], name_start: usize, name_end: usize) -> Option<(usize, Close)> {
    let mut at = name_end;
    while text.get(at) == Some(&b'\\') {
        at += 1;
    }
    let quoted_name = matches!(text.get(at), Some(b'"' | b'\'' | b'`'));
    if !quoted_name {
        at = name_end;
    }
    at = skip_blanks(text, at + usize::from(quoted_name));
    if quoted_name && text.get(at) == Some(&b']') {
        at = skip_blanks(text, at + 1);
    }
    match text.get(at)? {
        b':' | b'=' => at += 1,
        b',' if quoted_name => {
            // {"name": "Authorization", "value": "Bearer x"}
            at = value_word(text, skip_space(text, at + 1)).unwrap_or(at + 1);
        }
        // proxy_set_header Authorization "Basic x";
        b'"' | b'\'' if !quoted_name && at > name_end => {}
        _ => return None,
    }
    while matches!(text.get(at), Some(b'=' | b'>' | b':')) {
        at += 1;
    }
    at = skip_blanks(text, at);
    let mut close = Close {
        quote: None,
        slashes: 0,
    };
    if text.get(at) == Some(&b'[') {
        at = skip_blanks(text, at + 1);
        close.quote = Some(b']');
    }
    let slashes = text[at..]
        .iter()
        .take(8)
        .take_while(|byte| **byte == b'\\')
        .count();
    if let Some(quote @ (b'"' | b'\'' | b'`')) = text.get(at + slashes).copied() {
        at += slashes + 1;
        close = Close {
            quote: Some(quote),
            slashes,
        };
    } else if close.quote.is_none() {
        // The whole header may stand in quotes: -H "Authorization: x".
        let before = &text[..name_start];
        close.quote = before
            .last()
            .copied()
            .filter(|byte| b"\"'`".contains(byte) && !quoted_name);
        if close.quote.is_some() {
            let before = &before[..before.len() - 1];
            close.slashes = before
                .iter()
                .rev()
                .take(8)
                .take_while(|byte| **byte == b'\\')
                .count();
        }
    }
    Some((at, close))
}

/// How a value ends: at this quote behind so many backslashes, or with the line.
#[derive(Clone, Copy)]
struct Close {
    quote: Option<u8>,
    slashes: usize,
}

fn value_end(text: &[u8], at: usize, close: Close) -> usize {
    let mut end = line_end(text, at);
    // A line break as JSON writes it.
    for escape in [&b"\\n"[..], b"\\r"] {
        end = memchr::memmem::find(&text[at..end], escape).map_or(end, |found| at + found);
    }
    let Some(quote) = close.quote else { return end };
    closing(&text[..end], at, quote, close.slashes, WINDOW).unwrap_or(end)
}

pub(super) fn word_end(text: &[u8], at: usize, end: usize) -> usize {
    let stop = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`<>,;)]}\\".contains(byte);
    at + text[at..end].iter().position(stop).unwrap_or(end - at)
}

pub(super) fn authorization(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    let mut start = hit;
    while start > 0
        && hit - start < 32
        && (text[start - 1].is_ascii_alphanumeric() || text[start - 1] == b'-')
    {
        start -= 1;
    }
    if let Some(after) = text.get(hit_end)
        && (after.is_ascii_alphanumeric() || *after == b'_' || *after == b'-')
    {
        return None;
    }
    let (at, close) = header_value(text, start, hit_end)?;
    let end = value_end(text, at, close);
    let scheme_end = word_end(text, at, end);
    let scheme = &text[at..scheme_end];
    let next = skip_blanks(text, scheme_end).min(end);
    let name = "authorization-header";
    if next == scheme_end || next >= end {
        // No scheme: one opaque word.
        let word = &text[at..scheme_end];
        let masked = !placeholder(word) && (random(word, 8) || sentinel(word));
        return masked.then_some(Span {
            start: at,
            end: scheme_end,
            name,
        });
    }
    if !scheme
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte == b'_')
    {
        return None;
    }
    let simple = [
        &b"bearer"[..],
        b"token",
        b"basic",
        b"apikey",
        b"key",
        b"ssws",
        b"negotiate",
        b"privatetoken",
    ]
    .iter()
    .any(|known| scheme.eq_ignore_ascii_case(known));
    let to = if simple {
        credentials_end(text, next, end)
    } else {
        parameters_end(text, next, line_end(text, at)).unwrap_or(end)
    };
    // Token token="x"
    let to = if text[next..to].ends_with(b"=") {
        parameters_end(text, next, line_end(text, at)).unwrap_or(to)
    } else {
        to
    };
    let found = text[next..to].trim_ascii_end();
    if found.is_empty() || placeholder(found) || named(found) {
        return None;
    }
    if !simple && (words_only(found) || found.starts_with(b"=")) {
        return None; // "Authorization: read only" in prose, "Authorization: u32 = 24" in code
    }
    if simple
        && (found.len() < 4 || (found.iter().all(u8::is_ascii_lowercase) && words_only(found)))
    {
        return None; // "Authorization: token required"
    }
    Some(Span {
        start: next,
        end: next + found.len(),
        name,
    })
}

/// The end of a bearer word; unlike [`word_end`] it runs over `<` only at the start.
fn credentials_end(text: &[u8], at: usize, end: usize) -> usize {
    let stop = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`,;)]}\\".contains(byte);
    at + text[at..end].iter().position(stop).unwrap_or(end - at)
}

/// The end of `name=value, name="value"`: the parameters quote their values, with whatever quote
/// stands around the header.
fn parameters_end(text: &[u8], from: usize, end: usize) -> Option<usize> {
    let mut at = from;
    let mut past = None;
    loop {
        at = skip_blanks(text, at);
        let name = text[at..end]
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || b"-_".contains(b))
            .count();
        if name == 0 || text.get(at + name) != Some(&b'=') || at + name >= end {
            return past;
        }
        at += name + 1;
        let slashes = text[at..end]
            .iter()
            .take_while(|byte| **byte == b'\\')
            .count();
        if let Some(quote @ (b'"' | b'\'')) = text[at..end].get(slashes).copied() {
            at += slashes + 1;
            at = closing(&text[..end], at, quote, slashes, WINDOW)? + slashes + 1;
        } else {
            let stop = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`,)]}\\".contains(byte);
            at += text[at..end].iter().position(stop).unwrap_or(end - at);
        }
        past = Some(at);
        if text[..end].get(at) != Some(&b',') {
            return past;
        }
        at += 1;
    }
}

/// Words in capitals joined by underscores: the form of a canary planted in a secret's place.
fn sentinel(word: &[u8]) -> bool {
    word.len() >= 12
        && word.contains(&b'_')
        && word
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || *byte == b'_' || byte.is_ascii_digit())
}

pub(super) fn cookie(text: &[u8], hit: usize, hit_end: usize, out: &mut Vec<Span>) -> Option<()> {
    let set = text[..hit].len() >= 4 && text[hit - 4..hit].eq_ignore_ascii_case(b"set-");
    let start = if set { hit - 4 } else { hit };
    if text[..start]
        .last()
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte == b'_')
    {
        return None;
    }
    if !matches!(text.get(hit_end), Some(b':' | b'"' | b'\'' | b'\\' | b'=')) {
        return None;
    }
    let (at, close) = header_value(text, start, hit_end)?;
    let mut end = value_end(text, at, close);
    if set {
        end = memchr::memchr(b';', &text[at..end]).map_or(end, |found| at + found);
    }
    // Each pair by itself: a theme or a language beside the session is none of it.
    let mut from = at;
    while from < end {
        let stop = memchr::memchr(b';', &text[from..end]).map_or(end, |found| from + found);
        let value = memchr::memchr(b'=', &text[from..stop])? + from;
        let pair = text[from..value].trim_ascii();
        let named = pair
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-.%".contains(byte));
        if pair.is_empty() || !named {
            return None;
        }
        let found = text[value + 1..stop].trim_ascii_end();
        let plain = found.len() < 24 && words_only(found) && names::kind(pair).is_none();
        let few = found.iter().filter(|byte| byte.is_ascii_digit()).count() < 3;
        let word = plain && few && found.len() < 24;
        if !word && !placeholder(found) && found.len() >= 6 && !super::code::looks_like_code(found)
        {
            out.push(Span {
                start: value + 1,
                end: value + 1 + found.len(),
                name: "cookie",
            });
        }
        from = stop + 1;
    }
    Some(())
}

pub(super) fn bearer(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    if text[..hit].last().is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let end = text.len().min(hit_end + WINDOW);
    let to = word_end(text, hit_end, end);
    let found = &text[hit_end..to];
    let found = found.strip_suffix(b".").unwrap_or(found);
    (random(found, 16) && !placeholder(found)).then_some(Span {
        start: hit_end,
        end: hit_end + found.len(),
        name: "bearer-token",
    })
}

/// `Basic dXNlcjpwYXNzd29yZA==` where no header name stands before it.
pub(super) fn basic(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    if text[..hit].last().is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let end = text.len().min(hit_end + WINDOW);
    let to = word_end(text, hit_end, end);
    super::base64::credentials(&text[hit_end..to]).then_some(Span {
        start: hit_end,
        end: to,
        name: "basic-credentials",
    })
}

pub(super) fn userinfo(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    let scheme = text[..hit].last().is_some_and(u8::is_ascii_alphanumeric);
    if !scheme {
        return None;
    }
    let window = &text[hit_end..text.len().min(hit_end + 1024)];
    let stop =
        |byte: &u8| byte.is_ascii_whitespace() || b"/\"'`<>\\|?".contains(byte) || *byte < b' ';
    let authority = &window[..window.iter().position(stop).unwrap_or(window.len())];
    let at = memchr::memrchr(b'@', authority)?;
    let info = &authority[..at];
    let (from, found) = match memchr::memchr(b':', info) {
        Some(colon) => {
            let user = &info[..colon];
            let password = &info[colon + 1..];
            if placeholder(password) {
                // https://TOKEN:x-oauth-basic@host, https://TOKEN:@host
                (0, user)
            } else if password == b"x-oauth-basic" || (random(user, 20) && words_only(password)) {
                (0, info)
            } else {
                let span = Span {
                    start: hit_end + colon + 1,
                    end: hit_end + at,
                    name: "url-password",
                };
                return Some(span);
            }
        }
        None => (0, info),
    };
    (random(found, 16) && !placeholder(found)).then_some(Span {
        start: hit_end + from,
        end: hit_end + from + found.len(),
        name: "url-password",
    })
}

pub(super) fn query(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    let mut start = hit;
    while start > 0
        && hit - start < 32
        && (text[start - 1].is_ascii_alphanumeric() || b"_-.".contains(&text[start - 1]))
    {
        start -= 1;
    }
    let before = text[..start].last().copied()?;
    let entity = text[..start].ends_with(b"&amp;");
    if !(b"?&#".contains(&before) || entity) {
        return None;
    }
    let name = &text[start..hit_end - 1];
    let plain_code = [
        &b"code"[..],
        b"key",
        b"ticket",
        b"session",
        b"auth",
        b"magic",
        b"invite",
    ]
    .contains(&name);
    let end = text.len().min(hit_end + WINDOW);
    let stop = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`<>&?#)]},;\\|".contains(byte);
    let to = hit_end
        + text[hit_end..end]
            .iter()
            .position(stop)
            .unwrap_or(end - hit_end);
    let found = &text[hit_end..to];
    let telling = plain_code
        || names::kind(name).is_some()
        || [
            &b"sig"[..],
            b"signature",
            b"credential",
            b"hmac",
            b"assertion",
            b"samlresponse",
        ]
        .iter()
        .any(|tail| {
            name.len() >= tail.len() && name[name.len() - tail.len()..].eq_ignore_ascii_case(tail)
        });
    let least = if plain_code { 16 } else { 6 };
    if !telling || placeholder(found) || found.len() < least {
        return None;
    }
    (!words_only(found) || sentinel(found)).then_some(Span {
        start: hit_end,
        end: to,
        name: "url-token",
    })
}
