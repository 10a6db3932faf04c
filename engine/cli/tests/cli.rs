//! The command line as a user meets it: outputs, messages, exit codes, and what is left on the disk.

#[path = "../../tests/malformed/mod.rs"]
mod malformed;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// A folder of its own per test, and the command in it.
struct Place(tempfile::TempDir);

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
        command.current_dir(self.0.path()).env_remove("TERRANE_SIMD").args(args.split_whitespace());
        command
    }

    fn run(&self, args: &str) -> Ran {
        Ran::from(self.command(args).output().expect("the command runs"))
    }

    fn names(&self, dir: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.path(dir)) else { return Vec::new() };
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    fn json(&self, path: &str) -> Value {
        let text = std::fs::read_to_string(self.path(path)).expect("a file");
        serde_json::from_str(&text).expect("JSON")
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Ran {
    fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.err);
        self.out
    }

    /// Input errors: exit code 2, and a message that says `text`.
    fn refused(self, text: &str) {
        assert_eq!(self.code, Some(2), "{}", self.err);
        assert!(self.err.contains(text), "no {text:?} in: {}", self.err);
    }
}

const ALL: [&str; 7] =
    ["heat.png", "heights.json", "heights.png", "heights.r16", "preview.png", "report.json", "world.glb"];

#[test]
fn generate_writes_every_format_and_a_report() {
    let place = Place::new();
    let printed = place.run("generate --preset hills --region -2,-2,1,0 --threads 2").ok();
    assert_eq!(place.names("out"), ALL);
    let report = place.json("out/report.json");
    let keys =
        ["chunks", "samples", "seconds", "chunks_per_s", "msamples_per_s", "simd_level", "threads", "seed"];
    for key in keys.iter().chain(&["generator_version", "world_hash", "height_digest", "stages"]) {
        assert!(!report[*key].is_null(), "no {key} in the report");
    }
    assert_eq!(report["chunks"], 6);
    assert_eq!(report["samples"], (3 * 64 + 1) * (2 * 64 + 1));
    assert_eq!(report["threads"], 2);
    let stages = report["stages"].as_array().expect("a list");
    for stage in stages {
        let (name, seconds) = (stage["name"].as_str().expect("a name"), stage["seconds"].as_f64());
        assert!(seconds.is_some_and(|s| s >= 0.0), "{name}");
        assert!(printed.contains(name), "{name} is not in the table");
    }
    assert!(printed.contains(report["height_digest"].as_str().expect("hex")));
    for file in report["files"].as_array().expect("a list") {
        let name = file["name"].as_str().expect("a name");
        let size = std::fs::metadata(place.path("out").join(name)).expect("the file").len();
        assert_eq!(file["bytes"].as_u64(), Some(size), "{name}");
    }
}

#[test]
fn the_digest_does_not_depend_on_level_threads_formats_or_chunk_size() {
    let place = Place::new();
    place.run("new --preset hills w.toml").ok();
    let world = std::fs::read_to_string(place.path("w.toml")).expect("the world file");
    std::fs::write(place.path("small.toml"), world.replace("chunk_cells = 64", "chunk_cells = 16"))
        .expect("written");
    let digest = |args: &str| {
        place.run(&format!("generate {args} --force --quiet")).ok();
        place.json("out/report.json")["height_digest"].as_str().expect("hex").to_owned()
    };
    let want = digest("w.toml --region 0,-1,2,1 --formats heights-r16");
    let levels: Value = serde_json::from_str(&place.run("simd --json").ok()).expect("JSON");
    for level in levels["available"].as_array().expect("a list") {
        let level = level.as_str().expect("a name");
        assert_eq!(
            digest(&format!("w.toml --region 0,-1,2,1 --formats heights-r16 --simd {level}")),
            want,
            "{level}"
        );
    }
    assert_eq!(digest("w.toml --region 0,-1,2,1 --formats glb,preview --threads 5"), want);
    assert_eq!(digest("small.toml --region 0,-4,8,4 --formats heights-r16 --threads 1"), want);
    assert_ne!(digest("w.toml --region 0,-1,2,1 --formats heights-r16 --seed moon"), want);
    assert_ne!(digest("w.toml --region 1,-1,3,1 --formats heights-r16"), want);
}

