//! The part of git's configuration that says where a checkout's remotes are, read from `git config -z`.
//!
//! Source: git-config(1), "-z": an entry is `KEY\nVALUE\0`, an entry without value `KEY\0`; section and variable names come in
//! lower case, the subsection (a remote's or branch's name, a URL) as it was written. `insteadOf`: git-config(1), `url.<base>.insteadOf`.

crate::foreign::debug_by_name!(Entry, GitConfig, Remote);

/// The extended regular expression for `git config -z --get-regexp`: it matches the keys that [`GitConfig`] uses and no others.
pub const CONFIG_PATTERN: &str = r"^(remote\..*\.(url|pushurl|gh-resolved)|branch\..*\.(remote|pushremote|merge|gh-merge-base)|url\..*\.(insteadof|pushinsteadof)|push\.default|remote\.pushdefault)$";

/// One entry that has a value.
#[derive(Clone, PartialEq, Eq)]
struct Entry {
    section: String,
    subsection: String,
    variable: String,
    value: String,
}

/// The entries of git's configuration that match [`CONFIG_PATTERN`], in git's order (system, global, local).
#[derive(Clone, Default, PartialEq, Eq)]
pub struct GitConfig {
    entries: Vec<Entry>,
    cut: bool,
}

/// A remote with its URLs as git would use them.
#[derive(Clone, PartialEq, Eq)]
pub struct Remote {
    /// Its name.
    pub name: String,
    /// The URL that git fetches from: the first one, `insteadOf` applied.
    pub url: Option<String>,
    /// The URL that git pushes to, where it differs from `url`.
    pub push_url: Option<String>,
    /// gh's own mark, `remote.NAME.gh-resolved`: `gh repo set-default` writes it.  `base` means this remote's own repository, else
    /// the value is the OWNER/REPO that was chosen.
    pub resolved: Option<String>,
}

impl GitConfig {
    /// Reads the bytes that `git config -z` printed.  Never fails: bytes that are no entry are left out.
    ///
    /// Bytes that are not UTF-8 become U+FFFD, which no repository's URL may hold.  An entry without its closing NUL is left out,
    /// since half a URL names another repository; [`GitConfig::cut`] is then `true`.
    pub fn parse(bytes: &[u8]) -> Self {
        let whole = bytes.iter().rposition(|&b| b == 0).map_or(0, |at| at + 1);
        let entries = bytes[..whole]
            .split(|&b| b == 0)
            .filter_map(Entry::parse)
            .collect();
        Self {
            entries,
            cut: whole < bytes.len(),
        }
    }

    /// Whether the bytes ended in the middle of an entry.
    pub fn cut(&self) -> bool {
        self.cut
    }

    /// The remotes in the order of their first entry.
    pub fn remotes(&self) -> Vec<Remote> {
        let mut names: Vec<&str> = Vec::new();
        for entry in self.section("remote") {
            if !entry.subsection.is_empty() && !names.contains(&entry.subsection.as_str()) {
                names.push(&entry.subsection);
            }
        }
        names.into_iter().map(|name| self.remote(name)).collect()
    }

    fn remote(&self, name: &str) -> Remote {
        let urls = self.list("remote", name, "url");
        let url = urls.first().copied();
        // git rewrites an explicit push URL by insteadOf.  Where there is none, pushInsteadOf makes a push URL from each URL that it matches.
        let push_url = match self.list("remote", name, "pushurl").first() {
            Some(push) => Some(self.rewrite(push)),
            None => urls.iter().find_map(|u| self.rewritten(u, "pushinsteadof")),
        };
        Remote {
            name: name.to_owned(),
            url: url.map(|u| self.rewrite(u)),
            push_url,
            resolved: self.last("remote", name, "gh-resolved").map(str::to_owned),
        }
    }

    /// The value of the variable `variable` (in lower case, `gh-merge-base`) of the branch `branch`; of several values, the last one counts.
    pub fn branch_value(&self, branch: &str, variable: &str) -> Option<&str> {
        self.last("branch", branch, variable)
            .filter(|v| !v.is_empty())
    }

    /// The value of a variable without subsection: `push.default`, `remote.pushdefault`.
    pub fn plain_value(&self, section: &str, variable: &str) -> Option<&str> {
        self.last(section, "", variable).filter(|v| !v.is_empty())
    }

    /// Rewrites a URL by `url.BASE.insteadOf`: the longest prefix wins, once.
    pub fn rewrite(&self, url: &str) -> String {
        self.rewritten(url, "insteadof")
            .unwrap_or_else(|| url.to_owned())
    }

    /// `url` rewritten by `variable`; of several bases with one prefix, git takes the one that its configuration names first.
    fn rewritten(&self, url: &str, variable: &str) -> Option<String> {
        let rules: Vec<&Entry> = self
            .section("url")
            .filter(|e| e.variable == variable)
            .collect();
        let mut bases: Vec<&str> = Vec::new();
        for rule in &rules {
            if !bases.contains(&rule.subsection.as_str()) {
                bases.push(&rule.subsection);
            }
        }
        let mut best: Option<(&str, &str)> = None;
        for base in bases {
            for rule in rules.iter().filter(|r| r.subsection == base) {
                let prefix = rule.value.as_str();
                let longer = best.is_none_or(|(_, found)| prefix.len() > found.len());
                if longer && !prefix.is_empty() && url.starts_with(prefix) {
                    best = Some((base, prefix));
                }
            }
        }
        best.map(|(base, prefix)| format!("{base}{}", &url[prefix.len()..]))
    }

