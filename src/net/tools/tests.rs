//! The exact text that a model reads of each tool, for recorded output of the real programs in the lab: fixtures/net/rendered.jsonl.
//!
//! Each recorded output comes through the real runner, from a shell that prints the output and exits with the recorded exit code.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::way::Way;
use super::words::out;
use super::{diagnose, discover, lookup, services, status};
use crate::gate::Refusal;
use crate::net::ask::Ask;
use crate::net::facts::Facts;
use crate::net::parse::{dig, ip, nmap};
use crate::net::session;
use crate::net::settings::NetSettings;
use crate::net::step::Step;
use crate::net::step_runner::StepResult;
use crate::run::{self, Captured, Command, Limits};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/net")
}

/// The exit code and the command line of the recording `name`.
fn recorded(name: &str) -> (String, String) {
    let index = fs::read_to_string(fixtures().join("captures/index.tsv")).expect("index.tsv");
    index
        .lines()
        .find_map(|line| {
            let mut words = line.splitn(3, '\t');
            (words.next() == Some(name)).then(|| {
                let mut word = || words.next().expect("three columns");
                let (code, line) = (word(), word());
                // A command that was recorded as another user counts without the words that change the user.
                let line = line
                    .split_once("--clear-groups ")
                    .map_or(line, |(_, line)| line);
                (code.to_owned(), line.to_owned())
            })
        })
        .unwrap_or_else(|| panic!("{name} is in no index"))
}

/// The runner's capture of the recording `name`.
fn replay(name: &str) -> Captured {
    let file = |end: &str| {
        let file = fixtures().join(format!("captures/{name}.{end}"));
        file.to_string_lossy().into_owned()
    };
    let script = "cat -- \"$1\"; [ ! -f \"$2\" ] || cat -- \"$2\" >&2; exit \"$3\"";
    let argv = [
        "-c",
        script,
        "sh",
        &file("out"),
        &file("err"),
        &recorded(name).0,
    ]
    .map(str::to_owned);
    run_it(&argv, Limits::default())
}

fn run_it(argv: &[String], limits: Limits) -> Captured {
    let environment = [("PATH", "/usr/bin:/bin".to_owned())];
    let command = Command::new("/bin/sh", argv, &environment, "/", limits).expect("a command");
    run::run_here(&command, &run::Cancel::default())
}

/// The answer that a row names: a recording, `no PROGRAM` for a program that is not installed, `late` for one that ran out of time.
fn answer(name: &str) -> StepResult {
    if let Some(program) = name.strip_prefix("no ") {
        let refusal = NetSettings::default().program(program).map(|_| ());
        return Err(refusal.expect_err("nothing is installed here"));
    }
    if name == "late" {
        return Err(Refusal::new(
            crate::gate::ErrorKind::Timeout,
            "It took longer than it may.\nTry again.",
        ));
    }
    Ok(replay(name))
}

fn word<'a>(row: &'a Value, key: &str) -> Option<&'a str> {
    row.get(key).and_then(Value::as_str)
}

fn words(row: &Value, key: &str) -> Vec<String> {
    let list = row.get(key).and_then(Value::as_array).into_iter().flatten();
    list.map(|word| word.as_str().expect("a string").to_owned())
        .collect()
}

