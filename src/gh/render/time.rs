//! Time stamps as GitHub gives them: the day for one thing, the age for a row of a list.

use chrono::{DateTime, Utc};

/// The day of a time stamp; another text is returned as it is.
pub(super) fn day(stamp: &str) -> &str {
    let bytes = stamp.as_bytes();
    let is_stamp = bytes.len() > 10
        && bytes[10] == b'T'
        && bytes[..10].iter().enumerate().all(|(at, b)| {
            if matches!(at, 4 | 7) {
                *b == b'-'
            } else {
                b.is_ascii_digit()
            }
        });
    if is_stamp { &stamp[..10] } else { stamp }
}

/// How long before `now` a time stamp was, in its largest whole unit: `45s`, `12min`, `3h`, `8d`, `14mo`, `2y`.
/// Another text is returned as it is. A time stamp after `now` is `0s`, since clocks differ.
pub(super) fn age(stamp: &str, now: DateTime<Utc>) -> String {
    let Ok(then) = DateTime::parse_from_rfc3339(stamp) else {
        return stamp.to_owned();
    };
    let seconds = (now - then.with_timezone(&Utc)).num_seconds().max(0);
    let days = seconds / 86_400;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}min", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ if days < 60 => format!("{days}d"),
        _ if days < 730 => format!("{}mo", days / 30),
        _ => format!("{}y", days / 365),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_in_its_largest_whole_unit() {
        let now = DateTime::parse_from_rfc3339("2026-05-16T12:00:00Z")
            .expect("a time stamp")
            .with_timezone(&Utc);
        for (stamp, expect) in [
            ("2026-05-16T11:59:15Z", "45s"),
            ("2026-05-16T11:48:00Z", "12min"),
            ("2026-05-16T11:00:00+02:00", "3h"),
            ("2026-05-08T11:00:00Z", "8d"),
            ("2025-03-16T12:00:00Z", "14mo"),
            ("2024-05-01T12:00:00Z", "2y"),
            ("2026-05-17T12:00:00Z", "0s"),
            ("yesterday", "yesterday"),
            ("", ""),
        ] {
            assert_eq!(age(stamp, now), expect, "{stamp}");
        }
    }

    #[test]
    fn a_day_is_the_first_part_of_a_stamp() {
        assert_eq!(day("2026-05-16T14:23:45Z"), "2026-05-16");
        assert_eq!(day("soon"), "soon");
    }
}
