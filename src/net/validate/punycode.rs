//! Reads labels that begin with `xn--` (RFC 3492), only to tell a word of another script from disguised data.

/// True where `code`, the part of a label behind `xn--`, decodes to characters of few scripts, as a word does.
///
/// Any letters and digits can stand behind `xn--`.  Random ones decode to invalid code points, or to characters of many scripts.
pub(super) fn is_word(code: &str) -> bool {
    /// The most [`block`]s in one label: a name may have Latin letters, digits and marks beside the letters of its language.
    const BLOCKS: usize = 3;
    let Some(text) = decode(code) else {
        return false;
    };
    let mut blocks: Vec<u32> = text.iter().map(|c| block(u32::from(*c))).collect();
    blocks.sort_unstable();
    blocks.dedup();
    !text.is_empty() && blocks.len() <= BLOCKS
}

/// The block of 256 code points that `point` is in; the letters of Chinese, Japanese and Korean count as one block, and so do
/// emoji.
const fn block(point: u32) -> u32 {
    match point {
        0x2e80..=0xd7ff => 0x2e,
        0x1_f000..=0x1_ffff => 0x1f0,
        other => other >> 8,
    }
}

/// The code points of `code`, in their order (RFC 3492, section 6.2).
fn decode(code: &str) -> Option<Vec<char>> {
    const BASE: u32 = 36;
    const DAMP: u32 = 700;
    let (plain, digits) = code.rsplit_once('-').unwrap_or(("", code));
    let mut out: Vec<char> = plain.chars().collect();
    let (mut point, mut at, mut bias) = (128_u32, 0_u32, 72_u32);
    let mut bytes = digits.bytes();
    while bytes.len() > 0 {
        let (before, mut weight, mut step) = (at, 1_u32, BASE);
        loop {
            let byte = bytes.next()?;
            let digit = match byte.to_ascii_lowercase() {
                letter @ b'a'..=b'z' => u32::from(letter - b'a'),
                digit @ b'0'..=b'9' => u32::from(digit - b'0') + 26,
                _ => return None,
            };
            at = at.checked_add(digit.checked_mul(weight)?)?;
            let least = step.saturating_sub(bias).clamp(1, 26);
            if digit < least {
                break;
            }
            weight = weight.checked_mul(BASE - least)?;
            step += BASE;
        }
        let length = u32::try_from(out.len()).ok()? + 1;
        let delta = at - before;
        let mut left = if before == 0 { delta / DAMP } else { delta / 2 };
        left += left / length;
        let mut steps = 0;
        while left > 35 * 26 / 2 {
            left /= 35;
            steps += BASE;
        }
        bias = steps + 36 * left / (left + 38);
        point = point.checked_add(at / length)?;
        at %= length;
        out.insert(usize::try_from(at).ok()?, char::from_u32(point)?);
        at += 1;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{decode, is_word};

    #[test]
    fn words_of_other_scripts_are_told_from_letters_and_digits_at_random() {
        for (code, text) in [
            ("bcher-kva", "bücher"),
            ("mnchen-3ya", "münchen"),
            ("80akhbyknj4f", "испытание"),
            ("fiqs8s", "中国"),
            ("wgv71a119e", "日本語"),
            ("xkc2dl3a5ee0h", "இந்தியா"),
            ("mgberp4a5d4ar", "السعودية"),
            ("n3h", "☃"),
            ("p1ai", "рф"),
        ] {
            let read: Option<String> = decode(code).map(|all| all.into_iter().collect());
            assert_eq!(read.as_deref(), Some(text), "{code}");
            assert!(is_word(code), "{code}");
        }
        for code in [
            "68656c6c6f776f726c64212121abcdef",
            "a9f8e7d6c5b4a39281706f5e4d3c2b1a",
            "zzzzzzzzzzzzzzzzzzzzzzzz",
            "",
            "a b",
        ] {
            assert!(!is_word(code), "{code}: {:?}", decode(code));
        }
    }
}
