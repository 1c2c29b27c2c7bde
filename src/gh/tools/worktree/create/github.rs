//! What GitHub says about a new pull request before it is made: the target, its base, and the repository that the head is in.

use serde_json::Value;

use crate::gate::{Cleaner, ErrorKind, Refusal, Target};
use crate::gh::graphql::query::Query;
use crate::gh::judge::api::is_name;
use crate::gh::place::context::is_branch;
use crate::git::commits::is_sha;

/// What a new pull request is about, by the caller's words and the checkout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The branch in its repository.
    pub branch: String,
    /// The owner of that repository, where the caller or the checkout names one.
    pub owner: Option<String>,
    /// Whether the caller has named that owner.
    pub named: bool,
    /// The base branch, where the caller names one.
    pub base: Option<String>,
    /// Whether the branch is pushed first.
    pub push: bool,
}

/// Where a new pull request goes, and where its commits are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Where {
    /// The base branch and its commit.
    pub base: String,
    pub base_sha: String,
    /// Owner and name of the repository with the head branch.
    pub owner: String,
    pub repo: String,
    /// The head branch's commit on GitHub; `None` where it is not there.
    pub head_sha: Option<String>,
    /// Whether the head is in another repository than the target.
    pub other: bool,
    /// The parent of the head's repository, `OWNER/REPO`, where it is a fork.
    pub parent: Option<String>,
    /// The parent of the target, where that is a fork itself.
    pub target_parent: Option<String>,
}

/// The fields of a repository in which the head may be.
const REPOSITORY: &str = "nameWithOwner isFork viewerPermission parent{nameWithOwner} head:ref(qualifiedName:$head){target{oid}}";

/// The argv of the request for what a pull request in `target` needs.
pub fn request(target: &Target, wanted: &Wanted) -> Vec<String> {
    let mut query = Query::new(&target.host);
    let own = |name: &Option<String>| name.clone().unwrap_or_default();
    query.text("owner", "String!", own(&target.owner));
    query.text("repo", "String!", own(&target.repo));
    query.text("head", "String!", format!("refs/heads/{}", wanted.branch));
    query.text("branch", "String!", wanted.branch.clone());
    let mut base = String::new();
    if let Some(name) = &wanted.base {
        query.text("base", "String!", format!("refs/heads/{name}"));
        base.push_str(" base:ref(qualifiedName:$base){target{oid}}");
    }
    let mut root = format!(
        "viewer{{login repository(name:$repo){{{REPOSITORY}}}}} repository(owner:$owner,name:$repo){{{REPOSITORY} isArchived defaultBranchRef{{name target{{oid}}}}{base} \
         pullRequests(headRefName:$branch,states:OPEN,first:20){{nodes{{number url baseRefName headRepositoryOwner{{login}}}}}}}}"
    );
    if let Some(owner) = &wanted.owner {
        query.text("other", "String!", owner.clone());
        root.push_str(" other:repository(owner:$other,name:$repo){");
        root.push_str(REPOSITORY);
        root.push('}');
    }
    query.argv("NewPullRequest", &root, None)
}

/// Permissions with which an account may push.
const MAY_PUSH: &[&str] = &["ADMIN", "MAINTAIN", "WRITE"];

impl Where {
    /// Where the pull request `wanted` in `target` goes, by GitHub's `answer` to [`request`].
    ///
    /// # Errors
    /// Why it cannot be made.
    pub fn read(
        answer: &Value,
        target: &Target,
        wanted: &Wanted,
        clean: &Cleaner,
    ) -> Result<Self, Refusal> {
        let data = &answer["data"];
        let goal = &data["repository"];
        let name = |repository: &Value| repository["nameWithOwner"].as_str().map(str::to_owned);
        if goal["isArchived"] == true {
            return Err(Refusal::new(
                ErrorKind::NoAccess,
                format!("{target} is archived and takes no pull requests.\nTell the person."),
            ));
        }
        let (base, base_sha) = base(goal, target, wanted, clean)?;
        let head = head_repository(data, target, wanted, clean)?;
        let full = name(head).unwrap_or_default();
        let (owner, repo) = full
            .split_once('/')
            .filter(|(owner, repo)| is_name(owner) && is_name(repo))
            .ok_or_else(crate::gh::tools::view::unread)?;
        let goal_owner = target.owner.as_deref().unwrap_or_default();
        let goal_name = format!(
            "{goal_owner}/{}",
            target.repo.as_deref().unwrap_or_default()
        );
        let other = !full.eq_ignore_ascii_case(&goal_name);
        let branch = clean.line(&wanted.branch);
        if !other && wanted.branch == base {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "The branch {branch} is the base itself.\nCommit on a branch of its own and name that as `head'."
                ),
            ));
        }
        open_already(goal, owner, &base, &branch, clean)?;
        let head_sha = head["head"]["target"]["oid"].as_str();
        let head_sha = head_sha.filter(|sha| is_sha(sha)).map(str::to_owned);
        if head_sha.is_none() && !wanted.push {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "The branch {branch} is not on GitHub in {}.\nGive `push': true to push it first.",
                    clean.line(&full)
                ),
            ));
        }
        if wanted.push && !may_push(head) {
            return Err(Refusal::new(
                ErrorKind::NoAccess,
                format!(
                    "The account may not push to {}.\nMake a fork with gh: repo fork {goal_name}; then call this again.",
                    clean.line(&full)
                ),
            ));
        }
        Ok(Self {
            base,
            base_sha,
            owner: owner.to_owned(),
            repo: repo.to_owned(),
            head_sha,
            other,
            parent: name(&head["parent"]),
            target_parent: name(&goal["parent"]),
        })
    }
}

