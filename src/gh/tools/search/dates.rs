//! The dates of a search: `since` and `until` as people write them, made into the range that GitHub's search takes.

use chrono::{DateTime, Days, Months, NaiveDate, NaiveDateTime, SecondsFormat, TimeDelta, Utc};

use crate::gate::{ErrorKind, Refusal};

/// A day, or a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A whole day of UTC, as in `2026-01-31`.
    Day(NaiveDate),
    /// A moment, to the second.
    Moment(DateTime<Utc>),
}

/// The earliest year that a bound may have: Git's own times begin there, and a year with fewer than four digits is no date of GitHub's.
const FIRST_YEAR: i32 = 1970;

/// The last year that a bound may have: a date of GitHub's has four digits of a year.
const LAST_YEAR: i32 = 9999;

impl Bound {
    /// Reads `text`, the value of the argument `name`, at the time `now`.
    ///
    /// It is a duration before `now` (`12h`, `3d`, `2w`, `2mo`, `1y`), a date (`2026-01-31`) or a date and time with its zone
    /// (`2026-01-31T09:00:00Z`, `2026-01-31T09:00+01:00`).  A month and a year are those of the calendar: a month before 31 March is the
    /// last day of February.
    ///
    /// # Errors
    /// `bad-argument` for any other text.
    pub fn read(name: &str, text: &str, now: DateTime<Utc>) -> Result<Self, Refusal> {
        let text = text.trim();
        let bound = if let Some((count, unit)) = duration(text) {
            if unit.eq_ignore_ascii_case("m") {
                return Err(refused(&format!(
                    "The unit m of `{name}' could mean minutes or months.\nGive months as mo (2mo), or hours as h (12h)."
                )));
            }
            before(now, count, unit)
        } else if let Ok(day) = NaiveDate::parse_from_str(text, "%Y-%m-%d")
            && text.len() == "2026-01-31".len()
        {
            Some(Self::Day(day))
        } else {
            if lacks_zone(text) {
                return Err(refused(&format!(
                    "The time of `{name}' has no zone.\nAdd Z for UTC, or the distance from it: 2026-01-31T09:00:00Z, 2026-01-31T10:00:00+01:00."
                )));
            }
            moment(text).map(Self::Moment)
        };
        let Some(bound) = bound else {
            return Err(refused(&format!(
                "The argument `{name}' is no date.\nGive a time before now (12h, 3d, 2w, 2mo, 1y), a date (2026-01-31), or a date and time with its zone (2026-01-31T09:00:00Z)."
            )));
        };
        if (FIRST_YEAR..=LAST_YEAR).contains(&bound.year()) {
            Ok(bound)
        } else {
            Err(refused(&format!(
                "The argument `{name}' is before the year {FIRST_YEAR} or after {LAST_YEAR}.\nGive a later or an earlier date."
            )))
        }
    }

    /// The first second that the bound holds.
    fn first(self) -> NaiveDateTime {
        match self {
            Self::Day(day) => day.and_time(chrono::NaiveTime::MIN),
            Self::Moment(moment) => moment.naive_utc(),
        }
    }

    /// The last second that the bound holds: of a day, its end.
    fn last(self) -> NaiveDateTime {
        match self {
            Self::Day(day) => day.and_time(chrono::NaiveTime::MIN) + TimeDelta::seconds(86_399),
            Self::Moment(moment) => moment.naive_utc(),
        }
    }

    fn year(self) -> i32 {
        chrono::Datelike::year(&self.first())
    }

    /// The bound in GitHub's syntax: `2026-01-31`, `2026-01-31T09:00:00Z`.
    fn text(self) -> String {
        match self {
            Self::Day(day) => day.format("%Y-%m-%d").to_string(),
            Self::Moment(moment) => moment.to_rfc3339_opts(SecondsFormat::Secs, true),
        }
    }
}

/// The range from `since` to `until` in GitHub's syntax: `>=2026-01-01`, `<=2026-02-01`, `2026-01-01..2026-02-01`; `None` without both.
///
/// # Errors
/// `bad-argument` where `since` is after `until`.
pub fn range(since: Option<Bound>, until: Option<Bound>) -> Result<Option<String>, Refusal> {
    Ok(match (since, until) {
        (None, None) => None,
        (Some(since), None) => Some(format!(">={}", since.text())),
        (None, Some(until)) => Some(format!("<={}", until.text())),
        (Some(since), Some(until)) if since.first() > until.last() => {
            return Err(refused(&format!(
                "`since' ({}) is after `until' ({}).\nGive the earlier one as `since'.",
                since.text(),
                until.text()
            )));
        }
        (Some(since), Some(until)) => Some(format!("{}..{}", since.text(), until.text())),
    })
}

