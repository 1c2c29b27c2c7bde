//! Whether a jq program can read the environment: in gh's jq (gojq), `env` and `$ENV` give every variable, tokens too.
//!
//! This scans the words and strings of a program and parses no grammar: the scan never recurses and refuses in case of doubt.
//! A program in which neither name occurs cannot reach the environment, since jq cannot make a name from text.

/// The longest program that is judged, in bytes.
pub const MAX_LENGTH: usize = 65_536;
/// The deepest nesting of brackets and strings that is judged.
pub const MAX_DEPTH: usize = 64;

/// Whether a program can read the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// It cannot read the environment.
    Clean,
    /// It can read the environment.
    ReadsEnvironment,
    /// It cannot be judged; the words follow "a jq program that".
    Unclear(&'static str),
}

/// Judges one program.
pub fn judge(program: &str) -> Program {
    if program.len() > MAX_LENGTH {
        return Program::Unclear("is too long to be judged");
    }
    let mentions = program.contains("env") || program.contains("ENV");
    match Scan::new(program).run() {
        Ok(false) => Program::Clean,
        Ok(true) => Program::ReadsEnvironment,
        Err(_) if mentions => Program::ReadsEnvironment,
        Err(why) => Program::Unclear(why),
    }
}

/// What encloses the byte that is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum In {
    /// A bracket, with the byte that closes it.
    Bracket(u8),
    /// A string's text.
    Text,
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    open: Vec<In>,
}

impl<'a> Scan<'a> {
    fn new(program: &'a str) -> Self {
        Self {
            bytes: program.as_bytes(),
            at: 0,
            open: Vec::new(),
        }
    }

    /// Whether a word of the program reads the environment; an error says why the program cannot be judged.
    fn run(mut self) -> Result<bool, &'static str> {
        // Whether a name at this place is a field: directly before it stands a single `.`.
        let mut field = false;
        while let Some(&byte) = self.bytes.get(self.at) {
            if self.open.last() == Some(&In::Text) {
                self.text(byte)?;
                field = false;
                continue;
            }
            let was_field = std::mem::take(&mut field);
            match byte {
                b'"' => self.push(In::Text)?,
                b'(' => self.push(In::Bracket(b')'))?,
                b'[' => self.push(In::Bracket(b']'))?,
                b'{' => self.push(In::Bracket(b'}'))?,
                b')' | b']' | b'}' if self.open.pop() != Some(In::Bracket(byte)) => {
                    return Err("has unbalanced brackets");
                }
                // Versions of jq differ on where a comment ends, so a name inside a comment counts too.
                b'#' if contains_env(&self.bytes[self.at..]) => return Ok(true),
                b'#' => {
                    return if self.open.is_empty() {
                        Ok(false)
                    } else {
                        Err("has unbalanced brackets")
                    };
                }
                b'.' => {
                    field = self.bytes.get(self.at + 1) != Some(&b'.')
                        && (self.at == 0 || self.bytes[self.at - 1] != b'.');
                }
                b'0'..=b'9' => {
                    while self
                        .bytes
                        .get(self.at)
                        .is_some_and(|b| b.is_ascii_digit() || *b == b'.')
                    {
                        self.at += 1;
                    }
                    continue;
                }
                // A variable: only `$ENV` is the environment, with or without blanks after the `$`.
                b'$' => {
                    self.at += 1;
                    while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
                        self.at += 1;
                    }
                    if self.word() == b"ENV" {
                        return Ok(true);
                    }
                    continue;
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                    let start = self.at;
                    if self.word() == b"env" && !was_field && !self.is_key(start) {
                        return Ok(true);
                    }
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        if self.open.is_empty() {
            Ok(false)
        } else {
            Err("has unbalanced brackets or quotes")
        }
    }

    /// Whether the word from `start` to here is a key: `env` in `{env: .x}` or `{env}`.  After a comma the word must have a colon, since a
    /// comma can also stand between `if` and `end`, where `env` is the environment.
    fn is_key(&self, start: usize) -> bool {
        if self.open.last() != Some(&In::Bracket(b'}')) {
            return false;
        }
        let before = self.bytes[..start].trim_ascii_end().last();
        let after = self.bytes[self.at..].trim_ascii_start().first();
        match before {
            Some(b'{') => matches!(after, Some(b':' | b',' | b'}')),
            Some(b',') => after == Some(&b':'),
            _ => false,
        }
    }

    /// Reads the word that begins here; empty if none does.
    fn word(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let end = rest
            .iter()
            .position(|b| !(b.is_ascii_alphanumeric() || *b == b'_'));
        let (word, _) = rest.split_at(end.unwrap_or(rest.len()));
        self.at += word.len();
        word
    }

    /// Reads one byte, or one escape, inside a string.
    fn text(&mut self, byte: u8) -> Result<(), &'static str> {
        match byte {
            b'"' => {
                self.open.pop();
                self.at += 1;
            }
            b'\\' if self.bytes.get(self.at + 1) == Some(&b'(') => {
                self.at += 1;
                self.push(In::Bracket(b')'))?;
                self.at += 1;
            }
            b'\\' => self.at += 2,
            _ => self.at += 1,
        }
        Ok(())
    }

    fn push(&mut self, opened: In) -> Result<(), &'static str> {
        if self.open.len() >= MAX_DEPTH {
            return Err("is nested too deeply to be judged");
        }
        self.open.push(opened);
        Ok(())
    }
}

fn contains_env(bytes: &[u8]) -> bool {
    bytes.windows(3).any(|w| w.eq_ignore_ascii_case(b"env"))
}
