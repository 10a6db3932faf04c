//! The command as its users see it: JSON, chart, `--peer` programs, and what is said when the input is wrong.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use terrane_bench::workload::{WORKLOADS, find};

fn bench(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_terrane-bench")).args(args).output().expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The error of a command that must refuse its input.
fn refused(args: &[&str]) -> String {
    let output = bench(args);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
    assert!(output.stdout.is_empty(), "{args:?}");
    error
}

#[test]
fn json_and_chart() {
    let folder = tempfile::tempdir().expect("a folder");
    let (json, svg) = (folder.path().join("noise.json"), folder.path().join("noise.svg"));
    let output = bench(&[
        "compare",
        "--quick",
        "--filter",
        "fbm6_2d_67",
        "--filter",
        "grad",
        "--levels",
        "scalar,wide",
        "--json",
        json.to_str().expect("UTF-8"),
        "--svg",
        svg.to_str().expect("UTF-8"),
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));

    let report: Value = serde_json::from_slice(&std::fs::read(&json).expect("written")).expect("JSON");
    for key in ["cpu", "cores", "os", "arch", "rustc"] {
        assert!(report["machine"].get(key).is_some(), "machine.{key}");
    }
    let rows = report["rows"].as_array().expect("rows");
    let mut seen = BTreeSet::new();
    for row in rows {
        let keys: Vec<_> = row.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(keys, ["msamples_per_s", "ns_per_sample", "path", "workload"]);
        let (rate, ns) = (row["msamples_per_s"].as_f64(), row["ns_per_sample"].as_f64());
        let (rate, ns) = (rate.expect("a number"), ns.expect("a number"));
        assert!(rate > 0.0 && (rate * ns - 1000.0).abs() < 1e-6, "{row}");
        let workload = row["workload"].as_str().expect("a text");
        assert!(find(workload).is_some(), "{workload}");
        assert!(seen.insert((workload, row["path"].as_str().expect("a text"))), "{row} is there twice");
    }
    for path in ["scalar", "wide"] {
        assert!(
            seen.contains(&("fbm6_2d_67", path)) && seen.contains(&("fbm6_2d_67_stride64", path)),
            "{path}"
        );
    }
    #[cfg(feature = "peers")]
    assert!(
        seen.contains(&("fbm6_2d_67", "fastnoise-lite")) && seen.contains(&("fbm6_2d_67_stride2", "noise"))
    );

    let table = text(&output.stdout);
    assert!(table.contains("fbm6_grad_2d_256: ") && table.contains("x scalar"), "{table}");
    let chart = std::fs::read_to_string(&svg).expect("written");
    assert!(chart.starts_with("<svg ") && chart.ends_with("</svg>\n"));
    assert_eq!(chart.matches("class=\"figure\"").count(), rows.len(), "a bar a row");
    let files = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(files, 2, "nothing temporary stays");
}

#[test]
fn every_command_has_help_with_examples() {
    for command in [&["--help"][..], &["compare", "--help"], &["run", "--help"]] {
        let output = bench(command);
        assert!(output.status.success());
        assert!(text(&output.stdout).contains("Example"), "{command:?}");
    }
    let help = text(&bench(&["compare", "--help"]).stdout);
    assert!(WORKLOADS.iter().all(|workload| help.contains(workload.name)), "the workloads are listed");
}

#[test]
fn wrong_input_is_answered() {
    let error = refused(&["compare", "--filter", "fbm6", "--filter", "perlin_4d"]);
    assert!(error.contains("perlin_4d") && error.contains("fbm6_2d_256"), "{error}");
    let error = refused(&["compare", "--levels", "scalar,mmx"]);
    assert!(error.contains("mmx") && error.contains("sse4.2"), "{error}");
    let error = refused(&["compare", "--rounds", "0"]);
    assert!(error.contains("1..=1000"), "{error}");
    for seconds in ["0", "-1", "NaN", "soon", "1e9"] {
        let error = refused(&["compare", &format!("--seconds={seconds}")]);
        assert!(error.contains("0.001 to 3600"), "{error}");
    }
    let error = refused(&["compare", "--quick", "--rounds", "3"]);
    assert!(error.contains("cannot be used with"), "{error}");
    let error = refused(&["compare", "--quick", "--json", "no/such/folder/noise.json"]);
    assert!(
        error.contains("no/such/folder/noise.json") && error.contains("folder does not exist"),
        "{error}"
    );
    let error = refused(&["compare", "--quick", "--svg", "."]);
    assert!(error.contains("is a folder"), "{error}");
    let error = refused(&["run", "--workload", "perlin", "--path", "scalar"]);
    assert!(error.contains("`perlin`") && error.contains("perlin_2d_256"), "{error}");
    let error = refused(&["run", "--workload", "perlin_2d_256", "--path", "mmx"]);
    assert!(error.contains("`mmx`") && error.contains("wide"), "{error}");
}

#[test]
fn malformed_peers_are_answered() {
    for (peer, says) in [
        ("fastnoise2", "NAME=COMMAND"),
        ("=./peer", "NAME=COMMAND"),
        ("fn2=", "the command is empty"),
        ("fn2='./peer", "is not closed"),
        ("avx2=./peer", "choose another"),
        ("fn2=./no-such-program", "cannot start `./no-such-program`"),
    ] {
        let error = refused(&["compare", "--quick", "--filter", "fbm6_2d_67", "--peer", peer]);
        assert!(error.contains(says), "{peer}: {error}");
    }
    let error = refused(&["compare", "--peer", "a=./peer", "--peer", "a=./peer"]);
    assert!(error.contains("--peer a") && error.contains("choose another"), "{error}");
}

#[test]
fn run_prints_a_rate() {
    let output = bench(&["run", "--workload", "perlin_2d_256", "--path", "wide", "--seconds", "0.01"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).trim().parse::<f64>().expect("a number") > 0.0);
}

/// A program that does one workload, fails on others, and notes when it is asked.
#[cfg(unix)]
fn stub(folder: &Path, name: &str, answer: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let file = folder.join(format!("{name} stub"));
    let log = folder.join("log").display().to_string();
    let script = format!(
        "#!/bin/sh\necho {name} \"$@\" >> '{log}'\ncase $2 in\nfbm6_2d_256) {answer} ;;\n*) echo not mine >&2; exit 3 ;;\nesac\n"
    );
    std::fs::write(&file, script).expect("written");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("made executable");
    format!("{name}='{}' extra", file.display())
}

#[cfg(unix)]
#[test]
fn programs_join_in_alternation() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two] =
        [("one", "echo 184.5"), ("two", "echo 12")].map(|(name, answer)| stub(folder.path(), name, answer));
    let json = folder.path().join("noise.json");
    let output = bench(&[
        "compare",
        "--filter",
        "fbm6_2d",
        "--levels",
        "scalar",
        "--rounds",
        "3",
        "--seconds",
        "0.002",
        "--verbose",
        "--peer",
        &one,
        "--peer",
        &two,
        "--json",
        json.to_str().expect("UTF-8"),
    ]);
    let error = text(&output.stderr);
    assert!(output.status.success(), "{error}");
    assert!(error.contains("two does not do fbm6_2d_1024: exit status: 3: not mine"), "{error}");

    let log = std::fs::read_to_string(folder.path().join("log")).expect("written");
    let asked: Vec<_> = log.lines().filter(|line| line.ends_with("fbm6_2d_256 0.002")).collect();
    let order: Vec<_> = asked.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(order, ["one", "two", "two", "one", "one", "two"], "every second round goes backwards");
    assert_eq!(asked[0], "one extra fbm6_2d_256 0.002");
    assert!(!log.contains("fbm6_2d_67 0.002"), "what a program does not do is not asked for again");

    let report: Value = serde_json::from_slice(&std::fs::read(&json).expect("written")).expect("JSON");
    let rows = report["rows"].as_array().expect("rows");
    let of = |path: &str| rows.iter().filter(|row| row["path"] == path).collect::<Vec<_>>();
    assert_eq!(of("one").len(), 1);
    assert_eq!(of("one")[0]["msamples_per_s"], 184.5);
    assert_eq!(of("two")[0]["workload"], "fbm6_2d_256");
    assert_eq!(of("scalar").len(), WORKLOADS.iter().filter(|w| w.name.contains("fbm6_2d")).count());
}

#[cfg(unix)]
#[test]
fn a_program_that_fails_later_ends_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let flaky = stub(folder.path(), "flaky", "[ $3 = 0.01 ] && echo 5");
    let output =
        bench(&["compare", "--filter", "fbm6_2d_256", "--levels", "scalar", "--quick", "--peer", &flaky]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("--peer flaky: gave a figure for fbm6_2d_256 at first, then none"), "{error}");
}
