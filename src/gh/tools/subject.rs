//! What a tool's call is about: the first argument of its argv, in any of the forms in which people name a thing, and the place that the
//! call was pinned to.

use crate::gate::{Cleaner, ErrorKind, Refusal, Target};
use crate::gh::call::plan::draft;
use crate::gh::call::request::{Request, Settings, hosts, logins, normalize};
use crate::gh::catalog::Catalog;
use crate::gh::parse::{Named, Parsed, parse};
use crate::gh::place::pin::{AsArguments, pin};
use crate::gh::place::reference::{Reference, Thing};

/// What the first argument of a tool's argv names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Nothing that is read here: the argv runs as it is.
    AsGiven,
    /// A pull request; without the argument, that of the checkout's branch.
    PullRequest,
    /// An issue, or a pull request by the number that it has as an issue.
    Issue,
    /// A workflow run.
    Run,
    /// No thing, but the repository that the tool's arguments or the checkout name; without one, the host.
    Repository,
    /// No thing, but the host.
    Host,
    /// Whatever has checks: a run, a pull request, a branch or a commit; without the argument, the checkout's branch.
    Checked,
}

impl Names {
    /// Whether the call is about a place alone; its argv is not read then.
    pub fn is_place(self) -> bool {
        matches!(self, Self::Repository | Self::Host)
    }
}

/// A thing in a repository of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The thing.
    pub thing: Thing,
    /// Host, owner and repository; the host alone only where the thing is [`Thing::Place`].
    pub target: Target,
}

impl Subject {
    /// The word by which gh finds the thing: a number, an id, a branch.
    pub fn word(&self) -> String {
        match &self.thing {
            Thing::Number(number) | Thing::Item(number) => number.to_string(),
            Thing::Run { id, .. } => id.to_string(),
            Thing::Branch(name) | Thing::Commit(name) => name.clone(),
            Thing::Place => self.target.to_string(),
        }
    }

    /// The number of a pull request or an issue, or the id of a run; 0 for a branch or a commit.
    pub fn number(&self) -> u64 {
        match self.thing {
            Thing::Number(number) | Thing::Item(number) | Thing::Run { id: number, .. } => number,
            Thing::Branch(_) | Thing::Commit(_) | Thing::Place => 0,
        }
    }

    /// The refusal of a branch from which there is no pull request.
    pub fn no_pull_request(&self, clean: &Cleaner) -> Refusal {
        let branch = clean.line(&self.word());
        Refusal::new(
            ErrorKind::NotFound,
            format!(
                "There is no pull request from the branch {branch}.\nGive its number, or OWNER:BRANCH for a branch of a fork; gh_pr_list shows the open ones."
            ),
        )
    }

    /// The owner and the name of a head branch, in small letters the owner: `mona:fix/menu`, or `fix/menu` of the target's own owner.
    pub fn head<'a>(&'a self, branch: &'a str) -> (String, &'a str) {
        let (owner, branch) = match branch.split_once(':') {
            Some((owner, branch)) => (owner, branch),
            None => (self.target.owner.as_deref().unwrap_or_default(), branch),
        };
        (owner.to_ascii_lowercase(), branch)
    }
}

/// The request of `request` with its thing spelled out as gh takes it, and the thing, where the argv names one.  `None`: the argv runs as it
/// is, since `names` says so, or since a person has changed the call into another.
///
/// # Errors
/// `bad-argument` where the first argument names nothing, or something of another kind.
pub fn spelled_out(
    request: &Request,
    names: Names,
) -> Result<Option<(Request, Option<Thing>)>, Refusal> {
    let argv = normalize(request.argv.reveal())?;
    let same = |argv: Vec<String>| Request {
        argv: argv.into(),
        ..request.clone()
    };
    let leaves: &[&str] = match names {
        Names::AsGiven | Names::Repository | Names::Host => &[],
        Names::PullRequest => &["pr view", "pr checks", "pr diff"],
        Names::Issue => &["issue view"],
        Names::Run | Names::Checked => &["run view", "run watch"],
    };
    let ours = |call: &Parsed| leaves.contains(&call.leaf.path.as_str());
    let Some(call) = call(&argv).filter(ours) else {
        return Ok(None);
    };
    let Some(first) = call.positionals.first() else {
        // Only the checkout can say what is meant.
        let argv = if names == Names::Checked {
            ["pr", "view"].map(str::to_owned).into()
        } else {
            argv
        };
        return Ok(Some((same(argv), None)));
    };
    let Reference { thing, repo } = Reference::read(&first.text)?;
    // A person who changes the call may name the repository by a flag.
    let flag = call.value("repo").map(str::to_owned);
    if flag.is_some() && repo.is_some() {
        return Ok(None);
    }
    let repo = repo.or(flag);
    let (thing, word) = match (names, thing) {
        (Names::PullRequest | Names::Issue, Thing::Number(n) | Thing::Item(n)) => {
            (Thing::Item(n), n.to_string())
        }
        (Names::PullRequest, Thing::Branch(branch)) => (Thing::Branch(branch.clone()), branch),
        (Names::Run, Thing::Number(id)) => (Thing::Run { id, job: None }, id.to_string()),
        (Names::Run, Thing::Run { id, job }) => (Thing::Run { id, job }, id.to_string()),
        (Names::Checked, Thing::Number(id)) => (Thing::Run { id, job: None }, String::new()),
        (Names::Checked, thing) => (thing, String::new()),
        (names, _) => return Err(wrong(names)),
    };
    let (mut argv, call) = if names == Names::Checked {
        // This command only finds the repository: it takes `--repo' and reads nothing else from the checkout.
        let argv: Vec<String> = ["run", "list"].map(str::to_owned).into();
        let call = self::call(&argv);
        (argv, call)
    } else {
        let mut argv = argv.clone();
        argv[first.index] = word;
        (argv, Some(call))
    };
    if let (Some(repo), Some(call)) = (repo, call) {
        argv = call.with_flag(&argv, "repo", &repo);
    }
    Ok(Some((same(argv), Some(thing))))
}

