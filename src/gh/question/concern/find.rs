//! Finds what a call is about, by its command and arguments.

use super::act::Act;
use super::subject::{Concern, Subject, Wants, Which};
use crate::gate::Target;
use crate::gh::judge::{api, graphql};
use crate::gh::parse::Parsed;

/// Of a mutation, the first 10 ids are read. A call that names more than 10 issues is read for its repository alone.
const MOST: usize = 10;

/// What is read about the subject of a command: for a command that is not listed, [`Wants::State`].
const WANTS: &[(&str, Wants)] = &[
    ("pr merge", Wants::Merge),
    ("pr close", Wants::Merge),
    ("pr reopen", Wants::Merge),
    ("pr ready", Wants::Merge),
    ("pr update-branch", Wants::Merge),
    ("pr review", Wants::Merge),
    ("pr revert", Wants::Merge),
    ("pr comment", Wants::LastComment),
    ("issue comment", Wants::LastComment),
    ("issue close", Wants::LastComment),
    ("issue reopen", Wants::LastComment),
    ("issue develop", Wants::LastComment),
    ("issue transfer", Wants::LastComment),
    ("issue lock", Wants::LastComment),
    ("pr lock", Wants::LastComment),
    ("discussion comment", Wants::LastComment),
    ("pr edit", Wants::Texts),
    ("issue edit", Wants::Texts),
    ("discussion edit", Wants::Texts),
    ("release edit", Wants::Texts),
    ("repo edit", Wants::Texts),
];

/// Commands about a repository as a whole.
const WHOLE: &[&str] = &[
    "repo archive",
    "repo unarchive",
    "repo edit",
    "repo rename",
    "repo fork",
    "repo sync",
    "repo delete",
];

impl Concern {
    /// What `call`, which goes to `target`, is about.
    pub fn of(call: &Parsed, target: &Target) -> Self {
        let path = call.leaf.path.as_str();
        let wants = WANTS.iter().find(|(command, _)| *command == path);
        let on = |flag: &str| path != "api" && call.is_on(flag);
        let mut concern = Self {
            subject: Subject::Place,
            wants: match wants {
                _ if on("edit-last") || on("delete-last") => Wants::OwnLastComment,
                wants => wants.map_or(Wants::State, |(_, wants)| *wants),
            },
            other: other(call, target),
            act: Act::of(call),
            branch_too: on("delete-branch"),
            or_new: on("create-if-none"),
        };
        if path == "api" {
            of_endpoint(call, target, &mut concern);
            return concern;
        }
        concern.subject = of_account(path, call, target)
            .or_else(|| target.repo.as_ref().map(|_| of_repository(path, call)))
            .unwrap_or(Subject::Place);
        concern
    }
}

/// The first positional of `call`.
fn first(call: &Parsed) -> Option<&str> {
    call.positionals.first().map(|p| p.text.as_str())
}

/// The subject of a command that is not about something in a repository.
fn of_account(path: &str, call: &Parsed, target: &Target) -> Option<Subject> {
    let group = path.split(' ').next().unwrap_or_default();
    match group {
        "project" => {
            let number = first(call)?.parse().ok()?;
            let owner = call
                .value("owner")
                .or(call.value("source-owner"))
                .filter(|owner| *owner != "@me" && api::is_name(owner));
            Some(Subject::Project {
                owner: owner.map(str::to_owned),
                number,
            })
        }
        "gist" => {
            let id = first(call)?.rsplit('/').next()?;
            let plain = !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric());
            plain.then(|| Subject::Gist(id.to_owned()))
        }
        "codespace" => {
            let name = call.value("codespace").filter(|name| api::is_name(name))?;
            Some(Subject::Codespace(name.to_owned()))
        }
        "secret" | "variable" => setting(group, call, target),
        _ => None,
    }
}

/// The secret or variable that `call` is about, by its endpoint in the REST API.
fn setting(group: &str, call: &Parsed, target: &Target) -> Option<Subject> {
    let name = first(call).filter(|name| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    })?;
    let kind = format!("{group}s");
    let given = |flag: &str| call.value(flag).filter(|value| !value.is_empty());
    let app = given("app").unwrap_or("actions");
    if !["actions", "codespaces", "dependabot"].contains(&app) {
        return None;
    }
    let endpoint = match (given("org"), call.is_on("user"), given("env")) {
        (Some(org), _, _) => format!("orgs/{org}/{app}/{kind}/{name}"),
        (_, true, _) => format!("user/codespaces/{kind}/{name}"),
        (_, _, env) => {
            let (owner, repo) = (target.owner.as_ref()?, target.repo.as_ref()?);
            match env {
                Some(env) => format!("repos/{owner}/{repo}/environments/{env}/{kind}/{name}"),
                None => format!("repos/{owner}/{repo}/{app}/{kind}/{name}"),
            }
        }
    };
    let what = if group == "secret" {
        "secret"
    } else {
        "variable"
    };
    is_plain(&endpoint).then_some(Subject::Setting { what, endpoint })
}

