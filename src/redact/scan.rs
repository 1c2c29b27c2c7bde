//! Finds the secrets of a text: one automaton finds the keys of all rules, then each rule looks around its key.

use aho_corasick::{AhoCorasick, AhoCorasickKind, Anchored, Input, MatchKind};
use once_cell::sync::OnceCell;

use super::forms::base64;
use super::forms::known::Known;
use super::forms::pem;
use super::forms::records;
use super::forms::rules::{self, Check, Left, RULES};
use super::forms::view;
use super::lines::codes;
use super::lines::devices;
use super::lines::dsn;
use super::lines::kubernetes;
use super::lines::line_forms;
use super::lines::tables;
use super::lines::transcript;
use super::pairs::apart;
use super::pairs::assign;
use super::pairs::calls;
use super::pairs::html;
use super::places::headers;
use super::places::known_places::{self, KnownPlace, PLACES};
use super::programs::command_line;
use super::programs::table::PROGRAMS;
use super::section::Section;
use super::span::Span;
use super::words::prose;
use super::words::value::{invented_inside, placeholder, sequential, variety, words_only};

/// A token is read no further than this many bytes from its start.
const TOKEN: usize = 4096;

enum Action {
    /// The row of this number in [`RULES`].
    Token(usize),
    Place(KnownPlace),
    /// The row of this number in [`PROGRAMS`].
    Program(usize),
    /// The key is a telling word, one of [`assign::KEYS`].
    Assign,
}

struct Engine {
    keys: AhoCorasick,
    /// For each key of the automaton, the actions to try there.
    actions: Vec<Vec<Action>>,
}

fn engine() -> &'static Engine {
    static ENGINE: OnceCell<Engine> = OnceCell::new();
    ENGINE.get_or_init(|| {
        let mut keys: Vec<&'static str> = Vec::new();
        let mut actions: Vec<Vec<Action>> = Vec::new();
        let mut add = |key: &'static str, action: Action| {
            let at = keys
                .iter()
                .position(|known| *known == key)
                .unwrap_or_else(|| {
                    keys.push(key);
                    actions.push(Vec::new());
                    keys.len() - 1
                });
            actions[at].push(action);
        };
        for (nth, rule) in RULES.iter().enumerate() {
            for key in rule.keys {
                add(key, Action::Token(nth));
            }
        }
        for (key, place) in PLACES {
            add(key, Action::Place(*place));
        }
        for (nth, (key, _)) in PROGRAMS.iter().enumerate() {
            add(key, Action::Program(nth));
        }
        for key in assign::KEYS {
            add(key, Action::Assign);
        }
        let keys = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::DFA))
            .build(&keys)
            .expect("a few hundred short keys make a small automaton");
        Engine { keys, actions }
    })
}

/// All spans of `text`, also those that only its decoded form shows: unsorted, some overlapping.
pub(super) fn spans(text: &[u8], known: &Known) -> Vec<Span> {
    let mut out = Vec::new();
    look(text, known, base64::DEPTH, &mut out);
    out
}

/// The result of [`spans`], and the sections of the text in its written form.
pub(super) fn sections(text: &[u8], known: &Known) -> (Vec<Span>, Vec<Section>) {
    let mut out = Vec::new();
    let sections = look(text, known, base64::DEPTH, &mut out);
    (out, sections)
}

fn look(text: &[u8], known: &Known, depth: usize, out: &mut Vec<Span>) -> Vec<Section> {
    let mut sections = Vec::new();
    plain(text, out, &mut sections);
    known.spans(text, out);
    let deeper = |text: &[u8]| {
        let mut inner = Vec::new();
        look(text, known, depth - 1, &mut inner);
        inner
    };
    if depth > 0 {
        base64::spans(text, deeper, out);
    }
    if let Some(view) = view::decoded(text) {
        let mut inner = Vec::new();
        plain(&view.bytes, &mut inner, &mut Vec::new());
        known.spans(&view.bytes, &mut inner);
        if depth > 0 {
            base64::spans(&view.bytes, deeper, &mut inner);
        }
        for span in inner {
            if span.start < span.end {
                let (start, end) = view.source(span.start, span.end);
                out.push(Span {
                    start,
                    end,
                    name: span.name,
                });
            }
        }
    }
    sections
}

