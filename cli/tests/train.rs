//! Training as a person meets it: what is said, what is refused, and what interruptions leave behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

/// A run of a moment.
const SMALL: &str = r#"
game = "kuhn"
seed = 5
iterations = 12

[network]
width = 8
layers = 1
value_scale = 2.0

[run]
threads = 1
checkpoint_every = 2

[strength]
every = 6
pairs = 20

[ppo]
slots = 16
steps = 4
minibatch = 32
pool_size = 2
pool_every = 2
"#;

fn nodarium(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nodarium"));
    command.args(arguments).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the binary speaks UTF-8")
}

fn accepted(folder: &Path, arguments: &[&str]) -> Output {
    let output = nodarium(folder, arguments).output().expect("the binary runs");
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    output
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = nodarium(folder, arguments).output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(1), "{arguments:?} was not refused");
    assert_eq!(text(&output.stdout), "");
    text(&output.stderr).trim_end().to_owned()
}

/// A folder with a config in it.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    fs::write(folder.path().join("small.toml"), SMALL).expect("the folder takes it");
    folder
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status();
    assert!(sent.expect("there is a kill").success());
}

/// Waits until a run has written so many lines.
fn wait_for_lines(run: &Path, lines: usize) {
    while fs::read_to_string(run.join("metrics.jsonl")).map_or(0, |text| text.lines().count()) < lines {
        sleep(Duration::from_millis(5));
    }
}

