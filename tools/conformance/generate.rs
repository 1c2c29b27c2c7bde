//! Pseudo-random argvs, equal for equal seeds: known calls with more flags, other values, another order and other spellings.

use crate::cases::{self, Case, Row, Source};
use crate::place::Login;
use cj_gate::gate::Class;
use cj_gate::gh::catalog::{Arity, Catalog, Leaf, Node};
use cj_gate::gh::judge::classify::classify;

/// A generator of pseudo-random numbers (xorshift): it only has to give the same sequence for the same seed.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 33) % end.max(1) as u64).unwrap_or(0)
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Values that belong to no flag in particular: verbs, flags, files, nothing.
const ODD: &[&str] = &[
    "delete",
    "merge",
    "-X",
    "--web",
    "@notes.txt",
    "",
    "-",
    "--",
    "1",
    "true",
    "false",
    "a,b",
    "x=y",
    "=",
    "@-",
    "../../../user",
    "ghe.example.com/o/r",
    "https://github.com/o/r/pull/1",
    "$ENV",
    "--help",
    "-h",
    "*",
];

/// Positionals that could turn a harmless call into a harmful one.
const POSITIONALS: &[&str] = &[
    "1",
    "2",
    "https://github.com/o/r/pull/1",
    "https://ghe.example.com/o/r/pull/1",
    "https://evil.example/o/r/pull/1",
    "#1",
    "main",
    "quoted-fields",
    "../../../user",
    "--",
    "-",
    "",
    "notes.txt",
    "delete",
    "o/r",
    "ghe.example.com/o/r",
    "1001",
    "v1.1",
    "--web",
    "octo:main",
    "0",
    "-1",
];

/// `count` argvs for the leaves of `catalog`; most vary a row that is a read.
pub fn cases(catalog: &Catalog, rows: &[Row], count: usize, seed: u64) -> Vec<Case> {
    let mut chance = Chance::new(seed);
    let reads: Vec<&Row> = rows.iter().filter(|row| row.class == Class::Read).collect();
    let leaves: Vec<&Leaf> = catalog.leaves().collect();
    let mut out: Vec<Case> = Vec::new();
    let mut tries = 0;
    while out.len() < count && tries < count * 20 {
        tries += 1;
        let argv = if chance.percent(18) {
            api(&mut chance)
        } else {
            let row = if chance.percent(70) {
                *chance.pick(&reads)
            } else {
                chance.pick(rows)
            };
            let Some(leaf) = leaves.iter().find(|leaf| leaf.path == row.leaf) else {
                continue;
            };
            vary(catalog, leaf, row, &mut chance)
        };
        let verdict = classify(&argv);
        // Calls that are no reads teach little: a fourth of them is enough.
        if verdict.class != Class::Read && !chance.percent(25) {
            continue;
        }
        if argv.iter().any(|word| word.contains('\0')) || out.iter().any(|case| case.argv == argv) {
            continue;
        }
        out.push(Case {
            source: Source::Generated,
            leaf: verdict.command,
            pin: verdict.class == Class::Read,
            argv,
            proof: None,
            login: if chance.percent(80) {
                Login::Both
            } else {
                Login::Stored
            },
        });
    }
    out
}

