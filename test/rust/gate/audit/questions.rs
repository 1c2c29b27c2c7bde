//! Searches of the log: the rows that they find, their counts, and the sums by host.

use super::*;

fn find(
    log: &Path,
    text: Option<&str>,
    host: Option<&str>,
    skip: usize,
    most: usize,
) -> FoundLines {
    let wanted = LogQuery {
        folder: log.into(),
        pattern: text.map(|text| compile(text, true).expect("the test made it")),
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
fn a_row_has_the_arguments_one_by_one_and_clean() {
    let place = Place::new();
    let log = place.log();
    std::fs::create_dir_all(&log).unwrap();
    let line =
        |argv: &str| format!("2026-03-01T12:00:00+0000 host=github.com argv={argv} call=1 pid=1\n");
    let words = [
        ("pr,view,1", vec!["pr", "view", "1"]),
        // Words with a space and a comma inside, and an empty word.
        ("a%20b,,c%2Cd", vec!["a b", "", "c,d"]),
        ("-", vec![]),
        // A character that turns the direction of text is shown by its number.
        ("x%E2%80%AEy", vec!["x<U+202E>y"]),
    ];
    let text: String = words.iter().map(|(argv, _)| line(argv)).collect();
    std::fs::write(log.join("2026-03-01.log"), text).unwrap();
    let found = find(&log, None, None, 0, 10);
    let rows = found.rows.iter().rev().map(|row| row.words.clone());
    assert_eq!(
        rows.collect::<Vec<_>>(),
        words.map(|(_, words)| words.into_iter().map(String::from).collect::<Vec<_>>())
    );
}

#[test]
fn a_search_finds_the_lines_asked_for_and_counts_them() {
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
    let calls = |found: &FoundLines| {
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
    let found = find(&log, Some(r"class=write.*call=(10|20)\b"), None, 0, 10);
    assert_eq!(calls(&found), ["20", "10"]);
    assert_eq!(find(&log, None, Some("ghe.example.com"), 0, 0).matched, 100);
    assert_eq!(find(&log, None, None, 400, 10).rows, vec![]);
    // A line that a stranger put in is found as well, with its control characters written out.
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
