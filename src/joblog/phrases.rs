//! Forms of lines that several files here look for, whatever tool printed them.

use once_cell::sync::Lazy;
use regex::Regex;

/// A warning with its place, also where the runner marks the line as an error: `src/a.c:3:4: warning: …`.
pub(super) static WARNS: Lazy<Regex> =
    Lazy::new(|| Regex::new(r"^\S+[:(]\d[\d:,)]*:? (?i:warning)\b").expect("a tested pattern"));

/// A command that `set -x` shows: `+ make test`.
pub(super) static TRACED: Lazy<Regex> =
    Lazy::new(|| Regex::new(r"^\++ \S").expect("a tested pattern"));
/// A traced command that does little by itself: `+ echo done`.
pub(super) static TRACED_DULL: Lazy<Regex> = Lazy::new(|| {
    Regex::new(
        r"^\++ (echo|printf|exit|trap|rm|set|local|export|return|true|false|:|cleanup|\w+=)( |$)",
    )
    .expect("a tested pattern")
});

/// Errors of commands that fail when there is nothing left to do: `rm: cannot remove 'x'`.
pub(super) static MINOR: Lazy<Regex> =
    Lazy::new(|| Regex::new(r"^[#\s]*(rm|rmdir|umount|kill): ").expect("a tested pattern"));

/// A line that says that something is cleaned up, or that all is done.
pub(super) static AFTERMATH: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"(?i)\b(clean(ing|ed|up|s)?|restor(e|ed|ing)|remov(ed|ing)|delet(ed|ing)|stopp(ed|ing)|shut(ting)? ?down|tear(ing)?[ -]?down|released|free(d|ing)|releasing (lock|port|resource)\w*|unmount\w*|unlock(ed|ing)|roll(ed|ing)? ?back|rollback|kill(ed|ing)|terminat(ed|ing|e)|dropp(ed|ing)|purg(ed|ing)|disconnect\w*|logg(ed|ing) out|done|finished|bye|exiting|elapsed|total time|collect(ing|ed) (logs?|diagnostics|artifacts)|diagnostics?|dump(ing|ed)|on exit|exit handler|uploaded|uploading|archiv(ed|ing)|temporary)\b|^\++ (rm|kill|trap|exit|popd|umount|docker rm)\b|^(umount|rm): ")
        .expect("a tested pattern")
});

/// A frame of a stack.
pub(super) static FRAME: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"^\s*(at |from |#\d+ |\d+: +(0x|<|\w+::)|❯ |\?\?:\? |in .+ \(|goroutine \d|[\w./-]+(\.\(\*?\w+\))?\.\w+(\.func\S*)?\((0x|\{|\.\.\.|\))|\s+/\S+:\d+|.* \(\S+:\d+:\d+\)$)")
        .expect("a tested pattern")
});
/// Frames that are not of the project's own code: a language's library, installed packages, runners of tests.
pub(super) static FOREIGN: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"node:|node_modules|\bjava\.|\bjdk\.|\bsun\.|org\.junit|org\.apache\.maven|\breflect\b|kotlin\.|scala\.|site-packages|dist-packages|/usr/(lib|share|local/(lib|go))|/rustc/|\b(core|std|alloc)::|<frozen|/gems/|hostedtoolcache|System\.|Microsoft\.|Xunit|NUnit|eunit_|phpunit|vendor/|runtime/|testing\.|<anonymous>$|internal/|/lib/python|^goroutine |_testmain\.go|libsanitizer|vgpreload|__interceptor|__libc_start")
        .expect("a tested pattern")
});
/// A line of an excerpt of code: ` 12 | let x = 1;`.
pub(super) static CODE_CONTEXT: Lazy<Regex> =
    Lazy::new(|| Regex::new(r"^\s*\d+ ?[|│] |^\s*[|│]\s*\^*$").expect("a tested pattern"));

/// A heading within a ruler: `===== FAILURES =====`.
pub(super) static BANNER: Lazy<Regex> =
    Lazy::new(|| Regex::new(r"^([=_*#~─━-]{4,}) .+ [=_*#~─━-]{4,}$").expect("a tested pattern"));
