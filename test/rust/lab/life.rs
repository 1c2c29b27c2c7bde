//! The stand-ins end with the test that started them.
#![allow(clippy::disallowed_methods)] // one test starts a shell and kills that shell

use crate::lab::{self, Lab};
use serde_json::Value;
use std::process::{Command, Stdio};

#[test]
fn the_stand_ins_end_with_their_input_and_leave_no_socket() {
    let mut lab = Lab::start(&[]);
    let socket = lab.dir.join("github.sock");
    assert!(socket.exists());
    assert_eq!(lab.stop(), Some(0));
    assert!(!socket.exists(), "the socket file stayed");
}

#[test]
fn the_stand_ins_end_when_their_parent_is_killed() {
    let dir = lab::fresh_dir();
    // The lab's input stays open, so only the parent's death can end the lab.
    let script = "exec 3<&0; \"$0\" serve --dir \"$1\" <&3 & wait";
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", script])
        .arg(lab::binary())
        .arg(&dir)
        .stdin(Stdio::piped());
    let mut shell = shell.spawn().expect("a shell starts");
    let input = shell.stdin.take();
    lab::wait_for("the stand-ins", || dir.join("ready.json").exists());
    let ready = std::fs::read_to_string(dir.join("ready.json")).expect("ready.json is there");
    let ready: Value = serde_json::from_str(&ready).expect("ready.json is JSON");
    let stat = format!("/proc/{}/stat", ready["pid"]);
    // A zombie counts as dead: perhaps no process reaps it.
    let gone = || std::fs::read_to_string(&stat).map_or(true, |stat| stat.contains(") Z "));
    assert!(!gone(), "the lab was not alive");
    shell.kill().expect("the shell can be killed");
    shell.wait().expect("the shell can be reaped");
    lab::wait_for("the lab's end", gone);
    drop(input);
    let _ = std::fs::remove_dir_all(dir);
}
