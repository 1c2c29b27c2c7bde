//! What the tests of errands share: a script in gh's place, and an errand from its look-up to its outcome.
//! Included by src/gh/tools/errand.rs.

use std::fs;
use std::sync::Arc;

use serde_json::Value;

use crate::gate::{Cwd, Outcome, Plan, PlanInfo, Refusal};
use crate::gh::call::request::Request;
use crate::gh::tools::errand::{Errand, Step};
use crate::gh::tools::script::{Script, run};
use crate::gh::tools::{ToolCall, plan};

/// A home with a gh that prints what a test wants.
pub(in crate::gh::tools) struct Home(Script);

/// What gh prints: to a call whose arguments hold the text, this output with this exit code.
pub(in crate::gh::tools) type Prints<'a> = &'a [(&'a str, Value, u8)];

impl Home {
    pub fn new(prints: Prints<'_>) -> Self {
        let mut cases = String::new();
        for (n, (holds, _, exit)) in prints.iter().enumerate() {
            cases = format!("{cases}*'{holds}'*) cat \"$HOME/print-{n}\"; exit {exit};;\n");
        }
        let cases = format!("case \"$*\" in\n{cases}*) echo unexpected >&2; exit 9;;\nesac");
        let script = Script::new("2.92.0", &cases);
        for (n, (_, output, _)) in prints.iter().enumerate() {
            let file = script.home.join(format!("print-{n}"));
            fs::write(file, output.to_string()).expect("a file");
        }
        Self(script)
    }

    /// The command lines that gh got, in order.
    pub fn asked(&self) -> Vec<String> {
        self.0.asked()
    }

    /// The call for the step `step`, in the repository `o/r`; with `argv`, as a person changed it.
    fn call(&self, errand: &Arc<dyn Errand>, step: Step, argv: Option<Vec<String>>) -> ToolCall {
        let edited = argv.is_some();
        let request = Request {
            argv: argv
                .unwrap_or_else(|| vec!["pr".into(), "view".into()])
                .into(),
            cwd: Some(Cwd::Local(self.0.home.clone())),
            repo: Some("o/r".into()),
            edited,
            ..Request::default()
        };
        ToolCall {
            errand: Some((Arc::clone(errand), step)),
            ..request.into()
        }
    }

    pub fn look_up(&self, errand: &Arc<dyn Errand>) -> Outcome {
        let call = self.call(errand, Step::LookUp, None);
        run(plan(&call, &self.0.settings()).expect("the look-up is planned"))
    }

    /// The plan of the write, after the look-up.
    pub fn write(&self, errand: &Arc<dyn Errand>) -> Plan {
        let looked = self.look_up(errand);
        assert_eq!(looked.kind, None, "{}", looked.text);
        let call = self.call(errand, Step::Write, None);
        plan(&call, &self.0.settings()).expect("the write is planned")
    }

    /// The plan of the write that a person has changed to `argv`.
    pub fn changed(&self, errand: &Arc<dyn Errand>, argv: Vec<String>) -> Result<Plan, Refusal> {
        let call = self.call(errand, Step::Write, Some(argv));
        plan(&call, &self.0.settings())
    }

    /// The plan of the write after a look-up that failed.
    pub fn failed(&self, errand: &Arc<dyn Errand>, refusal: Refusal) -> Plan {
        let call = self.call(errand, Step::Failed(refusal), None);
        plan(&call, &self.0.settings()).expect("a refusal is planned")
    }

    /// The refusal of the write.
    pub fn refused(&self, errand: &Arc<dyn Errand>) -> Refusal {
        let plan = self.write(errand);
        let asked = self.asked();
        assert!(
            !asked.iter().any(|line| line.contains("mutation")),
            "{asked:?}"
        );
        plan.refusal().expect("the write is refused")
    }
}

/// The field `name` that the argv of `info` sends.
pub(in crate::gh::tools) fn field<'a>(info: &'a PlanInfo, name: &str) -> &'a str {
    let mut fields = info.argv.iter().filter_map(|word| word.split_once('='));
    let found = fields.find_map(|(key, text)| (key == name).then_some(text));
    found.unwrap_or_else(|| panic!("no field {name} in {:?}", info.argv))
}

/// The texts under `/`-separated labels that the question of `info` shows: those above, then those that go out.
pub(in crate::gh::tools) fn shown(info: &PlanInfo) -> Vec<(String, String)> {
    let question = &info.question;
    let mut all: Vec<(String, String)> = question
        .quoted
        .iter()
        .map(|q| (q.label.clone(), q.text.clone()))
        .collect();
    for text in &question.texts {
        all.extend(text.above.iter().map(|q| (q.label.clone(), q.text.clone())));
        all.push((text.label.clone(), text.text.clone()));
    }
    all
}
