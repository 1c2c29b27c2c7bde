//! The reads about a subject.
//!
//! Facts: GitHub's GraphQL and REST references, 2026; `Ref.compare` takes `refs/pull/N/head` for the head of a pull request.

use crate::gate::Target;
use crate::gh::graphql::lacks::lacks;
use crate::gh::graphql::query::Query;
use crate::gh::question::concern::{Concern, Subject, Wants, Which};

/// The kind, number, title, state and author of a pull request or an issue.
const ITEM: &str = "__typename number title state author{login}";
/// The branches of a pull request.
const BRANCHES: &str =
    "isDraft baseRefName headRefName headRefOid isCrossRepository headRepositoryOwner{login}";
/// The last comment, and the thing's own text, which is shown if there is no comment.
const LAST_COMMENT: &str =
    "body createdAt comments(last:1){totalCount nodes{author{login} createdAt body}}";
/// The last fifty comments, whole. If an older one may be the account's last, that comment is reported as unread.
const OWN_LAST_COMMENT: &str =
    "comments(last:50){totalCount nodes{viewerDidAuthor createdAt body}}";
/// A jq filter that keeps only the account's own last comment: fifty comments of the greatest length would not fit into one answer.
const CUT_OTHERS: &str = r#"(.. | objects | .comments? | objects | select(has("nodes")).nodes) |= (map(select(.viewerDidAuthor)) | .[-1:])"#;
/// A jq filter that cuts each long body, of which one line is shown: two bodies of the greatest length would not fit into one answer.
/// The cut comes before secrets are masked, so it may cut a secret in two. A cut body is marked, and [`super::report::Reporter::said`]
/// drops its end.
const CUT_BODIES: &str = r#"(.. | objects | select(has("body") and (.body | type == "string" and length > 16384))) |= (.body |= .[0:16384] | .cut = true)"#;
/// The commit that a tag stands for: an annotated tag is an object of its own, which names the commit.
const COMMIT: &str = "__typename oid ...on Tag{target{__typename oid}}";
/// A jq filter for the answer of an endpoint: of an object, the members that are neither lists nor objects, and the login of its
/// owner or author, without `content`, which is base64; of a list, its length.
const SCALARS: &str = r#"if type=="object" then with_entries(select(.value|type!="object" and type!="array"))+{login:(.login // .user.login? // .owner.login? // .author.login?)}|del(.content) else {entries:length} end"#;
/// The types that a node of GraphQL can have, and for each the fields that identify the thing.
const NODE: &str = "__typename ...on PullRequest{number title state isDraft author{login} repository{nameWithOwner isPrivate}} ...on Issue{number title state author{login} repository{nameWithOwner isPrivate}} ...on Repository{nameWithOwner isPrivate} ...on PullRequestReviewThread{isResolved path pullRequest{number title repository{nameWithOwner isPrivate}} comments(last:1){nodes{author{login} createdAt body}}} ...on IssueComment{author{login} createdAt body issue{number title repository{nameWithOwner isPrivate}}} ...on PullRequestReviewComment{author{login} createdAt body pullRequest{number title repository{nameWithOwner isPrivate}}} ...on PullRequestReview{author{login} pullRequest{number title repository{nameWithOwner isPrivate}}} ...on Discussion{number title author{login} repository{nameWithOwner isPrivate}} ...on Label{name repository{nameWithOwner isPrivate}} ...on Ref{name repository{nameWithOwner isPrivate}} ...on User{login} ...on Organization{login}";

/// The argv of each read: GraphQL first, then REST.
pub(super) fn reads(concern: &Concern, target: &Target) -> Vec<Vec<String>> {
    let mut out = vec![Asked::new(target).of(concern, target)];
    if let Some((endpoint, members)) = rest_read(&concern.subject, target) {
        out.push(words(&["api", &endpoint, "--jq", members]));
    }
    out
}

