//! The table of places that a secret is known by, with the key at which each place is tried; and secrets in URLs.
//!
//! `headers` reads HTTP headers. Sources: RFC 3986 section 3.2.1 (userinfo), the AWS and Azure signing documents (query
//! names), each program's manual.

use crate::redact::span::Span;
use crate::redact::words::names;
use crate::redact::words::value::{placeholder, random, words_only};

/// A place at which a secret may stand. [`PLACES`] has the keys at which each is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::redact) enum KnownPlace {
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
    /// The code of an OAuth grant, in an HTML form, a log or a JSON object.
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
    /// `user NAME PASSWORD`, a line of input for an FTP client.
    FtpUser,
    /// A heading over lines of `"user" "password"`.
    Userlist,
    /// `SET PASSWORD FOR 'u'@'h' = 'x'`.
    SetPassword,
    /// `$USER5$=x`, a macro of Nagios.
    Nagios,
    /// `*.host:user@domain:password`, a line of Exim's `passwd.client`.
    Exim,
    /// `https://host/t/TOKEN/`, a channel of conda.
    Conda,
    /// `accounts: ["0x…"]`, wallet keys in Hardhat's configuration.
    Wallet,
    /// `child.sendline("x")`, an answer to a prompt in Pexpect.
    Sendline,
    /// `user:password@tcp(host:3306)/db`, a data source without a scheme.
    Dsn,
    /// A command without a telling word that prints a secret: `openssl rand 32`.
    Printed,
    /// A secret under an innocent name, as Terraform's state keeps the `result` of a `random_password`.
    Kept,
    /// A line of a Netscape cookie file.
    Jar,
    /// A row of `aws --output text`.
    KeyRow,
    /// A command of net-snmp's daemons.
    Snmpd,
    /// A code told in a sentence: `your login code is 254789`.
    ToldCode,
    /// An object whose member `key` signs or encrypts: `"Jwt": {"Key": "x"}`.
    Holder,
}