/// Where the call of `request`, as [`spelled_out`] made it, goes, and what it is about.
///
/// # Errors
/// Each error of planning a call.
pub fn subject(
    request: &Request,
    thing: Option<Thing>,
    settings: &Settings,
) -> Result<Option<Subject>, Refusal> {
    let pinned = draft(request, settings, &|plain, _| std::sync::Arc::new(plain))?;
    let Some(target) = pinned.target else {
        return Ok(None);
    };
    let thing = match thing {
        Some(thing) => Some(thing),
        // Pinning has supplied the pull request or the branch of the checkout: never an address, whatever the branch's name looks like.
        None => call(pinned.argv.reveal())
            .and_then(|call| Some(supplied(&call.positionals.first()?.text))),
    };
    Ok(thing.map(|thing| Subject { thing, target }))
}

/// The place that a call of `request` is about, whatever its argv; `names` says whether its repository counts.
///
/// # Errors
/// `bad-argument` and `policy-blocked`, as for any call, where the arguments name no place or a host that is not known.
pub fn place(request: &Request, names: Names, settings: &Settings) -> Result<Subject, Refusal> {
    let hosts = hosts(settings, &logins(&settings.environment)?);
    let wanted = AsArguments {
        hostname: request.hostname.as_deref(),
        repo: request.repo.as_deref(),
        facts: request.facts.as_ref(),
        remote_cwd: None,
    };
    let mut target = pin(None, &[], wanted, &hosts)?.target;
    if names == Names::Host {
        (target.owner, target.repo) = (None, None);
    }
    Ok(Subject {
        thing: Thing::Place,
        target,
    })
}

/// What pinning supplied: the number of a pull request, or a head branch.
fn supplied(word: &str) -> Thing {
    word.parse()
        .map_or_else(|_| Thing::Branch(word.to_owned()), Thing::Item)
}

fn call(argv: &[String]) -> Option<Parsed> {
    match parse(Catalog::get(), argv) {
        Named::Command(call) => Some(*call),
        Named::Unknown { .. } => None,
    }
}

fn wrong(names: Names) -> Refusal {
    Refusal::new(
        ErrorKind::BadArgument,
        match names {
            Names::Issue => {
                "The argument names no issue.\nGive its number, OWNER/REPO#NUMBER or its address."
            }
            Names::Run => {
                "The argument names no workflow run.\nGive its id, or its address (https://HOST/OWNER/REPO/actions/runs/ID)."
            }
            _ => {
                "The argument names no pull request.\nGive its number, OWNER/REPO#NUMBER, its address or its branch."
            }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(argv: &[&str], names: Names) -> Option<Thing> {
        let request = Request {
            argv: argv
                .iter()
                .map(|word| (*word).to_owned())
                .collect::<Vec<_>>()
                .into(),
            ..Request::default()
        };
        let answer = spelled_out(&request, names).expect("a request");
        answer.and_then(|(_, thing)| thing)
    }

    #[test]
    fn a_call_that_a_person_changed_into_another_command_runs_as_it_is() {
        assert_eq!(
            spelled(&["pr", "view", "5"], Names::PullRequest),
            Some(Thing::Item(5))
        );
        for argv in [
            &["issue", "view", "5"][..],
            &["pr", "merge", "5"],
            &["api", "user"],
        ] {
            assert_eq!(spelled(argv, Names::PullRequest), None, "{argv:?}");
        }
    }

    #[test]
    fn a_branch_of_the_checkout_is_a_branch_whatever_its_name_looks_like() {
        assert_eq!(supplied("171"), Thing::Item(171));
        for branch in [
            "fix/menu#12",
            "0123456789abcdef0123456789abcdef01234567",
            "me:fix",
        ] {
            assert_eq!(supplied(branch), Thing::Branch(branch.to_owned()));
        }
    }
}