    fn section(&self, section: &str) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |e| e.section == section)
    }

    fn values(&self, section: &str, subsection: &str, variable: &str) -> Vec<&str> {
        self.section(section)
            .filter(|e| e.subsection == subsection && e.variable == variable)
            .map(|e| e.value.as_str())
            .collect()
    }

    /// All values of a list variable; an empty one clears what came before (git 2.46 and newer).
    fn list(&self, section: &str, subsection: &str, variable: &str) -> Vec<&str> {
        let values = self.values(section, subsection, variable);
        let kept = values
            .iter()
            .rposition(|v| v.is_empty())
            .map_or(0, |at| at + 1);
        values[kept..].to_vec()
    }

    fn last(&self, section: &str, subsection: &str, variable: &str) -> Option<&str> {
        self.values(section, subsection, variable).pop()
    }
}

impl Entry {
    /// Reads one entry, `section[.subsection].variable\nvalue`; `None` where no value follows, since such an entry names no remote or branch.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let newline = bytes.iter().position(|&b| b == b'\n')?;
        let key = String::from_utf8_lossy(&bytes[..newline]);
        let value = String::from_utf8_lossy(&bytes[newline + 1..]).into_owned();
        let (section, rest) = key.split_once('.')?;
        let (subsection, variable) = rest.rsplit_once('.').unwrap_or(("", rest));
        Some(Self {
            section: section.to_owned(),
            subsection: subsection.to_owned(),
            variable: variable.to_owned(),
            value,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(entries: &[(&str, &str)]) -> GitConfig {
        let mut bytes = Vec::new();
        for (key, value) in entries {
            bytes.extend_from_slice(format!("{key}\n{value}\0").as_bytes());
        }
        GitConfig::parse(&bytes)
    }

    #[test]
    fn a_subsection_keeps_its_dots_and_its_case() {
        let config = config(&[
            ("remote.My.Fork.url", "git@github.com:o/r"),
            ("branch.Fix/v1.2.remote", "My.Fork"),
        ]);
        assert_eq!(config.remotes()[0].name, "My.Fork");
        assert_eq!(config.branch_value("Fix/v1.2", "remote"), Some("My.Fork"));
        assert_eq!(config.branch_value("fix/v1.2", "remote"), None);
    }

    #[test]
    fn a_value_may_hold_newlines_and_equal_signs_and_a_key_may_lack_its_value() {
        let mut config = config(&[("remote.a.url", "x=1\ny")]);
        assert_eq!(config.remotes()[0].url.as_deref(), Some("x=1\ny"));
        config = GitConfig::parse(b"remote.a.url\0remote.a.url\nhttps://h/o/r\0");
        assert_eq!(config.remotes()[0].url.as_deref(), Some("https://h/o/r"));
    }

    #[test]
    fn an_entry_that_was_cut_is_left_out_and_reported() {
        let config = GitConfig::parse(
            b"remote.a.url\nhttps://h/o/r\0remote.origin.url\nhttps://github.com/o/re",
        );
        assert!(config.cut());
        assert_eq!(config.remotes().len(), 1);
        assert!(!GitConfig::parse(b"").cut());
        assert!(GitConfig::parse(b"x").cut());
    }

    #[test]
    fn the_first_url_is_fetched_and_an_empty_url_clears_those_before_it() {
        let config = config(&[
            ("remote.a.url", "u1"),
            ("remote.a.url", "u2"),
            ("remote.b.url", "u1"),
            ("remote.b.url", ""),
            ("remote.b.url", "u3"),
        ]);
        let urls: Vec<_> = config.remotes().into_iter().map(|r| r.url).collect();
        assert_eq!(urls, [Some("u1".to_owned()), Some("u3".to_owned())]);
    }

    #[test]
    fn the_longest_prefix_rewrites_once() {
        let config = config(&[
            ("url.https://github.com/.insteadof", "gh:"),
            ("url.https://ghe.example.com/.insteadof", "gh:work/"),
            ("url.gh:.insteadof", "https://github.com/x/"),
        ]);
        assert_eq!(config.rewrite("gh:o/r"), "https://github.com/o/r");
        assert_eq!(config.rewrite("gh:work/o/r"), "https://ghe.example.com/o/r");
        assert_eq!(config.rewrite("https://github.com/x/o/r"), "gh:o/r");
        assert_eq!(config.rewrite("other:o/r"), "other:o/r");
    }

    #[test]
    fn push_instead_of_leaves_an_explicit_push_url_as_it_is() {
        let config = config(&[
            ("remote.a.url", "https://github.com/o/r"),
            ("remote.b.url", "https://github.com/o/r"),
            ("remote.b.pushurl", "https://github.com/o/push"),
            ("url.git@github.com:.pushinsteadof", "https://github.com/"),
        ]);
        let push: Vec<_> = config
            .remotes()
            .into_iter()
            .filter_map(|r| r.push_url)
            .collect();
        assert_eq!(push, ["git@github.com:o/r", "https://github.com/o/push"]);
    }
}