fn may_push(repository: &Value) -> bool {
    repository["viewerPermission"]
        .as_str()
        // A host that does not say decides at the push.
        .is_none_or(|permission| MAY_PUSH.contains(&permission))
}

fn base(
    goal: &Value,
    target: &Target,
    wanted: &Wanted,
    clean: &Cleaner,
) -> Result<(String, String), Refusal> {
    let (name, oid) = match &wanted.base {
        Some(base) => (Some(base.as_str()), &goal["base"]["target"]["oid"]),
        None => (
            goal["defaultBranchRef"]["name"].as_str(),
            &goal["defaultBranchRef"]["target"]["oid"],
        ),
    };
    match (name, oid.as_str()) {
        (Some(name), Some(oid)) if is_sha(oid) && is_branch(name) => {
            Ok((name.to_owned(), oid.to_owned()))
        }
        (Some(name), _) => Err(Refusal::new(
            ErrorKind::NotFound,
            format!(
                "There is no branch {} in {target}.\nName another `base'.",
                clean.line(name)
            ),
        )),
        (None, _) => Err(Refusal::new(
            ErrorKind::NotFound,
            format!("{target} has no commits yet.\nA pull request needs a base branch."),
        )),
    }
}

/// The repository that the head is in: the one of the owner that is named, else the target where the account may push to it, else the
/// account's fork.
fn head_repository<'a>(
    data: &'a Value,
    target: &Target,
    wanted: &Wanted,
    clean: &Cleaner,
) -> Result<&'a Value, Refusal> {
    let goal = &data["repository"];
    let fork = &data["viewer"]["repository"];
    let goal_owner = target.owner.as_deref().unwrap_or_default();
    let is_fork = fork.is_object()
        && fork["parent"]["nameWithOwner"]
            .as_str()
            .is_some_and(|parent| {
                goal["nameWithOwner"]
                    .as_str()
                    .is_some_and(|goal| goal.eq_ignore_ascii_case(parent))
            });
    if let Some(owner) = &wanted.owner {
        if owner.eq_ignore_ascii_case(goal_owner) {
            // A clone of a repository that the account may only read goes to the account's fork.
            let to_fork = wanted.push && !wanted.named && !may_push(goal) && is_fork;
            return Ok(if to_fork { fork } else { goal });
        }
        let other = &data["other"];
        return if other.is_object() {
            Ok(other)
        } else {
            Err(Refusal::new(
                ErrorKind::NotFound,
                format!(
                    "{} has no repository {}.\nGive `head' as OWNER:BRANCH of a fork.",
                    clean.line(owner),
                    target.repo.as_deref().unwrap_or_default()
                ),
            ))
        };
    }
    let on = |repository: &Value| repository["head"]["target"]["oid"].is_string();
    let goal_first = may_push(goal) && (wanted.push || on(goal) || !is_fork);
    Ok(if goal_first || !is_fork { goal } else { fork })
}