#[test]
fn heights_read_back_within_half_a_step() {
    let place = Place::new();
    place.run("generate --preset weathered --region 0,0,2,1 --formats heights-r16,heights-png").ok();
    let meta = place.json("out/heights.json");
    let r16 = std::fs::read(place.path("out/heights.r16")).expect("the file");
    let number = |key: &str| meta[key].as_f64().unwrap_or_else(|| panic!("{key} in {meta}"));
    let (low, high) = (number("range_min_m"), number("range_max_m"));
    let half_step = (high - low) / 65_535.0 / 2.0;
    let decoder = png::Decoder::new(std::io::BufReader::new(
        std::fs::File::open(place.path("out/heights.png")).unwrap(),
    ));
    let mut reader = decoder.read_info().expect("a PNG");
    let mut png = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut png).expect("pixels");
    for [x, z] in [[0, 0], [128, 64], [5, 63], [64, 10], [100, 32]] {
        let at = 2 * (z * 129 + x);
        let code = u16::from_le_bytes([r16[at], r16[at + 1]]);
        assert_eq!(code, u16::from_be_bytes([png[at], png[at + 1]]), "PNG and r16 differ");
        let found: Value = serde_json::from_str(
            &place.run(&format!("inspect --preset weathered --at-sample {x},{z} --json")).ok(),
        )
        .expect("JSON");
        let height = found["height_m"].as_f64().expect("a height");
        let read = low + f64::from(code) * (high - low) / 65_535.0;
        assert!((read - height).abs() <= half_step * 1.001, "{read} for {height}");
    }
}

#[test]
fn every_malformed_world_file_gives_its_message_exit_code_2_and_no_output() {
    let place = Place::new();
    assert!(malformed::all_malformed().count() >= 25);
    for (i, (text, case)) in malformed::all_malformed().enumerate() {
        let name = format!("w{i}.toml");
        std::fs::write(place.path(&name), text).expect("written");
        let ran = place.run(&format!("generate {name}"));
        assert_eq!(ran.code, Some(2), "{}", case.to);
        // The message may be wrapped to the terminal's width; its words stand in order.
        let flat = |text: &str| text.split_whitespace().filter(|word| *word != "│").collect::<String>();
        let want = flat(&format!("{name}:{}", case.message));
        assert!(flat(&ran.err).contains(&want), "no {:?} in {}", case.message, ran.err);
        assert!(!place.path("out").exists(), "{}", case.to);
        assert_eq!(ran.out, "");
    }
    place.run("generate missing.toml").refused("missing.toml");
    place.run("inspect missing.toml --at 0,0").refused("missing.toml");
}

#[test]
fn an_existing_output_is_kept_unless_force_is_given() {
    let place = Place::new();
    place.run("generate --preset dunes --region 0,0,1,1").ok();
    let before = std::fs::read(place.path("out/heights.r16")).expect("the file");
    place.run("generate --preset dunes --region 0,0,1,1 --seed 5").refused("--force");
    assert_eq!(std::fs::read(place.path("out/heights.r16")).expect("the file"), before);
    place.run("generate --preset dunes --region 0,0,1,1 --seed 5 --force").ok();
    assert_ne!(std::fs::read(place.path("out/heights.r16")).expect("the file"), before);
    assert_eq!(place.names("out"), ALL);
}

