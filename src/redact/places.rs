//! The places that secrets are known by, and where each is tried; what stands in a URL and in its query.
//!
//! `headers` has what stands in a header. Sources: RFC 3986 section 3.2.1 (userinfo), the AWS and Azure signing documents
//! (query names), each program's manual.

use super::names;
use super::span::Span;
use super::value::{placeholder, random, words_only};

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
    /// `user:password@tcp(host:3306)/db`.
    Dsn,
    /// A command that prints a secret, and has no telling word.
    Printed,
    /// What Terraform and others keep the secret of under an innocent name.
    Kept,
    /// A line of a cookie file.
    Jar,
    /// A row of the AWS tool.
    KeyRow,
    /// A command of net-snmp's daemons.
    Snmpd,
    /// A code told in a sentence.
    ToldCode,
    /// An object whose `key` is one that signs.
    Holder,
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
    ("enable password ", Place::Device),
    ("enable secret ", Place::Device),
    ("super password ", Place::Device),
    ("local-user ", Place::Device),
    ("password manager ", Place::Device),
    ("plaintext-password ", Place::Device),
    ("plain-text-password-value ", Place::Device),
    ("pre-shared-key ", Place::Device),
    ("pre-shared-secret ", Place::Device),
    ("psksecret ", Place::Device),
    ("set passwd ", Place::Device),
    ("snmp-agent ", Place::Device),
    ("wpa-passphrase ", Place::Device),
    ("chap password ", Place::Device),
    ("server-private ", Place::Device),
    ("aaa-server ", Place::Device),
    ("ntp authentication", Place::Device),
    ("ppp pap sent-username ", Place::Device),
    ("authentication password ", Place::Device),
    ("local-users username ", Place::Device),
    ("password cipher ", Place::Device),
    ("shared-secret ", Place::Device),
    ("server-profile ", Place::Device),
    ("set password ", Place::Device),
    ("snmp-community-string ", Place::Device),
    ("wpa psk set-key ", Place::Device),
    ("password 0 ", Place::Device),
    ("secret 0 ", Place::Device),
    ("key 0 ", Place::Device),
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
    ("@tcp(", Place::Dsn),
    ("@tcp6(", Place::Dsn),
    ("@unix(", Place::Dsn),
    ("@(", Place::Dsn),
    ("@/", Place::Dsn),
    (":3306/", Place::Dsn),
    (":5432/", Place::Dsn),
    (":1521/", Place::Dsn),
    (":1433/", Place::Dsn),
    (":27017/", Place::Dsn),
    (":6379/", Place::Dsn),
    (":5672/", Place::Dsn),
    ("op read ", Place::Printed),
    ("whoami -t", Place::Printed),
    ("openssl rand ", Place::Printed),
    ("pwgen ", Place::Printed),
    ("vault kv get ", Place::Printed),
    ("vault read ", Place::Printed),
    ("lpass show ", Place::Printed),
    ("chamber read ", Place::Printed),
    ("bw get ", Place::Printed),
    ("random_password", Place::Kept),
    ("random_string", Place::Kept),
    ("random_bytes", Place::Kept),
    ("\"permissions\"", Place::Kept),
    ("\ttrue\t", Place::Jar),
    ("\tfalse\t", Place::Jar),
    ("accesskey\t", Place::KeyRow),
    ("accesskey ", Place::KeyRow),
    ("credentials\t", Place::KeyRow),
    ("rocommunity", Place::Snmpd),
    ("rwcommunity", Place::Snmpd),
    ("trapcommunity", Place::Snmpd),
    ("com2sec", Place::Snmpd),
    ("trapsink", Place::Snmpd),
    ("trap2sink", Place::Snmpd),
    ("informsink", Place::Snmpd),
    ("createuser", Place::Snmpd),
    ("code is ", Place::ToldCode),
    ("code is: ", Place::ToldCode),
    ("code: ", Place::ToldCode),
    ("passcode is ", Place::ToldCode),
    ("passcode: ", Place::ToldCode),
    ("otp is ", Place::ToldCode),
    ("otp is: ", Place::ToldCode),
    ("otp: ", Place::ToldCode),
    ("otp) is ", Place::ToldCode),
    ("pin is ", Place::ToldCode),
    (" is your ", Place::ToldCode),
    ("jwt", Place::Holder),
    ("token", Place::Holder),
    ("auth", Place::Holder),
    ("signing", Place::Holder),
    ("encrypt", Place::Holder),
];

/// A line is looked at no further than this to either side.
pub(super) const WINDOW: usize = 4096;

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

pub(super) fn word_end(text: &[u8], at: usize, end: usize) -> usize {
    let stop = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`<>,;)]}\\".contains(byte);
    at + text[at..end].iter().position(stop).unwrap_or(end - at)
}

/// Words in capitals joined by underscores: the form of a canary planted in a secret's place.
pub(super) fn sentinel(word: &[u8]) -> bool {
    word.len() >= 12
        && word.contains(&b'_')
        && word
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || *byte == b'_' || byte.is_ascii_digit())
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