/// Refuses a second pull request of the branch `branch` of `owner`.
fn open_already(
    goal: &Value,
    owner: &str,
    base: &str,
    branch: &str,
    clean: &Cleaner,
) -> Result<(), Refusal> {
    let nodes = goal["pullRequests"]["nodes"].as_array();
    let same = |pull: &&Value| {
        let login = pull["headRepositoryOwner"]["login"].as_str();
        login.is_some_and(|login| login.eq_ignore_ascii_case(owner)) && pull["baseRefName"] == base
    };
    match nodes.into_iter().flatten().find(same) {
        None => Ok(()),
        Some(pull) => Err(Refusal::new(
            ErrorKind::BadArgument,
            format!(
                "Pull request #{} is open from {branch} into {} already: {}\ngh_pr_push pushes to it from the worktree of gh_pr_checkout; from another checkout the person pushes.  Change its texts with gh: pr edit.",
                pull["number"].as_u64().unwrap_or(0),
                clean.line(base),
                clean.line(pull["url"].as_str().unwrap_or_default())
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Source;
    use serde_json::json;

    const SHA: &str = "0123456789012345678901234567890123456789";

    fn target() -> Target {
        Target {
            host: "github.com".into(),
            owner: Some("acme".into()),
            repo: Some("site".into()),
            account: None,
            source: Source::ExplicitRepo,
        }
    }

    fn repository(name: &str, permission: &str, parent: Option<&str>, head: bool) -> Value {
        json!({
            "nameWithOwner": name, "viewerPermission": permission, "isFork": parent.is_some(),
            "parent": parent.map(|name| json!({"nameWithOwner": name})),
            "head": head.then(|| json!({"target": {"oid": SHA}})),
            "defaultBranchRef": {"name": "main", "target": {"oid": SHA}},
        })
    }

    fn read(goal: &Value, fork: &Value, wanted: &Wanted) -> Result<Where, (ErrorKind, String)> {
        let answer = json!({"data": {"repository": goal, "viewer": {"login": "octo", "repository": fork},
                                     "other": repository("mona/site", "READ", Some("acme/site"), true)}});
        Where::read(&answer, &target(), wanted, &Cleaner::holding(&[]))
            .map_err(|refusal| (refusal.kind, refusal.message))
    }

    fn wanted(push: bool) -> Wanted {
        Wanted {
            branch: "fix".into(),
            push,
            ..Wanted::default()
        }
    }

    #[test]
    fn the_head_is_where_the_account_may_push_or_where_the_branch_is() {
        let fork = |head| repository("octo/site", "ADMIN", Some("acme/site"), head);
        let goal = |permission, head| repository("acme/site", permission, None, head);
        let owner = |goal: Value, fork: Value, push| {
            read(&goal, &fork, &wanted(push)).map(|found| (found.owner, found.other))
        };
        let acme = Ok(("acme".to_owned(), false));
        let octo = Ok(("octo".to_owned(), true));
        assert_eq!(owner(goal("WRITE", false), fork(false), true), acme);
        assert_eq!(owner(goal("READ", false), fork(false), true), octo);
        assert_eq!(owner(goal("READ", true), fork(true), false), octo);
        assert_eq!(owner(goal("WRITE", true), fork(true), false), acme);
        assert_eq!(owner(goal("WRITE", false), fork(true), false), octo);
        // Without a fork.
        let kind =
            |goal: Value, fork: Value, push| read(&goal, &fork, &wanted(push)).err().map(|no| no.0);
        assert_eq!(
            kind(goal("READ", false), Value::Null, true),
            Some(ErrorKind::NoAccess)
        );
        assert_eq!(
            kind(goal("WRITE", false), Value::Null, false),
            Some(ErrorKind::BadArgument)
        );
        let clone = Wanted {
            owner: Some("acme".into()),
            ..wanted(true)
        };
        let found = read(&goal("READ", false), &fork(false), &clone).expect("the fork");
        assert_eq!(found.owner, "octo");
        let named = Wanted {
            named: true,
            ..clone
        };
        assert_eq!(
            read(&goal("READ", false), &fork(false), &named)
                .expect_err("may not")
                .0,
            ErrorKind::NoAccess
        );
        // A repository of the same name that is no fork of the target is none.
        let stranger = repository("octo/site", "ADMIN", None, true);
        assert_eq!(
            kind(goal("READ", false), stranger, true),
            Some(ErrorKind::NoAccess)
        );
    }

    #[test]
    fn a_named_owner_is_taken_and_a_pull_request_that_is_open_is_named() {
        let mut goal = repository("acme/site", "WRITE", None, true);
        let mona = Wanted {
            owner: Some("Mona".into()),
            ..wanted(false)
        };
        let found = read(&goal, &Value::Null, &mona).expect("mona's");
        assert_eq!(
            (found.owner.as_str(), found.parent.as_deref()),
            ("mona", Some("acme/site"))
        );
        goal["pullRequests"] = json!({"nodes": [
            {"number": 7, "url": "u", "baseRefName": "main", "headRepositoryOwner": {"login": "acme"}}]});
        let (kind, words) = read(&goal, &Value::Null, &wanted(false)).expect_err("open");
        assert_eq!(kind, ErrorKind::BadArgument);
        assert!(words.contains("#7 is open from fix into main"), "{words}");
        assert!(read(&goal, &Value::Null, &mona).is_ok());
        let main = Wanted {
            branch: "main".into(),
            ..wanted(false)
        };
        assert!(
            read(&goal, &Value::Null, &main)
                .expect_err("the base")
                .1
                .contains("base itself")
        );
        goal["isArchived"] = json!(true);
        assert_eq!(
            read(&goal, &Value::Null, &wanted(false))
                .expect_err("archived")
                .0,
            ErrorKind::NoAccess
        );
    }
}