/// Tries the actions of each key that the automaton finds.
fn plain(text: &[u8], out: &mut Vec<Span>, sections: &mut Vec<Section>) {
    let engine = engine();
    let mut walk = Walk {
        text,
        out,
        sections,
        assign: assign::Memory::default(),
        tables: tables::Memory::default(),
        kubernetes: kubernetes::Memory::default(),
        read: Read::default(),
        covered: 0,
        rejected: vec![0; RULES.len()],
        line_read: vec![0; PROGRAMS.len()],
    };
    let input = Input::new(text).anchored(Anchored::No);
    let hits = engine
        .keys
        .try_find_overlapping_iter(input)
        .expect("a standard automaton finds overlapping matches");
    for hit in hits {
        for action in &engine.actions[hit.pattern().as_usize()] {
            if let Some(span) = walk.hit(action, hit.start(), hit.end()) {
                walk.covered = walk.covered.max(span.end);
                walk.out.push(span);
            }
        }
    }
    discord(text, out);
    records::bitlocker(text, out);
}

/// For each kind of heading, the offset up to which the text below such a heading has been read: no text is read twice.
#[derive(Default)]
struct Read {
    answers: usize,
    inserted: usize,
    codes: usize,
    web_keys: usize,
    html: usize,
    userlist: usize,
    device: usize,
}

/// One walk over the hits in a text.
struct Walk<'a> {
    text: &'a [u8],
    out: &'a mut Vec<Span>,
    sections: &'a mut Vec<Section>,
    assign: assign::Memory<'a>,
    tables: tables::Memory,
    kubernetes: kubernetes::Memory,
    read: Read,
    // No key before one of these offsets is tried again, so a long run of keys takes linear time.
    /// The end of the last span.
    covered: usize,
    /// For each rule, the end of the last match over 256 bytes that was no secret.
    rejected: Vec<usize>,
    /// For each program, the end of the last command line that was read.
    line_read: Vec<usize>,
}

impl Walk<'_> {
    /// Tries `action` at the key `start..end`. An action that finds several spans pushes them itself and returns `None`.
    fn hit(&mut self, action: &Action, start: usize, end: usize) -> Option<Span> {
        match action {
            // Tried in masked text too: a URL may begin inside of a masked stretch and end outside of it.
            Action::Place(KnownPlace::Userinfo) => known_places::userinfo(self.text, start, end),
            _ if start < self.covered => None,
            Action::Token(nth) => token(self.text, start, *nth, &mut self.rejected[*nth]),
            Action::Assign => self.telling_word(start, end),
            Action::Program(nth) => {
                let read = &mut self.line_read[*nth];
                if start >= *read {
                    let found = command_line::program(self.text, start, end, *nth, read);
                    self.out.extend(found);
                }
                None
            }
            Action::Place(KnownPlace::Printed) => {
                transcript::find(self.text, start, &mut self.read.answers)
            }
            Action::Place(place) => {
                self.stretch(*place, start, end);
                self.several(*place, start, end);
                at_place(self.text, *place, start, end)
            }
        }
    }

    /// Tries all rules for a telling word: as a column's header, in a command, as the name of a value, in a sentence.
    fn telling_word(&mut self, start: usize, end: usize) -> Option<Span> {
        let text = self.text;
        // Only the key `secret` can be the kind of a Kubernetes object.
        if end - start == "secret".len() {
            kubernetes::find(
                text,
                start,
                end,
                &mut self.kubernetes,
                self.sections,
                self.out,
            );
        }
        tables::find(text, start, &mut self.tables, self.sections, self.out);
        self.out
            .extend(transcript::find(text, start, &mut self.read.answers));
        if start >= self.read.html {
            self.read.html = html::find(text, start, end, self.out).unwrap_or(self.read.html);
        }
        let assigned = assign::find(text, start, end, &mut self.assign);
        self.out.extend(
            assigned
                .as_ref()
                .and_then(|span| assign::becomes(text, span.end)),
        );
        assigned
            .or_else(|| apart::find(text, start, end))
            .or_else(|| prose::find(text, start, end))
    }

    /// Reads the text below the heading `start..end`, unless it has been read before.
    fn stretch(&mut self, place: KnownPlace, start: usize, end: usize) {
        let (text, out, read) = (self.text, &mut *self.out, &mut self.read);
        match place {
            KnownPlace::Codes if start >= read.codes => {
                read.codes = codes::find(text, start, end, out);
            }
            KnownPlace::WebKey if start >= read.web_keys => {
                read.web_keys = apart::jwk(text, start, end, out);
            }
            KnownPlace::Insert if start >= read.inserted => {
                read.inserted = calls::insert(text, end, out);
            }
            KnownPlace::Userlist if start >= read.userlist => {
                read.userlist = line_forms::userlist(text, start, out);
            }
            KnownPlace::Device if start >= read.device => {
                read.device = devices::find(text, start, out).unwrap_or(read.device);
            }
            _ => {}
        }
    }

    /// Tries the places that can hold more than one secret.
    fn several(&mut self, place: KnownPlace, start: usize, end: usize) {
        let (text, out) = (self.text, &mut *self.out);
        match place {
            KnownPlace::Wallet => line_forms::wallet(text, end, out),
            KnownPlace::XmlKey => apart::xml_key(text, start, out),
            KnownPlace::Cookie => {
                let before = out.len();
                headers::cookie(text, start, end, out);
                if out.len() > before {
                    self.covered = self.covered.max(out[out.len() - 1].end);
                }
            }
            KnownPlace::Jar => records::jar(text, start, out),
            KnownPlace::KeyRow => records::key_row(text, start, out),
            KnownPlace::Snmpd => records::snmpd(text, start, out),
            KnownPlace::Piped => command_line::piped(text, start, end, out),
            KnownPlace::Chpasswd => command_line::chpasswd(text, start, end, out),
            _ => {}
        }
    }
}