/// The subject of a command about something in the repository of its target.
fn of_repository(path: &str, call: &Parsed) -> Subject {
    let text = first(call);
    let flag = |name: &str| call.value(name).map(str::to_owned);
    if WHOLE.contains(&path) {
        return Subject::Whole;
    }
    let found = match path.split(' ').next().unwrap_or_default() {
        "pr" if path == "pr create" => Some(Subject::NewPullRequest {
            base: flag("base").filter(|base| is_ref(base)),
            head: flag("head").filter(|head| is_ref(head)),
        }),
        "pr" => text.and_then(which).map(Subject::PullRequest),
        "issue" => items(call),
        "discussion" => text.and_then(number).map(Subject::Discussion),
        "label" if path != "label clone" => text.map(|name| Subject::Label(name.to_owned())),
        "release" => text.map(|tag| Subject::Release {
            tag: tag.to_owned(),
            target: flag("target").filter(|target| is_ref(target)),
            makes: path == "release create",
        }),
        "workflow" => text.map(|name| Subject::Workflow {
            name: name.to_owned(),
            at: flag("ref").filter(|at| is_ref(at)),
            starts: path == "workflow run",
        }),
        "run" => call
            .value("job")
            .filter(|_| path == "run rerun")
            .and_then(|id| id.parse().ok())
            .map(Subject::Job)
            .or_else(|| text?.parse().ok().map(Subject::Run)),
        "repo" if path == "repo create" => Some(Subject::NewRepository),
        _ => None,
    };
    found.unwrap_or(Subject::Place)
}

/// The issue, or the issues, that the positionals name.
fn items(call: &Parsed) -> Option<Subject> {
    // Only `issue edit` takes several issues: the second positional of a transfer is a repository, that of an artifact its name.
    let all = call.leaf.path == "issue edit";
    let texts = call.positionals.iter().map(|p| p.text.as_str());
    let texts: Vec<&str> = if all {
        texts.collect()
    } else {
        texts.take(1).collect()
    };
    let numbers: Option<Vec<u64>> = texts.into_iter().map(number).collect();
    match numbers?.as_slice() {
        [] => None,
        [one] => Some(Subject::Item(*one)),
        several if several.len() <= MOST => Some(Subject::Items(several.to_vec())),
        _ => None,
    }
}

/// The second repository that the call names.
fn other(call: &Parsed, target: &Target) -> Option<(String, String)> {
    let text = match call.leaf.path.as_str() {
        "issue transfer" => call.positionals.get(1)?.text.as_str(),
        "label clone" => first(call)?,
        "repo sync" => call.value("source")?,
        "issue develop" => call.value("branch-repo")?,
        _ => return None,
    };
    let mut parts = text.trim_end_matches('/').rsplit('/');
    let repo = parts.next().filter(|name| api::is_name(name))?;
    let owner = match parts.next() {
        Some(owner) => owner,
        None => target.owner.as_deref()?,
    };
    api::is_name(owner).then(|| (owner.to_owned(), repo.to_owned()))
}

/// The number of an issue or a pull request, or of a URL of one.
fn number(text: &str) -> Option<u64> {
    match which(text) {
        Some(Which::Number(number)) => Some(number),
        _ => None,
    }
}

/// The pull request or issue that the argument `text` names; `None` if it names none.
fn which(text: &str) -> Option<Which> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    if let Ok(number) = digits.parse() {
        return Some(Which::Number(number));
    }
    if let Some((_, address)) = text.split_once("://") {
        // Skip the host, the owner and the repository: any of them may be called `pull`.
        let mut parts = address.split(['/', '?', '#']).skip(3);
        let kind = parts.next()?;
        let number = parts.next()?.parse().ok()?;
        return matches!(kind, "pull" | "issues" | "discussions").then_some(Which::Number(number));
    }
    if text.is_empty() || text.starts_with('-') {
        return None;
    }
    let (owner, branch) = match text.split_once(':') {
        Some((owner, branch)) => (Some(owner.to_owned()), branch),
        None => (None, text),
    };
    Some(Which::Branch {
        owner,
        branch: branch.to_owned(),
    })
}

/// Whether `text` can name a branch, a tag or a commit.
fn is_ref(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('-') && !text.chars().any(char::is_whitespace)
}

/// Whether `endpoint` can be read as it is written: it does not begin with `-`, and has no query and no segment `.` or `..`.
fn is_plain(endpoint: &str) -> bool {
    !endpoint.is_empty()
        && !endpoint.starts_with('-')
        && endpoint
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"/-_.~+@,".contains(&b))
        && !endpoint.split('/').any(|part| part == ".." || part == ".")
}

