//! The features of lines: one table, a row each, with the weight of the feature and why it counts.
//!
//! A line's own score is the sum of the weights of its features; `choose` adds what its neighbours carry to it. The weights
//! are set by `tools/weights` from the logs of fixtures/ci-logs and real logs together; 1 is a factor of 2.7 in how much
//! likelier a line is to be part of the reason. A feature is a fact, which `facts` finds, or a form, which the line's text fits.

use once_cell::sync::Lazy;
use regex::RegexSet;

use super::finder::{ascii, look};
use super::row as anchors;

/// One row of the table.
#[derive(Debug)]
pub struct Row {
    /// The name of its [`Feature`].
    pub name: &'static str,
    /// Its weight.
    pub weight: f32,
    /// The pattern of a form; `None` for a fact.
    pub form: Option<&'static str>,
    /// What the feature is, in words for a reader.
    pub why: &'static str,
}

macro_rules! table {
    (facts { $($fact:ident $weight:literal $why:literal;)* } forms { $($name:ident $value:literal $form:literal $reason:literal;)* }) => {
        /// A feature, in the order of [`TABLE`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the rows of the table say what each is")]
        pub enum Feature { $($fact,)* $($name,)* }
        /// The rows.
        pub static TABLE: &[Row] = &[
            $(Row { name: stringify!($fact), weight: $weight, form: None, why: $why },)*
            $(Row { name: stringify!($name), weight: $value, form: Some($form), why: $reason },)*
        ];
        /// How many of the rows, the first ones, are facts.
        pub const FACTS: usize = [$(stringify!($fact)),*].len();
    };
}