/// The number and the unit of `3d`; `None` for a text of another form.
fn duration(text: &str) -> Option<(&str, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (count, unit) = text.split_at(digits);
    let is_unit = ["h", "d", "w", "m", "mo", "y"]
        .iter()
        .any(|known| unit.eq_ignore_ascii_case(known));
    (digits > 0 && is_unit).then_some((count, unit))
}

/// The moment that is `count` times `unit` before `now`; `None` where no calendar has it.
fn before(now: DateTime<Utc>, count: &str, unit: &str) -> Option<Bound> {
    let count: u32 = count.parse().ok()?;
    let days = |each: u64| now.checked_sub_days(Days::new(u64::from(count) * each));
    let months = |each: u32| now.checked_sub_months(Months::new(count.checked_mul(each)?));
    let moment = match unit.to_ascii_lowercase().as_str() {
        "h" => now.checked_sub_signed(TimeDelta::hours(i64::from(count))),
        "d" => days(1),
        "w" => days(7),
        "mo" => months(1),
        _ => months(12),
    };
    moment.map(Bound::Moment)
}

/// The moment of a date and time with its zone (RFC 3339), whose seconds may be left out.
fn moment(text: &str) -> Option<DateTime<Utc>> {
    let text = text.to_ascii_uppercase();
    let zone = text.rfind(['Z', '+', '-']).filter(|at| *at > 10)?;
    let (time, zone) = text.split_at(zone);
    let seconds = if time.len() == "2026-01-31T09:00".len() {
        ":00"
    } else {
        ""
    };
    // RFC 3339 writes a zone with a colon, ISO 8601 without one too.
    let zone = match zone.as_bytes() {
        [sign, a, b, c, d]
            if b"+-".contains(sign) && [a, b, c, d].iter().all(|b| b.is_ascii_digit()) =>
        {
            format!("{}:{}", &zone[..3], &zone[3..])
        }
        _ => zone.to_owned(),
    };
    DateTime::parse_from_rfc3339(&format!("{time}{seconds}{zone}"))
        .ok()
        .map(|moment| moment.with_timezone(&Utc))
}

/// Whether `text` is a date and time, but for its zone.
fn lacks_zone(text: &str) -> bool {
    moment(&format!("{text}Z")).is_some()
}

