//! What an agent that may write files does between two calls: the gate sets it aside or refuses, and then a person's own git runs nothing.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::agent_rows::{CONFIGURATION, FILES, LINKS, Row};
use super::ground::{Ground, git};
use super::scene::{
    Entry, assert_outside, assert_sound, blob, canary, fired, forget, ground, half_done, head,
    long, look_around_anyway, of_head, outside, person, said, set_head, tree,
};

/// The places of one ground.
pub struct Places<'a> {
    pub ground: &'a Ground,
    pub canary: String,
    pub store: PathBuf,
    pub worktree: PathBuf,
    /// git's own directory for the worktree.
    pub own: PathBuf,
    /// A directory outside, with a file and a bare repository whose configuration has the canary.
    pub evil: PathBuf,
}

impl Places<'_> {
    /// Makes everything as it is before a change: pull request 11 is checked out, and the directory outside has what leads there.
    fn begin(&self) {
        forget(self.ground);
        let first = git(&super::scene::remote(self.ground), &["rev-parse", "h12"]);
        set_head(self.ground, 11, first.trim());
        let numbers = json!({"numbers": ["11"]});
        self.ground.call("pr-checkout", numbers).text();
        let _ = fs::remove_dir_all(&self.evil);
        fs::create_dir_all(self.evil.join("empty")).expect("a directory");
        fs::write(self.evil.join("file"), "theirs\n").expect("a file");
        git(&self.evil, &["init", "-q", "--bare", "bare.git"]);
        let bare = format!(
            "[core]\n\tbare = false\n\tfsmonitor = {0}\n[filter \"evil\"]\n\tsmudge = {0}\n\tclean = {0}\n",
            self.canary
        );
        fs::write(self.evil.join("bare.git/config"), bare).expect("a file");
    }

    /// Writes `text` into `path`, whatever protects it.
    pub fn write(&self, path: &Path, text: &str) {
        self.open();
        let directory = path.parent().expect("a place");
        fs::create_dir_all(directory).expect("a directory");
        let _ = fs::remove_file(path);
        fs::write(path, text).expect("a file");
    }

    /// Puts a link to `to` in the place of `path`.
    pub fn link(&self, path: &Path, to: &Path) {
        self.open();
        fs::create_dir_all(path.parent().expect("a place")).expect("a directory");
        let _ = fs::remove_file(path);
        let _ = fs::remove_dir_all(path);
        symlink(to, path).expect("a link");
    }

    pub fn pipe(&self, path: &Path) {
        self.open();
        let _ = fs::remove_file(path);
        assert!(
            Command::new("mkfifo")
                .arg(path)
                .status()
                .expect("mkfifo starts")
                .success()
        );
    }

    pub fn program(&self, path: &Path) {
        self.write(path, &fs::read_to_string(&self.canary).expect("the canary"));
        let made = Command::new("chmod").arg("755").arg(path).status();
        assert!(made.expect("chmod starts").success());
    }

    /// Adds `text` to the configuration of the store.
    pub fn configure(&self, text: &str) {
        let path = self.store.join("config");
        let found = fs::read_to_string(&path).expect("a configuration");
        self.write(&path, &(found + &text.replace("CANARY", &self.canary)));
    }

    pub fn open(&self) {
        let made = Command::new("chmod")
            .args(["-R", "u+rwX"])
            .arg(self.ground.worktrees())
            .status();
        assert!(made.expect("chmod starts").success());
    }
}