/// `row`'s call with flags, positionals, order and words changed.
fn vary(catalog: &Catalog, leaf: &Leaf, row: &Row, chance: &mut Chance) -> Vec<String> {
    let depth = leaf.path.split_whitespace().count().min(row.argv.len());
    let (words, rest) = row.argv.split_at(depth);
    let mut groups: Vec<Vec<String>> = Vec::new(); // words that must stay together
    let mut at = 0;
    while at < rest.len() {
        let takes = rest[at].starts_with('-') && !rest[at].contains('=') && {
            let name = rest[at].trim_start_matches('-');
            let flag = leaf
                .flag(name)
                .or_else(|| name.chars().next().and_then(|short| leaf.short(short)));
            flag.is_some_and(|flag| flag.arity == Arity::Value) && at + 1 < rest.len()
        };
        let end = at + 1 + usize::from(takes);
        groups.push(rest[at..end].to_vec());
        at = end;
    }
    if chance.percent(12) && !groups.is_empty() {
        let gone = chance.below(groups.len());
        groups.remove(gone);
    }
    if chance.percent(15) {
        groups.push(vec![(*chance.pick(POSITIONALS)).to_owned()]);
    }
    if chance.percent(12)
        && let Some(group) = groups.iter_mut().find(|group| !group[0].starts_with('-'))
    {
        *group = vec![(*chance.pick(POSITIONALS)).to_owned()];
    }
    for _ in 0..chance.below(4) {
        if leaf.flags.is_empty() {
            break;
        }
        let flag = chance.pick(&leaf.flags);
        let values = cases::values_of(leaf, flag);
        let value = if chance.percent(12) {
            (*chance.pick(ODD)).to_owned()
        } else {
            chance.pick(&values).clone()
        };
        let companions = cases::companions(leaf, flag);
        if !companions.is_empty() && !groups.iter().any(|group| group[0] == companions[0]) {
            groups.push(companions);
        }
        groups.push(chance.pick(&cases::spellings(flag, &value)).clone());
    }
    if chance.percent(15) {
        cluster(leaf, &mut groups, chance);
    }
    if chance.percent(3) {
        groups.push(vec![
            (*chance.pick(&[
                "--nosuch",
                "-Z",
                "--help",
                "-h",
                "--help=false",
                "--web=maybe",
            ]))
            .to_owned(),
        ]);
    }
    if chance.percent(50) {
        for last in (1..groups.len()).rev() {
            let other = chance.below(last + 1);
            groups.swap(last, other);
        }
    }
    let mut argv = spelled(&catalog.root, words, chance);
    if chance.percent(10) && !groups.is_empty() {
        let early = groups.remove(0);
        let at = chance.below(argv.len() + 1);
        argv.splice(at..at, early);
    }
    argv.extend(groups.into_iter().flatten());
    argv
}

/// Joins the letters of two booleans, or of a boolean and a flag with its value.
fn cluster(leaf: &Leaf, groups: &mut Vec<Vec<String>>, chance: &mut Chance) {
    let letters: Vec<_> = leaf
        .flags
        .iter()
        .filter(|flag| flag.short.is_some())
        .collect();
    let booleans: Vec<_> = letters
        .iter()
        .filter(|flag| flag.arity == Arity::Nothing)
        .collect();
    if booleans.is_empty() {
        return;
    }
    let first = chance.pick(&booleans).short.unwrap_or('h');
    let second = chance.pick(&letters);
    let letter = second.short.unwrap_or('h');
    let mut word = format!("-{first}{letter}");
    if second.arity == Arity::Value {
        word.push_str(chance.pick(&cases::values_of(leaf, second)).as_str());
    }
    groups.push(vec![word]);
}

/// The command's `words`, some of them replaced by an alias.
fn spelled(root: &Node, words: &[String], chance: &mut Chance) -> Vec<String> {
    let mut node = root;
    let mut out = Vec::new();
    for word in words {
        let Some((child, _)) = node.child(word) else {
            out.push(word.clone());
            continue;
        };
        let names: Vec<&String> = child.words.iter().map(|word| &word.text).collect();
        out.push(if chance.percent(20) {
            (*chance.pick(&names)).clone()
        } else {
            word.clone()
        });
        node = child;
    }
    out
}

const ENDPOINTS: &[&str] = &[
    "repos/o/r",
    "/repos/o/r/issues",
    "user",
    "repos/{owner}/{repo}/pulls/1",
    "repos/:owner/:repo/issues?state=all",
    "search/issues?q=x",
    "graphql",
    "/graphql",
    "graphql/",
    "graphql?x",
    "https://api.github.com/repos/o/r",
    "https://api.github.com/graphql",
    "https://ghe.example.com/api/v3/user",
    "https://evil.example/x",
    "repos/o/r/actions/jobs/5002/logs",
    "//graphql",
    "GRAPHQL",
    "",
    "graphql#x",
    "./graphql",
    "repos/../graphql",
    "%67raphql",
    "repos/o/r/git/../../../graphql",
    "http://api.github.com/user",
    "//evil.example/x",
    "repos/o/r\\issues",
    " user",
];

