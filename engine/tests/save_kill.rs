//! A process that edits and saves is killed at any moment: every edit that it reported as saved is in the file, and the
//! file holds the ground as it was after some edit.
#![cfg(feature = "save")]

mod kit;
#[path = "kit/script.rs"]
mod script;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use kit::{config, open};
use script::{TILES, scripted, square};
use terrane::World;
use terrane::save::{Save, SaveError};

/// Tells a process of this binary that it is the one to be killed, and its file.
const FILE: &str = "TERRANE_TEST_SAVE";

fn fresh() -> World {
    open(config(32, 1.0)).with_edit_tiles(TILES)
}

fn say(what: &str, edit: u64) {
    let mut out = std::io::stdout().lock();
    // The test harness writes half lines of its own.
    writeln!(out, "\n{what} {edit}").and_then(|()| out.flush()).expect("the parent reads");
}

#[test]
#[ignore = "the process that the next test kills"]
fn child() {
    let Ok(path) = std::env::var(FILE) else {
        return;
    };
    let world = fresh();
    let save = Save::open(&path, &world).expect("a file that a killed process left");
    let last = world.edits().last_edit().0;
    say("opened", last);
    for n in last + 1.. {
        let edited = world.edit(&scripted(n)).expect("a valid edit");
        assert_eq!(edited.id.0, n);
        save.submit();
        if let Some(id) = save.try_saved() {
            say("saved", id.0);
        }
        assert!(save.try_error().is_none());
        std::thread::sleep(Duration::from_micros(300));
    }
}

struct Victim {
    process: Child,
    lines: Receiver<(String, u64)>,
}

impl Victim {
    fn start(path: &Path) -> Self {
        let mut process = Command::new(std::env::current_exe().expect("this binary"))
            .args(["--exact", "child", "--ignored", "--nocapture"])
            .env(FILE, path)
            .stdout(Stdio::piped())
            .spawn()
            .expect("started");
        let (send, lines) = channel();
        let out = BufReader::new(process.stdout.take().expect("piped"));
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                let words = line.split_once(' ').map(|(what, edit)| (what.to_owned(), edit.parse()));
                if let Some((what, Ok(edit))) = words {
                    let _ = send.send((what, edit));
                }
            }
        });
        Self { process, lines }
    }

    /// Kills it and tells the last edit that it reported.
    fn kill(mut self) -> u64 {
        self.process.kill().expect("running");
        self.process.wait().expect("killed");
        // Ends when the reader has seen the end of the pipe.
        self.lines.iter().filter(|(what, _)| what == "saved").map(|(_, edit)| edit).max().unwrap_or(0)
    }
}

#[test]
fn what_was_reported_survives_a_kill() {
    let rounds = if std::env::var_os("TERRANE_LONG").is_some() { 200 } else { 15 };
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("world.save");
    let (model, mut done, mut reported_any) = (fresh(), 0, 0);
    let mut state = u64::from(std::process::id());
    for round in 0..rounds {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let wait_ms = (state >> 40) % 150;
        let victim = Victim::start(&path);
        if round % 4 != 0 {
            // Else it may die while it makes or opens the file.
            victim.lines.recv().expect("it opens the file");
        }
        std::thread::sleep(Duration::from_millis(wait_ms));
        if round == 1 {
            let error = Save::open(&path, &fresh()).expect_err("the file is in use");
            assert!(matches!(error, SaveError::Locked { .. }), "{error}");
        }
        let reported = victim.kill();
        let world = fresh();
        let save = Save::open(&path, &world).unwrap_or_else(|error| panic!("round {round}: {error}"));
        let last = world.edits().last_edit().0;
        assert!(last >= reported, "round {round}: {reported} was reported, the file ends with {last}");
        assert!(last >= done, "round {round}: the file went back from {done} to {last}");
        for n in done + 1..=last {
            let _ = model.edit(&scripted(n)).expect("a valid edit");
        }
        done = last;
        reported_any += u64::from(reported > 0);
        assert!(square(&world) == square(&model), "round {round}: not the ground after edit {last}");
        drop(save);
    }
    assert!(reported_any > rounds / 4, "{reported_any} of {rounds} rounds reported anything");
}