/// Where each place is tried, in lower case.
pub(in crate::redact) const PLACES: &[(&str, KnownPlace)] = &[
    ("authorization", KnownPlace::Authorization),
    ("cookie", KnownPlace::Cookie),
    ("bearer ", KnownPlace::Bearer),
    ("://", KnownPlace::Userinfo),
    ("sig=", KnownPlace::Query),
    ("signature=", KnownPlace::Query),
    ("token=", KnownPlace::Query),
    ("key=", KnownPlace::Query),
    ("secret=", KnownPlace::Query),
    ("jwt=", KnownPlace::Query),
    ("code=", KnownPlace::Query),
    ("code=", KnownPlace::Grant),
    ("code\"", KnownPlace::Grant),
    ("code'", KnownPlace::Grant),
    (":pserver:", KnownPlace::Pserver),
    ("magic=", KnownPlace::Query),
    ("invite=", KnownPlace::Query),
    ("otp=", KnownPlace::Query),
    ("auth=", KnownPlace::Query),
    ("password=", KnownPlace::Query),
    ("passwd=", KnownPlace::Query),
    ("pwd=", KnownPlace::Query),
    ("session=", KnownPlace::Query),
    ("sessionid=", KnownPlace::Query),
    ("ticket=", KnownPlace::Query),
    ("hmac=", KnownPlace::Query),
    ("credential=", KnownPlace::Query),
    ("assertion=", KnownPlace::Query),
    ("samlresponse=", KnownPlace::Query),
    ("gh secret set", KnownPlace::Piped),
    ("--with-token", KnownPlace::Piped),
    ("--password-stdin", KnownPlace::Piped),
    ("sudo -s", KnownPlace::Piped),
    ("sudo --stdin", KnownPlace::Piped),
    ("kinit", KnownPlace::Piped),
    ("passwd --stdin", KnownPlace::Piped),
    ("smbpasswd", KnownPlace::Piped),
    ("vncpasswd", KnownPlace::Piped),
    ("cryptsetup", KnownPlace::Piped),
    ("--passwd-on-stdin", KnownPlace::Piped),
    ("wandb login", KnownPlace::Piped),
    ("--passphrase-fd", KnownPlace::Piped),
    ("-pass stdin", KnownPlace::Piped),
    ("auth login", KnownPlace::Piped),
    ("docker login", KnownPlace::Piped),
    ("chpasswd", KnownPlace::Chpasswd),
    ("oracle:thin:", KnownPlace::Thin),
    ("-----begin ", KnownPlace::KeyBlock),
    ("-----begin+", KnownPlace::KeyBlock),
    ("-----end ", KnownPlace::KeyBlockEnd),
    (":5432:", KnownPlace::Pgpass),
    (":5433:", KnownPlace::Pgpass),
    (":6432:", KnownPlace::Pgpass),
    (":*:", KnownPlace::Pgpass),
    ("recovery code", KnownPlace::Codes),
    ("recovery_code", KnownPlace::Codes),
    ("recovery-code", KnownPlace::Codes),
    ("recoverycode", KnownPlace::Codes),
    ("backup code", KnownPlace::Codes),
    ("backup_code", KnownPlace::Codes),
    ("backup-code", KnownPlace::Codes),
    ("backupcode", KnownPlace::Codes),
    ("scratch code", KnownPlace::Codes),
    ("scratch_code", KnownPlace::Codes),
    ("emergency code", KnownPlace::Codes),
    ("emergency_code", KnownPlace::Codes),
    ("rescue code", KnownPlace::Codes),
    ("one-time codes", KnownPlace::Codes),
    ("2fa codes", KnownPlace::Codes),
    ("two-factor codes", KnownPlace::Codes),
    ("bypass codes", KnownPlace::Codes),
    ("seed phrase", KnownPlace::Codes),
    ("seed_phrase", KnownPlace::Codes),
    ("seedphrase", KnownPlace::Codes),
    ("recovery phrase", KnownPlace::Codes),
    ("recovery_phrase", KnownPlace::Codes),
    ("mnemonic", KnownPlace::Codes),
    ("kty", KnownPlace::WebKey),
    ("<rsakeyvalue>", KnownPlace::XmlKey),
    ("<dsakeyvalue>", KnownPlace::XmlKey),
    ("<rsaparameters", KnownPlace::XmlKey),
    ("basic ", KnownPlace::Basic),
    ("log in", KnownPlace::Login),
    ("login", KnownPlace::Login),
    ("sign in", KnownPlace::Login),
    ("cred", KnownPlace::Login),
    ("]:587 ", KnownPlace::Relay),
    ("]:465 ", KnownPlace::Relay),
    ("]:25 ", KnownPlace::Relay),
    ("]:2525 ", KnownPlace::Relay),
    ("getconnection(", KnownPlace::Call),
    ("mysqli(", KnownPlace::Call),
    ("mysqli_connect(", KnownPlace::Call),
    ("mysql_connect(", KnownPlace::Call),
    ("new pdo(", KnownPlace::Call),
    ("pymysql.connect(", KnownPlace::Call),
    (".login(", KnownPlace::Call),
    ("basicauth(", KnownPlace::Call),
    ("credentials(", KnownPlace::Call),
    ("credential(", KnownPlace::Call),
    ("passwordauthentication(", KnownPlace::Call),
    ("auth=(", KnownPlace::Call),
    (".auth(", KnownPlace::Call),
    ("mysqldb.connect(", KnownPlace::Call),
    ("create_user(", KnownPlace::Call),
    ("__construct(", KnownPlace::Call),
    ("twilio(", KnownPlace::Call),
    ("bot.run(", KnownPlace::Call),
    (" -p ", KnownPlace::Flag),
    ("insert into ", KnownPlace::Insert),
    ("send \"", KnownPlace::Send),
    ("send -- \"", KnownPlace::Send),
    (" on >", KnownPlace::Acl),
    ("tacacs-server ", KnownPlace::Device),
    ("radius-server ", KnownPlace::Device),
    ("snmp-server ", KnownPlace::Device),
    ("set snmp ", KnownPlace::Device),
    ("isakmp key ", KnownPlace::Device),
    ("key-string ", KnownPlace::Device),
    ("authentication-key ", KnownPlace::Device),
    ("message-digest-key ", KnownPlace::Device),
    ("authentication-password ", KnownPlace::Device),
    ("username ", KnownPlace::Device),
    ("enable password ", KnownPlace::Device),
    ("enable secret ", KnownPlace::Device),
    ("super password ", KnownPlace::Device),
    ("local-user ", KnownPlace::Device),
    ("password manager ", KnownPlace::Device),
    ("plaintext-password ", KnownPlace::Device),
    ("plain-text-password-value ", KnownPlace::Device),
    ("pre-shared-key ", KnownPlace::Device),
    ("pre-shared-secret ", KnownPlace::Device),
    ("psksecret ", KnownPlace::Device),
    ("set passwd ", KnownPlace::Device),
    ("snmp-agent ", KnownPlace::Device),
    ("wpa-passphrase ", KnownPlace::Device),
    ("chap password ", KnownPlace::Device),
    ("server-private ", KnownPlace::Device),
    ("aaa-server ", KnownPlace::Device),
    ("ntp authentication", KnownPlace::Device),
    ("ppp pap sent-username ", KnownPlace::Device),
    ("authentication password ", KnownPlace::Device),
    ("local-users username ", KnownPlace::Device),
    ("password cipher ", KnownPlace::Device),
    ("shared-secret ", KnownPlace::Device),
    ("server-profile ", KnownPlace::Device),
    ("set password ", KnownPlace::Device),
    ("snmp-community-string ", KnownPlace::Device),
    ("wpa psk set-key ", KnownPlace::Device),
    ("password 0 ", KnownPlace::Device),
    ("secret 0 ", KnownPlace::Device),
    ("key 0 ", KnownPlace::Device),
    ("neighbor ", KnownPlace::Device),
    ("wpa-psk ", KnownPlace::Device),
    ("nickserv", KnownPlace::Services),
    ("chanserv", KnownPlace::Services),
    ("user ", KnownPlace::FtpUser),
    ("userlist", KnownPlace::Userlist),
    ("set password", KnownPlace::SetPassword),
    ("$user", KnownPlace::Nagios),
    ("*.", KnownPlace::Exim),
    ("/t/", KnownPlace::Conda),
    ("accounts", KnownPlace::Wallet),
    ("sendline(", KnownPlace::Sendline),
    (".send(", KnownPlace::Sendline),
    ("dbi->connect(", KnownPlace::Call),
    ("dbi.connect(", KnownPlace::Call),
    ("oci_connect(", KnownPlace::Call),
    ("odbc_connect(", KnownPlace::Call),
    ("mssql_connect(", KnownPlace::Call),
    ("ftp_login(", KnownPlace::Call),
    ("imap_open(", KnownPlace::Call),
    ("ssh2_auth_password(", KnownPlace::Call),
    ("ftp.open(", KnownPlace::Call),
    ("ldap_bind(", KnownPlace::Call),
    ("simple_bind_s(", KnownPlace::Call),
    ("plainauth(", KnownPlace::Call),
    ("cx_oracle.connect(", KnownPlace::Call),
    ("oracledb.connect(", KnownPlace::Call),
    ("basic_auth(", KnownPlace::Call),
    ("@tcp(", KnownPlace::Dsn),
    ("@tcp6(", KnownPlace::Dsn),
    ("@unix(", KnownPlace::Dsn),
    ("@(", KnownPlace::Dsn),
    ("@/", KnownPlace::Dsn),
    (":3306/", KnownPlace::Dsn),
    (":5432/", KnownPlace::Dsn),
    (":1521/", KnownPlace::Dsn),
    (":1433/", KnownPlace::Dsn),
    (":27017/", KnownPlace::Dsn),
    (":6379/", KnownPlace::Dsn),
    (":5672/", KnownPlace::Dsn),
    ("op read ", KnownPlace::Printed),
    ("whoami -t", KnownPlace::Printed),
    ("openssl rand ", KnownPlace::Printed),
    ("pwgen ", KnownPlace::Printed),
    ("vault kv get ", KnownPlace::Printed),
    ("vault read ", KnownPlace::Printed),
    ("lpass show ", KnownPlace::Printed),
    ("chamber read ", KnownPlace::Printed),
    ("bw get ", KnownPlace::Printed),
    ("random_password", KnownPlace::Kept),
    ("random_string", KnownPlace::Kept),
    ("random_bytes", KnownPlace::Kept),
    ("\"permissions\"", KnownPlace::Kept),
    ("\ttrue\t", KnownPlace::Jar),
    ("\tfalse\t", KnownPlace::Jar),
    ("accesskey\t", KnownPlace::KeyRow),
    ("accesskey ", KnownPlace::KeyRow),
    ("credentials\t", KnownPlace::KeyRow),
    ("rocommunity", KnownPlace::Snmpd),
    ("rwcommunity", KnownPlace::Snmpd),
    ("trapcommunity", KnownPlace::Snmpd),
    ("com2sec", KnownPlace::Snmpd),
    ("trapsink", KnownPlace::Snmpd),
    ("trap2sink", KnownPlace::Snmpd),
    ("informsink", KnownPlace::Snmpd),
    ("createuser", KnownPlace::Snmpd),
    ("code is ", KnownPlace::ToldCode),
    ("code is: ", KnownPlace::ToldCode),
    ("code: ", KnownPlace::ToldCode),
    ("passcode is ", KnownPlace::ToldCode),
    ("passcode: ", KnownPlace::ToldCode),
    ("otp is ", KnownPlace::ToldCode),
    ("otp is: ", KnownPlace::ToldCode),
    ("otp: ", KnownPlace::ToldCode),
    ("otp) is ", KnownPlace::ToldCode),
    ("pin is ", KnownPlace::ToldCode),
    (" is your ", KnownPlace::ToldCode),
    ("jwt", KnownPlace::Holder),
    ("token", KnownPlace::Holder),
    ("auth", KnownPlace::Holder),
    ("signing", KnownPlace::Holder),
    ("encrypt", KnownPlace::Holder),
];

/// A value is read no further than this many bytes.
pub(in crate::redact) const WINDOW: usize = 4096;

pub(in crate::redact) fn line_end(text: &[u8], at: usize) -> usize {
    let window = &text[at..text.len().min(at + WINDOW)];
    at + memchr::memchr2(b'\n', b'\r', window).unwrap_or(window.len())
}

pub(in crate::redact) fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && (text[at] == b' ' || text[at] == b'\t') {
        at += 1;
    }
    at
}

pub(in crate::redact) fn word_end(text: &[u8], at: usize, end: usize) -> usize {
    let stop = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`<>,;)]}\\".contains(byte);
    at + text[at..end].iter().position(stop).unwrap_or(end - at)
}

/// True for 12 or more capitals, digits and underscores, such as `CANARY_TOKEN_7`: testers plant such a word in place of a secret,
/// and [`words_only`] takes it for a name.
pub(in crate::redact) fn sentinel(word: &[u8]) -> bool {
    word.len() >= 12
        && word.contains(&b'_')
        && word
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || *byte == b'_' || byte.is_ascii_digit())
}

pub(in crate::redact) fn userinfo(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
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

pub(in crate::redact) fn query(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
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
