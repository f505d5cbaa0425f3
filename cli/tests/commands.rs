//! The binary as a person meets it: what it says, what it refuses, what it leaves behind.

mod binary;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use binary::{accepted, folder, nodarium, path, refused, text};
use tempfile::TempDir;

/// A file with some records of a game.
fn records(folder: &TempDir, game: &str, games: &str) -> String {
    let file = path(folder, &format!("{game}.jsonl"));
    accepted(&["simulate", "--game", game, "--games", games, "--seed", "5", "--out", &file]);
    file
}

#[test]
fn simulate_writes_records_that_replay_accepts() {
    let folder = folder();
    for &game in nodarium_env::catalog::IDS {
        let file = records(&folder, game, "20");
        assert_eq!(fs::read_to_string(&file).expect("the file is there").lines().count(), 20);
        let words = accepted(&["replay", &file]);
        assert!(words.starts_with(&format!("{game}: 20 records hold")), "{words}");
    }
    assert!(!fs::read_dir(folder.path()).expect("a folder").any(|entry| {
        entry.expect("an entry").path().extension().is_some_and(|extension| extension == "partial")
    }));
}

#[test]
fn the_summary_tells_games_lengths_ends_and_wins() {
    let folder = folder();
    let words =
        accepted(&["simulate", "--game", "shuter", "--games", "50", "--out", &path(&folder, "games.jsonl")]);
    for part in
        ["shuter with random play", "games            50", "plies a game", "ten points", "seat 0", "replay"]
    {
        assert!(words.contains(part), "{part} in {words}");
    }
    let silent =
        ["simulate", "--game", "shuter", "--games", "5", "--quiet", "--out", &path(&folder, "b.jsonl")];
    assert_eq!(accepted(&silent), "");
}

#[test]
fn an_agent_plays_the_same_games_written_down_or_not_and_a_bad_one_is_refused_first() {
    let folder = folder();
    let file = path(&folder, "games.jsonl");
    let words =
        accepted(&["simulate", "--game", "kato", "--games", "6", "--agent", "greedy", "--out", &file]);
    assert!(words.starts_with("kato with greedy play"), "{words}");
    assert!(accepted(&["replay", &file]).contains("kato: 6 records hold"));
    let other = path(&folder, "other.jsonl");
    let words = refused(&["simulate", "--game", "kato", "--agent", "gredy", "--out", &other]);
    assert!(words.contains("did you mean `greedy`?"), "{words}");
    let words = refused(&["simulate", "--game", "kato", "--agent", "policy:/no/such", "--out", &other]);
    assert!(words.contains("agent `policy:/no/such`: "), "{words}");
    assert!(!Path::new(&other).exists());
}