/// The tool's text for `row`, or its refusal.
fn told(row: &Value) -> Result<String, Refusal> {
    let asked = |key: &str| word(row, key).map(answer);
    let need = |key: &str| word(row, key).unwrap_or_else(|| panic!("{key} of {row}"));
    match need("tool") {
        "dns_lookup" => lookup::render(need("name"), need("type"), &answer(need("dig"))?),
        "net_services" => {
            let run = services::read(&answer(need("scan"))?)?;
            let host = services::only(&run)?;
            let probed = asked("probe")
                .map(|probe| probe.and_then(|captured| services::read(&captured)))
                .transpose();
            Ok(services::render(
                word(row, "name"),
                need("address"),
                host,
                probed.as_ref(),
            ))
        }
        "net_discover" => {
            let ended = need("scan") == "ended";
            let run = if ended {
                nmap::Run::default()
            } else {
                services::read(&answer(need("scan"))?)?
            };
            let names = asked("names")
                .and_then(Result::ok)
                .map_or_else(Vec::new, |captured| {
                    dig::read(&out(&captured)).expect("an answer").records
                });
            let net = need("subnet").parse().expect("a network");
            let neighbours = word(row, "neighbours").map_or_else(Vec::new, |name| {
                let text = out(&replay(name));
                ip::neighbours(&text).expect("neighbours").rows
            });
            let own = asked("interfaces").map_or_else(Vec::new, |one| discover::own(&one));
            Ok(discover::render(
                net,
                &discover::Seen {
                    run,
                    names,
                    way: None,
                    own,
                    neighbours,
                    ended,
                    ..discover::Seen::default()
                },
            ))
        }
        "net_diagnose" => Ok(diagnose::tests::told(row, &answer)),
        "network_status" => {
            let captures = words(row, "captures");
            Ok(status_of(&captures))
        }
        other => panic!("no tool {other}"),
    }
}

/// The text of `network_status` on a machine that has only the programs and files of the recordings `captures`.
fn status_of(captures: &[String]) -> String {
    let lines: Vec<(String, &str)> = captures
        .iter()
        .map(|name| (recorded(name).1, name.as_str()))
        .collect();
    let settings = NetSettings {
        programs: lines
            .iter()
            .filter_map(|(line, _)| line.split(' ').next())
            .filter(|program| *program != "cat")
            .map(|program| (program.to_owned(), PathBuf::from("/nowhere")))
            .collect(),
        ..NetSettings::default()
    };
    let line = |step: &Step| format!("{} {}", step.program, step.argv.join(" "));
    let ask = |steps: Vec<Step>| -> Vec<(Step, StepResult)> {
        steps
            .into_iter()
            .map(|step| {
                let wanted = line(&step);
                let given = match lines.iter().find(|(line, _)| *line == wanted) {
                    Some((_, name)) => answer(name),
                    // Most machines of the recordings have no policy rules of their own, which was not recorded.
                    None if wanted.starts_with("ip -j") && wanted.ends_with(" rule") => Ok(run_it(
                        &["-c", "echo '[]'"].map(str::to_owned),
                        Limits::default(),
                    )),
                    None => panic!("nothing recorded for {wanted}"),
                };
                (step, given)
            })
            .collect()
    };
    let file = |path: &str| {
        let wanted = format!("cat {path}");
        match lines.iter().find(|(line, _)| *line == wanted) {
            Some((_, name)) => Ok(out(&replay(name))),
            None => Err(format!("{path} is not there")),
        }
    };
    let mut asked = ask(status::steps(&settings));
    let later = status::Readings {
        asked: &asked,
        settings: &settings,
        file: &file,
    }
    .still_to_ask();
    asked.extend(ask(later));
    status::render(&status::Readings {
        asked: &asked,
        settings: &settings,
        file: &file,
    })
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "each row that differs, with its new text, for whoever changes texts on purpose"
)]
fn each_recording_is_rendered_as_the_fixture_says() {
    let rows = fs::read_to_string(fixtures().join("rendered.jsonl")).expect("rendered.jsonl");
    let (mut wrong, mut count) = (0, 0);
    for line in rows.lines() {
        let mut row: Value = serde_json::from_str(line).expect("each line is JSON");
        count += 1;
        let text = match told(&row) {
            Ok(text) => text,
            Err(refusal) => format!("{}: {}", refusal.kind.as_str(), refusal.message),
        };
        assert!(
            !text.contains('\u{1b}') && !text.contains("\n[net"),
            "the text has an escape character or a line that looks like our header: {text}"
        );
        if word(&row, "text") != Some(&text) {
            wrong += 1;
            row["text"] = text.into();
            println!("{row}");
        }
    }
    assert!(count >= 50, "the fixture is cut short: {count} rows");
    assert_eq!(
        wrong, 0,
        "rows differ from the fixture; standard output has each with its new text"
    );
}