#[test]
fn impossible_requests_are_refused_before_anything_is_written() {
    let place = Place::new();
    for (args, text) in [
        ("generate --preset hills --region 0,0,0,5", "holds no chunks"),
        ("generate --preset hills --region 5,0,0,5", "holds no chunks"),
        ("generate --preset hills --region 0,0,8", "4 numbers"),
        ("generate --preset hills --region a,0,8,8", "4 numbers"),
        ("generate --preset hills --region 9223372036854775800,0,9223372036854775807,1", "2^60"),
        ("generate --preset hills --region -9223372036854775808,0,9223372036854775807,1", "2^60"),
        ("generate --preset hills --region 0,0,4000,4000 --formats glb", "glb would need"),
        ("generate --preset hills --region 0,0,1000000,1 --formats heights-r16", "split the region along x"),
        ("generate --preset hills --region 0,0,1,1000000000000 --formats heights-r16", "2^46 samples"),
        ("generate --preset hills --region 0,0,1,1000000000 --formats heights-r16", "are free"),
        ("generate --preset island --region 100,0,101,1", "outside the world"),
        ("generate --preset atlantis", "dunes, hills"),
        ("generate --preset hills --simd avx9", "the names are scalar, wide"),
        ("generate --preset hills --formats obj", "heights-png"),
        ("generate --preset hills --threads 0", "--threads"),
        ("generate --preset hills --region 1,0,5,4 --lod 2", "the nearest that would be right is 0,0,8,4"),
        ("generate --preset hills --region 0,-2,4,4 --lod 2", "its corners must be multiples of 4"),
        ("generate --preset hills --lod 4", "the nearest that would be right is 0,0,16,16"),
        ("generate --preset island --lod 4", "choose a smaller --lod"),
        ("generate --preset hills --lod 9", "9 is not in 0..=8"),
        ("generate --preset hills --lod 1 --formats heat", "--lod 1 is for world.glb"),
        ("generate --preset hills --mesh adaptive --formats heat", "--mesh adaptive is for world.glb"),
        ("generate --preset hills --mesh voxels", "grid, adaptive"),
        ("generate --preset hills --error 0.5", "--error 0.5 is for adaptive meshes: add --mesh adaptive"),
        ("generate --preset hills --mesh adaptive --error -1", "a number of metres, 0 or more"),
        ("generate --preset hills --mesh adaptive --error nan", "a number of metres, 0 or more"),
        ("generate --preset hills --mesh adaptive --error inf", "a number of metres, 0 or more"),
        ("generate --preset hills --collider bullet", "the engines are rapier, jolt, godot, physx"),
        ("generate --preset hills --collider-error 0.5", "--collider-error 0.5 is for colliders"),
        ("generate --preset hills --collider jolt --collider-error -0.5", "a number of metres, 0 or more"),
        ("generate --preset hills --region 0,0,2048,256 --lod 8 --formats glb", "or choose a smaller --lod"),
        ("inspect --preset hills --at 1e300,0", "2^60 samples"),
        ("inspect --preset hills --at nan,0", "finite"),
        ("inspect --preset hills --at-sample 1152921504606846976,0", "2^60"),
        ("inspect --preset hills", "--at"),
    ] {
        place.run(args).refused(text);
        assert!(!place.path("out").exists(), "{args}");
    }
    let forced =
        place.command("generate --preset hills").env("TERRANE_SIMD", "avx9").output().expect("it runs");
    Ran::from(forced).refused("avx9");
    assert!(!place.path("out").exists());
}

#[test]
fn levels_adaptive_meshes_and_colliders_are_written_when_asked_for() {
    let place = Place::new();
    let printed = place
        .run("generate --preset hills --region -2,0,2,2 --lod 1 --mesh adaptive --error 0.25 --formats glb --collider jolt,rapier --collider godot,jolt")
        .ok();
    let names = [
        "collider-godot.bin",
        "collider-godot.json",
        "collider-jolt.bin",
        "collider-jolt.json",
        "collider-rapier.bin",
        "collider-rapier.json",
        "report.json",
        "world.glb",
    ];
    assert_eq!(place.names("out"), names);
    let report = place.json("out/report.json");
    assert_eq!((&report["adaptive_error_m"], &report["collider_error_m"]), (&0.25.into(), &0.0.into()));
    let levels = report["levels"].as_array().expect("a list");
    assert_eq!((levels.len(), &levels[0]["chunks"], &levels[1]["chunks"]), (2, &8.into(), &2.into()));
    assert!(levels[0]["error_exact_m"].as_f64().expect("a number") <= 0.25);
    for level in levels {
        let triangles = level["triangles"].as_u64().expect("a count").to_string();
        assert!(printed.contains(&triangles), "{triangles} is not in the table");
    }
    // Colliders equal the ground where no error is allowed.
    let jolt = place.json("out/collider-jolt.json");
    assert_eq!((&jolt["tolerance_m"], &jolt["error_exact_m"]), (&0.0.into(), &0.0.into()));
    assert_eq!(jolt["chunks"].as_array().map(Vec::len), Some(8));
    place.run("generate --preset hills --region 0,0,1,1 --collider physx --collider-error 5 --out all").ok();
    assert_eq!(place.names("all").len(), ALL.len() + 2, "beside all formats");
    let physx = place.json("all/collider-physx.json");
    assert!(physx["chunks"][0]["step"].as_u64() > Some(1), "{physx}");
    // A tolerance that is not named is a decimetre.
    place.run("generate --preset hills --region 0,0,1,1 --mesh adaptive --formats glb --out default").ok();
    assert_eq!(place.json("default/report.json")["adaptive_error_m"], 0.1);
}