fn at_place(text: &[u8], place: KnownPlace, start: usize, end: usize) -> Option<Span> {
    match place {
        KnownPlace::Authorization => headers::authorization(text, start, end),
        KnownPlace::Basic => headers::basic(text, start, end),
        KnownPlace::Flag => line_forms::flag(text, start, end),
        KnownPlace::Send => line_forms::send(text, end),
        KnownPlace::Grant => line_forms::grant(text, start, end),
        KnownPlace::Pserver => line_forms::pserver(text, end),
        KnownPlace::Relay => line_forms::relay(text, end),
        KnownPlace::Acl => line_forms::acl(text, start, end),
        KnownPlace::Call => calls::find(text, start, end),
        KnownPlace::Login => prose::login(text, end),
        KnownPlace::Kept => apart::kept(text, start, end),
        KnownPlace::Dsn => dsn::find(text, start),
        KnownPlace::ToldCode => records::told_code(text, start, end),
        KnownPlace::Holder => apart::holder(text, start),
        KnownPlace::Services => line_forms::services(text, end),
        KnownPlace::FtpUser => line_forms::ftp_user(text, start),
        KnownPlace::SetPassword => line_forms::set_password(text, end),
        KnownPlace::Nagios => line_forms::nagios(text, start, end),
        KnownPlace::Exim => line_forms::exim(text, start),
        KnownPlace::Conda => line_forms::conda(text, start, end),
        KnownPlace::Sendline => line_forms::sendline(text, start, end),
        KnownPlace::Bearer => headers::bearer(text, start, end),
        KnownPlace::Query => known_places::query(text, start, end),
        KnownPlace::Pgpass => line_forms::pgpass(text, start),
        KnownPlace::Thin => line_forms::thin(text, end),
        KnownPlace::KeyBlock => pem::block(text, start, end),
        KnownPlace::KeyBlockEnd => pem::tail(text, start, end),
        KnownPlace::Userinfo
        | KnownPlace::Cookie
        | KnownPlace::Device
        | KnownPlace::Printed
        | KnownPlace::Piped
        | KnownPlace::Chpasswd
        | KnownPlace::Codes
        | KnownPlace::WebKey
        | KnownPlace::Insert
        | KnownPlace::Userlist
        | KnownPlace::Wallet
        | KnownPlace::Jar
        | KnownPlace::KeyRow
        | KnownPlace::Snmpd
        | KnownPlace::XmlKey => None,
    }
}

/// The token of rule `nth` at the key `hit`. `rejected` is this rule's entry in [`Walk::rejected`].
fn token(text: &[u8], hit: usize, nth: usize, rejected: &mut usize) -> Option<Span> {
    if hit < *rejected {
        return None;
    }
    let rule = &RULES[nth];
    let mut start = hit;
    if let Some(lead) = rule.lead {
        while start > 0 && hit - start < lead.most && (lead.class)(text[start - 1]) {
            start -= 1;
        }
    }
    let before = if after_escape(text, start) {
        b' '
    } else {
        text[..start].last().copied().unwrap_or(b' ')
    };
    let open = match rule.left {
        Left::Free => true,
        Left::Word => !(before.is_ascii_alphanumeric() || before == b'_'),
        Left::Letter => !before.is_ascii_alphanumeric(),
        Left::Run => !(before.is_ascii_alphanumeric() || b"_-/+".contains(&before)),
    };
    if !open {
        return None;
    }
    let window = &text[start..text.len().min(start + TOKEN)];
    let regex = rules::regex(nth);
    let (mut from, mut to) = if regex.captures_len() > 1 {
        let found = regex.captures(window)?.get(1)?;
        (start + found.start(), start + found.end())
    } else {
        let found = regex.find(window)?;
        (start, start + found.end())
    };
    while to > from && text[to - 1] == b'.' {
        to -= 1;
    }
    let token = &text[from..to];
    if rule.closed
        && text
            .get(to)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    {
        return None;
    }
    if from > start {
        // The pattern has a group, so `check` does not count; only a placeholder is no secret.
        from = from.min(to);
        if placeholder(token) {
            return None;
        }
    } else if match rule.check {
        Check::Varied => is_example(token),
        Check::Random => is_example(token) || (words_only(token) && !looks_generated(token, 24)),
        Check::Generated => is_example(token) || !looks_generated(token, 12),
    } {
        if token.len() > 256 {
            *rejected = to;
        }
        return None;
    }
    Some(Span {
        start: from,
        end: to,
        name: rule.name,
    })
}