const FIELDS: &[&str] = &[
    "query={viewer{login}}",
    "query=query A{viewer{login}}",
    "query=mutation{addStar(input:{starrableId:\"R_1\"}){clientMutationId}}",
    "query=query A{viewer{login}} mutation B{addStar(input:{starrableId:\"R_1\"}){clientMutationId}}",
    "operationName=B",
    "operationName=A",
    "query=@body.json",
    "query=@-",
    "query=subscription{x}",
    "query=#mutation\nquery{viewer{login}}",
    "query=fragment F on User{login} query{viewer{...F}}",
    "query=",
    "query",
    "title=x",
    "body=@notes.txt",
    "k[]=@notes.txt",
    "k[a]=1",
    "variables={\"a\":1}",
    "a=b=@x",
    "per_page=1",
    "x=@/proc/self/environ",
    "query=query($mutation:Int){viewer{login}}",
    "query={mutation{delete}}",
    "query=query @mutation{viewer{login}}",
    "query= mutation {x}",
    "query=mutation",
    "query=query{a:viewer{login}}\u{feff}mutation{x}",
    "query[]={viewer{login}}",
    "Query=mutation{x}",
];

const METHODS: &[&str] = &[
    "GET", "get", "HEAD", "DELETE", "delete", "Patch", "POST", "PUT", "", "=", "OPTIONS", "FOO",
    "GET ", "-", "--",
];

const HEADERS: &[&str] = &[
    "Accept: application/vnd.github.raw",
    "X-HTTP-Method-Override: DELETE",
    "Authorization: token x",
    "Host: evil.example",
    "x-http-method: PUT",
    "Content-Type: text/plain",
    "X-Method-Override: PATCH",
    "Accept:application/json",
    "nocolon",
];

/// A call of `gh api`.
fn api(chance: &mut Chance) -> Vec<String> {
    let mut groups = vec![vec![(*chance.pick(ENDPOINTS)).to_owned()]];
    let pair = |chance: &mut Chance, long: &str, short: &str, value: &str| -> Vec<String> {
        match chance.below(5) {
            0 => vec![format!("--{long}"), value.to_owned()],
            1 => vec![format!("--{long}={value}")],
            2 => vec![format!("-{short}"), value.to_owned()],
            3 => vec![format!("-{short}{value}")],
            _ => vec![format!("-{short}={value}")],
        }
    };
    for _ in 0..chance.below(4) {
        let (long, short) = *chance.pick(&[("field", "F"), ("raw-field", "f")]);
        let value = *chance.pick(FIELDS);
        groups.push(pair(chance, long, short, value));
    }
    for _ in 0..chance.below(3) {
        let value = *chance.pick(METHODS);
        groups.push(pair(chance, "method", "X", value));
    }
    if chance.percent(15) {
        let value = *chance.pick(HEADERS);
        groups.push(pair(chance, "header", "H", value));
    }
    if chance.percent(20) {
        let value = *chance.pick(crate::values::of("api", "jq"));
        groups.push(pair(chance, "jq", "q", value));
    }
    for (word, often) in [
        ("--paginate", 5),
        ("--slurp", 3),
        ("-i", 8),
        ("--silent", 5),
        ("--verbose", 5),
        ("--cache=1h", 6),
        ("--input=body.json", 5),
        ("--input=-", 3),
        ("--hostname=ghe.example.com", 5),
        ("--hostname=evil.example", 3),
        ("-p=corsair", 4),
        ("-iXDELETE", 4),
        ("-iXGET", 4),
        ("--include=false", 3),
        ("--method", 2),
        ("-t={{.}}", 4),
        ("--", 3),
    ] {
        if chance.percent(often) {
            groups.push(vec![word.to_owned()]);
        }
    }
    for last in (1..groups.len()).rev() {
        let other = chance.below(last + 1);
        groups.swap(last, other);
    }
    let mut argv = vec!["api".to_owned()];
    argv.extend(groups.into_iter().flatten());
    argv
}
