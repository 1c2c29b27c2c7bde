//! The next page of a REST list, as the header `Link` of an answer names it (REST documentation, "Using pagination").
//!
//! Of the address in that header only the parameters that choose a page are taken: host and path of the next request are always
//! those of the first one.

/// Parameters that choose a page; all others of the next request are those of the first one.
const PAGING: &[&str] = &["page", "after", "before", "cursor", "since"];

/// The most bytes of one parameter's value: cursors of GitHub have some hundred.
const LONG: usize = 500;

/// What an answer says about further pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// There is none.
    None,
    /// It has these parameters.
    Page(Vec<(String, String)>),
    /// The header names an address of another host, or one that is written oddly.
    Elsewhere,
}

/// The status line and headers of an answer that gh printed with `--include`, and its body; `None` where they are not there.
pub(super) fn split(printed: &str) -> Option<(&str, &str)> {
    printed.strip_prefix("HTTP/")?;
    let ends = [printed.find("\r\n\r\n"), printed.find("\n\n")];
    let at = ends.into_iter().flatten().min()?;
    let (head, body) = printed.split_at(at);
    Some((head, body.trim_start_matches(['\r', '\n'])))
}

/// The next page that the headers `head` name, on `host`.
pub(super) fn next(head: &str, host: &str) -> Next {
    let Some(address) = of_relation(head, "next") else {
        return Next::None;
    };
    let query = query_on(address, host).map(paging);
    match query {
        Some(Some(parameters)) if !parameters.is_empty() => Next::Page(parameters),
        _ => Next::Elsewhere,
    }
}

/// The number of the last page that the headers `head` name, on `host`.
pub(super) fn last(head: &str, host: &str) -> Option<u64> {
    let parameters = paging(query_on(of_relation(head, "last")?, host)?)?;
    let page = parameters.iter().find(|(name, _)| name == "page")?;
    page.1.parse().ok()
}

/// `endpoint` with each of `parameters` in place of its own one of the name.
pub(super) fn with(endpoint: &str, parameters: &[(String, String)]) -> String {
    let (path, query) = endpoint.split_once('?').unwrap_or((endpoint, ""));
    let own = query.split('&').filter(|pair| {
        let name = pair.split('=').next().unwrap_or_default();
        !pair.is_empty() && !parameters.iter().any(|(given, _)| given == name)
    });
    let own = own.map(str::to_owned);
    let given = parameters
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    let all: Vec<String> = own.chain(given).collect();
    format!("{path}?{}", all.join("&"))
}

/// The address that the header `Link` in `head` gives for `relation`.
fn of_relation<'a>(head: &'a str, relation: &str) -> Option<&'a str> {
    let value = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("link").then_some(value)
    })?;
    value.split(',').find_map(|link| {
        let (address, rest) = link.trim().strip_prefix('<')?.split_once('>')?;
        rest.contains(&format!("rel=\"{relation}\""))
            .then_some(address)
    })
}

/// The query of `address`, where that is one of the API of `host`.
fn query_on<'a>(address: &'a str, host: &str) -> Option<&'a str> {
    let rest = address.strip_prefix("https://")?;
    let (place, path) = rest.split_once('/')?;
    let own =
        place.eq_ignore_ascii_case(host) || place.eq_ignore_ascii_case(&format!("api.{host}"));
    own.then(|| path.split_once('?'))
        .flatten()
        .map(|(_, query)| query)
}

/// The parameters of `query` that choose a page; `None` where one of them is written oddly.
fn paging(query: &str) -> Option<Vec<(String, String)>> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs
        .filter(|(name, _)| PAGING.contains(name))
        .map(|(name, value)| {
            let plain = |c: char| c.is_ascii_alphanumeric() || "%._~=:+-".contains(c);
            let fine = !value.is_empty() && value.len() <= LONG && value.chars().all(plain);
            fine.then(|| (name.to_owned(), value.to_owned()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(link: &str) -> String {
        format!("HTTP/2.0 200 OK\r\nX-A: b\r\nlink: {link}\r\nEtag: x")
    }

    #[test]
    fn the_next_and_the_last_page_are_those_of_the_header() {
        let head = head(
            "<https://api.github.com/repositories/7/labels?q=x&per_page=100&page=2>; rel=\"next\", <https://api.github.com/repositories/7/labels?page=12>; rel=\"last\"",
        );
        let page = vec![("page".to_owned(), "2".to_owned())];
        assert_eq!(next(&head, "github.com"), Next::Page(page.clone()));
        assert_eq!(last(&head, "github.com"), Some(12));
        assert_eq!(
            with("repos/o/r/labels?page=1&state=open&per_page=50", &page),
            "repos/o/r/labels?state=open&per_page=50&page=2"
        );
        assert_eq!(with("repos/o/r/labels", &page), "repos/o/r/labels?page=2");
        assert_eq!(next("HTTP/2.0 200 OK", "github.com"), Next::None);
    }

    #[test]
    fn an_address_elsewhere_or_written_oddly_is_not_followed() {
        for address in [
            "https://evil.example/repos/o/r?page=2",
            "https://api.github.com.evil.example/x?page=2",
            "https://api.github.com@evil.example/x?page=2",
            "https://ghe.example.com/api/v3/x?page=2",
            "http://api.github.com/x?page=2",
            "//api.github.com/x?page=2",
            "/repos/o/r?page=2",
            "https://api.github.com/repos/o/r",
            "https://api.github.com/x?access_token=1",
            "https://api.github.com/x?page=2#/../y",
            "https://api.github.com/x?page=2/../../user",
            "https://api.github.com/x?page=",
        ] {
            let head = head(&format!("<{address}>; rel=\"next\""));
            assert_eq!(next(&head, "github.com"), Next::Elsewhere, "{address}");
        }
        // Another path on the same host gives its page alone.
        let head = head("<https://api.github.com/user/emails?page=3&visibility=all>; rel=\"next\"");
        let page = vec![("page".to_owned(), "3".to_owned())];
        assert_eq!(next(&head, "github.com"), Next::Page(page));
    }

    #[test]
    fn the_headers_end_at_the_first_empty_line() {
        let printed = "HTTP/2.0 200 OK\r\nA: b\r\n\r\n[1,\n\n2]";
        assert_eq!(
            split(printed),
            Some(("HTTP/2.0 200 OK\r\nA: b", "[1,\n\n2]"))
        );
        assert_eq!(
            split("HTTP/1.1 200 OK\nA: b\n\n[]"),
            Some(("HTTP/1.1 200 OK\nA: b", "[]"))
        );
        assert_eq!(split("[1]"), None);
    }
}
