//! The suites of src/redact/.  src/redact/neutral/visible.rs includes neutral.rs.

mod argv;
mod families;
mod judge;
mod large;
mod properties;
mod rows;
mod sections;
mod values;

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// `bytes` in base64 by `alphabet` (RFC 4648, sections 4 and 5), with `=` at the end where `padded`.
fn base64(bytes: &[u8], alphabet: &[u8; 64], padded: bool) -> String {
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let word = three
            .iter()
            .fold(0_u32, |word, byte| word << 8 | u32::from(*byte))
            << (8 * (3 - three.len()));
        for nth in 0..=three.len() {
            out.push(alphabet[(word >> (18 - 6 * nth)) as usize & 63] as char);
        }
        if padded {
            out.push_str(&"=".repeat(3 - three.len()));
        }
    }
    out
}