#[test]
fn records_go_to_standard_output_when_it_is_no_terminal() {
    let output = nodarium(&["simulate", "--game", "tictactoe", "--games", "3"]);
    assert_eq!(text(&output.stdout).lines().filter(|line| line.starts_with(r#"{"format":1,"#)).count(), 3);
    assert!(text(&output.stderr).contains("tictactoe with random play"));
    assert_eq!(
        output.stdout,
        nodarium(&["simulate", "--game", "tictactoe", "--games", "3", "--out", "-"]).stdout
    );
}

#[test]
fn replay_reads_standard_input() {
    let told = nodarium(&["simulate", "--game", "kuhn", "--games", "4"]).stdout;
    let mut child = Command::new(env!("CARGO_BIN_EXE_nodarium"))
        .args(["replay", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    child.stdin.take().expect("an open pipe").write_all(&told).expect("the pipe takes it");
    let output = child.wait_with_output().expect("the binary ends");
    assert!(text(&output.stdout).contains("kuhn: 4 records hold"));
}

#[test]
fn replay_draws_every_position_of_the_chosen_line() {
    let folder = folder();
    let file = records(&folder, "tictactoe", "3");
    let words = accepted(&["replay", &file, "--draw", "--line", "2"]);
    assert!(words.contains("tictactoe game 1 of seed 5"), "{words}");
    assert!(words.contains("\n1. seat 0: ") && words.contains("  a b c\n1 "), "{words}");
    assert_eq!(refused(&["replay", &file, "--line", "9"]), format!("nodarium: {file}: no record in line 9"));
}

#[test]
fn the_same_seed_writes_the_same_file_for_any_number_of_threads() {
    let run = |threads: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_nodarium"))
            .args(["simulate", "--game", "shuter", "--games", "200", "--seed", "9"])
            .env("RAYON_NUM_THREADS", threads)
            .output();
        output.expect("the binary runs").stdout
    };
    let one = run("1");
    assert!(one.len() > 1_000_000);
    assert!(one == run("2") && one == run("8"));
}

#[test]
fn games_lists_all_and_shows_one() {
    let all = accepted(&["games"]);
    assert!(nodarium_env::catalog::IDS.iter().all(|id| all.contains(id)), "{all}");
    let one = accepted(&["games", "shuter", "--set", "variant=advanced"]);
    for part in ["`stalemate_turns` | 20", "| 13–25 | `yellow`", "| 149–184 | `B00`, `B01`, … `B35`"] {
        assert!(one.contains(part), "{part} in {one}");
    }
}

#[test]
fn an_unknown_game_is_named_with_the_nearest_one() {
    let words = refused(&["simulate", "--game", "shutter"]);
    assert!(
        words.starts_with("nodarium: unknown game `shutter` (did you mean `shuter`?); the games are:"),
        "{words}"
    );
}

#[test]
fn bad_rule_options_are_refused_by_key_before_anything_is_written() {
    let folder = folder();
    let file = path(&folder, "games.jsonl");
    let refused = |set: &str| {
        let words = refused(&["simulate", "--game", "shuter", "--set", set, "--out", &file]);
        assert!(!words.contains('\n'), "one sentence: {words}");
        words
    };
    let words = refused("varient=basic");
    assert!(words.contains("unknown rule option `varient` (did you mean `variant`?)"), "{words}");
    let words = refused("variant=easy");
    assert!(words.contains("`variant` is \"easy\": expected basic, classic or advanced"), "{words}");
    let words = refused("stalemate_turns=0");
    assert!(words.contains("`stalemate_turns` is 0: expected a whole number from 1"), "{words}");
    let words = refused(&format!("layout={}", ["r1"; 14].join(" ")));
    assert!(words.contains("`layout`") && words.contains("these are 14 squares, not 13"), "{words}");
    let words = refused("variant");
    assert!(words.contains("expected KEY=VALUE"), "{words}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "something was left behind");
}

#[test]
fn a_cut_or_altered_record_is_named_by_file_line_and_key() {
    let folder = folder();
    let file = records(&folder, "shuter", "3");
    let whole = fs::read_to_string(&file).expect("the records");
    let damaged = |name: &str, content: &str| {
        let file = path(&folder, name);
        fs::write(&file, content).expect("a scratch file");
        (refused(&["replay", &file]), file)
    };
    let (words, cut) = damaged("cut.jsonl", &whole[..whole.len() - 40]);
    assert!(words.contains(&format!("{cut}, line 3: not a whole record")), "{words}");

    let (words, altered) =
        damaged("altered.jsonl", &whole.replacen(r#""score":[3,0]"#, r#""score":[3,1]"#, 1));
    assert!(words.contains(&format!("{altered}, line 1: `plies[")), "{words}");
    assert!(words.contains(".state.score`: is [3,1] in the record, [3,0] by the rules"), "{words}");

    let (words, _) = damaged("illegal.jsonl", &whole.replacen(r#""move":"n"#, r#""move":"x"#, 1));
    assert!(words.contains("`plies[0].move`: `x") && words.contains("is not a legal move here"), "{words}");

    let (words, _) = damaged("key.jsonl", &whole.replacen(r#""seed""#, r#""sead""#, 1));
    assert!(words.contains("unknown field `sead`"), "{words}");

    let (words, _) =
        damaged("rules.jsonl", &whole.replacen(r#""stalemate_turns":20"#, r#""stalemate_turns":-1"#, 1));
    assert!(words.contains("`rules`: rule option `stalemate_turns` is -1"), "{words}");

    let (words, _) = damaged("rubbish.jsonl", "rubbish\n");
    assert!(words.contains("line 1: not a whole record"), "{words}");

    let (words, empty) = damaged("empty.jsonl", "");
    assert_eq!(words, format!("nodarium: {empty}: no record in it"));
}

#[test]
fn raw_bytes_are_refused_with_their_line() {
    let folder = folder();
    let file = path(&folder, "raw.jsonl");
    fs::write(&file, [0xff, 0xfe, b'\n']).expect("a scratch file");
    assert!(refused(&["replay", &file]).contains("line 1: not UTF-8 text"));
}

#[test]
fn a_file_that_cannot_be_written_or_read_is_named() {
    let words = refused(&["simulate", "--game", "kuhn", "--out", "/no/such/folder/games.jsonl"]);
    assert!(words.contains("cannot write /no/such/folder/games.jsonl"), "{words}");
    let words = refused(&["replay", "/no/such/file"]);
    assert!(words.contains("cannot read /no/such/file"), "{words}");
}

/// `/dev/full` takes no byte: the disk is full.
#[test]
fn a_full_disk_leaves_no_file_that_looks_whole() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = folder();
    let file = path(&folder, "games.jsonl");
    std::os::unix::fs::symlink("/dev/full", format!("{file}.partial")).expect("a link");
    let words = refused(&["simulate", "--game", "shuter", "--games", "200", "--out", &file]);
    assert!(words.contains("cannot write") && words.contains("No space left"), "{words}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "something was left behind");
}

#[test]
fn a_link_keeps_naming_its_file_and_a_folder_is_refused_before_a_game_is_played() {
    let folder = folder();
    let (file, link) = (path(&folder, "games.jsonl"), path(&folder, "link"));
    fs::write(&file, "older").expect("a scratch folder takes it");
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    accepted(&["simulate", "--game", "kuhn", "--games", "3", "--out", &link]);
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    assert_eq!(fs::read_to_string(&file).expect("it is there").lines().count(), 3);
    assert!(accepted(&["replay", "--line", "2", &file]).starts_with("kuhn: 1 record holds\n"));
    let inside = path(&folder, "inside");
    fs::create_dir(&inside).expect("a scratch folder takes it");
    let words = refused(&["simulate", "--game", "kuhn", "--games", "1000000000", "--out", &inside]);
    assert!(words.contains(&format!("cannot write {inside}: it is a folder")), "{words}");
}

/// Had it been replaced by a file, as everything was once, its reader would have waited for ever, and a device been lost.
#[test]
fn a_pipe_with_a_name_is_written_into_and_stays_a_pipe() {
    use std::os::unix::fs::FileTypeExt as _;
    let folder = folder();
    let pipe = path(&folder, "pipe");
    if !Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        return;
    }
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::read_to_string(pipe).expect("a pipe can be read"))
    };
    accepted(&["simulate", "--game", "kuhn", "--games", "3", "--out", &pipe]);
    assert!(fs::metadata(&pipe).expect("it is there").file_type().is_fifo());
    assert_eq!(reader.join().expect("it reads to the end").lines().count(), 3);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "something was left behind");
}

#[test]
fn a_checkpoint_is_told_how_it_wants_to_be_searched_with() {
    let folder = folder();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../checkpoints/starduel");
    for name in ["manifest.json", "policy.safetensors"] {
        fs::copy(shipped.join(name), folder.path().join(name)).expect("a scratch folder takes it");
    }
    let place = folder.path().to_str().expect("a plain path");
    fn search<'a>(place: &'a str, options: &[&'a str]) -> Vec<&'a str> {
        [&["checkpoint", "search", place], options].concat()
    }
    let manifest = || fs::read_to_string(folder.path().join("manifest.json")).expect("it is there");
    let before = manifest();
    let words = accepted(&search(place, &[]));
    assert_eq!(words, format!("{place}: search considered=16,c_scale=0.1,rescale=true (by default)\n"));
    let cases: [(&[&str], &str); 4] = [
        (&["--considered", "0"], "search setting `considered` is 0: expected a whole number from 1 to 256"),
        (&["--c-scale", "-1"], "search setting `c_scale` is -1: expected a number from 0 to 100"),
        (&["--c-scale", "NaN"], "search setting `c_scale` is NaN"),
        (&["--rescale", "perhaps"], "invalid value 'perhaps'"),
    ];
    for (options, expected) in cases {
        let words = refused(&search(place, options));
        assert!(words.contains(expected), "{options:?}: {words}");
    }
    assert_eq!(manifest(), before, "what is refused changes nothing");
    let words = accepted(&search(place, &["--considered", "8", "--rescale", "false"]));
    assert_eq!(words, format!("{place}: search considered=8,c_scale=0.1,rescale=false\n"));
    let words = accepted(&search(place, &["--c-scale", "0.25"]));
    assert_eq!(words, format!("{place}: search considered=8,c_scale=0.25,rescale=false\n"));
    assert_eq!(words, accepted(&search(place, &[])), "it is written down");
    let words = accepted(&["checkpoint", "show", place]);
    assert!(words.contains("search    considered=8,c_scale=0.25,rescale=false\n"), "{words}");
    assert!(words.contains("playable  yes"), "{words}");
    let words = refused(&["match", "random", &format!("gumbel:{place}@8,c_scal=1")]);
    assert!(words.contains("unknown search setting `c_scal` (did you mean `c_scale`?)"), "{words}");
    accepted(&["match", "random", &format!("gumbel:{place}@8,c_scale=1"), "--games", "2"]);
}

/// A game whose version rises takes its shipped policies along; a clone stays small, and everyone finds out how a policy was made.
#[test]
fn every_shipped_policy_is_whole_and_small_can_be_played_and_has_a_report() {
    const MOST: u64 = 5_000_000;
    const MOST_IN_ALL: u64 = 30_000_000;
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../checkpoints");
    let page = fs::read_to_string(shipped.join("README.md")).expect("the policies have a page");
    let (mut policies, mut in_all) = (0, 0);
    for entry in fs::read_dir(shipped).expect("policies ship with the repository") {
        let entry = entry.expect("an entry");
        let place = entry.path();
        if !place.is_dir() {
            continue;
        }
        let words = accepted(&["checkpoint", "show", place.to_str().expect("a plain path")]);
        assert!(words.contains("playable  yes"), "{}: {words}", place.display());
        let bytes = fs::metadata(place.join("policy.safetensors")).expect("it was just checked").len();
        assert!(bytes <= MOST, "{}: {bytes} bytes", place.display());
        let name = entry.file_name().into_string().expect("a plain name");
        let report = fs::read_to_string(place.join("report.md")).expect("a policy has a report");
        assert!(report.contains(&format!("`checkpoints/{name}`")), "the report of {name} is another's");
        assert!(page.contains(&format!("[`{name}`]({name}/report.md)")), "nothing leads to {name}");
        policies += 1;
        in_all += bytes;
    }
    assert!(policies >= 8, "only {policies} are there");
    assert!(in_all <= MOST_IN_ALL, "{in_all} bytes in all");
}
