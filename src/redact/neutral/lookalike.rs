//! Look-alikes: the plain word that a reader takes a text for.
//!
//! A reader, person or model, takes `[gһ` with a Cyrillic letter, `𝐠𝐡` and `ｇｈ` for `gh`. So text is compared by its skeleton.
//! To make one, compatibility forms are undone (NFKD), a character that Unicode's table of confusable characters (TR39) maps to an
//! ASCII character becomes that character, marks on letters and invisible characters are dropped, capitals become small, and letters
//! that only the font tells apart (`i`, `l`, `1`; `o`, `0`) become one. A skeleton is only compared, never shown.
//!
//! Source: Unicode TR39 4 "Confusable Detection", by the crate unicode-security; [`small_capital`] and [`boxed`] have the characters
//! that it lacks.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton as confusable;

use super::acts::acts;

/// Whether `c` shows nothing of its own: a mark on its neighbour, a placeholder, or an invisible character.
pub fn shows_nothing(c: char) -> bool {
    !c.is_ascii_graphic() && (acts(c) || c == '\u{fffc}' || is_combining_mark(c))
}

/// Appends the skeleton of `c` to `out`.
pub fn fold(c: char, out: &mut String) {
    if c.is_ascii() {
        out.push(merged(c.to_ascii_lowercase()));
        return;
    }
    if shows_nothing(c) {
        return;
    }
    if let Some(plain) = boxed(c) {
        out.push(merged(plain));
        return;
    }
    // A capital and its small letter can look like different letters: Cherokee capitals look like Latin capitals.
    let found = plain(c)
        .or_else(|| c.to_lowercase().find_map(plain))
        .or_else(|| c.to_uppercase().find_map(plain));
    match found {
        Some(found) => out.extend(found.chars().map(merged)),
        None => out.push(c),
    }
}

/// The skeleton of `text`.
pub fn skeleton(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        fold(c, &mut out);
    }
    out
}

/// The ASCII text that `c` looks like, in small letters; `None` where it looks like no ASCII text.
fn plain(c: char) -> Option<String> {
    let decomposed: String = c.nfkd().filter(|c| !is_combining_mark(*c)).collect();
    // A letter in parentheses is a letter.
    let letters = decomposed.chars().filter(char::is_ascii_alphanumeric);
    let ascii: String = if decomposed.len() > 1 && decomposed.is_ascii() {
        letters.collect()
    } else {
        confusable(&decomposed)
            .filter(|c| !is_combining_mark(*c))
            .map(small_capital)
            .collect()
    };
    (!ascii.is_empty() && ascii.is_ascii()).then(|| ascii.to_ascii_lowercase())
}

/// One letter for each group that only the font tells apart: `l` for `i`, `1`; `o` for `0`.
const fn merged(c: char) -> char {
    match c {
        'i' | '1' => 'l',
        '0' => 'o',
        c => c,
    }
}

/// The letter that a small capital, or one of a few more letters, looks like. TR39 does not map them.
const fn small_capital(c: char) -> char {
    match c {
        'ᴀ' => 'a',
        'ʙ' => 'b',
        'ᴄ' => 'c',
        'ᴅ' => 'd',
        'ᴇ' => 'e',
        'ꜰ' => 'f',
        'ɢ' => 'g',
        'ʜ' | 'ꜧ' | 'ɧ' | 'ћ' => 'h',
        'ɪ' => 'i',
        'ᴊ' => 'j',
        'ᴋ' => 'k',
        'ʟ' => 'l',
        'ᴍ' => 'm',
        'ɴ' => 'n',
        'ᴏ' => 'o',
        'ᴘ' => 'p',
        'ʀ' => 'r',
        'ꜱ' => 's',
        'ᴛ' => 't',
        'ᴜ' => 'u',
        'ʏ' => 'y',
        c => c,
    }
}

/// The letter that a white letter on black, or a letter of a flag, shows: these characters have no decomposition.
fn boxed(c: char) -> Option<char> {
    let first = match c {
        '\u{1f150}'..='\u{1f169}' => 0x1f150,
        '\u{1f170}'..='\u{1f189}' => 0x1f170,
        '\u{1f1e6}'..='\u{1f1ff}' => 0x1f1e6,
        _ => return None,
    };
    char::from_u32(u32::from(c) - first + u32::from('a'))
}

/// Whether `c` is or looks like an opening square bracket: brackets of mathematics and of East Asian text, halves and pieces too.
pub fn opens(c: char) -> bool {
    matches!(
        c,
        '[' | '\u{2045}' | '\u{2308}' | '\u{230a}' | '\u{23a1}'
            ..='\u{23a3}'
                | '\u{2772}'
                | '\u{27e6}'
                | '\u{27ec}'
                | '\u{298b}'
                | '\u{298d}'
                | '\u{298f}'
                | '\u{2997}'
                | '\u{2e22}'
                | '\u{2e24}'
                | '\u{2e55}'
                | '\u{2e57}'
                | '\u{3010}'
                | '\u{3014}'
                | '\u{3016}'
                | '\u{3018}'
                | '\u{301a}'
                | '\u{fe39}'
                | '\u{fe3b}'
                | '\u{fe47}'
                | '\u{fe5d}'
                | '\u{ff3b}'
    )
}

/// The fence character that `c` is or looks like: a grave accent or a tilde.
pub fn fence(c: char) -> Option<char> {
    match c {
        '`' | '\u{2cb}' | '\u{55d}' | '\u{1fef}' | '\u{2035}' | '\u{ff40}' => Some('`'),
        '~' | '\u{2dc}' | '\u{1fc0}' | '\u{301c}' => Some('~'),
        c if c.is_ascii() => None,
        c => plain(c).filter(|looks| looks == "~").map(|_| '~'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_and_its_look_alikes_have_one_skeleton() {
        let check = |word: &str, looks: &[&str]| {
            for look in looks {
                assert_eq!(skeleton(look), skeleton(word), "{look:?}");
            }
        };
        check(
            "gh",
            &[
                "GH",
                "gһ",
                "gⱨ",
                "ɡh",
                "ցհ",
                "ԍн",
                "ᏀᎻ",
                "gᏂ",
                "𝐠𝐡",
                "𝔤𝔥",
                "𝚐𝚑",
                "𝒈ℎ",
                "ｇｈ",
                "ⓖⓗ",
                "⒢⒣",
                "🄖🄗",
                "🄶🄷",
                "🅖🅗",
                "🅶🅷",
                "🇬🇭",
                "ɢʜ",
                "ᵍʰ",
                "ĝĥ",
                "g\u{301}h",
                "\u{301}g\u{336}h",
                "ǥħ",
                "ɠɦ",
                "g\u{200b}h\u{fe0f}",
                "g\u{20dd}h",
            ],
        );
        check("net", &["NET", "ηет", "ոет", "ɴᴇᴛ", "𝗻𝗲𝘁", "ńėţ", "ＮＥＴ"]);
        check(
            "tool",
            &["TOOI", "t00l", "too1", "тооl", "τοοl", "ｔｏｏｌ"],
        );
        check("begin", &["BEGIN", "bеgіn", "ʙᴇɢɪɴ"]);
    }

    #[test]
    fn different_words_have_different_skeletons() {
        for (one, other) in [
            ("gh", "9h"),
            ("gh", "gr"),
            ("net", "not"),
            ("gh", "гх"),
            ("gh", "你好"),
            ("gh", "եհ"),
            ("forge", "force"),
        ] {
            assert_ne!(skeleton(one), skeleton(other), "{other}");
        }
    }
}
