//! Numbers for readers: counts with a comma between thousands, sizes in B, KB or MB.

use std::fmt::Display;

/// `count`, a natural number, with a comma between thousands: `5,312`.
pub fn grouped(count: impl Display) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `bytes` in B, in KB of 1,000 or in MB of 1,000,000, cut to one decimal: `999 B`, `1.2 KB`, `52.3 MB`.
pub fn size(bytes: u64) -> String {
    let tenths = |unit: u64| format!("{}.{}", bytes / unit, bytes % unit / (unit / 10));
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} KB", tenths(1_000)),
        _ => format!("{} MB", tenths(1_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_separates_thousands() {
        for (count, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (5_312, "5,312"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(count), text);
        }
    }

    #[test]
    fn a_size_has_the_largest_unit_that_it_fills() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 KB"),
            (1_250, "1.2 KB"),
            (999_999, "999.9 KB"),
            (52_345_678, "52.3 MB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
