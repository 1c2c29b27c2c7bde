//! Reads the files by which glibc resolves names without a network: /etc/hosts (hosts(5)) and /etc/nsswitch.conf (nsswitch.conf(5)).

use super::bounds;
use crate::address::literal::Literal;

/// The most addresses of one name that are kept.
const MOST: usize = 16;

/// The addresses that `text`, a file of hosts, gives for `name`, in order.
pub fn hosts(text: &str, name: &str) -> Vec<String> {
    if bounds::length(text).is_err() {
        return Vec::new();
    }
    let name = name.trim_end_matches('.');
    let rows = text.lines().filter_map(|line| {
        let mut words = line.split('#').next()?.split_ascii_whitespace();
        let address = Literal::read(words.next()?)?;
        let known = words.any(|word| word.eq_ignore_ascii_case(name));
        known.then(|| address.to_string())
    });
    rows.take(MOST).collect()
}

/// The sources of host names that `text`, the file nsswitch.conf, lists; `None` where it lists none, and glibc's default counts.
pub fn sources(text: &str) -> Option<String> {
    bounds::length(text).ok()?;
    let mut rows = text.lines().filter_map(|line| {
        let line = line.split('#').next()?.trim();
        let sources = line.strip_prefix("hosts:")?.trim();
        let plain = sources
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b" \t_-[]=!".contains(&b));
        (plain && sources.len() < 200).then(|| sources.to_owned())
    });
    rows.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_hosts_gives_each_address_of_a_name() {
        let text = "127.0.0.1 localhost\n10.1.0.9\tApp.corp.test app # old\nfd00::9 app\nnonsense app\n#10.1.0.8 app\n";
        assert_eq!(hosts(text, "app"), ["10.1.0.9", "fd00::9"]);
        assert_eq!(hosts(text, "app.corp.test."), ["10.1.0.9"]);
        assert!(hosts(text, "old").is_empty());
    }

    #[test]
    fn the_sources_of_names_are_those_of_the_line_of_hosts() {
        let text = "passwd: files\n# hosts: nis\nhosts:  files mdns4_minimal [NOTFOUND=return] dns # all\n";
        let sources = sources(text);
        assert_eq!(
            sources.as_deref(),
            Some("files mdns4_minimal [NOTFOUND=return] dns")
        );
        assert_eq!(super::sources("hosts: \u{1b}[2J\n"), None);
        assert_eq!(super::sources(""), None);
    }
}
