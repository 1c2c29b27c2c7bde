//! What a search of the log finds, counts and sums.

use super::*;

fn find(log: &Path, text: Option<&str>, host: Option<&str>, skip: usize, most: usize) -> Found {
    let wanted = Wanted {
        folder: log.into(),
        pattern: text.map(|text| pattern::compile(text, true).expect("the test made it")),
        host: host.map(Into::into),
        skip,
        most,
    };
    search(&wanted, &Cleaner::holding(&[]), &|| true)
}

fn value(row: &audit::search::Row, key: &str) -> String {
    let found = row.values.iter().find(|(name, _)| *name == key);
    found.map(|(_, value)| value.clone()).unwrap_or_default()
}

#[test]
fn a_search_finds_other_lines_or_counts_wrongly() {
    let place = Place::new();
    let log = place.log();
    let mut writer = Writer::new();
    for nth in 0..300_usize {
        let host = if nth % 3 == 0 {
            "ghe.example.com"
        } else {
            "github.com"
        };
        let (class, by) = if nth % 10 == 0 {
            ("write", "person")
        } else {
            ("read", "rule")
        };
        let number = nth.to_string();
        let entry = Entry::of(
            day(nth as u64 / 100),
            &[
                ("host", host),
                ("class", class),
                ("approved-by", by),
                ("command", "pr view"),
                ("call", &number),
            ],
        );
        writer.append(&log, &entry, 0, None).unwrap();
    }
    let calls = |found: &Found| {
        found
            .rows
            .iter()
            .map(|row| value(row, "call"))
            .collect::<Vec<_>>()
    };
    let found = find(&log, Some("pr view"), None, 0, 3);
    assert_eq!(
        (found.matched, found.lines, calls(&found)),
        (300, 300, ["299", "298", "297"].map(String::from).to_vec())
    );
    let row = &found.rows[0];
    assert_eq!(
        (row.file.as_str(), row.line, value(row, "command").as_str()),
        ("2026-03-03.log", 100, "pr view")
    );
    let found = find(&log, Some("pr%20view"), None, 298, 10);
    assert_eq!(
        (found.matched, calls(&found)),
        (300, ["1", "0"].map(String::from).to_vec())
    );
    let found = find(&log, Some(r"class=write.*call=\(10\|20\)\b"), None, 0, 10);
    assert_eq!(calls(&found), ["20", "10"]);
    assert_eq!(find(&log, None, Some("ghe.example.com"), 0, 0).matched, 100);
    assert_eq!(find(&log, None, None, 400, 10).rows, vec![]);
    // What somebody put in is found too, and cannot act.
    let mut more = fs::read(log.join(FIRST)).unwrap();
    more.extend_from_slice("evil \u{202e}\u{1b}[2J line\n".as_bytes());
    fs::write(log.join(FIRST), more).unwrap();
    let found = find(&log, Some("evil"), None, 0, 10);
    assert_eq!(value(&found.rows[0], "line"), "evil <U+202E>^[[2J line");

    let (sums, found) = by_host(&log, &Cleaner::holding(&[]), &|| true);
    assert_eq!((found.lines, found.matched), (301, 300));
    let sum = sums.iter().find(|sum| sum.host == "github.com").unwrap();
    assert_eq!(
        (sum.calls, sum.by_person, sum.reads, sum.refused),
        (200, 20, 180, 0)
    );
    assert_eq!(sums.len(), 2);
}