/// Every file of the newest checkpoint, by name.
fn newest(run: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let names =
        fs::read_dir(run.join("checkpoints")).expect("checkpoints").map(|entry| entry.unwrap().path());
    let newest = names.filter(|path| path.extension().is_none()).max().expect("there is one");
    let mut files: Vec<_> = fs::read_dir(&newest)
        .expect("a checkpoint")
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.strip_prefix(run).unwrap().to_owned(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn a_config_is_shown_resolved_and_the_schema_is_json() {
    let folder = folder();
    let shown = accepted(folder.path(), &["config", "show", "small.toml", "--set", "ppo.rate=1e-2"]);
    let shown = text(&shown.stdout);
    for part in ["game = \"kuhn\"", "[strength]", "rate = 0.01\n", "epochs = 2\n"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    fs::write(folder.path().join("again.toml"), &shown).unwrap();
    assert_eq!(text(&accepted(folder.path(), &["config", "show", "again.toml"]).stdout), shown);
    let schema = text(&accepted(folder.path(), &["config", "schema"]).stdout);
    let schema: serde_json::Value = serde_json::from_str(&schema).expect("it is JSON");
    assert!(schema["properties"]["ppo"].is_object());
}

#[test]
fn a_bad_config_is_refused_before_anything_is_made() {
    let folder = folder();
    let words = refused(folder.path(), &["train", "small.toml", "--set", "ppo.rat=1"]);
    assert!(
        words.starts_with("nodarium: --set ppo.rat=1: unknown key `ppo.rat` (did you mean `rate`?)"),
        "{words}"
    );
    fs::write(folder.path().join("bad.toml"), SMALL.replace("slots = 16", "slots = 0")).unwrap();
    let words = refused(folder.path(), &["train", "bad.toml"]);
    assert_eq!(
        words,
        "nodarium: bad.toml, line 20: `ppo.slots` is 0: expected a whole number from 1 to 1048576"
    );
    let words = refused(folder.path(), &["train", "absent.toml"]);
    assert!(words.starts_with("nodarium: cannot read absent.toml: "), "{words}");
    assert!(!folder.path().join("runs").exists());
}

#[test]
fn a_run_ends_with_a_summary_and_is_not_written_over() {
    let folder = folder();
    let output = accepted(folder.path(), &["train", "small.toml"]);
    let said = text(&output.stdout);
    for part in [
        "kuhn finished after iteration 12 of 12",
        "vs random",
        "vs earlier_self",
        "runs/small/checkpoints/00000012",
        "nodarium play kuhn --against policy:",
        "nodarium eval",
        "nodarium export",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    for what in ["Look:", "Export:"] {
        let line = said.lines().find_map(|line| line.strip_prefix(what)).expect("it is told");
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        accepted(folder.path(), &words);
    }
    let said = text(&output.stderr);
    assert!(said.contains("of memory for learning"), "{said}");
    let words = refused(folder.path(), &["train", "small.toml"]);
    assert!(words.contains("runs/small holds a run: expected --resume"), "{words}");
    accepted(folder.path(), &["train", "small.toml", "--overwrite", "--quiet", "--out", "runs/small"]);
    let more = accepted(folder.path(), &["train", "small.toml", "--resume", "--set", "iterations=14"]);
    assert!(text(&more.stderr).contains("`iterations` was 12, is 14"), "{}", text(&more.stderr));
    let words = refused(folder.path(), &["train", "small.toml", "--resume", "--set", "seed=6"]);
    assert!(words.contains("`seed` was 5, is 6"), "{words}");
}

#[test]
fn an_interrupt_finishes_the_iteration_and_says_how_to_go_on() {
    let folder = folder();
    for name in ["INT", "TERM"] {
        let run = folder.path().join(name);
        let arguments = [
            "train",
            "small.toml",
            "--set",
            "iterations=1000000",
            "--set",
            "strength.every=0",
            "--out",
            name,
        ];
        let child = nodarium(folder.path(), &arguments).spawn().expect("the binary runs");
        wait_for_lines(&run, 1);
        signal(&child, name);
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", text(&output.stderr));
        let said = text(&output.stdout);
        assert!(said.contains("kuhn stopped after iteration "), "{said}");
        let command = format!("nodarium train {name}/config.toml --resume");
        assert!(said.contains(&command), "{said}");
        let lines = fs::read_to_string(run.join("metrics.jsonl")).unwrap().lines().count() as u64;
        assert!(run.join(format!("checkpoints/{lines:08}")).is_dir(), "the last iteration is saved");
        let until = (lines + 1).to_string();
        let config = format!("{name}/config.toml");
        accepted(folder.path(), &["train", &config, "--resume", "--until", &until]);
        let after = fs::read_to_string(run.join("metrics.jsonl")).unwrap().lines().count() as u64;
        assert_eq!(after, lines + 1);
    }
}

/// Sends interrupts until the process is gone, beginning a while after its start, and says how it ended.
fn interrupted_after(folder: &Path, wait: Duration) -> Output {
    // An iteration of many minutes.
    let arguments =
        ["train", "small.toml", "--set", "ppo.slots=100000", "--set", "ppo.epochs=100", "--overwrite"];
    let mut child = nodarium(folder, &arguments).spawn().expect("the binary runs");
    let begun = folder.join("runs/small/checkpoints/00000000");
    while !begun.is_dir() {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ended by itself");
        sleep(Duration::from_millis(5));
    }
    sleep(wait);
    while child.try_wait().expect("it can be asked").is_none() {
        signal(&child, "INT");
        sleep(Duration::from_millis(50));
    }
    child.wait_with_output().expect("it ends")
}

#[test]
fn a_second_interrupt_leaves_at_once() {
    let folder = folder();
    // The first one may still come before the first iteration, and then there is nothing to wait for.
    let waits = (0..8).map(|attempt| Duration::from_millis(100 << attempt));
    let output =
        waits.map(|wait| interrupted_after(folder.path(), wait)).find(|output| !output.status.success());
    let output = output.expect("within seconds the first iteration begins");
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(!folder.path().join("runs/small/checkpoints/00000001").exists());
}

#[test]
fn a_run_that_is_killed_at_any_moment_ends_as_one_that_was_not() {
    let folder = folder();
    let settings = ["--set", "iterations=60", "--set", "strength.every=0", "--set", "run.keep=1"];
    let train = |run: &'static str, more: &[&'static str]| {
        let mut arguments = vec!["train", "small.toml", "--out", run];
        arguments.extend(settings.iter().chain(more));
        nodarium(folder.path(), &arguments)
    };
    assert!(train("whole", &[]).output().expect("the binary runs").status.success());
    let run = folder.path().join("killed");
    let mut killed = 0;
    for round in 0..40_u64 {
        let more: &[&str] = if run.join("config.toml").exists() { &["--resume"] } else { &["--overwrite"] };
        let mut child = train("killed", more).spawn().expect("the binary runs");
        // Moments spread over start, iterations and saving.
        sleep(Duration::from_micros(3_000 + round * 7_919 % 60_000));
        child.kill().expect("it can be killed");
        let ended = child.wait().expect("it ends");
        killed += u32::from(!ended.success());
        if ended.success() {
            break;
        }
    }
    assert!(killed > 0, "no round was killed before its end");
    let entry = if run.join("config.toml").exists() { "--resume" } else { "--overwrite" };
    let output = train("killed", &[entry]).output().expect("the binary runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(newest(&run) == newest(&folder.path().join("whole")), "the runs differ");
    let lines = fs::read_to_string(run.join("metrics.jsonl")).unwrap().lines().count();
    assert_eq!(lines, 60, "every iteration once");
}

/// Files may not grow beyond some blocks of 512 bytes: the system refuses to write on, as it does when a disk is full.
#[test]
fn a_full_disk_is_told_the_old_checkpoint_stays_and_the_run_goes_on() {
    let folder = folder();
    // The first checkpoint fits, those with past selves do not.
    let script = format!(
        "trap '' XFSZ; ulimit -f 16; exec {} train small.toml --out full --set ppo.pool_size=64 \
         --set ppo.pool_every=1 --set iterations=30 --set strength.every=0",
        env!("CARGO_BIN_EXE_nodarium")
    );
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.path())
        .output()
        .expect("there is a shell");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write full/") && said.contains("what was saved before stays"), "{said}");
    assert!(said.contains("iteration 30 is not saved: "), "{said}");
    assert!(text(&output.stdout).contains("kuhn finished after iteration 30 of 30"));
    let names = fs::read_dir(folder.path().join("full/checkpoints")).expect("checkpoints");
    let names: Vec<_> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.iter().all(|name| !name.contains("partial")), "{names:?}");
    let newest = names.iter().max().expect("at least the first one");
    accepted(folder.path(), &["checkpoint", "show", &format!("full/checkpoints/{newest}")]);
    accepted(folder.path(), &["train", "full/config.toml", "--resume", "--quiet"]);
    let lines = fs::read_to_string(folder.path().join("full/metrics.jsonl")).unwrap().lines().count();
    assert_eq!(lines, 30);
}
