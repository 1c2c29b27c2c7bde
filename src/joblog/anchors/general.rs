//! Lines by which any program may say what went wrong, and lines that only mention errors.

use super::row::Take::{Before, Line, Next};
use super::row::{CAUSE, CLUE, LIKELY, Row, SUMMARY, row};

#[rustfmt::skip] // one row a line
pub(super) static ROWS: &[Row] = &[
    row("any", &["error", "fatal", "panic", "critical", "failure", "exception"], r"^[\s*>!#✗✘×❌🔥⛔🚨|-]*\[?(?i:error|fatal|fatal error|panic|critical|failure|exception|internal error)\]?!?(\(\w+\)|\[\w+\])?[:!]\s*\S", LIKELY - 2, Next(1), "begins with the word for an error or a failure"),
    row("any", &["error", "fatal"], r"^\s*\S+?[:(\[]\d+([,:.-]\d+)*[)\]]?\s*[:-]?\s*\[?(?i:fatal |internal |syntax |type )?(?i:error|fatal)\b", CAUSE - 1, Next(2), "a place, then the word: compilers that no row knows"),
    row("any", &["fehler", "erreur", "errore", "błąd", "chyba", "ошибка", "エラー", "错误", "錯誤", "오류", "hata:", "fout:", "hiba:", "virhe:", "erro:", "fatal:", "Ошибка"], r"(?i:\b(fehler|erreur|errore|błąd|chyba|hata|fout|hiba|virhe|erro) ?:)|[Оо]шибка|エラー|错误|錯誤|오류", LIKELY - 2, Next(1), "the word in other languages"),
    row("any", &["nicht gefunden", "nicht möglich", "kann nicht", "verweigert", "introuvable", "impossible", "refusé", "no encontrado", "no se puede", "denegado", "non trovato", "aucun fichier", "aucune", "keine regel", "arrêt", "abbruch", "не удалось", "не найден", "нет такого", "отказано", "見つかりません", "没有那个", "找不到", "拒绝", "não encontrado", "nie ma takiego"], r"\S", CLUE + 2, Next(1), "words of trouble in other languages"),
    row("any", &["error:", "fatal:", "exception:", "failure:"], r"^\S[^:]{0,60}: (?i:\w*error|fatal|fatal error|exception|failure): ", LIKELY - 4, Line, "PROGRAM: error: reason"),
    row("any", &["error:", "error :"], r"^\w[\w -]{0,30} (?i:error) ?: \S", LIKELY - 3, Next(1), "what kind of error, and its reason"),
    row("any", &["error", "exception"], r"^(\w+[.:]+)*[A-Z]\w*(Error|Exception|Fault|Failure)\b(:| -|$)", LIKELY, Next(1), "the name of an exception"),
    row("any", &["✗", "✘", "❌", "×", "✖", "🚫", "⛔", "🔥", "💥"], r"^\s*(✗|✘|❌|×|✖|🚫|⛔|🔥|💥)\s*\S", LIKELY - 3, Next(2), "a sign marks the line as an error"),
    row("any", &["alert", "emerg", "crit"], r"^\s*\[?(ALERT|EMERG|CRIT|alert|emerg|crit)\]?[: ]", LIKELY - 3, Line, "the graver levels of a system's log"),
    row("any", &[" failed: "], r"\S failed: \S", CLUE + 5, Line, "what failed, and why"),
    row("any", &["fail"], r"^\s*\[?(FAIL|FAILED|FAILURE|NG|KO)\]?\b[:!]?", LIKELY - 7, Next(2), "begins with the word for an error or a failure"),
    row("any", &["fail"], r"\b(FAIL|FAILED)\b\]?$", CLUE + 2, Next(1), "ends with FAIL or FAILED"),
    row("any", &["mismatch", "expected", "should be", "does not match", "do not match", "doesn't match", "differs", "does not meet", "do not meet", "threshold", "is stale", "out of date", "not up to date", "out of sync", "stale"], r"(?i)\bmismatch|\bexpected\b.*\b(but|got|found|actual|received|was|to (be|equal|have))\b|\b(is|are|was|got|have|has|found|of)\b.*\bexpected\b|should (be|have been) |do(es)? not (match|meet)|doesn't match|(below|above|over|under|exceed\w*|not met).*threshold|threshold.*(below|above|over|under|exceed|not met)|\bdiffers?\b|(is|are) (stale|out of date|out of sync|not up[- ]to[- ]date|outdated)", CLUE + 3, Next(1), "a value, a file or a version differs from what was expected"),
    row("any", &["cannot", "can't", "could not", "couldn't", "unable to", "failed to", "not found", "does not exist", "doesn't exist", "no such", "denied", "refused", "rejected", "invalid", "illegal", "missing", "unknown", "undefined", "unexpected", "unsupported", "unresolved", "not allowed", "not permitted", "forbidden", "conflict", "corrupt", "aborting", "aborted", "abort:", "violat", "must not", "must be", "not installed", "too many", "too large", "too low", "too high", "below", "exceed"], r"(?i)\b(cannot|can't|could ?n[o']t|could not|unable to|failed to|not found|does(n't| not) exist|no such|denied|refused|rejected|invalid|illegal|missing|unknown|undefined|unexpected|unsupported|unresolved|not (allowed|permitted|installed)|forbidden|conflicts?|corrupt(ed)?|abort(ing|ed)?|violat(es|ed|ions?)|must (not )?(be|have|match)|too (many|large|low|high|small|old|few)|(is|was|falls?|fell) below|exceed(s|ed)?)\b", CLUE - 12, Line, "a word of trouble"),
    row("any", &["error"], r"(?i)(^|[^\w./@-])errors?\.?($|[^\w./-])", CLUE - 20, Line, "the word alone; the line may be about something else"),
    row("any", &["fail"], r"(?i)(^|[^\w./@-])fail(s|ed|ures?|ing)?\.?($|[^\w./-])", CLUE - 22, Line, "the word alone; the line may be about something else"),
    row("any", &["warning treated", "warnings treated", "treated as error", "warnings being treated", "--max-warnings", "-werror"], r"(?i)warnings? (being )?treated|treated as errors?|max-warnings|-Werror", LIKELY, Line, "warnings that fail the step"),
    row("any", &["::error"], r"^::error( [^:]*)?::", LIKELY + 4, Line, "a workflow command that the runner did not take"),
    row("any", &["todo", "fixme"], r"(?i)\b(todo|fixme)\b.*\b(found|left|remaining|forbidden)", CLUE, Line, "a check for left marks"),
    row("any", &["gave up", "giving up"], r"(?i)\b(gave|giving) up\b", SUMMARY + 8, Before(1), "the last line of a loop; the last try stands above"),
    row("any", &["exit", "rc=", "status="], r"(?i)\b(exit(ing|ed)?|rc|status|return(ed)?)( with)?( exit)?( code| status)?[ =:]+[1-9]\d{0,2}\b", SUMMARY + 5, Line, "an exit code other than 0"),
];

