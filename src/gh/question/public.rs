//! Which calls make something public, so that the question says so.
//!
//! In GitHub's words, everyone can see a public repository, release, page or gist; everyone of an enterprise can see an
//! internal repository.

use crate::gate::call::question::Tone;
use crate::gh::judge::api::{method, segments};
use crate::gh::parse::Parsed;

const REPOSITORY: &str = "Everyone may then see the repository, with its whole history.";
const VISIBILITY: &str =
    "It changes who can see the repository; whoever copied it while it was public keeps the copy.";
const RELEASE: &str =
    "Everyone who can see the repository sees the release, and watchers are notified.";
const GIST: &str = "Everyone who has its address can see a gist, and a public one is listed.";
const FORK: &str = "A fork of a public repository is public.";
const PROJECT: &str = "Everyone may then see the project.";
const PORT: &str = "Others may then reach the port.";
const MEMBER: &str = "Everyone may then see who is a member.";
const ADVISORY: &str = "It publishes a security advisory.";
const PAGES: &str = "It publishes a web site.";
const EVERY_REPOSITORY: &str = "Every repository of the organization may then read the value.";

/// The sentence on what `call` makes public, and how it bears on the decision; `None` if it makes nothing public.
pub(in crate::gh) fn public(call: &Parsed) -> Option<(&'static str, Tone)> {
    let sentence = sentence(call)?;
    // A release does not change who can see the repository, and only they see the release.
    let tone = match sentence {
        RELEASE => Tone::Plain,
        _ => Tone::Warning,
    };
    Some((sentence, tone))
}

/// The sentence on what `call` makes public.
fn sentence(call: &Parsed) -> Option<&'static str> {
    let visibility = call.value("visibility").map(str::to_ascii_lowercase);
    match call.leaf.path.as_str() {
        "repo create" => (!call.is_on("private")).then_some(REPOSITORY),
        "repo edit" => {
            let shown = visibility? != "private";
            Some(if shown { REPOSITORY } else { VISIBILITY })
        }
        "project edit" => (visibility? != "private").then_some(PROJECT),
        "codespace ports visibility" => {
            let ports = || {
                call.positionals
                    .iter()
                    .map(|port| port.text.to_ascii_lowercase())
            };
            ports()
                .any(|port| !port.ends_with(":private"))
                .then_some(PORT)
        }
        "repo fork" => Some(FORK),
        "release create" => (!call.is_on("draft")).then_some(RELEASE),
        "release edit" => Some(RELEASE),
        "gist create" | "gist edit" | "gist rename" => Some(GIST),
        "secret set" | "variable set" => (visibility? == "all").then_some(EVERY_REPOSITORY),
        "api" => of_api(call),
        _ => None,
    }
}

/// [`sentence`] for `gh api`, by its endpoint and fields.
fn of_api(call: &Parsed) -> Option<&'static str> {
    if matches!(method(call).as_str(), "GET" | "HEAD" | "") {
        return None;
    }
    let endpoint = call.positionals.first()?.text.as_str();
    let fields = || {
        let fields = call.all("field").chain(call.all("raw-field"));
        fields.filter_map(|given| given.value.as_deref()?.split_once('='))
    };
    let field = |name: &str| {
        fields()
            .filter(|(key, _)| *key == name)
            .last()
            .map(|(_, value)| value.to_ascii_lowercase())
    };
    let is = |name: &str, value: &str| field(name).as_deref() == Some(value);
    let shown = field("visibility").is_some_and(|seen| seen != "private")
        || field("private").is_some_and(|private| private != "true")
        || is("public", "true");
    match segments(endpoint).as_slice() {
        ["graphql"] => {
            let says = |text: &str| {
                let text: String = text.split_whitespace().collect();
                text.contains("visibility:PUBLIC") || text.contains("public:true")
            };
            fields().any(|(_, text)| says(text)).then_some(REPOSITORY)
        }
        [.., "pages"] | [.., "pages", _] => Some(PAGES),
        [.., "releases"] | [.., "releases", _] => Some(RELEASE),
        [.., "security-advisories", _] => is("state", "published").then_some(ADVISORY),
        [.., "public_members", _] => Some(MEMBER),
        ["gists", ..] => Some(GIST),
        [.., "forks"] => Some(FORK),
        // GitHub makes a repository public unless a field says otherwise.
        ["user", "repos"] | ["orgs", _, "repos"] | [.., "generate" | "publish"] => {
            (!is("private", "true")).then_some(REPOSITORY)
        }
        _ => shown.then_some(REPOSITORY),
    }
}