#[test]
fn inspect_agrees_with_itself_in_metres_and_samples() {
    let place = Place::new();
    let json = |args: &str| -> Value { serde_json::from_str(&place.run(args).ok()).expect("JSON") };
    let sample = json("inspect --preset hills --at-sample -37,1000 --json");
    let metres = json("inspect --preset hills --at -74,2000 --json");
    assert_eq!(sample, metres);
    let far = json("inspect --preset hills --at-sample 1099511627776,-5 --json");
    assert_eq!(far["sample"][0].as_i64(), Some(1 << 40));
    let text = place.run("inspect --preset hills --at 3.3,4.4").ok();
    for word in ["height", "normal", "slope", "field", "ground"] {
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn new_writes_a_world_file_that_generates() {
    let place = Place::new();
    place.run("new").ok();
    place.run("new").refused("--force");
    place.run("new --force --preset island").ok();
    place.run("new --preset atlantis b.toml").refused("dunes, hills");
    assert_eq!(place.names("."), ["world.toml"]);
    place.run("generate world.toml --region 0,0,2,2 --formats heat").ok();
    assert_eq!(place.names("out"), ["heat.png", "report.json"]);
    let list = place.run("new --list").ok();
    for preset in ["dunes", "hills", "weathered", "alien", "frost", "island"] {
        assert!(list.contains(preset));
    }
}

#[test]
fn help_has_examples_and_completions_complete() {
    let place = Place::new();
    for command in ["generate", "new", "inspect", "simd"] {
        assert!(place.run(&format!("{command} --help")).ok().contains("Examples:"), "{command}");
    }
    assert!(place.run("completions bash").ok().contains("--region"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing() {
    let place = Place::new();
    let mut child = place
        .command("generate --preset alien --region 0,0,20,2000 --formats heights-r16,heat --threads 1")
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the command runs");
    let begun = |place: &Place| place.names("out").iter().any(|name| name.ends_with(".part"));
    let start = std::time::Instant::now();
    while !begun(&place) && start.elapsed().as_secs() < 20 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(begun(&place), "no file was begun");
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(interrupt.success());
    assert_eq!(child.wait().expect("an exit").code(), Some(130));
    assert_eq!(place.names("out"), Vec::<String>::new());
    assert!(!Path::new(&place.path("out")).exists(), "the folder stayed");
}

#[cfg(unix)]
#[test]
fn an_interrupt_at_any_moment_leaves_all_files_or_none() {
    let mut stopped = 0;
    for wait_ms in [20, 100, 250, 450, 700] {
        for signal in ["-INT", "-TERM"] {
            let place = Place::new();
            let mut child = place
                .command("generate --preset hills --region 0,0,6,6 --threads 1 --quiet")
                .stderr(std::process::Stdio::null())
                .spawn()
                .expect("the command runs");
            std::thread::sleep(std::time::Duration::from_millis(wait_ms));
            // It may be over already; then kill fails, and all files must be there.
            drop(Command::new("kill").args([signal, &child.id().to_string()]).output());
            match child.wait().expect("an exit").code() {
                Some(0) => assert_eq!(place.names("out"), ALL),
                Some(130) => {
                    assert!(!place.path("out").exists(), "{:?}", place.names("out"));
                    stopped += 1;
                }
                // Before the handler is set, which is before the first file.
                None => assert_eq!(place.names("out"), Vec::<String>::new()),
                other => panic!("exit code {other:?}"),
            }
        }
    }
    assert!(stopped > 0, "no run was stopped");
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_and_a_hostile_file_do_no_harm() {
    let place = Place::new();
    for args in ["completions bash", "new --list", "generate --preset dunes --region 0,0,1,1 --force"] {
        let mut child =
            place.command(args).stdout(std::process::Stdio::piped()).spawn().expect("the command runs");
        drop(child.stdout.take());
        let code = child.wait().expect("an exit").code();
        assert_eq!(code, Some(0), "{args}");
    }
    std::fs::write(place.path("evil.toml"), "# \u{1b}]0;owned\u{7}\nseed = \n").expect("written");
    let ran = place.run("generate evil.toml");
    assert!(!ran.err.contains("\u{1b}]0;"), "{:?}", ran.err);
    ran.refused("evil.toml:1");
    std::fs::create_dir(place.path("folder")).expect("a folder");
    place.run("new folder --force").refused("is a folder");
}

/// Width, height and pixels of a gray PNG.
fn gray(path: &Path) -> (u32, u32, Vec<u8>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("a file"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("a frame");
    pixels.truncate(info.buffer_size());
    assert_eq!(info.color_type, png::ColorType::Grayscale);
    (info.width, info.height, pixels)
}

#[test]
fn noise_lists_and_draws_every_kind() {
    let place = Place::new();
    let listed = place.run("noise --list").ok();
    for name in ["perlin", "simplex", "cellular", "--set returns=f1|f2|f2-f1|f1+f2|cell"] {
        assert!(listed.contains(name), "{name} is not in: {listed}");
    }
    place.run("noise --all --size 32 --out sheets").ok();
    assert_eq!(place.names("sheets").len(), terrane::noise::Kind::ALL.len());
    let (width, height, _) = gray(&place.path("sheets/perlin.png"));
    assert_eq!((width, height), (4 * 32 + 3 * 8, 32));
    place
        .run("noise cellular --set returns=f2-f1 --octaves 3 --shape ridged --size 40 --out cracks.png")
        .ok();
    let (width, height, pixels) = gray(&place.path("cracks.png"));
    assert_eq!((width, height), (40, 40));
    assert!(pixels.contains(&0) && pixels.contains(&255), "the contrast is not stretched");
    place.run("noise cellular --set returns=f1 --octaves 3 --shape ridged --size 40 --out other.png").ok();
    assert_ne!(gray(&place.path("other.png")).2, pixels, "a setting changes nothing");
}

#[test]
fn noise_refuses_what_is_wrong_and_writes_nothing() {
    let place = Place::new();
    place.run("noise perlni").refused("no kind of noise is called \"perlni\"; the kinds are perlin,");
    place.run("noise simplex --set jitter=1").refused("simplex noise takes no settings");
    place.run("noise cellular --set jitter=2").refused("jitter is 2; it must be from 0 to 1");
    place.run("noise cellular --set distance=far").refused("distance=euclidean|squared|manhattan|chebyshev");
    place.run("noise --feature 0").refused("cells a sample");
    place.run("noise --size 3").refused("16 to 8192");
    assert_eq!(place.names("."), [""; 0]);
    std::fs::create_dir(place.path("noise")).expect("a folder");
    std::fs::write(place.path("noise/white.png"), "mine").expect("a file");
    place.run("noise --all --size 16").refused("white.png is there already; --force overwrites it");
    assert_eq!(place.names("noise"), ["white.png"]);
    place.run("noise --all --size 16 --force").ok();
}

#[test]
fn fields_are_listed_and_drawn() {
    let place = Place::new();
    std::fs::write(place.path("w.toml"), malformed::FIELDS).expect("written");
    let listed = place.run("fields w.toml").ok();
    for line in [
        "bent                       -1            1  hills moved by wind times 25 m, octave by octave",
        "moved                      -1            1  cracks moved by hills and waves times -8 m",
        "mix of steps, -0.5, shore  (the height)",
        "shore                       0            1  falloff",
        "waves                      -1            1  perlin noise, 3 octaves from 64 m",
    ] {
        assert!(listed.contains(line), "{line:?} is not in:\n{listed}");
    }
    let json: Value = serde_json::from_str(&place.run("fields w.toml --json").ok()).expect("JSON");
    assert_eq!(json[3]["name"], "ground");
    assert_eq!((&json[3]["height"], &json[7]["min"]), (&Value::Bool(true), &0.0.into()));
    let program = place.run("fields w.toml --program").ok();
    assert!(program.contains("\"bent\" = r") && program.contains("mix r"), "{program}");
    let wrote = place.run("fields w.toml --pictures maps --region -1,0,2,2").ok();
    assert_eq!(wrote.lines().count(), 15);
    assert_eq!(place.names("maps").len(), 15);
    let (width, height, pixels) = gray(&place.path("maps/hills.png"));
    assert_eq!((width, height), (3 * 64, 2 * 64));
    assert!(pixels.contains(&0) && pixels.contains(&255), "the contrast is not stretched");
    // Large regions take every second, fourth .. sample.
    place.run("fields --preset hills --pictures far --region 0,0,64,16").ok();
    let (width, height, _) = gray(&place.path("far/ground.png"));
    assert_eq!((width, height), (1024, 256));
}

#[test]
fn fields_refuses_what_is_wrong_and_writes_nothing() {
    let place = Place::new();
    place.run("fields --pictures maps --region 1,0,0,1").refused("--region 1,0,0,1: it holds no chunk");
    place
        .run("fields --pictures maps --region 0,0,1,9000000000000000000")
        .refused("it lies beyond 2^60 samples");
    place.run("fields --region 0,0,1,1").refused("--pictures");
    place.run("fields --program --json").refused("cannot be used with");
    place.run("fields none.toml").refused("none.toml");
    assert_eq!(place.names("."), [""; 0]);
    std::fs::create_dir(place.path("maps")).expect("a folder");
    std::fs::write(place.path("maps/ground.png"), "mine").expect("a file");
    place.run("fields --pictures maps").refused("ground.png is there already; --force overwrites it");
    assert_eq!(std::fs::read(place.path("maps/ground.png")).expect("kept"), b"mine");
    place.run("fields --pictures maps --force").ok();
}

/// A picture that is named by a path from the world file's folder, and a world that is generated from it.
#[test]
fn a_picture_becomes_a_world() {
    let place = Place::new();
    place.run("noise simplex --octaves 4 --size 64 --out map.png").ok();
    std::fs::create_dir(place.path("worlds")).expect("a folder");
    let world = "seed = 1\ngenerator_version = 1\nsample_spacing_m = 1\nchunk_cells = 32\n\
        [fields.ground]\nraster = \"../map.png\"\npixel_m = 1\n[height]\nfield = \"ground\"\nmin_m = 0\nmax_m = 100\n";
    std::fs::write(place.path("worlds/w.toml"), world).expect("written");
    place.run("generate worlds/w.toml --region 0,0,2,2 --formats heights-png").ok();
    let (_, _, map) = gray(&place.path("map.png"));
    let heights = place.json("out/heights.json");
    assert_eq!((&heights["width"], &heights["height"]), (&65.into(), &65.into()));
    // A sample a pixel: black is 0 m, white 100 m.
    let at = place.run("inspect worlds/w.toml --at 10,20 --json").ok();
    let at: Value = serde_json::from_str(&at).expect("JSON");
    let want = f64::from(map[20 * 64 + 10]) / 255.0 * 100.0;
    assert!((at["height_m"].as_f64().expect("a number") - want).abs() < 1e-3, "{at} {want}");
}

#[test]
fn a_lockstep_stream_has_one_digest_on_any_number_of_threads() {
    let place = Place::new();
    let digest = |threads: u32| {
        let file = format!("stream-{threads}.json");
        let args = format!(
            "stream --preset hills --levels 4 --path fly --frames 40 --lockstep --quiet --threads {threads} --json {file}"
        );
        let ran = place.run(&args);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert_eq!(ran.out, "");
        let figures = place.json(&file);
        let allocations = &figures["allocations"];
        assert!(allocations["warmup"].as_u64() > Some(0), "opening allocates: {figures}");
        assert_eq!((&allocations["steady"], &allocations["move"]), (&0.into(), &0.into()), "{figures}");
        assert_eq!(
            (&figures["frames"], &figures["failed"], &figures["recomputes"]),
            (&40.into(), &0.into(), &0.into())
        );
        for key in [
            "frames_over_budget_cpu",
            "frames_over_budget_wall",
            "stall_us_p50",
            "stall_us_p99",
            "stall_us_p999",
            "stall_us_max",
            "chunks_ready",
            "swaps",
            "bytes_peak",
            "bytes_cap",
            "cancelled",
        ] {
            assert!(figures[key].is_u64(), "{key} in {figures}");
        }
        assert!(figures["chunks_per_s"].is_f64());
        figures["digest"].as_str().expect("a digest").to_owned()
    };
    let want = digest(0);
    assert_eq!(want.len(), 32);
    assert_eq!((digest(1), digest(3)), (want.clone(), want));
}

#[test]
fn a_stream_along_every_path_tells_what_a_frame_paid() {
    let place = Place::new();
    for path in ["stand", "walk", "fly", "teleport", "edit"] {
        for preset in ["weathered", "island"] {
            let args = format!(
                "stream --preset {preset} --levels 3 --path {path} --frames 130 --unpaced --threads 1"
            );
            let ran = place.run(&args);
            assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{path} {preset}");
            for line in ["frames  ", "over budget  ", "stall  ", "memory  ", "digest  "] {
                assert!(ran.out.contains(line), "{line} in {}", ran.out);
            }
        }
    }
}

#[test]
fn a_stream_explains_its_memory_and_refuses_too_little() {
    let place = Place::new();
    let ran = place.run("stream --levels 4 --explain-memory");
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("positions") && ran.out.contains("bytes_min"), "{}", ran.out);
    let ran = place.run("stream --levels 4 --bytes-max 1000000");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("error: bytes_max: found 1000000, expected at least "), "{}", ran.err);
    assert!(place.run("stream --json figures.json --frames 1 --levels 1 --quiet").code == Some(0));
    let ran = place.run("stream --json figures.json --frames 1 --levels 1 --quiet");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (Some(2), "error: figures.json is there already; --force overwrites it\n")
    );
}

#[test]
fn a_stream_follows_the_world_file_and_flags_come_first() {
    let place = Place::new();
    let write = |name: &str, section: &str| {
        let world = &malformed::GOOD[..malformed::GOOD.find("[runtime]").expect("one")];
        std::fs::write(place.path(name), format!("{world}{section}")).expect("a place for it");
    };
    write(
        "w.toml",
        "[runtime]\nlevels = 2\nthreads = 1\nheld_max = 5\noutputs.colors = false\n\
         [[runtime.outputs.fields]]\nfield = \"mask\"\nformat = \"unorm8\"\n",
    );
    let plan = |args: &str| place.run(&format!("stream {args} --explain-memory")).ok();
    let of_file = plan("w.toml");
    assert!(of_file.contains("field mask") && !of_file.contains("colors"), "{of_file}");
    assert!(of_file.contains(" 5 held by the host"), "{of_file}");
    let scratch = |plan: &str| {
        let row = plan.lines().find(|line| line.starts_with("scratch of workers")).expect("a row");
        row.split_whitespace().nth(3).expect("a count").to_owned()
    };
    // The host is a worker too.
    assert_eq!((scratch(&of_file), scratch(&plan("w.toml --threads 3"))), ("2".into(), "4".into()));
    assert_eq!(of_file, plan("w.toml --levels 2 --threads 1"));
    assert_ne!(of_file, plan("w.toml --levels 3"));

    let ran = place.run("stream w.toml --frames 2 --unpaced");
    assert!(ran.code == Some(0) && ran.out.contains("w, walk, 2 levels"), "{}{}", ran.out, ran.err);
    let ran = place.run("stream w.toml --levels 1 --frames 2 --unpaced");
    assert!(ran.code == Some(0) && ran.out.contains("w, walk, 1 level\n"), "{}{}", ran.out, ran.err);

    // Levels of the command line that the file's outputs do not reach.
    let outputs = "outputs = { heights = [0, 1], positions = false, normals = false, colors = false }";
    write("heights.toml", &format!("[runtime]\nlevels = 2\n{outputs}\n"));
    assert!(plan("heights.toml").contains("heights"));
    let ran = place.run("stream heights.toml --levels 3 --explain-memory");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            Some(2),
            "error: outputs: found no column at level 2, expected at least one column at each of the 3 levels\n"
        )
    );
}
