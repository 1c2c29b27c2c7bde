//! Every flag of the real gh that takes text written for people is masked in every way pflag allows to write it.
//!
//! The flags come from fixtures/gh-catalog/, recorded from each gh. So the test fails when a new gh brings such a flag and
//! src/gh/rows/ does not say that its value is private.

use cj_gate::gh::judge::roles::GhRoles;
use cj_gate::redact::Redactor;
use serde_json::Value;

/// Flags whose value is text by people for people: it may say private things.
const PRIVATE: &[&str] = &[
    "body",
    "title",
    "notes",
    "description",
    "desc",
    "comment",
    "subject",
    "readme",
];

/// Leaves where such a flag names a thing and holds no private text, with the thing that it names.
const NAMES: &[(&str, &str)] = &[
    ("gpg-key add", "the title of a key"),
    ("ssh-key add", "the title of a key"),
    ("repo deploy-key add", "the title of a key"),
];

const TEXT: &str = "Jane Doe reported an outage (k3Xv9q)";

fn commands() -> Vec<Value> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/gh-catalog");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder)
        .expect("the catalogs are committed")
        .flatten()
    {
        if entry.path().extension().is_none_or(|end| end != "json") {
            continue;
        }
        let text = std::fs::read_to_string(entry.path()).expect("the catalogs are text");
        let catalog: Value = serde_json::from_str(&text).expect("a catalog is JSON");
        all.extend(
            catalog["commands"]
                .as_array()
                .expect("a list")
                .iter()
                .cloned(),
        );
    }
    all
}

#[test]
fn text_for_people_is_masked_in_every_way_to_write_a_flag() {
    let redactor = Redactor::new(&[]);
    let mut failures = Vec::new();
    let mut rows = 0;
    for command in commands() {
        let path = command["path"].as_str().expect("a path");
        if command["runs"] != true || NAMES.iter().any(|(name, _)| *name == path) {
            continue;
        }
        let Some(flags) = command["flags"].as_array() else {
            continue;
        };
        let switch = flags
            .iter()
            .find(|flag| flag["takes"] == "nothing" && flag["short"].is_string())
            .and_then(|flag| flag["short"].as_str());
        for flag in flags {
            let name = flag["name"].as_str().expect("a name");
            if !PRIVATE.contains(&name) || flag["takes"] == "nothing" {
                continue;
            }
            let mut forms = vec![
                vec![format!("--{name}"), TEXT.to_owned()],
                vec![format!("--{name}={TEXT}")],
            ];
            if let Some(short) = flag["short"].as_str() {
                forms.push(vec![format!("-{short}"), TEXT.to_owned()]);
                forms.push(vec![format!("-{short}{TEXT}")]);
                forms.push(vec![format!("-{short}={TEXT}")]);
                if let Some(switch) = switch {
                    forms.push(vec![format!("-{switch}{short}{TEXT}")]);
                    forms.push(vec![format!("-{switch}{short}"), TEXT.to_owned()]);
                }
            }
            for form in forms {
                for gh in [true, false] {
                    let mut argv: Vec<String> = Vec::new();
                    if gh {
                        argv.push("gh".to_owned());
                    }
                    argv.extend(path.split(' ').map(str::to_owned));
                    argv.extend(["12".to_owned(), "-R".to_owned(), "o/r".to_owned()]);
                    argv.extend(form.iter().cloned());
                    argv.extend(["--json".to_owned(), "number".to_owned()]);
                    let out = redactor.argv(&argv, Some(&GhRoles));
                    rows += 1;
                    let kept = ["12", "-R", "o/r", "--json", "number"]
                        .iter()
                        .all(|word| out.iter().any(|other| other == word));
                    if out.concat().contains("Jane Doe") || !kept || out.len() != argv.len() {
                        failures.push(format!("{argv:?}\n  {out:?}"));
                    }
                }
            }
        }
    }
    let shown = failures
        .iter()
        .take(30)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n");
    assert!(failures.is_empty(), "{} of {rows}\n{shown}", failures.len());
    assert!(rows > 300, "the catalogs have such flags: {rows}");
}