/// The endpoint that is read beside the query, and the jq filter for its answer.
fn rest_read(subject: &Subject, target: &Target) -> Option<(String, &'static str)> {
    match subject {
        Subject::Endpoint(endpoint) => return Some((endpoint.clone(), SCALARS)),
        Subject::Setting { endpoint, .. } => {
            return Some((endpoint.clone(), "{name,value,created_at,updated_at}"));
        }
        Subject::Gist(id) => {
            let members = "{description,public,login:.owner.login?,files:(.files|keys)}";
            return Some((format!("gists/{id}"), members));
        }
        Subject::Codespace(name) => {
            let members = "{name,display_name,state,repository:.repository.full_name?,branch:.git_status.ref?,unpushed:.git_status.has_unpushed_changes?,uncommitted:.git_status.has_uncommitted_changes?}";
            return Some((format!("user/codespaces/{name}"), members));
        }
        _ => {}
    }
    let (owner, repo) = (target.owner.as_ref()?, target.repo.as_ref()?);
    let of_repository = |path: &str| format!("repos/{owner}/{repo}/{path}");
    Some(match subject {
        Subject::Run(id) => (
            of_repository(&format!("actions/runs/{id}")),
            "{name,display_title,head_branch,event,status,conclusion,run_attempt}",
        ),
        Subject::Job(id) => (
            of_repository(&format!("actions/jobs/{id}")),
            "{name,workflow_name,run_id,head_branch,status,conclusion,run_attempt}",
        ),
        Subject::Workflow { name, .. } if is_file_or_id(name) => (
            of_repository(&format!("actions/workflows/{name}")),
            "{id,name,path,state}",
        ),
        Subject::Workflow { .. } => (
            of_repository("actions/workflows?per_page=100"),
            "{workflows: [.workflows[] | {id,name,path,state}]}",
        ),
        _ => return None,
    })
}

/// Whether a workflow's endpoint takes `name`: the name of its file, or its id.
fn is_file_or_id(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    // GitHub knows the file by its exact name.
    let file = matches!(name.rsplit_once('.'), Some((_, "yml" | "yaml")));
    !name.is_empty()
        && name.bytes().all(plain)
        && (file || name.bytes().all(|b| b.is_ascii_digit()))
}

/// The query about one concern.
struct Asked<'a> {
    host: &'a str,
    query: Query<'a>,
}

impl<'a> Asked<'a> {
    fn new(target: &'a Target) -> Self {
        Self {
            host: &target.host,
            query: Query::new(&target.host),
        }
    }

    fn text(&mut self, name: &str, kind: &'static str, value: impl Into<String>) {
        self.query.text(name, kind, value);
    }

    fn number(&mut self, value: u64) {
        self.query.number(value);
    }