table! { facts {
    // Anchors: rows of anchors/ that know the line.
    FailedTest 0.72 "an anchor: a failed test, in the words of its runner";
    Cause 0.75 "an anchor: the cause, in the words of the tool that met it";
    Likely 2.57 "an anchor: a common form of an error";
    Clue 2.47 "an anchor: a failure without its reason, or a word of trouble with its object";
    Summary 1.24 "an anchor: says that something failed, not what";
    AnyTool 0.22 "its anchor is of no tool: any program may print such a line";
    Block 1.77 "one of the first lines that belong to an anchor: message, place, frame";
    BlockFar 1.90 "a further line that belongs to an anchor";
    BlockOfClue 0.060 "a line that belongs to a lighter anchor";
    FirstAnchor 1.86 "the first anchor of the step";
    LastAnchor -0.19 "the last anchor of the step that may be a cause";
    Weaker -1.19 "its anchor is lighter than the heaviest one";
    BesideTest -2.21 "an error beside a failed test: tests print errors that they expect";
    // Marks of the runner.
    MarkedError -1.08 "the runner marks it as an error";
    Aside -4.91 "the runner marks it as a warning or a notice";
    // Where it stands.
    Last1 0.63 "the last line before the end";
    Last3 0.76 "among the last 3";
    Last10 0.32 "among the last 10";
    Last30 0.25 "among the last 30";
    Last100 0.081 "among the last 100";
    // How rare it is within the step.
    Once 0.44 "no other line of the step has this shape";
    Few 1.25 "two or three lines have this shape";
    Often -0.45 "eight lines or more have this shape";
    VeryOften 1.73 "fifty lines or more have this shape";
    KindOnce 0.71 "no other line begins with this word and has as many words";
    KindOften -0.24 "ten lines or more begin with this word and have as many words";
    KindAbove 0.23 "the line above is of this kind too";
    Green 0.60 "a step that did not fail prints this line too";
    // Flags: trouble that did not fail the step. Their weights are set by hand, as few logs have them.
    Harmless -8.00 "output of a test that passed, was skipped or may fail";
    Tolerated -8.00 "a later line says that this failure does not count";
    Retried -5.00 "the step tried again after this line";
    CleanUp -2.50 "the step seems to clean up here";
    LastTry 6.00 "the last of several tries just before the end";
    // Its looks.
    Indented 0.32 "indented";
    Deep 0.52 "indented by four or more";
    Long -1.01 "longer than 240 bytes";
    Dull -2.13 "only mentions errors: `0 errors', the name of a file";
    InItsWords 4.66 "the words of a tool for a cause, though it looks like a warning or an aside";
    DullBesideCause 0.95 "only mentions errors, and an anchor tells the cause";
    Meant -3.19 "says that its trouble was made on purpose";
    WarningThatFails 6.50 "a warning, and the step says that warnings fail it";
    WarningBesideCause -1.94 "a warning, and an anchor tells the cause";
    PlainBesideCause -1.04 "no anchor, and another line is one that tells the cause";
    WordsBesideTest -0.38 "words of trouble beside a failed test, and no part of its block";
} forms {
    Error -0.36 r"(?i)(^|[^\w./@-])errors?\.?($|[^\w./-])|\[E\]" "the word error, not the name of a file";
    Fail 0.74 r"(?i)(^|[^\w./@-])fail(ed|ure|ures|s|ing)?\.?($|[^\w./-])|[✗✘✖×]" "a word for failing, or its sign";
    Shout 0.94 r"\b(FAILED|FAILURE|FAILURES|FAIL|ERROR|ERRORS|FATAL|BROKEN)\b" "such a word in capitals";
    Exception -0.019 r"\b\w+(Exception|Error)\b|(?i)\b(exception|traceback|unhandled|uncaught)\b" "the name of an exception";
    Fatal -0.030 r"(?i)\b(fatal|panic(ked)?|abort(ed|ing)?|crash(ed)?|segmentation fault|segfault|core dumped|killed|signal \d+|out of memory)\b|\bSIG[A-Z]{3,}\b" "a program died";
    Cannot 1.27 r"(?i)\b(cannot|can't|can not|could not|couldn't|unable to|not found|no such|does not|doesn't|do not|did not|don't|isn't|not installed|undefined|unresolved|missing|denied|refused|invalid|illegal|unknown|unexpected|not allowed|forbidden|unsupported|not supported|conflicts?|mismatch(ed)?|incompatible|broken|bad|corrupt(ed)?|unauthorized|exceeded|too (many|long|large)|timed? ?out|timeout)\b" "something cannot be done, or is not as it should be";
    Expected 0.55 r"(?i)\b(expected|actual|got|received|but was|should|must|differs?|difference|wanted|assert\w*)\b" "expected and got";
    Caller -1.84 r"(?i)npm ERR!|rake aborted|command failed|lifecycle|exit(ed)? (with )?(code|status)|\*\*\* \[|returned non-zero|error code \d|Tasks: TOP|--trace|child exited|exit status" "the caller of the tool that failed speaks";
    Passing -3.07 r"(?i)^\s*(ok\b|✓|✔|√|\(?PASS(ED)?\b|\[ +OK|\[PASS|• )|(\bok|passed|success\w*|succeeded|PASS)[^0-9A-Za-z_]*(\([^)]*\))?\s*$|--- PASS|\.\.\. ok|\bpassed: " "something passed";
    Zero -3.35 r"(?i)\b(0|no) (errors?|failures?|failed|problems?|warnings?|issues?|offenses)\b|(errors?|failures?|failed)[:=] ?0\b" "a count of zero";
    Warning -1.75 r"(?i)\bwarn(ing|ings)?\b|\[W\]|deprecat" "a warning";
    Info 0.48 r"(?i)^[^0-9A-Za-z_]*(\S+ )?\[?(info|debug|notice|trace|note)\]?\b" "begins with a level below warning";
    Frame -0.38 r"^\s*(at |from |#\d+ |\d+: +(0x|<|\w+::)|❯ |\?\?:\? |in .+ \(|goroutine \d)|^\s+/\S+:\d+|.* \(\S+:\d+:\d+\)$|^\s*/?[\w./-]+\.\w+:\d+:in |^\s+File .+, line \d+" "a frame of a stack";
    ForeignFrame 0.40 r"node:|node_modules|\bjava\.|\bjdk\.|\bsun\.|org\.junit|org\.apache\.maven|\breflect\b|kotlin\.|scala\.|site-packages|dist-packages|/usr/(lib|share|local/(lib|go))|/rustc/|\b(core|std|alloc)::|<frozen|/gems/|hostedtoolcache|System\.|Microsoft\.|phpunit|vendor/|runtime/|testing\.|<anonymous>$|internal/|/lib/python" "a path or name of a library, not of the project";
    Place 1.45 r"[\w)\]]\.[a-zA-Z]\w{0,7}(:\d+|\(\d+)|\bline \d+" "a file and a line";
    Diff -0.45 r"^\s*([-+] ?\S|@@ )" "a line of a diff";
    Excerpt -0.27 r"^\s*\d+ ?[|│] |^\s*[|│>]|^\s*[\^~]+\s*$" "an excerpt of code";
    Numbered 3.32 r"^\s*(\[?\d+\]?\)|\d+\.) \S" "the head of a numbered failure";
    Counted -2.19 r"(?i)\b[1-9]\d* (\w+ )?(fail(ed|ures?|ing)?|errors?|offenses?|problems?|violations?|broken|issues?)\b|(failures?|errors?|failed)[:=] ?[1-9]" "a count of failures";
    Timing -0.63 r"(?i)\(?\b\d+(\.\d+)? ?(ms|s|secs?|seconds|minutes|min)\b\)?\s*$|^Finished in|Total time|elapsed" "how long something took";
    Banner 0.62 r"^[=_*#~─━-]{3,} ?.+ ?[=_*#~─━-]{3,}$|^[=*#]{2,}> " "a heading within a ruler";
    Heading 1.74 r"(?i)^[^0-9A-Za-z_]*(failures?|errors?|failed (examples|tests|specs)|failing|problems|summary of failures?|broken links|what went wrong)\b.{0,25}:?[^0-9A-Za-z_]*$" "the heading of the failures";
    Colon 0.47 r":\s*$" "a colon at the end";
    Progress 0.17 r"(?i)^[^0-9A-Za-z_]*(compiling|checking|download(ing|ed)?|install(ing|ed)?|fetch(ing|ed)|unpacking|preparing|setting up|collecting|building|adding|updating|locking|resolving|linking|copying|creating|generating|extracting|pulling|loading|running|starting|testing|using|get:\d|hit:\d|selecting|processing|removing|cloning|receiving|counting|compressing|remote:|reading|configuring|cached|requirement already|added|\d+%|\[\d+ ?/ ?\d+\]|\[\s*\d+%\]|checking for|CC |LD |AR )" "what a program is doing";
    Percent -1.75 r"\b\d{1,3}(\.\d+)?%" "a share in percent";
    Traced 1.30 r"^\++ \S|^\$ |^> |^>> " "a command, as a shell or npm prints it";
    Tidies -2.43 r"(?i)^[^0-9A-Za-z_]*(clean|restor|remov|delet|stopp|shut|tear|releas|unmount|unlock|roll|purg|dropp|disconnect|upload|saving|archiv|finished|done\b|bye\b)" "begins with a word for cleaning up";
    Aftermath 0.000 r"(?i)\b(clean(ing|ed|up|s)?|restor(e|ed|ing)|remov(ed|ing)|delet(ed|ing)|stopp(ed|ing)|shut(ting)? ?down|tear(ing)?[ -]?down|released|free(d|ing)|releasing (lock|port|resource)\w*|unmount\w*|unlock(ed|ing)|roll(ed|ing)? ?back|rollback|kill(ed|ing)|terminat(ed|ing|e)|dropp(ed|ing)|purg(ed|ing)|disconnect\w*|logg(ed|ing) out|done|finished|bye|exiting|elapsed|total time|collect(ing|ed) (logs?|diagnostics|artifacts)|diagnostics?|dump(ing|ed)|on exit|exit handler|uploaded|uploading|archiv(ed|ing)|temporary)\b|^\++ (rm|kill|trap|exit|popd|umount|docker rm)\b|^(umount|rm): " "something is cleaned up, or all is done";
    Trifle -4.00 r"^[#\s]*(rm|rmdir|umount|kill): |^(ls|cp|mv|cat|tar|chmod|gzip): .*'[^']*\*" "an error of a command that fails when there is nothing left to do";
    Advice 0.94 r"(?i)\b(see |try |please|run with|re-?run|for more (info|details|help)|use --|to get|report a bug|https?://)" "advice";
    Again 0.000 r"(?i)(^|[^-./0-9A-Za-z_])(re-?try(ing)?|re-?tries|trying again|attempt #?\d+|attempts? left|back(ing)? ?off|sleeping|waiting \d+|recovered|reconnect\w*|falling back|fallback)($|[^-./0-9A-Za-z_]|\.+(\s|$))|^\.{3}ignoring|\(ignored\)" "the step tries again, or ignores the failure";
    Ignored -2.06 r"(?i)(^|[^-./0-9A-Za-z_])(re-?try(ing)?|trying again|attempt #?\d+|attempts? left|falling back|recovered|ignored|ignoring|skipp(ed|ing)|allowed to fail|as expected)($|[^-./0-9A-Za-z_])" "something is tried again, skipped or ignored";
    Tolerates 0.000 r"(?i)\b(allowed to fail|non-fatal|continuing anyway|is tolerated|known (failure|flake)s?|does not fail the (build|job|step))\b" "an earlier failure does not count";
    Strict 0.000 r"(?i)warnings found and|max-warnings|too many warnings|warnings? (being )?treated as|treat warnings as|failure-level|strict mode|Exiting due to \d+ warning" "warnings fail the step";
    ScriptHeading 0.000 r"^(=+>|-+>|#{2,}|>{2,}|\*{2,}|={2,}|-{2,}|:{2,}|▶|▸|➜|→|•) ?\S" "a heading as scripts print them";
    Sentence -0.34 r"^[^0-9A-Za-z_]*[A-Z][a-z]+( [\w'`-]+){3,}.*[.:!]?$" "a sentence";
    PathAlone 0.65 r"^\s*[\w./@-]*/[\w./@-]+:?\s*$" "a path alone";
    KeyValue -0.47 r"^\s*[\w.-]+ ?[=:] ?\S+\s*$" "a name and a value";
    TableOrDots 0.71 r"\.{4,}|\|.*\||^[.FEsSx*]{8,}" "a row of a table, or dots";
    Recipe 0.000 r#"^[a-z_][\w.+-]*(/[\w.+-]+)* [^:'"`]*(^| )--?[a-zA-Z]|^(perl|python3?|node|ruby|sh|bash|php|lua|java|Rscript) [\w./-]*[./]\w"# "a command, as make prints it";
    Try 0.000 r"(?i)\b(attempt|try) #?\d+\b" "a numbered try";
    Named 0.000 r"[\w-]\.[A-Za-z]\w{0,7}\b|\w/\w" "names a file";
    About 0.000 r#"^[^\w./'"`]{0,6}((?i:checking|processing|testing|linting|validating|verifying|parsing|reading|compiling|building|formatting|rendering|file:?|in) +)?['"`]?[\w./@+-]*[\w@+-](/[\w.@+-]+|\.[A-Za-z]\w{0,7})['"`]?( *\([^)]*\))?[:. ]*$"# "a heading that names the file which the lines below are about";
    FewLetters -1.49 r"^[^a-zA-Z]*[a-zA-Z]{0,2}[^a-zA-Z]*$" "hardly a letter";
} }