/// Puts the subject of a call of `gh api` into `concern`.
fn of_endpoint(call: &Parsed, target: &Target, concern: &mut Concern) {
    let Some(endpoint) = first(call) else {
        return;
    };
    if endpoint == "graphql" {
        concern.subject = of_mutation(call);
        return;
    }
    let mut endpoint = endpoint
        .strip_prefix("https://api.github.com/")
        .unwrap_or(endpoint)
        .to_owned();
    if let (Some(owner), Some(repo)) = (&target.owner, &target.repo) {
        for (place, name) in [
            ("{owner}", owner),
            (":owner", owner),
            ("{repo}", repo),
            (":repo", repo),
        ] {
            endpoint = endpoint.replace(place, name);
        }
    }
    let endpoint = endpoint.split('?').next().unwrap_or_default();
    let endpoint = endpoint.trim_matches('/');
    if !is_plain(endpoint) {
        return;
    }
    let segments: Vec<&str> = endpoint.split('/').collect();
    let method = api::method(call);
    let read = |path: String| (Subject::Endpoint(path), Wants::Texts);
    let found = match segments.as_slice() {
        ["repos", _, _, rest @ ..] => match below_repository(&method, rest) {
            Some(found) => Some(found),
            // The endpoint of a POST is the list that the call adds to, which says nothing about what is added.
            None if method == "POST" => None,
            None => Some(read(match rest {
                ["git", "refs", name @ ..] => {
                    let root = segments[..3].join("/");
                    format!("{root}/git/ref/{}", name.join("/"))
                }
                ["collaborators", _] => format!("{endpoint}/permission"),
                _ => endpoint.to_owned(),
            })),
        },
        ["gists", id, ..] if api::is_name(id) && *id != "starred" => {
            Some((Subject::Gist((*id).to_owned()), Wants::State))
        }
        ["user", "starred", owner, repo] => Some(read(format!("repos/{owner}/{repo}"))),
        _ if method == "POST" => None,
        _ => Some(read(endpoint.to_owned())),
    };
    if let Some((subject, wants)) = found {
        (concern.subject, concern.wants) = (subject, wants);
    }
}

/// The subject of an endpoint, and what is read about it, by the segments behind `repos/OWNER/REPO`.
fn below_repository(method: &str, rest: &[&str]) -> Option<(Subject, Wants)> {
    let number = |text: &str| text.parse::<u64>().ok();
    let pull = |n: &str, wants| Some((Subject::PullRequest(Which::Number(number(n)?)), wants));
    let item = |n: &str, wants| Some((Subject::Item(number(n)?), wants));
    let workflow = |name: &str, starts| {
        let name = name.to_owned();
        let at = None;
        Some((Subject::Workflow { name, at, starts }, Wants::State))
    };
    match rest {
        [] => Some((Subject::Whole, Wants::Texts)),
        ["pulls", n] => pull(n, Wants::Texts),
        ["issues", n] => item(n, Wants::Texts),
        ["pulls", n, "comments", ..] | ["pulls", n, "requested_reviewers"] => {
            pull(n, Wants::LastComment)
        }
        ["pulls", n, _, ..] => pull(n, Wants::Merge),
        ["issues", n, _, ..] => item(n, Wants::LastComment),
        ["actions", "runs", id, _, ..] => Some((Subject::Run(number(id)?), Wants::State)),
        ["actions", "jobs", id, _, ..] => Some((Subject::Job(number(id)?), Wants::State)),
        ["actions", "workflows", name, "dispatches"] => workflow(name, true),
        ["actions", "workflows", name, _, ..] => workflow(name, false),
        ["labels", name] if method == "PATCH" => {
            Some((Subject::Label((*name).to_owned()), Wants::State))
        }
        _ => None,
    }
}

/// The things that the ids of a mutation stand for.
fn of_mutation(call: &Parsed) -> Subject {
    let found = api::document(call).and_then(graphql::mutation);
    let Some(found) = found else {
        return Subject::Place;
    };
    let mut ids = found.ids;
    for (key, value) in api::fields(call) {
        // `-f input[subjectId]=…` fills a member of a variable.
        let last = key.rsplit('[').next().unwrap_or(key);
        let member = last.trim_end_matches(']');
        let nested = key.contains('[') && graphql::names_an_id(member);
        if found.variables.iter().any(|name| name == key) || nested {
            ids.push(value.to_owned());
        }
    }
    ids.retain(|id| !id.is_empty() && id.len() <= 256 && id.bytes().all(|b| b.is_ascii_graphic()));
    ids.dedup();
    ids.truncate(MOST);
    if ids.is_empty() {
        Subject::Place
    } else {
        Subject::Nodes(ids)
    }
}
