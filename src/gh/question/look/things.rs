//! The facts about labels, discussions, projects, workflows, runs, secrets, gists and other things at endpoints.

use serde_json::Value;

use super::pulls::{commit, tagged};
use super::report::{Report, Reporter, TITLE, counted};
use super::unread;
use crate::gate::Answered;
use crate::gate::call::question::Tone;
use crate::gh::graphql::lacks::lacks;
use crate::gh::question::concern::{Act, Aspect, Subject, Wants};

impl Reporter<'_> {
    pub(super) fn new_repository(&self, repository: &Value, report: &mut Report) {
        match (repository.is_object(), self.errors.at("repository")) {
            (true, _) => report.fact("Exists", Tone::Bad, "there is a repository of that name"),
            (false, Some(why)) if !why.starts_with("not found") => {
                report.unread("whether it is there already", why);
            }
            (false, _) => report.fact(
                "Exists",
                Tone::Plain,
                "not yet, as far as this account can see",
            ),
        }
    }

    /// Reports how many people a change of the whole repository concerns.
    pub(super) fn whole(&self, repository: &Value, report: &mut Report) {
        if !repository.is_object() {
            return;
        }
        let total = |name: &str| repository[name]["totalCount"].as_u64();
        let counts = [
            (repository["stargazerCount"].as_u64(), "star"),
            (repository["forkCount"].as_u64(), "fork"),
            (total("issues"), "open issue"),
            (total("pullRequests"), "open pull request"),
        ];
        let mut parts: Vec<String> = counts
            .into_iter()
            .filter_map(|(count, noun)| Some(counted(count?, noun)))
            .collect();
        if let Some(branch) = self.member(&repository["defaultBranchRef"], "name") {
            parts.push(format!("default branch {branch}"));
        }
        if let Some(day) = self.day(repository, "pushedAt") {
            parts.push(format!("last push on {day}"));
        }
        report.fact("About", Tone::Plain, parts.join(", "));
        if self.wants == Wants::Texts {
            self.text("description", &repository["description"], report);
        }
    }

    pub(super) fn discussion(&self, repository: &Value, report: &mut Report) {
        let it = &repository["discussion"];
        if !it.is_object() {
            return self.missing("discussion", "discussion", repository, report);
        }
        report.title = self.member(it, "title");
        let number = it["number"].as_u64().unwrap_or_default();
        let (state, tone) = match it["closed"].as_bool() {
            Some(true) => (", closed", self.act.tone(Aspect::IsClosed, Tone::Warning)),
            Some(false) => (", open", Tone::Plain),
            None => ("", Tone::Plain),
        };
        let category = self.member(&it["category"], "name");
        let category = category.map_or_else(String::new, |name| format!(" in {name}"));
        let title = report.title.clone().unwrap_or_default();
        report.fact(
            "About",
            tone,
            format!(
                "discussion #{number} “{title}”{category} by {}{state}",
                self.author(it)
            ),
        );
        if self.wants == Wants::Texts {
            self.text("title", &it["title"], report);
            self.text("body", &it["body"], report);
        }
        self.last_comment(it, report);
    }

    pub(super) fn label(&self, name: &str, repository: &Value, report: &mut Report) {
        if !repository.is_object() {
            return;
        }
        let label = &repository["label"];
        if !label.is_object() {
            return match self.errors.at("label") {
                Some(why) if !why.starts_with("not found") => report.unread("the label", why),
                _ => report.fact(
                    "Label",
                    Tone::Plain,
                    format!("{} does not exist", self.line(name, TITLE)),
                ),
            };
        }
        if self.act == Act::MakeLabel {
            report.no_effect("it exists already: nothing will change");
        }
        let count = |name: &str| label[name]["totalCount"].as_u64().unwrap_or_default();
        let color = self.member(label, "color").unwrap_or_default();
        let description = self.member(label, "description");
        let description = description.map_or_else(String::new, |text| format!(" “{text}”,"));
        report.fact(
            "Label",
            match self.act {
                Act::MakeLabel | Act::ReplaceLabel => Tone::Warning,
                _ => Tone::Plain,
            },
            format!(
                "{} exists:{description} color {color}, on {} and {}",
                self.line(name, TITLE),
                counted(count("issues"), "issue"),
                counted(count("pullRequests"), "pull request")
            ),
        );
        if self.wants == Wants::Texts {
            self.text("description", &label["description"], report);
        }
    }

    /// Reports on which commit a workflow is to run.
    pub(super) fn runs_at(&self, at: Option<&str>, repository: &Value, report: &mut Report) {
        if !repository.is_object() {
            return;
        }
        let branch = &repository["defaultBranchRef"];
        let (name, commit) = match at {
            Some(at) => (self.line(at, TITLE), tagged(&repository["object"])),
            None => (
                self.member(branch, "name")
                    .unwrap_or_else(|| "the default branch".into()),
                commit(&branch["target"], "oid"),
            ),
        };
        match commit {
            Some(commit) => report.fact("Branch", Tone::Plain, format!("{name}, at {commit}")),
            None if repository["object"].is_object() => report.fact(
                "Branch",
                Tone::Plain,
                format!("{name}; its commit was not read"),
            ),
            None if at.is_some() && !lacks(&self.target.host, "object") => report.fact(
                "Branch",
                Tone::Bad,
                format!("{name} is not there, or this account may not see it"),
            ),
            None => report.fact("Branch", Tone::Plain, name),
        }
    }

    pub(super) fn project(
        &self,
        owner: Option<&str>,
        number: u64,
        data: &Value,
        report: &mut Report,
    ) {
        let place = if owner.is_some() || self.target.owner.is_some() {
            &data["repositoryOwner"]
        } else {
            &data["viewer"]
        };
        let project = &place["projectV2"];
        if !project.is_object() {
            let why = self
                .errors
                .at("projectV2")
                .or(self.errors.at("repositoryOwner"));
            let lacking = lacks(&self.target.host, "projectV2");
            let why = why.or(lacking.then_some(unread::TOO_OLD));
            return report.unread(
                &format!("project {number}"),
                why.unwrap_or("there is none of that number, or this account may not see it"),
            );
        }
        report.title = self.member(project, "title");
        let title = report.title.clone().unwrap_or_default();
        let mut parts = vec![format!("project {number} “{title}”")];
        let mut tone = Tone::Plain;
        if project["public"].as_bool() == Some(true) {
            parts.push("public: everybody can read it".into());
            tone = Tone::Warning;
        }
        if project["closed"].as_bool() == Some(true) {
            parts.push("closed".into());
        }
        match (self.act, project["closed"].as_bool()) {
            (Act::Close, Some(true)) => report.no_effect("already closed: nothing will change"),
            (Act::Reopen, Some(false)) => report.no_effect("already open: nothing will change"),
            _ => {}
        }
        if let Some(items) = project["items"]["totalCount"].as_u64() {
            parts.push(counted(items, "item"));
        }
        report.fact("About", tone, parts.join(", "));
    }

    /// Reports what each of the `count` ids of a mutation stands for, one line each.
    pub(super) fn nodes(&self, count: usize, data: &Value, report: &mut Report) {
        for at in 0..count {
            let name = format!("n{at}");
            let node = &data[&name];
            let Some(kind) = node["__typename"].as_str() else {
                let why = self.errors.at(&name);
                let which = format!("what id {} of the mutation stands for", at + 1);
                report.unread(
                    &which,
                    why.unwrap_or("not found: it is not there, or this account may not see it"),
                );
                continue;
            };
            let about = self.node(kind, node);
            let tone = if about.contains(", public:") {
                Tone::Warning
            } else {
                Tone::Plain
            };
            report.fact("About", tone, about);
        }
    }

    fn node(&self, kind: &str, node: &Value) -> String {
        // Comments, reviews and threads are identified by the issue or pull request that they belong to.
        let above = ["pullRequest", "issue"]
            .iter()
            .map(|name| &node[*name])
            .find(|above| above.is_object());
        let holder = above.unwrap_or(node);
        let mut words = spaced(kind, self);
        let own = self.member(node, "name").or(self.member(node, "login"));
        if let Some(name) = own.filter(|_| above.is_none()) {
            words.extend([" ", name.as_str()]);
        }
        if let Some(path) = self.member(node, "path") {
            words.extend([" on ", path.as_str()]);
        }
        if above.is_some() {
            words.push_str(" of");
        }
        if let Some(number) = holder["number"].as_u64() {
            let title = self.member(holder, "title").unwrap_or_default();
            words.extend([" #", &number.to_string(), " “", &title, "”"]);
        }
        let repository = if node["nameWithOwner"].is_string() {
            node
        } else {
            &holder["repository"]
        };
        if let Some(name) = self.member(repository, "nameWithOwner") {
            let link = if kind == "Repository" { "" } else { " in" };
            words.extend([link, " ", &name]);
        }
        match repository["isPrivate"].as_bool() {
            Some(true) => words.push_str(", private"),
            Some(false) => words.push_str(", public: everybody can read it"),
            None => {}
        }
        let said = [node, &node["comments"]["nodes"][0]]
            .into_iter()
            .find(|said| said["body"].is_string());
        if let Some(said) = said {
            let text = self.said(said, TITLE);
            words.extend(["; ", &self.author(said), ": “", &text, "”"]);
        }
        match node["state"].as_str() {
            Some(state) => format!("{words}, {}", self.line(&state.to_lowercase(), TITLE)),
            None => words,
        }
    }

    /// Reports the answer of the second read, which asks the REST API.
    pub(super) fn rest_answer(
        &self,
        subject: &Subject,
        answer: Option<&Answered>,
        report: &mut Report,
    ) {
        let what = match subject {
            Subject::Run(_) => "the run",
            Subject::Job(_) => "the job",
            Subject::Workflow { .. } => "the workflow",
            Subject::Setting { what, .. } => return self.setting(what, answer, report),
            Subject::Gist(_) => "the gist",
            Subject::Codespace(_) => "the codespace",
            Subject::Endpoint(_) => "what the endpoint gives",
            _ => return,
        };
        let answer = match unread::json(answer) {
            Ok(answer) => answer,
            Err(why) => return report.unread(what, &why),
        };
        if let Some(why) = unread::refused(&answer) {
            return report.unread(what, &why);
        }
        match subject {
            Subject::Run(_) => self.run("run of", &answer, report),
            Subject::Job(_) => self.run("job", &answer, report),
            Subject::Workflow { name, .. } => self.workflow(name, &answer, report),
            Subject::Gist(_) => self.gist(&answer, report),
            Subject::Codespace(_) => self.codespace(&answer, report),
            _ => self.thing(&answer, report),
        }
    }

    fn run(&self, what: &str, run: &Value, report: &mut Report) {
        let member = |name: &str| self.member(run, name);
        let name = member("name").unwrap_or_else(|| "?".into());
        let status = member("status").map(|status| status.replace('_', " "));
        let conclusion = member("conclusion").map(|word| word.replace('_', " "));
        let nothing = match (self.act, conclusion.as_deref(), status.as_deref()) {
            (Act::Cancel, Some(_), _) => Some("already ended: nothing will change"),
            (Act::RerunFailed, Some("success"), _) => {
                Some("no job of it failed: nothing will be run again")
            }
            (Act::Rerun | Act::RerunFailed, None, Some(_)) => {
                Some("not ended yet: it cannot be run again")
            }
            _ => None,
        };
        if let Some(why) = nothing {
            report.no_effect(why);
        }
        let (state, tone) = match (conclusion.as_deref(), status) {
            (Some("success"), _) => ("succeeded".to_owned(), Tone::Plain),
            (Some("failure"), _) => ("failed".to_owned(), Tone::Plain),
            (Some("startup failure"), _) => ("failed to start".to_owned(), Tone::Plain),
            (Some(word), _) => (word.to_owned(), Tone::Plain),
            (None, Some(status)) => (status, Tone::Plain),
            (None, None) => ("in a state that is not known".to_owned(), Tone::Warning),
        };
        let branch = member("head_branch").unwrap_or_else(|| "no branch".into());
        let event = member("event").map_or_else(String::new, |event| format!(" ({event})"));
        let attempt = match run["run_attempt"].as_u64() {
            Some(n) if n > 1 => format!(", attempt {n}"),
            _ => String::new(),
        };
        report.fact(
            "About",
            tone,
            format!("{what} “{name}” on {branch}{event}, {state}{attempt}"),
        );
        report.title = member("display_title")
            .or(member("workflow_name"))
            .or(Some(name));
    }

    fn workflow(&self, wanted: &str, answer: &Value, report: &mut Report) {
        let listed = answer["workflows"].as_array().into_iter().flatten();
        let is_it = |one: &&Value| {
            ["name", "path"]
                .iter()
                .any(|member| one[*member].as_str() == Some(wanted))
        };
        let found: Vec<&Value> = listed.filter(is_it).collect();
        let one = found.first().copied().unwrap_or(answer);
        let (Some(name), Some(path)) = (self.member(one, "name"), self.member(one, "path")) else {
            return report.fact("Missing", Tone::Bad, "there is no such workflow here");
        };
        let state = self.member(one, "state").unwrap_or_default();
        let active = state == "active";
        match (self.act, active) {
            (Act::Enable, true) => report.no_effect("already enabled: nothing will change"),
            (Act::Disable, false) => report.no_effect("already disabled: nothing will change"),
            (Act::Start, false) => report.no_effect("disabled: it cannot be started"),
            _ => {}
        }
        let tone = match (self.act, active) {
            (Act::Enable, _) | (_, true) => Tone::Plain,
            _ => Tone::Warning,
        };
        let more = match found.len() {
            0 | 1 => String::new(),
            n => format!("; {n} have that name"),
        };
        report.fact(
            "About",
            tone,
            format!(
                "workflow “{name}” ({path}), {}{more}",
                match state.as_str() {
                    "disabled_inactivity" => "disabled by GitHub for lack of activity".to_owned(),
                    "disabled_manually" => "disabled by hand".to_owned(),
                    "disabled_fork" => "disabled since this is a fork".to_owned(),
                    other => other.replace('_', " "),
                }
            ),
        );
        report.title = Some(name).filter(|name| name != wanted);
    }

    fn setting(&self, what: &str, answer: Option<&Answered>, report: &mut Report) {
        let why = match unread::json(answer) {
            Ok(answer) => match unread::refused(&answer) {
                None => {
                    let when = self.day(&answer, "updated_at");
                    let when = when.map_or_else(String::new, |day| format!(", set on {day}"));
                    let value = answer["value"].as_str();
                    let value = value.map_or_else(String::new, |value| {
                        format!("; it is “{}” now", self.line(value, TITLE))
                    });
                    return report.fact(
                        "Exists",
                        Tone::Warning,
                        format!("the {what} is there{when}, and is replaced{value}"),
                    );
                }
                Some(why) => why,
            },
            Err(why) => why,
        };
        if why.starts_with("not found") {
            report.fact("Exists", Tone::Plain, format!("no: the {what} is new"));
        } else {
            report.unread(&format!("whether the {what} is there already"), &why);
        }
    }

    fn gist(&self, gist: &Value, report: &mut Report) {
        report.title = self.member(gist, "description");
        let public = gist["public"].as_bool();
        let (seen, tone) = match public {
            Some(true) => ("public: everybody can find it", Tone::Warning),
            Some(false) => ("secret: whoever has the link can read it", Tone::Plain),
            None => ("who can read it is not known", Tone::Warning),
        };
        let files = gist["files"].as_array().map_or(0, Vec::len);
        let title = report.title.as_ref();
        let title = title.map_or_else(String::new, |title| format!(" “{title}”"));
        report.fact(
            "About",
            tone,
            format!(
                "gist{title} of {}, {}, {seen}",
                self.member(gist, "login")
                    .unwrap_or_else(|| "a deleted account".into()),
                counted(u64::try_from(files).unwrap_or_default(), "file")
            ),
        );
    }

    fn codespace(&self, space: &Value, report: &mut Report) {
        let member = |name: &str| self.member(space, name);
        let name = member("display_name")
            .or(member("name"))
            .unwrap_or_default();
        let repository = member("repository").unwrap_or_else(|| "no repository".into());
        let branch = member("branch").map_or_else(String::new, |name| format!(" on {name}"));
        let state = member("state").unwrap_or_default();
        let lost = ["unpushed", "uncommitted"]
            .into_iter()
            .filter(|name| space[*name].as_bool() == Some(true))
            .map(|name| [", with ", name, " changes"].concat())
            .collect::<Vec<_>>()
            .concat();
        let tone = if lost.is_empty() {
            Tone::Plain
        } else {
            Tone::Warning
        };
        report.fact(
            "About",
            tone,
            format!("codespace “{name}” of {repository}{branch}, {state}{lost}"),
        );
    }

    /// Reports the thing at an endpoint, by the members that identify it.
    fn thing(&self, answer: &Value, report: &mut Report) {
        const SAY: [(&str, &str); 13] = [
            ("full_name", ""),
            ("name", ""),
            ("title", ""),
            ("tag_name", "tag "),
            ("ref", ""),
            ("path", "at "),
            ("login", "of "),
            ("permission", "permission "),
            ("role_name", "role "),
            ("state", ""),
            ("status", ""),
            ("visibility", ""),
            ("updated_at", "changed "),
        ];
        let mut said: Vec<String> = Vec::new();
        for (name, before) in SAY {
            let Some(text) = self.member(answer, name) else {
                continue;
            };
            let text = match name {
                "title" => format!("“{text}”"),
                "updated_at" => text.get(..10).unwrap_or(&text).to_owned(),
                _ => text,
            };
            let part = format!("{before}{text}");
            if !said.contains(&part) {
                said.push(part);
            }
        }
        if let Some(body) = answer["body"].as_str() {
            said.push(format!("“{}”", self.line(body, TITLE)));
        }
        if let Some(entries) = answer["entries"].as_u64() {
            said.push(format!("a list of {entries}"));
        }
        if said.is_empty() {
            report.fact("About", Tone::Plain, "what the endpoint gives has no name");
        } else {
            report.fact("About", Tone::Plain, said.join(", "));
        }
        for name in ["title", "name", "body", "description", "message"] {
            if !answer[name].is_object() && answer.get(name).is_some() {
                self.text(name, &answer[name], report);
            }
        }
    }
}

/// The name of a type in words: `PullRequestReviewThread` becomes `pull request review thread`.
fn spaced(kind: &str, reporter: &Reporter<'_>) -> String {
    let mut out = String::new();
    for c in reporter.line(kind, 60).chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push(' ');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