/// The name of a program, or a time, before a line of its output: `db-1   | `, `12:03:55 `.
pub(super) const PREFIX: &str = r"^\s*(\[[\w@/:. -]{1,40}\]|[\w@./-]{1,60} +[|│]|[\w@./-]{1,60}:[\w./-]{1,40}:|#\d+ [\d.]+|\d\d:\d\d:\d\d([.,]\d+)?|\d{4}-\d\d-\d\d[T ][\d:.,]+Z?) +";

/// Words of a line about trouble that a test made on purpose (`simulated`, `(expected)`). Such a line fits no row up to the
/// weight [`CAUSE`].
pub(super) const STAGED: &str = r"(?i)\bas expected(\W*$|,)|\b(as the test (wants|expects)|simulated|injected (by|for|in)|deliberate(ly)?|intentional(ly)?|is expected to (signal|fail|throw|raise|err))\b|\(expected\)|on[ _-]purpose";

/// Words of a line about trouble that counts for nothing (`(ignored)`, `will be retried`): no context, and no anchor that is
/// lighter than 70.
pub(super) const MEANT: &str = r"(?i)\bexpected (error|failure|exception):|\b(is|was|are|were|be) ignored\b|\((ignored|optional)\)|\bignored$|\b(error|failure|warning)s? ignored\b|\bretrying\b|\bwill be (re-?)?tried\b|\bwill (re-?)?try\b|\bnot checked\b|\ballowed to fail\b|: ok\b|^note: |\bskipped\b|^\W*SKIP\b|\bvalidates$|\b\w+Warning: ";

