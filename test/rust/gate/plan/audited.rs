//! Plans and the audit log: a write is announced there before it runs.

use super::*;

/// A folder for the audit log of one test, removed when dropped.
struct Log(PathBuf);

impl Log {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("cj-plan-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).expect("a new name");
        Self(folder)
    }

    fn settings(&self, required: bool) -> Arc<audit::LogSettings> {
        Arc::new(audit::LogSettings {
            folder: Some(self.0.clone()),
            days: None,
            required,
        })
    }

    fn open_to_all(&self) {
        use std::os::unix::fs::PermissionsExt;
        let open = std::fs::Permissions::from_mode(0o777);
        std::fs::set_permissions(&self.0, open).expect("it is ours");
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A write that runs `program` with `argv`, approved by a person, and logged by `log`'s settings.
fn logged_write(program: &str, argv: &[&str], log: Arc<audit::LogSettings>) -> Plan {
    let mut draft = draft(Class::Write, Answer::Confirm, argv);
    draft.executable = program.into();
    let mut write = Plan::new(draft).expect("a plain argv");
    write.audit = log;
    let digest = write.info().digest.clone();
    write
        .approve(&digest, HOUR)
        .expect("the digest is the shown one");
    write
}

#[test]
fn a_write_runs_after_its_intent_is_in_the_audit_log() {
    let log = Log::new("intent");
    let file = log
        .0
        .join(audit::folder::file_name(chrono::Local::now().date_naive()));
    let file = file.to_string_lossy();
    // The program prints the log while the call runs.
    let done = outcome(&mut logged_write("/bin/cat", &[&file], log.settings(true)));
    let lines: Vec<&str> = done.text.lines().collect();
    assert_eq!(lines.len(), 1, "{}", done.text);
    for part in [
        " class=write ",
        " exit=- ",
        " approved-by=person ",
        " event=start ",
    ] {
        assert!(lines[0].contains(part), "{part} in {}", lines[0]);
    }
    // A second line says how the call ended.
    let text = std::fs::read_to_string(&*file).expect("it is there");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(
        lines[1].contains(" exit=0 ") && !lines[1].contains("event="),
        "{text}"
    );
    assert!(lines[1].contains(" approved-by=person "), "{text}");
}

#[test]
fn a_write_that_cannot_be_logged_is_refused_where_a_log_is_required() {
    let (log, elsewhere) = (Log::new("required"), Log::new("elsewhere"));
    log.open_to_all();
    let mark = elsewhere.0.join("mark");
    let argv = [mark.to_str().expect("plain")];
    let done = outcome(&mut logged_write("/bin/touch", &argv, log.settings(true)));
    assert_eq!(done.kind, Some(ErrorKind::PolicyBlocked));
    assert!(done.text.contains("Nothing was run"), "{}", done.text);
    assert!(!mark.exists());
    // Without a folder for the log the write is refused as well.
    let none = Arc::new(audit::LogSettings {
        folder: None,
        days: None,
        required: true,
    });
    let done = outcome(&mut logged_write("/bin/touch", &argv, none));
    assert_eq!(done.kind, Some(ErrorKind::PolicyBlocked));
    assert!(done.text.contains("Nothing was run"), "{}", done.text);
    assert!(!mark.exists());
    // A read runs unlogged; so does a write where no log is required.
    let mut read = plan(Class::Read, Answer::Auto, &["view"]);
    read.audit = log.settings(true);
    assert_eq!(outcome(&mut read).kind, None);
    let done = outcome(&mut logged_write("/bin/touch", &argv, log.settings(false)));
    assert_eq!(done.kind, None);
    assert!(mark.exists());
}