/// Words that something failed.
pub const WORDS: &[Feature] = &[
    Feature::Error,
    Feature::Shout,
    Feature::Exception,
    Feature::Fail,
    Feature::Fatal,
];
/// A line that an anchor or the runner knows to be about the failure.
pub const KNOWN: &[Feature] = &[
    Feature::FailedTest,
    Feature::Cause,
    Feature::Block,
    Feature::BlockFar,
    Feature::BlockOfClue,
    Feature::MarkedError,
    Feature::WarningThatFails,
    Feature::LastTry,
];

/// The features of one line, a bit for each row of [`TABLE`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features(u128);

impl Features {
    /// Whether `feature` is one of them.
    pub fn has(self, feature: Feature) -> bool {
        self.0 >> feature as u32 & 1 == 1
    }

    /// Whether any of `features` is one of them.
    pub fn any(self, features: &[Feature]) -> bool {
        features.iter().any(|feature| self.has(*feature))
    }

    /// Adds `feature` if it `holds`, else removes it.
    pub fn set(&mut self, feature: Feature, holds: bool) {
        self.0 = self.0 & !(1 << feature as u32) | u128::from(holds) << feature as u32;
    }

    /// The indices of the rows of [`TABLE`].
    pub fn rows(self) -> impl Iterator<Item = usize> {
        std::iter::successors((self.0 != 0).then_some(self.0), |bits| {
            let rest = bits & (bits - 1);
            (rest != 0).then_some(rest)
        })
        .map(|bits| bits.trailing_zeros() as usize)
    }

