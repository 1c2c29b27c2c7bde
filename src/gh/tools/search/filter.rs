//! The filters of jq that make GitHub's answers to a search small: an entry as GitHub gives it takes 5 KB to 10 KB, and fifty have to stay
//! below the 64 KB that are kept of an output.

use crate::gh::render::Found as Kind;

/// A function of jq that cuts a text above `n` bytes to a quarter as many characters, which have at most 4 bytes each.  The word at the cut
/// goes too, so that no secret is cut in two: half of one would not be recognised as a secret.
const CUT: &str =
    r#"def cut(n):if utf8bytelength>n then .[0:n/4|floor]|sub("[!-~]+$";"")+"…" else . end;"#;

/// The filter for the answer to a search for `kind`.  `scoped`: all entries are of the repository in the result's first line, so no entry
/// names its own; `by_update`: the search is about the time of the last change.
pub(super) fn of(kind: Kind, scoped: bool, by_update: bool) -> String {
    let repository = |text: &str| {
        if scoped {
            String::new()
        } else {
            format!(",repository:{{nameWithOwner:{text}}}")
        }
    };
    let entry = match kind {
        Kind::PullRequests | Kind::Issues => {
            let time = if by_update {
                "updatedAt:.updated_at"
            } else {
                "createdAt:.created_at"
            };
            let repository = repository(r#"(.repository_url//""|split("/")|.[-2:]|join("/"))"#);
            // Labels beyond the four that are shown are only counted.
            format!(
                r#"{{number,title:(.title//""|cut(400)),state:(if .pull_request.merged_at then "merged" else .state end),author:{{login:(.user.login//"ghost")}},{time},labels:[(.labels//[])|(.[:4][]|{{name:(.name|cut(80))}}),(.[4:][]|null)]{repository}}}+(if .draft then {{isDraft:true}} else {{}} end)"#
            )
        }
        Kind::Code => {
            let repository = repository(".repository.full_name");
            // The line with the first match; a match in the file's name has no line.
            format!(
                r#"{{path:(.path|cut(500)),commit:(.html_url//""|split("/blob/")|.[1]//""|split("/")[0]//""|.[0:7]){repository}}}+([.text_matches[]?|select(.property=="content")][0]|if . then (.matches[0].text//"") as $m|{{match:($m|cut(120)),line:([.fragment|split("\n")[]|select(contains($m))][0]//""|cut(600))}} else {{}} end)"#
            )
        }
        Kind::Commits => {
            let repository = repository(".repository.full_name");
            format!(
                r#"{{commit:.sha[0:7],title:(.commit.message//""|split("\n")[0]//""|cut(400)),author:(.author.login//.commit.author.name//""|cut(100)),date:.commit.committer.date{repository}}}"#
            )
        }
        Kind::Repositories => {
            r#"{name:.full_name,description:(.description//""|split("\n")[0]//""|cut(400)),language,stars:.stargazers_count,forks:.forks_count,issues:.open_issues_count,visibility,archived,fork,pushed:.pushed_at}"#
                .to_owned()
        }
    };
    format!(
        "{CUT}{{total:.total_count,incomplete:.incomplete_results,items:[.items[]?|select(.)|{entry}]}}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Class;
    use crate::gh::judge::classify::classify;

    #[test]
    fn every_filter_reads_nothing_but_the_answer() {
        for kind in Kind::ALL {
            for (scoped, by_update) in [(false, false), (true, true)] {
                let filter = of(kind, scoped, by_update);
                let argv = ["api", "--method", "GET", kind.endpoint(), "--jq", &filter];
                let verdict = classify(&argv.map(str::to_owned));
                assert_eq!(verdict.class, Class::Read, "{filter}: {}", verdict.reason);
            }
        }
    }
}