#[test]
fn a_scan_that_runs_out_of_time_is_a_timeout_and_claims_nothing_about_ports() {
    for row in [
        r#"{"tool":"net_services","address":"10.77.0.80","scan":"nmap-services-timeout"}"#,
        r#"{"tool":"net_services","address":"10.77.0.80","scan":"late"}"#,
    ] {
        let refusal = told(&serde_json::from_str(row).expect("JSON")).expect_err(row);
        assert_eq!(refusal.kind.as_str(), "timeout", "{row}");
    }
    // Where nmap itself is ended at its deadline, its document stops before the ports and is refused.
    let cut = run_it(
        &[
            "-c".to_owned(),
            "echo '<nmaprun><host>'; exec sleep 20".to_owned(),
        ],
        Limits {
            timeout: Duration::from_millis(300),
            ..Limits::default()
        },
    );
    assert_eq!(cut.ended, run::Ended::Deadline);
    assert!(services::read(&cut).is_err());
    let row = r#"{"tool":"net_services","address":"10.77.0.80","scan":"nmap-ports-web","probe":"nmap-services-timeout"}"#;
    let text = told(&serde_json::from_str(row).expect("JSON")).expect(row);
    assert!(
        !text.contains("0 of") && !text.contains("refused"),
        "{text}"
    );
    assert!(text.contains("did not answer within"), "{text}");
}

#[test]
fn the_way_to_an_address_tells_what_is_wrong_on_this_machine() {
    for (address, route, interfaces, fault) in [
        ("192.168.99.9", "ip-route-get", "ip-addr", None),
        (
            "192.168.99.9",
            "ip-route-none",
            "ip-addr",
            Some("this machine has no route to 192.168.99.9, and no default route for IPv4"),
        ),
        (
            "10.60.0.1",
            "ip-route-get-blackhole",
            "ip-addr-rtr",
            Some("a blackhole route or policy rule of this machine throws packets to it away"),
        ),
        (
            "10.62.0.1",
            "ip-route-get-prohibit",
            "ip-addr-rtr",
            Some("a prohibit route or policy rule of this machine prohibits packets to it"),
        ),
        (
            "10.9.9.6",
            "ip-route-get-no-carrier",
            "ip-addr-no-carrier",
            Some("this machine's interface d0 has no carrier: its cable or radio is not connected"),
        ),
        (
            "10.9.9.6",
            "ip-route-none",
            "ip-addr-off",
            Some("this machine's interface d0 is down"),
        ),
    ] {
        let answers = [route, interfaces, "no ip", "no ip"].map(answer);
        let way = Way::of(address, &answers).expect(route);
        assert_eq!(way.fault.as_deref(), fault, "{route}");
    }
    let answers = ["ip-route-get", "ip-addr", "no ip", "no ip"].map(answer);
    let way = Way::of("192.168.99.9", &answers);
    let way = way.expect("a way");
    assert_eq!(way.via.as_deref(), Some("10.77.0.1"));
    assert!(!way.own);
    // Without ip(8) nothing is known, and nothing is claimed.
    assert_eq!(Way::of("10.0.0.1", &["no ip"; 4].map(answer)), None);
}

#[test]
fn scans_of_one_host_after_the_other_ask_a_person_unless_the_network_is_trusted() {
    let doubt = |trusted: &[&str]| {
        let argv = ["net_services", "host=10.61.0.9"].map(str::to_owned);
        let settings = NetSettings {
            trusted: trusted.iter().map(|net| (*net).to_owned()).collect(),
            ..NetSettings::default()
        };
        let ask = Ask::read(&argv).expect("a call");
        let settled = ask.tool().settle(&Facts::default(), &settings);
        settled.expect("a private address").doubt
    };
    assert_eq!(doubt(&[]), None);
    for host in 1..=4 {
        session::note_scan([10, 61, 0, host].into());
    }
    assert!(doubt(&[]).is_some_and(|why| why.contains("other hosts")));
    assert_eq!(doubt(&["10.61.0.0/24"]), None);
}
