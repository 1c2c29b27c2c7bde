//! Several checkouts of one repository at once.

use std::time::Instant;

use serde_json::json;

use super::ground::Ground;
use super::scene::{
    assert_sound, assert_whole, blob, forget, ground, half_done, head, long, of_head, said, tree,
};

const NUMBERS: [u64; 5] = [11, 12, 13, 14, 15];

/// Five pull requests, each with a file of its own; the commit of each.
fn five(ground: &Ground) -> Vec<String> {
    let worlds: Vec<_> = NUMBERS
        .iter()
        .map(|number| of_head(*number, "One of five"))
        .collect();
    ground.world(&worlds);
    let heads = NUMBERS.iter().map(|number| {
        let file = blob(ground, format!("{number}\n").as_bytes());
        let entries: [(&str, &[u8], &str); 2] =
            [("100644", b"own.txt", &file), ("100644", b"README", &file)];
        head(ground, *number, &tree(ground, &entries))
    });
    heads.collect()
}

fn assert_all(ground: &Ground, heads: &[String]) {
    for (number, sha) in NUMBERS.iter().zip(heads) {
        assert_whole(ground, *number, sha);
        let file = ground.worktree(&format!("pr-{number}")).join("own.txt");
        let text = std::fs::read_to_string(file).expect("a file");
        assert_eq!(text, format!("{number}\n"));
    }
    assert_sound(ground);
    assert_eq!(half_done(ground), Vec::<String>::new());
}

#[test]
fn five_pull_requests_are_checked_out_by_five_calls_at_once() {
    let Some(ground) = ground() else { return };
    let heads = five(&ground);
    let (times, begun) = (if long() { 50 } else { 5 }, Instant::now());
    for _ in 0..times {
        std::thread::scope(|scope| {
            let calls = NUMBERS.map(|number| {
                let ground = &ground;
                scope.spawn(move || {
                    let came = ground.call("pr-checkout", json!({"numbers": [number.to_string()]}));
                    assert_eq!(said(&came).0, None, "{came:?}");
                })
            });
            for call in calls {
                call.join().expect("a call that succeeds");
            }
        });
        assert_all(&ground, &heads);
        forget(&ground);
    }
    println!("{times} times five calls: {:?}", begun.elapsed());
}

#[test]
fn five_pull_requests_are_checked_out_by_one_call() {
    let Some(ground) = ground() else { return };
    let heads = five(&ground);
    let (times, begun) = (if long() { 50 } else { 5 }, Instant::now());
    for _ in 0..times {
        let numbers: Vec<String> = NUMBERS.iter().map(u64::to_string).collect();
        let came = ground.call("pr-checkout", json!({"numbers": numbers}));
        assert_eq!(came.text().matches("is checked out").count(), 5);
        assert_all(&ground, &heads);
        forget(&ground);
    }
    println!("{times} times one call: {:?}", begun.elapsed());
}

#[test]
fn calls_for_the_same_pull_request_at_once_keep_the_first_ones_worktree() {
    let Some(ground) = ground() else { return };
    let heads = five(&ground);
    for _ in 0..3 {
        let asked = std::sync::Barrier::new(3);
        std::thread::scope(|scope| {
            let calls = [(); 3].map(|()| {
                scope.spawn(|| {
                    // All three are asked before the first of them writes.
                    let came = ground.call_with(
                        "pr-checkout",
                        json!({"numbers": ["11"]}),
                        &ground.settings(),
                        |_| {
                            asked.wait();
                            true
                        },
                    );
                    came.text().to_owned()
                })
            });
            let texts = calls.map(|call| call.join().expect("a call that succeeds"));
            let already = texts.iter().filter(|text| text.contains("already")).count();
            assert_eq!(already, 2, "{texts:?}");
        });
        assert_whole(&ground, 11, &heads[0]);
        forget(&ground);
    }
}

#[test]
fn work_that_began_after_the_question_is_not_dropped() {
    let Some(ground) = ground() else { return };
    let heads = five(&ground);
    let numbers = json!({"numbers": ["11"]});
    ground.call("pr-checkout", numbers.clone());
    let worktree = ground.worktree("pr-11");
    let file = blob(&ground, b"new\n");
    head(
        &ground,
        11,
        &tree(&ground, &[("100644", b"own.txt", &file)]),
    );
    let forced = json!({"numbers": ["11"], "force": true});
    for commit in [false, true] {
        let came = ground.call_with("pr-checkout", forced.clone(), &ground.settings(), |_| {
            std::fs::write(worktree.join("own.txt"), "mine\n").expect("a file");
            if commit {
                super::ground::git(&worktree, &["commit", "-qam", "Mine"]);
            }
            true
        });
        let (_, words) = said(&came);
        assert!(
            words.contains("has changed since the person was asked"),
            "{words}"
        );
        let kept = std::fs::read_to_string(worktree.join("own.txt")).expect("a file");
        assert_eq!(kept, "mine\n");
        if !commit {
            super::ground::git(&worktree, &["checkout", "-q", "own.txt"]);
        }
    }
    assert_ne!(
        super::ground::git(&worktree, &["rev-parse", "HEAD"]).trim(),
        heads[0]
    );
}

#[test]
fn a_reset_beside_another_git_does_not_count_as_begun() {
    let Some(ground) = ground() else { return };
    five(&ground);
    ground
        .call("pr-checkout", json!({"numbers": ["11"]}))
        .text();
    let file = blob(&ground, b"new\n");
    let next = head(
        &ground,
        11,
        &tree(&ground, &[("100644", b"own.txt", &file)]),
    );
    let lock = ground.store().join("worktrees/pr-11/index.lock");
    std::fs::write(&lock, "").expect("a lock");
    let forced = json!({"numbers": ["11"], "force": true});
    let (_, words) = said(&ground.call("pr-checkout", forced.clone()));
    assert!(words.contains("Another git is at work"), "{words}");
    assert!(lock.exists(), "the lock of another git stays");
    // What is written meanwhile is not taken for what an unfinished reset has left.
    std::fs::remove_file(&lock).expect("a lock");
    let own = ground.worktree("pr-11").join("own.txt");
    std::fs::write(&own, "mine\n").expect("a file");
    let (_, words) = said(&ground.call("pr-checkout", forced.clone()));
    assert!(
        words.contains("has changes that were not committed"),
        "{words}"
    );
    std::fs::write(&own, "11\n").expect("a file");
    ground.call("pr-checkout", forced).text();
    assert_whole(&ground, 11, &next);
}