/// True for a token that ends in `least` or more characters of base64, among them both cases and two digits.
fn looks_generated(token: &[u8], least: usize) -> bool {
    let run = token
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"+/_=-".contains(byte))
        .count();
    let run = &token[token.len() - run..];
    run.len() >= least
        && run.iter().any(u8::is_ascii_uppercase)
        && run.iter().any(u8::is_ascii_lowercase)
        && run.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
}

/// True where a colour code (`ESC [ 33 m`, or its caret form `^[[33m`) ends at `at`, so that the letter before `at` belongs to no
/// word.
fn after_escape(text: &[u8], at: usize) -> bool {
    let Some((last, before)) = text[..at].split_last() else {
        return false;
    };
    if !last.is_ascii_alphabetic() {
        return false;
    }
    let numbers = before
        .iter()
        .rev()
        .take(16)
        .take_while(|byte| byte.is_ascii_digit() || **byte == b';')
        .count();
    let head = &before[..before.len() - numbers];
    head.ends_with(b"\x1b[") || head.ends_with(b"^[[")
}

/// True for an example in the form of a token: `ghp_xxxxxxxxxxxx`, `ghp_yourPersonalAccessToken`, the keys of the AWS manual.
fn is_example(token: &[u8]) -> bool {
    variety(&token[token.len().saturating_sub(16)..]) < 5
        || memchr::memmem::find(&token[..token.len().min(64)], b"EXAMPLE").is_some()
        || invented_inside(token)
        || sequential(token)
}

/// Discord's bot tokens have no prefix: base64 of a number, six or seven characters, and a signature, joined by points
/// (discord.com/developers/docs/reference#authentication).
fn discord(text: &[u8], out: &mut Vec<Span>) {
    let part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    for at in memchr::memchr_iter(b'.', text) {
        if at < 23 || !part(text[at - 1]) {
            continue;
        }
        let middle = text[at + 1..]
            .iter()
            .take(9)
            .take_while(|byte| part(**byte))
            .count();
        if !(6..=7).contains(&middle) || text.get(at + 1 + middle) != Some(&b'.') {
            continue;
        }
        let mut start = at;
        while start > 0 && at - start < 40 && part(text[start - 1]) {
            start -= 1;
        }
        let last = text[at + 2 + middle..]
            .iter()
            .take(64)
            .take_while(|byte| part(**byte))
            .count();
        let end = at + 2 + middle + last;
        // The last letter of a colour code right before the token does not belong to the token.
        let colour = (start..(start + 4).min(at)).rfind(|border| after_escape(text, *border));
        start = colour.unwrap_or(start);
        let token = &text[start..end];
        let first = token.first().copied().unwrap_or(0);
        if (23..=28).contains(&(at - start))
            && (27..=40).contains(&last)
            && b"MNO".contains(&first)
            && !words_only(token)
        {
            out.push(Span {
                start,
                end,
                name: "discord-token",
            });
        }
    }
}

/// The secrets that the rules for text find in the command line `line`, and those in the flags of the program that begins it.
pub(super) fn command(line: &[u8]) -> Vec<Span> {
    let mut out = Vec::new();
    plain(line, &mut out, &mut Vec::new());
    let flags = PROGRAMS
        .iter()
        .enumerate()
        .filter(|(_, (key, _))| {
            line.len() >= key.len() && line[..key.len()].eq_ignore_ascii_case(key.as_bytes())
        })
        .flat_map(|(nth, (key, _))| command_line::program(line, 0, key.len(), nth, &mut 0));
    out.extend(flags);
    out
}