    /// What `text` alone says: the forms that it fits, and its anchor.
    pub(in crate::joblog) fn of_text(text: &str) -> (Self, Option<&'static anchors::Row>) {
        let forms = FORMS.matches(text);
        let mut features = Self(
            forms
                .iter()
                .fold(0, |bits, form| bits | 1 << (FACTS + form)),
        );
        let look = look(text);
        if features.has(Feature::Counted) {
            features.set(Feature::Zero, false);
        }
        features.set(Feature::Dull, look.dull);
        features.set(Feature::Meant, look.meant);
        if let Some(anchor) = look.row {
            let class = match anchor.weight {
                97.. => Feature::FailedTest,
                91.. => Feature::Cause,
                79.. => Feature::Likely,
                60.. => Feature::Clue,
                _ => Feature::Summary,
            };
            features.set(class, true);
            features.set(Feature::AnyTool, anchor.tool == "any");
        }
        (features, look.row)
    }
}

/// The forms of all rows.
static FORMS: Lazy<RegexSet> = Lazy::new(|| {
    let forms = TABLE.iter().filter_map(|row| row.form).map(ascii);
    RegexSet::new(forms).expect("a tested table")
});

/// The numbers by which `choose` spreads scores and fills the budget.
macro_rules! numbers {
    ($($name:ident $value:literal $why:literal;)*) => {
        /// A number of the selection.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs, reason = "the rows say what each is")]
        pub enum Number { $($name,)* }
        /// Name, value and meaning of each [`Number`].
        pub static NUMBERS: &[(&str, f32, &str)] = &[$((stringify!($name), $value, $why),)*];
    };
}