/// Lines that only mention errors: a pattern and an example for each form.
#[rustfmt::skip] // one row a line
pub(super) static DULL: &[(&str, &str)] = &[
    (r"(?i)^\s*[\d:,()-]+\s+(warn(ing)?|info|note|hint)\b", "  3:7  warning  'x' is never used"),
    (r"^\W*(警告|경고|Warnung|Avertissement|avertissement|Advertencia|advertencia|Aviso|Avviso|Предупреждение|предупреждение|Ostrzeżenie|Varning|Waarschuwing)", "警告：缓存目录为空"),
    (r"^\S+[(:]\d\S* (?i:warning)\b", "src/a.cs(1,37): warning CS0219: the variable error is never used"),
    (r"^W\d{4} |^\S+:\d+ (DL|SC)\d{4} (info|style): ", "W2001 Parameter Error not used."),
    (r"(?i)\b(0|no|zero) (\w+ )?(errors?|failures?|failed|problems?|warnings?|issues?|conflicts?|vulnerabilities)\b", "0 errors, 12 warnings"),
    (r"(?i)\b(errors?|failures?|failed|skipped) ?[:=] *0\b", "failed=0"),
    (r"(?i)^\W*(warn(ing)?|npm warn|deprecat\w*|note|notice|info|debug|trace|hint|help|verbose)\b(\W|$)", "warning: unused error"),
    (r"(?i)\bwarning: |Warning: |\bDeprecat", "src/a.c:3:4: warning: error is unused"),
    (r"\b(INFO|DEBUG|TRACE|WARN|WARNING|NOTICE)\b", "2026-01-01 WARN connection failed, trying again"),
    (r"^w: |(?i:\[(debug|info|warn|warning|notice|trace)\])", "w: Main.kt:3:5 error is never used"),
    (r"(?i)level=(info|debug|warn)", "level=info msg=\"no error\""),
    (r"(?i:\.{2,} *(ok|passed|done|skipped|yes)\b *(\([\d.]+ ?m?s\))?)$|\b(PASS|PASSED|SKIPPED|XFAIL|xfailed)\b|\bOK$|^\s*(✓|✔|√|ok \d|passed |skipped |OK )", "test error_is_shown ... ok"),
    (r"(?i)^\s*(compiling|checking|downloading|downloaded|download|installing|installed|fetching|fetched|resolved|audited|unpacking|unpacked|selecting|preparing|setting up|processing triggers|get:\d+|hit:\d+|collecting|building|built|using cached|adding|added|updating|updated|locking|resolving|linking|copying|creating|generating|generated|requirement already|successfully|extracting|pulling|loading|loaded|running|starting|started) ", "Compiling thiserror v1.0.69"),
    (r"^\s*(\[\d+/\d+\]|\[ *\d+%\]|\(\d+/\d+\)) [^:]*$", "[ 12%] Building C object src/error.c.o"),
    (r"(?i)\b(re-?try(ing)?|trying again|will try|will be (re-?)?tried|attempt \d+|backing off|fallback|falling back|ignor(ed|ing)|continuing|skipping|expected (error|failure)|as expected|recovered|no problem|non-fatal|allowed to fail|optional)\b", "request failed, retrying in 2 s"),
    (r"(?i)(without|no) (any )?(errors?|failures?|problems?)|errors? (handling|handler|handlers|page|pages|code|codes|class|type|types|message|messages|reporting|boundary)([^0-9A-Za-z_:]|$)", "built without errors"),
    (r"(?i)^(\+ |\$ |> )", "+ grep error log"),
    (r"^\s*(gcc|g\+\+|cc|c\+\+|clang|clang\+\+|rustc|javac|/usr/bin/\S+|libtool|ar|cmake|python3?|node|mkdir|cp|rm|mv) -?\S.*", "gcc -Wall -Werror -c error.c"),
    (r"(?i)(clean(ing|ed)? ?up|tear(ing)? ?down|\brestoring|\brestored (the|from|to|previous|old|original|cache|state)\b|^\W*restored\b|shutting down|rolling back|terminate orphan)", "cleaning up after failure"),
    (r"^\s*(at |from |#\d+ +(0x|in |/|\{main|\S+\()|File \x22|\d+: +0x)", "    at Object.error (a.js:3:1)"),
    (r"^\s*\d+ +\| |^\s*\|", " 12 |   throw new Error()"),
    (r"(?i)see .*(log|documentation|docs|help|https?://)|for (more|further) (information|details|help)|run with .*(verbose|backtrace|stacktrace|--info|--debug)|https?://\S+$", "For more information about this error, see the log"),
];
