//! The things that a call can be about, and what is read about them.

use super::act::Act;

/// What a call is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The repository, organization or account that the call goes to: the arguments name nothing in it that can be read.
    Place,
    /// A repository as a whole; its stars, forks and open issues tell how many people the call concerns.
    Whole,
    /// A repository that is to be made.
    NewRepository,
    /// A pull request.
    PullRequest(Which),
    /// A pull request that is to be opened, by its branches.
    NewPullRequest {
        /// The branch that it goes into; `None` for the default branch.
        base: Option<String>,
        /// The branch that it comes from, `OWNER:BRANCH` for one of a fork.
        head: Option<String>,
    },
    /// An issue, or a pull request by the number that it has as an issue.
    Item(u64),
    /// Several issues or pull requests, by number.
    Items(Vec<u64>),
    /// A discussion.
    Discussion(u64),
    /// A label.
    Label(String),
    /// A release.
    Release {
        /// Its tag.
        tag: String,
        /// The branch or commit at which a missing tag is made.
        target: Option<String>,
        /// Whether the call makes the release.
        makes: bool,
    },
    /// A workflow run, by its id.
    Run(u64),
    /// A job of a workflow run, by its id.
    Job(u64),
    /// A workflow.
    Workflow {
        /// The name of its file, its id or its name.
        name: String,
        /// The branch or tag that it is to run on; `None` for the default branch.
        at: Option<String>,
        /// Whether the call starts a run.
        starts: bool,
    },
    /// A project of an organization or a user.
    Project {
        /// The owner's login; `None` for the owner of the target or, where the target has none, the account.
        owner: Option<String>,
        /// The number of the project among those of its owner.
        number: u64,
    },
    /// A secret or a variable.
    Setting {
        /// `secret` or `variable`.
        what: &'static str,
        /// Its endpoint in the REST API.
        endpoint: String,
    },
    /// A gist, by its id.
    Gist(String),
    /// A codespace, by its name.
    Codespace(String),
    /// The thing at an endpoint of the REST API.
    Endpoint(String),
    /// The things that the ids of a GraphQL mutation stand for.
    Nodes(Vec<String>),
}

/// Which pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// By number.
    Number(u64),
    /// By its head branch, perhaps in a fork of `owner`.
    Branch {
        /// The owner of the fork with the branch; `None` for a branch of the repository itself.
        owner: Option<String>,
        /// The branch's name.
        branch: String,
    },
}

/// What is read about a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// Its kind, its title and its state.
    State,
    /// What decides a merge: branches, checks, reviews, conflicts, size.
    Merge,
    /// The last comment.
    LastComment,
    /// The whole texts of the subject, since the call may replace some of them.
    Texts,
    /// The whole last comment of the account that the call acts as, since the call replaces or deletes it.
    OwnLastComment,
}

/// What a call is about, and what is read about this subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concern {
    /// The thing that the call is about.
    pub subject: Subject,
    /// What is read about the subject.
    pub wants: Wants,
    /// A second repository that the call names: owner and name.
    pub other: Option<(String, String)>,
    /// What the call does with the subject.
    pub act: Act,
    /// Whether the call deletes the branch of a pull request too.
    pub branch_too: bool,
    /// Whether the call makes a comment if there is none to replace.
    pub or_new: bool,
}
