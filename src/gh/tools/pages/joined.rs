//! Pages of a REST list joined into one, within a limit of bytes.

use std::fmt::Write as _;

use serde_json::Value;

use crate::gate::MAX_CAP;
use crate::text::json::parse_bounded;
use crate::text::numbers::grouped;

/// The name of a list in its object, and the number of all its entries.
type Counted = (String, u64);

/// The pages that were read so far.
#[derive(Default)]
pub(super) struct Joined {
    /// The rendered entries, one each; for text that is no JSON list, one for each page.
    entries: Vec<String>,
    /// Bytes of all of them.
    bytes: usize,
    /// Whether every page was a JSON list.
    list: bool,
    /// Where the pages are objects with a total: the list's name and the total.
    counted: Option<Counted>,
    /// How many pages were read, the last of them perhaps in part.
    pub pages: u64,
    /// Where the limit was reached: how many entries the last page has, and how many of them are there.
    cut: Option<(usize, usize)>,
}

impl Joined {
    /// Adds the body of a page; `filtered`: gh's own filter made text of it.
    pub fn add(&mut self, body: &str, filtered: bool) {
        self.pages += 1;
        let listed = if filtered { None } else { listed(body) };
        self.list = listed.is_some() && (self.pages == 1 || self.list);
        let (entries, counted) = listed.unwrap_or_else(|| (vec![body.trim_end().to_owned()], None));
        self.counted = counted;
        let of = entries.len();
        for (nth, entry) in entries.into_iter().enumerate() {
            // The comma, the line end and the brackets of the list take a few bytes more.
            self.bytes += entry.len() + 4;
            if self.bytes > MAX_CAP {
                self.cut = Some((nth, of));
                return;
            }
            self.entries.push(entry);
        }
    }

    /// Whether no more entries fit.
    pub fn full(&self) -> bool {
        self.cut.is_some()
    }

    /// Whether this is a whole answer that is no list.
    pub fn single(&self) -> bool {
        self.pages == 1 && !self.list && self.cut.is_none()
    }

    /// The joined list: valid JSON with an entry on each line, or the pages' texts.
    pub fn text(&self) -> String {
        if self.list {
            format!("[\n{}\n]", self.entries.join(",\n"))
        } else {
            self.entries.join("\n")
        }
    }

    /// What the first line of the result says about entries: `; 300 of 1,234 workflow_runs`.
    pub fn tally(&self) -> String {
        let shown = grouped(self.entries.len() as u64);
        let mut text = match (&self.counted, self.list) {
            (Some((name, total)), _) => format!("; {shown} of {} {name}", grouped(*total)),
            (None, true) if self.entries.len() == 1 => "; 1 entry".to_owned(),
            (None, true) => format!("; {shown} entries"),
            (None, false) => String::new(),
        };
        if let Some((fit, of)) = self.cut {
            let _ = write!(
                text,
                "; {} KB hold {fit} of the {of} entries of page {}",
                MAX_CAP >> 10,
                self.pages
            );
        }
        text
    }
}

/// The entries of `body`, a JSON list or an object with `total_count` and one list; with the list's name and the total.
fn listed(body: &str) -> Option<(Vec<String>, Option<Counted>)> {
    let (list, counted) = match parse_bounded(body.as_bytes()).ok()? {
        Value::Array(list) => (list, None),
        Value::Object(mut object) => {
            let total = object.get("total_count")?.as_u64()?;
            let mut lists = object.iter().filter(|(_, value)| value.is_array());
            let name = lists.next()?.0.clone();
            if lists.next().is_some() {
                return None;
            }
            let Some(Value::Array(list)) = object.remove(&name) else {
                return None;
            };
            (list, Some((name, total)))
        }
        _ => return None,
    };
    Some((list.iter().map(Value::to_string).collect(), counted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_counted_lists_become_one_list() {
        let mut joined = Joined::default();
        joined.add("[{\"a\":1},2]", false);
        joined.add("[3]\n", false);
        assert_eq!(joined.text(), "[\n{\"a\":1},\n2,\n3\n]");
        assert_eq!(
            (joined.tally(), joined.single()),
            ("; 3 entries".into(), false)
        );
        let mut joined = Joined::default();
        joined.add("{\"total_count\":1234,\"jobs\":[1,2]}", false);
        joined.add("{\"total_count\":1235,\"jobs\":[3]}", false);
        assert_eq!(joined.text(), "[\n1,\n2,\n3\n]");
        assert_eq!(joined.tally(), "; 3 of 1,235 jobs");
    }

    #[test]
    fn what_is_no_list_stays_as_it_is() {
        for body in [
            "{\"id\":1}",
            "plain text",
            "{\"total_count\":1,\"a\":[],\"b\":[]}",
            "[1",
        ] {
            let mut joined = Joined::default();
            joined.add(body, false);
            assert!(joined.single(), "{body}");
            assert_eq!(
                (joined.text(), joined.tally()),
                (body.to_owned(), String::new())
            );
        }
        let mut joined = Joined::default();
        joined.add("[1]\n", true);
        joined.add("[2]\n", true);
        assert_eq!(joined.text(), "[1]\n[2]");
    }

    #[test]
    fn entries_beyond_the_limit_are_counted_and_left_out() {
        let entry = format!("\"{}\"", "x".repeat(20_000));
        let mut joined = Joined::default();
        joined.add(&format!("[{entry},{entry}]"), false);
        assert!(!joined.full());
        joined.add(&format!("[{entry},{entry},{entry}]"), false);
        assert!(joined.full() && joined.text().len() <= MAX_CAP);
        assert_eq!(
            joined.tally(),
            "; 3 entries; 64 KB hold 1 of the 3 entries of page 2"
        );
    }
}
