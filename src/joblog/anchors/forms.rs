//! Forms of lines that several files here look for, whatever tool printed them.

use once_cell::sync::Lazy;
use regex::Regex;

/// Errors of commands that fail when there is nothing left to do: `rm: cannot remove 'x'`.
pub(in crate::joblog) static MINOR: Lazy<Regex> =
    Lazy::new(|| Regex::new(r"^[#\s]*(rm|rmdir|umount|kill): ").expect("a tested pattern"));

/// A frame of a stack.
pub(in crate::joblog) static FRAME: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"^\s*(at |from |#\d+ |\d+: +(0x|<|\w+::)|❯ |\?\?:\? |in .+ \(|goroutine \d|[\w./-]+(\.\(\*?\w+\))?\.\w+(\.func\S*)?\((0x|\{|\.\.\.|\))|\s+/\S+:\d+|.* \(\S+:\d+:\d+\)$)")
        .expect("a tested pattern")
});
/// Frames that are not of the project's own code: a language's library, installed packages, runners of tests.
pub(in crate::joblog) static FOREIGN: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"node:|node_modules|\bjava\.|\bjdk\.|\bsun\.|org\.junit|org\.apache\.maven|\breflect\b|kotlin\.|scala\.|site-packages|dist-packages|/usr/(lib|share|local/(lib|go))|/rustc/|\b(core|std|alloc)::|<frozen|/gems/|hostedtoolcache|System\.|Microsoft\.|Xunit|NUnit|eunit_|phpunit|vendor/|runtime/|testing\.|<anonymous>$|internal/|/lib/python|^goroutine |_testmain\.go|libsanitizer|vgpreload|__interceptor|__libc_start")
        .expect("a tested pattern")
});
/// A line of an excerpt of code: ` 12 | let x = 1;`.
pub(in crate::joblog) static CODE_CONTEXT: Lazy<Regex> =
    Lazy::new(|| Regex::new(r"^\s*\d+ ?[|│] |^\s*[|│]\s*\^*$").expect("a tested pattern"));

/// A heading within a ruler: `===== FAILURES =====`.
pub(in crate::joblog) static BANNER: Lazy<Regex> =
    Lazy::new(|| Regex::new(r"^([=_*#~─━-]{4,}) .+ [=_*#~─━-]{4,}$").expect("a tested pattern"));

/// A text that a script prints, and before it the command: `echo 'no snapshot found'`.
pub(in crate::joblog) static PRINTED: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r#"(\b(?:echo|printf|print|puts|console\.log|Write-Host)\b(?:[ (]|-\w+ )*)("[^"`(]{12,}"|'[^']{12,}')"#)
        .expect("a tested pattern")
});
/// The text that a script prints where its command may fail: `lint || echo 'for information'`.
pub(in crate::joblog) static ECHOED: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r#"\|\| *echo +['"]?([^'"$;&|]{4,}?)['"]? *$"#).expect("a tested pattern")
});