/// Pull requests 11 and 12, whose attributes name the filter evil.  11 is checked out, and has another head since.
fn with_places(run: impl FnOnce(&Places<'_>)) {
    let Some(ground) = ground() else { return };
    let canary = canary(&ground);
    ground.world(&[of_head(11, "Filters"), of_head(12, "Filters too")]);
    let attributes = blob(&ground, b"* filter=evil diff=evil merge=evil\n");
    let of = |text: &str| {
        let file = blob(&ground, text.as_bytes());
        tree(
            &ground,
            &[
                ("100644", b".gitattributes", &attributes),
                ("100644", b"f", &file),
            ],
        )
    };
    head(&ground, 12, &of("twelve\n"));
    let places = Places {
        ground: &ground,
        canary,
        store: ground.store(),
        worktree: ground.worktree("pr-11"),
        own: ground.store().join("worktrees/pr-11"),
        evil: ground.dir.join("evil"),
    };
    places.begin();
    run(&places);
}

/// When the agent changes something.
#[derive(Clone, Copy, Debug, PartialEq)]
enum When {
    /// Between two calls.
    Before,
    /// Between the question of a call and the person's yes.
    Meanwhile,
}

/// After an agent's change, a call for pull request 11 by force and one for 12 do what they should, or refuse; then a person looks around.
/// No canary fires and nothing outside changes.  Returns what the calls said.
fn assert_harmless(places: &Places<'_>, (name, change, _): &Row, when: When) -> String {
    let ground = places.ground;
    // Each time something is to be fetched and written.
    let file = blob(ground, format!("{name} {when:?}").as_bytes());
    let attributes = blob(ground, b"* filter=evil diff=evil merge=evil\n");
    let entries: [Entry<'_>; 2] = [
        ("100644", b".gitattributes", &attributes),
        ("100644", b"f", &file),
    ];
    head(ground, 11, &tree(ground, &entries));
    if when == When::Before {
        change(places);
    }
    let mut before = outside(ground);
    fired(ground);
    let (mut all, mut mended) = (String::new(), true);
    for args in [
        json!({"numbers": ["11"], "force": true}),
        json!({"numbers": ["12"]}),
    ] {
        let (came, write) = ground.prepared("pr-checkout", &args, &ground.settings(), |_| {
            if when == When::Meanwhile && args["force"] == true {
                change(places);
                before = outside(ground);
                fired(ground);
            }
            true
        });
        let (kind, text) = match write {
            Some(mut write) => {
                let outcome = super::ground::run(&mut write);
                (outcome.kind, outcome.text)
            }
            None => said(&came),
        };
        mended &= kind.is_none();
        writeln!(all, "{kind:?} {text}").expect("a string grows");
        assert!(
            kind.is_none() || text.lines().count() >= 2,
            "{name}: {text}"
        );
    }
    assert_eq!(fired(ground), "", "{name}, by the call");
    assert_outside(ground, &before, name);
    for number in ["pr-11", "pr-12"] {
        let worktree = ground.worktree(number);
        let there = fs::symlink_metadata(&worktree).is_ok_and(|facts| facts.is_dir());
        if there && worktree.join(".git").is_file() {
            look_around_anyway(ground, &worktree);
        }
    }
    assert_eq!(fired(ground), "", "{name}, by the person");
    if mended {
        // Where the call refused, a person's own git still follows the agent's link.
        assert_outside(ground, &before, name);
    }
    println!("{name}, {when:?}: {all}");
    all
}

fn each(rows: &[Row], goes_on: bool, when: When) {
    let check = |places: &Places<'_>, row: &Row| {
        let text = assert_harmless(places, row, when);
        assert!(text.contains(row.2), "{}: {text}", row.0);
    };
    with_places(|places| {
        for row in rows {
            check(places, row);
            if goes_on {
                assert!(half_done(places.ground).is_empty());
                assert_sound(places.ground);
            } else {
                places.begin();
            }
        }
    });
    println!("{} changes {when:?}", rows.len());
}

#[test]
fn a_configuration_that_an_agent_has_edited_runs_nothing_in_the_next_call_nor_for_a_person_after_it()
 {
    each(CONFIGURATION, true, When::Before);
}

#[test]
fn a_configuration_that_an_agent_edits_after_the_question_runs_nothing() {
    each(CONFIGURATION, true, When::Meanwhile);
}

#[test]
fn files_that_an_agent_has_put_into_the_store_are_set_aside() {
    each(FILES, false, When::Before);
}

#[test]
fn links_and_pipes_that_an_agent_has_put_somewhere_lead_nowhere() {
    each(LINKS, false, When::Before);
}

#[test]
fn files_and_links_that_an_agent_makes_after_the_question_lead_nowhere() {
    if long() {
        each(FILES, false, When::Meanwhile);
        each(LINKS, false, When::Meanwhile);
    }
}

#[test]
fn before_the_next_call_such_a_configuration_would_have_run() {
    with_places(|places| {
        places.configure("[core]\n\tfsmonitor = CANARY\n[filter \"evil\"]\n\tclean = CANARY\n");
        fs::write(places.worktree.join("f"), "other\n").expect("a file");
        person(places.ground, &places.worktree, &["status"]);
        assert_ne!(fired(places.ground), "");
    });
}
