//! The bytes kept of a stream depend on its bytes alone, not on the pieces in which they arrive.

use super::super::capture::{Capture, Keep, SLACK, Stream};
use proptest::prelude::*;

/// Captures `data` in pieces of the given `sizes`, taken in turn; one piece if `sizes` is empty.
fn captured(data: &[u8], sizes: &[usize], keep: Keep, cap: usize) -> Stream {
    let mut capture = Capture::new(keep, cap);
    let mut rest = data;
    let mut sizes = sizes.iter().cycle();
    while !rest.is_empty() {
        let size = *sizes.next().unwrap_or(&rest.len());
        let (now, later) = rest.split_at(size.min(rest.len()));
        let mut source = now;
        while !source.is_empty() {
            capture.read_from(&mut source).unwrap();
        }
        assert!(capture.held() <= cap + SLACK, "holds {}", capture.held());
        rest = later;
    }
    let stream = capture.finish();
    assert!(stream.held() <= cap + SLACK, "holds {}", stream.held());
    stream
}

/// `length` bytes of numbers (`000000 000001 …`), so that a few bytes in a row tell where they stood.
fn numbered(length: usize) -> Vec<u8> {
    let mut data = Vec::with_capacity(length + 8);
    for n in 0.. {
        if data.len() >= length {
            break;
        }
        data.extend_from_slice(format!("{n:06} ").as_bytes());
    }
    data.truncate(length);
    data
}

fn keeps() -> impl Strategy<Value = Keep> {
    prop_oneof![Just(Keep::Head), Just(Keep::HeadTail)]
}

proptest! {
    // A file of past failures would land under src/; a failure prints its input instead.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_ends_of_a_long_capture_are_those_of_a_short_one(
        length in 0usize..20_000,
        caps in (0usize..8_000, 0usize..8_000),
    ) {
        let data = numbered(length);
        let (short, long) = (caps.0.min(caps.1), caps.0.max(caps.1));
        let whole = captured(&data, &[], Keep::HeadTail, long);
        prop_assert_eq!(whole.ends(short), captured(&data, &[], Keep::HeadTail, short));
    }

    #[test]
    fn kept_bytes_are_equal_whatever_the_size_of_the_pieces(
        length in 0usize..20_000,
        sizes in prop::collection::vec(1usize..5_000, 1..8),
        cap in 0usize..8_000,
        keep in keeps(),
    ) {
        let data = numbered(length);
        prop_assert_eq!(
            captured(&data, &sizes, keep, cap),
            captured(&data, &[], keep, cap)
        );
    }

    #[test]
    fn latest_bytes_are_those_that_came_last(
        length in 0usize..20_000,
        sizes in prop::collection::vec(1usize..5_000, 1..8),
        cap in 0usize..8_000,
        most in 0usize..3_000,
        keep in keeps(),
    ) {
        let data = numbered(length);
        let mut capture = Capture::new(keep, cap);
        let mut seen = 0;
        for size in sizes.iter().cycle() {
            let (bytes, whole) = capture.latest(most);
            prop_assert!(bytes.len() <= most);
            prop_assert!(data[..seen].ends_with(&bytes));
            prop_assert_eq!(whole, bytes.len() == seen);
            if keep == Keep::HeadTail {
                prop_assert!(bytes.len() >= most.min(seen).min(cap - cap / 2));
            } else {
                prop_assert_eq!(bytes.len(), if seen > cap { 0 } else { most.min(seen) });
            }
            if seen == data.len() {
                break;
            }
            let end = data.len().min(seen + size);
            let mut source = &data[seen..end];
            while !source.is_empty() {
                capture.read_from(&mut source).unwrap();
            }
            seen = end;
        }
    }

    #[test]
    fn kept_bytes_are_the_first_and_the_last(
        length in 0usize..20_000,
        sizes in prop::collection::vec(1usize..5_000, 1..8),
        cap in 0usize..8_000,
        keep in keeps(),
    ) {
        let data = numbered(length);
        let got = captured(&data, &sizes, keep, cap);
        prop_assert_eq!(got.truncated, length > cap);
        prop_assert_eq!(got.read, length as u64);
        prop_assert_eq!(got.dropped(), length.saturating_sub(cap) as u64);
        prop_assert!(data.starts_with(got.head().reveal()));
        prop_assert!(data.ends_with(got.tail().reveal()));
        let (front, back) = got.shown(<[u8]>::to_vec);
        if length <= cap {
            prop_assert_eq!(front, data);
            prop_assert!(back.is_empty());
        } else {
            let first = if keep == Keep::Head { cap } else { cap / 2 };
            prop_assert_eq!(&front[..], &data[..first]);
            prop_assert_eq!(&back[..], &data[length - (cap - first)..]);
        }
    }

    #[test]
    fn a_secret_across_a_cut_is_hidden_in_every_part(
        at in 0usize..6_000,
        filler in 4_500usize..9_000,
        keep in keeps(),
    ) {
        let secret = b"ghp_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij";
        let mut data = vec![b'.'; filler];
        let at = at.min(filler);
        data.splice(at..at, secret.iter().copied());
        let got = captured(&data, &[777], keep, 4096);
        let (front, back) = got.shown(mask);
        for shown in [front, back] {
            let part = shown.windows(4).any(|w| secret.windows(4).any(|s| s == w));
            prop_assert!(!part, "{}", String::from_utf8_lossy(&shown));
        }
    }
}

/// A redactor that knows one form: `ghp_` and 36 letters.
fn mask(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    regex::Regex::new("ghp_[A-Za-z]{36}")
        .unwrap()
        .replace_all(&text, "[TOKEN]")
        .into_owned()
        .into_bytes()
}

#[test]
fn a_cut_falls_between_characters() {
    // 4,095 bytes end inside a character of two bytes, counted from the front or from the back.
    let data = "é".repeat(10_000).into_bytes();
    for (keep, cap) in [(Keep::Head, 4095), (Keep::HeadTail, 8190)] {
        let (front, back) = captured(&data, &[1000], keep, cap).shown(<[u8]>::to_vec);
        assert_eq!(front.len(), 4094);
        assert!(String::from_utf8(front).is_ok());
        assert!(String::from_utf8(back).is_ok());
    }
}

#[test]
fn debug_output_of_a_stream_hides_its_bytes() {
    let stream = captured(b"ghp_secret", &[], Keep::Head, 100);
    let shown = format!("{stream:?}");
    // `Debug` of a list of bytes would show `g` as 103.
    assert!(!shown.contains("ghp") && !shown.contains("103"), "{shown}");
}
