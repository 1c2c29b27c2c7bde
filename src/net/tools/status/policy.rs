//! Policy rules beyond the three that each machine has, and the routes of the tables that they name.
//!
//! Where ip(8) is missing or fails, and where there are no such rules, nothing is said about them.

use std::fmt::Write as _;
use std::time::Duration;

use super::readings::Readings;
use super::show;
use crate::net::parse::ip::{Route, Rule};
use crate::net::parse::{Bounded, ip};
use crate::net::step::Step;
use crate::net::tools::words::name;

/// The most time for one program.
const TIME: Duration = Duration::from_secs(3);

/// The rules of IPv4 and of IPv6.
pub struct Policy {
    pub four: Family,
    pub six: Family,
}

/// The rules of one version of IP.
#[derive(Default)]
pub struct Family {
    /// All rules, the three usual ones too; empty where they are not known.
    pub rules: Bounded<Rule>,
    /// The routes of the tables that the rules name besides `main` and `local`, or why they cannot be read; `None`: there are no
    /// such tables, or nobody asked yet.
    pub tables: Option<Result<Bounded<Route>, String>>,
}

/// The step that prints the rules.
fn rules_step(six: bool) -> Step {
    let argv: &[&str] = if six {
        &["-j", "-6", "rule"]
    } else {
        &["-j", "rule"]
    };
    Step::new("ip", argv, TIME)
}

/// The step that prints the routes of all tables.  The JSON of a route does not say its version of IP, so each version has a step.
fn tables_step(six: bool) -> Step {
    let family = if six { "-6" } else { "-4" };
    Step::new("ip", &["-j", family, "route", "show", "table", "all"], TIME)
}

/// The steps that print the rules.
pub fn steps() -> [Step; 2] {
    [false, true].map(rules_step)
}

/// The steps that print the tables which the rules name, unless they were asked for.
pub fn tables_to_ask(found: &Readings<'_>) -> Vec<Step> {
    let mut steps = Vec::new();
    for six in [false, true] {
        let step = tables_step(six);
        let named = found.printed(&rules_step(six), ip::rules);
        let named = named.is_some_and(|rules| rules.is_ok_and(|all| names_a_table(&all)));
        if named && found.printed(&step, ip::routes).is_none() {
            steps.push(step);
        }
    }
    steps
}

/// The table that a rule names, if it is a table whose routes are not shown anyway.
fn other_table(rule: &Rule) -> Option<&str> {
    let table = rule.table.as_deref().filter(|_| !rule.usual())?;
    (table != "main" && table != "local").then_some(table)
}

fn names_a_table(rules: &Bounded<Rule>) -> bool {
    rules.rows.iter().any(|rule| other_table(rule).is_some())
}

impl Policy {
    pub fn of(found: &Readings<'_>) -> Self {
        let [four, six] = [false, true].map(|six| Family::of(found, six));
        Self { four, six }
    }

    /// The two sections, each of which is left out where it is empty.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = section("policy rules", &self.rules());
        lines.extend(section("routes of other tables", &self.routes()));
        let mut whys: Vec<&String> = Vec::new();
        for family in [&self.four, &self.six] {
            if let Some(Err(why)) = &family.tables
                && !whys.contains(&why)
            {
                whys.push(why);
            }
        }
        lines.extend(
            whys.iter()
                .map(|why| format!("routes of other tables: missing, {why}")),
        );
        lines
    }

    /// The rules in the order of their numbers; a rule that is the same for IPv4 and IPv6 is one row.
    fn rules(&self) -> Bounded<String> {
        let told = |family: &Family| -> Vec<(u64, String)> {
            let others = family.rules.rows.iter().filter(|rule| !rule.usual());
            others.map(|one| (one.priority, rule(one))).collect()
        };
        let (mut all, mut six) = (told(&self.four), told(&self.six));
        for row in &mut all {
            if let Some(at) = six.iter().position(|other| other == row) {
                six.remove(at);
                row.1.push_str(" (IPv4 and IPv6)");
            }
        }
        all.extend(
            six.into_iter()
                .map(|(at, row)| (at, format!("{row} (IPv6)"))),
        );
        all.sort_by_key(|(at, _)| *at);
        Bounded {
            rows: all.into_iter().map(|(_, row)| row).collect(),
            more: self.four.rules.more || self.six.rules.more,
        }
    }

    fn routes(&self) -> Bounded<String> {
        let (mut rows, mut more) = (Vec::new(), false);
        for (family, six) in [(&self.four, false), (&self.six, true)] {
            let Some(Ok(all)) = &family.tables else {
                continue;
            };
            more |= all.more;
            rows.extend(all.rows.iter().map(|one| {
                let table = one.table.as_deref().unwrap_or("main");
                let mark = if six && one.to == "default" {
                    " (IPv6)"
                } else {
                    ""
                };
                format!("table {table}: {}{mark}", show::route(one))
            }));
        }
        Bounded { rows, more }
    }
}

impl Family {
    fn of(found: &Readings<'_>, six: bool) -> Self {
        let rules = found.printed(&rules_step(six), ip::rules);
        let rules = rules.and_then(Result::ok).unwrap_or_default();
        if !names_a_table(&rules) {
            return Self {
                rules,
                tables: None,
            };
        }
        let named: Vec<&str> = rules.rows.iter().filter_map(other_table).collect();
        let tables = found.printed(&tables_step(six), ip::routes);
        let tables = tables.map(|read| {
            read.map(|mut all| {
                all.rows.retain(|route| {
                    let table = route.table.as_deref();
                    table.is_some_and(|table| named.contains(&table)) && leads(route)
                });
                all
            })
        });
        Self { rules, tables }
    }
}

/// Whether the route says where packets for other machines go.
fn leads(route: &Route) -> bool {
    route.kind.is_none() || route.nowhere()
}

fn section(title: &str, all: &Bounded<String>) -> Vec<String> {
    if all.rows.is_empty() {
        return Vec::new();
    }
    let rows = show::rows(all, Clone::clone);
    let rows = rows.into_iter().map(|row| format!("  {row}"));
    std::iter::once(format!("{title}:")).chain(rows).collect()
}

/// A rule on one line, in the words of ip(8): `32765: not fwmark 0xca6c lookup 51820`.
fn rule(one: &Rule) -> String {
    let mut line = format!("{}:", one.priority);
    if one.not {
        line.push_str(" not");
    }
    let interface = |name_of: &Option<_>| name_of.as_ref().map(name);
    for (word, value) in [
        ("from", one.from.clone()),
        ("to", one.to.clone()),
        ("fwmark", one.mark.clone()),
        ("iif", interface(&one.iif)),
        ("oif", interface(&one.oif)),
        ("uidrange", one.users.map(|(a, b)| format!("{a}-{b}"))),
    ] {
        if let Some(value) = value {
            let _ = write!(line, " {word} {value}");
        }
    }
    for other in &one.others {
        let _ = write!(line, " {other}");
    }
    if one.detached {
        line.push_str(" (this interface is not there)");
    }
    match (one.action.as_deref(), one.goto, &one.table) {
        (Some("l3mdev"), ..) => line.push_str(" lookup the table of the VRF"),
        (Some(action), ..) => {
            let _ = write!(line, " {action}");
        }
        (None, Some(next), _) => {
            let _ = write!(line, " goto {next}");
            if one.unresolved {
                line.push_str(" (there is no such rule)");
            }
        }
        (None, None, Some(table)) => {
            let _ = write!(line, " lookup {table}");
        }
        (None, None, None) => {}
    }
    if let Some(length) = one.suppressed {
        let _ = write!(line, " suppress_prefixlength {length}");
    }
    line
}