    fn unless_lacking<'t>(&self, field: &str, text: &'t str) -> &'t str {
        self.query.unless_lacking(field, text)
    }

    /// The fields that every query asks of the repository. `forks` asks for forks that the viewer owns or works on, also as a member of
    /// an organization: with one, the person may mean that fork and not its parent.
    fn about_repository(&self) -> String {
        let forks = if lacks(self.host, "affiliations") {
            ""
        } else {
            "forks(first:5,affiliations:[OWNER,COLLABORATOR,ORGANIZATION_MEMBER]){nodes{nameWithOwner}}"
        };
        [
            "nameWithOwner isPrivate isFork parent{nameWithOwner}",
            self.unless_lacking("visibility", "visibility"),
            self.unless_lacking("isArchived", "isArchived"),
            self.unless_lacking("forks", forks),
        ]
        .join(" ")
    }

    /// The fields that decide a merge; `head` is the head of the pull request, as `Ref.compare` takes it.
    fn merge(&mut self, head: String) -> String {
        let mut parts = vec![BRANCHES, "additions deletions changedFiles mergeable"];
        for field in ["reviewDecision", "mergeStateStatus"] {
            parts.push(self.unless_lacking(field, field));
        }
        parts.push(self.unless_lacking(
            "statusCheckRollup",
            "commits(last:1){nodes{commit{statusCheckRollup{contexts(first:100){totalCount nodes{__typename ...on CheckRun{name status conclusion} ...on StatusContext{context state}}}}}}}",
        ));
        if !lacks(self.host, "compare") && !lacks(self.host, "behindBy") {
            self.text("head", "String!", head);
            parts.push("baseRef{compare(headRef:$head){behindBy}}");
        }
        parts.join(" ")
    }

    /// The argv of the query.
    fn of(mut self, concern: &Concern, target: &Target) -> Vec<String> {
        let mut roots = Vec::new();
        let mut viewer = "login".to_owned();
        if let (Some(owner), Some(repo)) = (&target.owner, &target.repo) {
            self.text("owner", "String!", owner);
            self.text("name", "String!", repo);
            let thing = self.in_repository(concern);
            let about = self.about_repository();
            roots.push(format!(
                "repository(owner:$owner,name:$name){{{about} {thing}}}"
            ));
        }
        if let Some((owner, name)) = &concern.other {
            self.text("otherOwner", "String!", owner);
            self.text("otherName", "String!", name);
            let visibility = self.unless_lacking("visibility", "visibility");
            roots.push(format!(
                "other:repository(owner:$otherOwner,name:$otherName){{nameWithOwner isPrivate {visibility}}}"
            ));
        }
        match &concern.subject {
            Subject::Project { owner, number } if !lacks(self.host, "projectV2") => {
                self.number(*number);
                let project = "projectV2(number:$number){title public closed items{totalCount}}";
                match owner.as_ref().or(target.owner.as_ref()) {
                    Some(owner) => {
                        self.text("login", "String!", owner);
                        roots.push(format!(
                            "repositoryOwner(login:$login){{...on Organization{{{project}}} ...on User{{{project}}}}}"
                        ));
                    }
                    None => viewer = format!("login {project}"),
                }
            }
            Subject::Nodes(ids) => {
                for (n, id) in ids.iter().enumerate() {
                    self.text(&format!("i{n}"), "ID!", id);
                    roots.push(format!("n{n}:node(id:$i{n}){{{NODE}}}"));
                }
            }
            _ => {}
        }
        let said = matches!(concern.subject, Subject::Nodes(_));
        let jq = if concern.wants == Wants::LastComment || said {
            Some(CUT_BODIES)
        } else {
            (concern.wants == Wants::OwnLastComment).then_some(CUT_OTHERS)
        };
        let fields = format!("viewer{{{viewer}}} {}", roots.join(" "));
        self.query.argv("", &fields, jq)
    }

    /// The fields that are asked of the thing in the repository.
    fn in_repository(&mut self, concern: &Concern) -> String {
        let wants = concern.wants;
        let more = match wants {
            Wants::State | Wants::Merge => "",
            Wants::LastComment => LAST_COMMENT,
            Wants::Texts => "body",
            Wants::OwnLastComment => OWN_LAST_COMMENT,
        };
        match &concern.subject {
            Subject::PullRequest(which) => self.pull_request(which, wants, more),
            Subject::NewPullRequest { base, head } => {
                self.new_pull_request(base.as_deref(), head.as_deref())
            }
            Subject::Item(number) => {
                self.number(*number);
                item("issueOrPullRequest(number:$number)", more)
            }
            Subject::Items(numbers) => {
                let all = numbers.iter().enumerate();
                let all: Vec<String> = all
                    .map(|(at, n)| item(&format!("t{at}:issueOrPullRequest(number:{n})"), ""))
                    .collect();
                all.join(" ")
            }
            Subject::Discussion(number) if !lacks(self.host, "discussion") => {
                self.number(*number);
                let closed = self.unless_lacking("closed", "closed");
                let answered = self.unless_lacking("isAnswered", "isAnswered");
                format!(
                    "discussion(number:$number){{number title author{{login}} category{{name}} {closed} {answered} {more}}}"
                )
            }
            Subject::Label(name) => {
                self.text("label", "String!", name);
                "label(name:$label){name description color issues{totalCount} pullRequests{totalCount}}".to_owned()
            }
            Subject::Release { tag, target, .. } => self.release(tag, target.as_deref(), wants),
            Subject::Workflow { at, starts, .. } if *starts => {
                let head = "defaultBranchRef{name target{oid}}";
                format!("{head} {}", self.object(at.as_deref()))
            }
            Subject::Whole => "description homepageUrl stargazerCount forkCount pushedAt defaultBranchRef{name} issues(states:OPEN){totalCount} pullRequests(states:OPEN){totalCount}".to_owned(),
            _ => String::new(),
        }
    }

    fn pull_request(&mut self, which: &Which, wants: Wants, more: &str) -> String {
        let (place, head) = match which {
            Which::Number(number) => {
                self.number(*number);
                (
                    "pullRequest(number:$number)",
                    format!("refs/pull/{number}/head"),
                )
            }
            Which::Branch { owner, branch } => {
                self.text("branch", "String!", branch);
                let head = match owner {
                    Some(owner) => format!("{owner}:{branch}"),
                    None => branch.clone(),
                };
                (
                    "pullRequests(headRefName:$branch,first:20,orderBy:{field:CREATED_AT,direction:DESC})",
                    head,
                )
            }
        };
        let fields = match wants {
            Wants::Merge => self.merge(head),
            _ => format!("{BRANCHES} {more}"),
        };
        match which {
            Which::Number(_) => format!("{place}{{{ITEM} {fields}}}"),
            Which::Branch { .. } => format!("{place}{{nodes{{{ITEM} {fields}}}}}"),
        }
    }

    fn new_pull_request(&mut self, base: Option<&str>, head: Option<&str>) -> String {
        let Some(head) = head else {
            return "defaultBranchRef{name}".to_owned();
        };
        let branch = head.split_once(':').map_or(head, |(_, branch)| branch);
        self.text("branch", "String!", branch);
        let open = "pullRequests(headRefName:$branch,states:[OPEN],first:20){nodes{number title headRepositoryOwner{login}}}";
        let known = ["compare", "aheadBy", "behindBy"];
        let compare = if known.iter().any(|field| lacks(self.host, field)) {
            ""
        } else {
            self.text("head", "String!", head);
            "compare(headRef:$head){aheadBy behindBy}"
        };
        let base = match base {
            Some(base) => {
                self.text("base", "String!", format!("refs/heads/{base}"));
                format!("base:ref(qualifiedName:$base){{name {compare}}}")
            }
            None => format!("base:defaultBranchRef{{name {compare}}}"),
        };
        format!("{open} {base}")
    }

    fn release(&mut self, tag: &str, target: Option<&str>, wants: Wants) -> String {
        self.text("tag", "String!", tag);
        self.text("ref", "String!", format!("refs/tags/{tag}"));
        let description = if wants == Wants::Texts {
            "description"
        } else {
            ""
        };
        let prerelease = self.unless_lacking("isPrerelease", "isPrerelease");
        let before = self.unless_lacking(
            "releases",
            "releases(first:10,orderBy:{field:CREATED_AT,direction:DESC}){nodes{tagName publishedAt isDraft}}",
        );
        let object = self.object(target);
        format!(
            "release(tagName:$tag){{name {description} isDraft {prerelease} publishedAt}} ref(qualifiedName:$ref){{target{{{COMMIT}}}}} {before} latestRelease{{tagName publishedAt}} defaultBranchRef{{name target{{oid}}}} {object}"
        )
    }

    /// The field for the commit that `name`, a branch, tag or commit, stands for.
    fn object(&mut self, name: Option<&str>) -> &'static str {
        match name {
            Some(name) if !lacks(self.host, "object") => {
                self.text("at", "String!", name);
                "object(expression:$at){__typename oid ...on Tag{target{__typename oid}}}"
            }
            _ => "",
        }
    }
}

/// The fields of the issue or pull request at `place`, with `more`. Only a pull request has `isDraft`.
fn item(place: &str, more: &str) -> String {
    format!("{place}{{...on Issue{{{ITEM} {more}}} ...on PullRequest{{{ITEM} isDraft {more}}}}}")
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