numbers! {
    Down 0.12 "what is left of a score one line further down";
    Up 0.21 "the same one line further up";
    Blank 0.47 "what is left of it over blank lines";
    Carry 0.69 "the part of it that counts for the neighbour";
    Cost 1.17 "times the logarithm of a line's tokens is taken from its score";
    Relative 0.22 "times the best score of the step is taken from each score";
    Repeat 1.83 "is taken for each chosen line of the same shape";
    KindRepeat 0.10 "is taken for each chosen line of the same kind";
    Near 2.05 "is added below a chosen line";
    NearUp 0.86 "times that is added above it";
    NearHeading 3.75 "is added to the headings of a chosen line";
    NearKept 0.74 "what is left of that one line further";
    Certain 0.094 "a line with so much is told as certain";
    Unanchored 3.00 "more than that is asked for where no anchor tells a cause";
    Ending -0.96 "one of the last lines with so much is added to fill";
    EndingUnanchored 4.00 "what the last ten lines have more where no anchor tells a cause";
    EndingBonus 0.47 "what the very last line has more";
    Filling -2.50 "any line with so much is added to fill";
    Length 0.50 "times the logarithm of the step's lines by 60 is taken from the two numbers above";
    Share 0.094 "the part of the budget that is kept for the last lines of a step of 60 lines or more";
}

/// The weights of the rows and the numbers of the selection.
#[derive(Clone, Debug)]
pub struct Weights {
    /// The weight of each row of [`TABLE`].
    pub rows: Vec<f32>,
    /// The value of each of [`NUMBERS`].
    pub numbers: Vec<f32>,
}

impl Weights {
    /// Those of the table.
    pub fn of_table() -> Self {
        Self {
            rows: TABLE.iter().map(|row| row.weight).collect(),
            numbers: NUMBERS.iter().map(|number| number.1).collect(),
        }
    }

    /// The sum of the weights of `features`.
    pub fn score(&self, features: Features) -> f32 {
        features.rows().map(|row| self.rows[row]).sum()
    }

    /// What is left of a score across a line, over blank ones if there is a `gap`.
    pub fn over(&self, gap: bool) -> f32 {
        if gap { self.number(Number::Blank) } else { 1.0 }
    }

    /// The value of `number`.
    pub fn number(&self, number: Number) -> f32 {
        self.numbers[number as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_has_a_bit_a_reason_and_a_pattern_that_compiles() {
        assert!(TABLE.len() <= 128, "features are bits of a u128");
        assert_eq!(FORMS.len() + FACTS, TABLE.len());
        for row in TABLE {
            assert!(
                !row.why.is_empty() && row.weight.is_finite(),
                "{}",
                row.name
            );
            assert_eq!(
                TABLE.iter().filter(|other| other.name == row.name).count(),
                1
            );
        }
    }

    #[test]
    fn a_feature_that_is_set_is_there_until_it_is_removed() {
        let mut features = Features::default();
        features.set(Feature::FewLetters, true);
        features.set(Feature::FailedTest, true);
        assert!(features.any(&[Feature::Error, Feature::FewLetters]));
        assert_eq!(features.rows().collect::<Vec<_>>(), [0, TABLE.len() - 1]);
        features.set(Feature::FewLetters, false);
        assert!(!features.has(Feature::FewLetters) && features.has(Feature::FailedTest));
    }

    #[test]
    fn the_name_of_a_file_is_no_word_of_trouble() {
        let features = |text: &str| Features::of_text(text).0;
        for text in [
            "vcl/errors.vcl",
            "A data/home/errors.log",
            "@storefront/fail:test",
            "error-pages/404",
        ] {
            assert!(!features(text).any(WORDS), "{text}");
            assert!(
                features(text).rows().all(|row| row >= FACTS),
                "{text}: an anchor"
            );
        }
        for text in [
            "an error.",
            "[error] x",
            "it failed",
            "Error: x",
            "fail, then",
        ] {
            assert!(features(text).any(WORDS), "{text}");
        }
    }
}