fn refused(message: &str) -> Refusal {
    Refusal::new(ErrorKind::BadArgument, message)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn now() -> DateTime<Utc> {
        moment("2026-03-31T12:30:15Z").expect("a time stamp")
    }

    /// Checks what `since` becomes; `Err` holds a part of the error.
    fn check(text: &str, expect: Result<&str, &str>) {
        match (Bound::read("since", text, now()), expect) {
            (Ok(bound), Ok(expect)) => assert_eq!(bound.text(), expect, "{text:?}"),
            (Err(refusal), Err(part)) => {
                assert_eq!(refusal.kind, ErrorKind::BadArgument);
                assert!(
                    refusal.message.contains(part),
                    "{text:?}: {}",
                    refusal.message
                );
                assert_eq!(refusal.message.lines().count(), 2);
            }
            (got, _) => panic!("{text:?}: {got:?}"),
        }
    }

    #[test]
    fn a_duration_a_date_and_a_time_with_its_zone_are_bounds() {
        check("12h", Ok("2026-03-31T00:30:15Z"));
        check("3d", Ok("2026-03-28T12:30:15Z"));
        check("2w", Ok("2026-03-17T12:30:15Z"));
        check("0d", Ok("2026-03-31T12:30:15Z"));
        // February has no 31st.
        check("1mo", Ok("2026-02-28T12:30:15Z"));
        check("2mo", Ok("2026-01-31T12:30:15Z"));
        check("1Y", Ok("2025-03-31T12:30:15Z"));
        check(" 2026-01-31 ", Ok("2026-01-31"));
        check("2026-01-31T09:00:00Z", Ok("2026-01-31T09:00:00Z"));
        check("2026-01-31t09:00:00.123z", Ok("2026-01-31T09:00:00Z"));
        check("2026-01-31T01:00:00+02:00", Ok("2026-01-30T23:00:00Z"));
        check("2026-01-31T09:00-0530", Ok("2026-01-31T14:30:00Z"));
    }

    #[test]
    fn any_other_text_is_refused_with_the_forms_that_there_are() {
        for text in [
            "",
            "yesterday",
            "3",
            "d",
            "-3d",
            "3 d",
            "3days",
            "1.5d",
            "+3d",
            "3d repo:evil/r",
            "3d\nrepo:evil/r",
            "2026-02-30",
            "2026-13-01",
            "26-01-31",
            "2026-1-31",
            "2026-01-31 repo:evil/r",
            "2026-01-31..2026-02-01",
            "2026-01-31T25:00:00Z",
            "2026-01-31T09Z",
            "2026-01-31T09:00:00Z repo:evil/r",
            ">=2026-01-31",
            "*",
            "\"3d\"",
            "99999999999999999999d",
            "é",
            "2026-01-31é",
        ] {
            check(text, Err("`since' is no date"));
        }
        check("3m", Err("minutes or months"));
        check("3M", Err("minutes or months"));
        check("2026-01-31T09:00:00", Err("has no zone"));
        check("2026-01-31T09:00", Err("has no zone"));
        check("2026-01-31 09:00:00", Err("has no zone"));
        check("1969-12-31", Err("before the year 1970"));
        check("80y", Err("before the year 1970"));
        check("9999y", Err("before the year 1970"));
    }

    #[test]
    fn a_range_has_the_bounds_that_are_given_and_runs_forward() {
        let range = |since: &str, until: &str| {
            let bound = |text: &str| {
                (!text.is_empty()).then(|| Bound::read("since", text, now()).expect("a bound"))
            };
            range(bound(since), bound(until))
        };
        assert_eq!(range("", ""), Ok(None));
        assert_eq!(range("2026-01-01", ""), Ok(Some(">=2026-01-01".to_owned())));
        assert_eq!(range("", "2026-02-01"), Ok(Some("<=2026-02-01".to_owned())));
        assert_eq!(
            range("2026-01-01", "2026-02-01"),
            Ok(Some("2026-01-01..2026-02-01".to_owned()))
        );
        // A day lasts until its end.
        for (since, until) in [
            ("2026-01-01", "2026-01-01"),
            ("2026-01-01T23:59:59Z", "2026-01-01"),
            ("3d", "3d"),
        ] {
            assert!(range(since, until).is_ok(), "{since} {until}");
        }
        for (since, until) in [
            ("2026-01-02", "2026-01-01"),
            ("1d", "2d"),
            ("2026-01-02T00:00:00Z", "2026-01-01"),
            ("2026-01-01", "2025-12-31T23:59:59Z"),
        ] {
            let refusal = range(since, until).expect_err("runs backward");
            assert!(
                refusal.message.contains("is after `until'"),
                "{}",
                refusal.message
            );
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_bound_is_one_word_that_reads_back_as_itself(text in "(?s).{0,24}|[0-9]{1,6}(h|d|w|mo|y|m)|[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:]{5,8}(Z|\\+[0-9:]{4,5}))?") {
            if let Ok(bound) = Bound::read("since", &text, now()) {
                let word = bound.text();
                prop_assert!(word.bytes().all(|b| b.is_ascii_digit() || b"-:TZ".contains(&b)), "{word}");
                prop_assert_eq!(Bound::read("since", &word, now()), Ok(bound));
                let range = range(Some(bound), Some(bound));
                prop_assert_eq!(range, Ok(Some(format!("{word}..{word}"))));
            }
        }

        #[test]
        fn a_longer_time_before_now_is_an_earlier_moment(seconds in 0i64..4_000_000_000, count in 1u32..300, unit in prop::sample::select(&["h", "d", "w", "mo"][..])) {
            let now = DateTime::from_timestamp(1_600_000_000 + seconds, 0).expect("a moment");
            let read = |count: u32| Bound::read("since", &format!("{count}{unit}"), now).map(Bound::first);
            prop_assert!(read(count)? < now.naive_utc());
            prop_assert!(read(count + 1)? < read(count)?);
        }
    }
}
