//! Exports as another program finds them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use nodarium_agent::checkpoint::{Contents, Plays, save};
use nodarium_agent::network::{NetworkConfig, Weights};
use nodarium_env::{Game as _, catalog, with_game};
use serde_json::Value;
use tempfile::TempDir;

const FILES: [&str; 4] = ["README.md", "policy.json", "policy.onnx", "policy.safetensors"];

fn nodarium(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nodarium")).args(arguments).output().expect("the binary runs")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// A folder with a checkpoint that has learned nothing, and where its export is to go.
fn checkpoint(game: &str) -> (TempDir, PathBuf, PathBuf) {
    checkpoint_of(game, false)
}

fn checkpoint_of(game: &str, insights: bool) -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let (from, out) = (folder.path().join("00000007"), folder.path().join("exports").join("first"));
    let plays = with_game!(game, G => Plays::of::<G>(&Default::default())).expect("a game");
    let config = NetworkConfig { width: 16, value_scale: 2.0, insights, ..NetworkConfig::default() };
    let weights = Weights::draw(config, plays.shape.clone(), 3).expect("the sizes are fine");
    let counters = BTreeMap::from([("games".to_owned(), 512)]);
    save(&from, &Contents { plays: &plays, weights: &weights, search: None, counters, further: &[] })
        .expect("it can be written");
    (folder, from, out)
}

fn export(from: &Path, out: &Path, more: &[&str]) -> String {
    let arguments = [&["export", text(from), "--out", text(out)], more].concat();
    let output = nodarium(&arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn refused(from: &Path, out: &Path, more: &[&str]) -> String {
    let arguments = [&["export", text(from), "--out", text(out)], more].concat();
    let output = nodarium(&arguments);
    assert!(!output.status.success(), "{arguments:?} was not refused");
    let words = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(words.lines().count(), 1, "{words}");
    words
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"))
        .collect();
    names.sort();
    names
}

fn card(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("policy.json")).expect("a file")).expect("JSON")
}

#[test]
fn every_game_can_be_exported_with_examples_that_say_what_our_own_network_says() {
    let seeing = ["shuter", "kato", "colony"].map(|game| (game, true));
    for (game, insights) in catalog::IDS.iter().map(|&game| (game, false)).chain(seeing) {
        let (_folder, from, out) = checkpoint_of(game, insights);
        export(&from, &out, &[]);
        assert_eq!(names(&out), FILES);
        let card = card(&out);
        assert_eq!(card["game"]["id"], game);
        assert_eq!(card["provenance"]["checkpoint"], "00000007");
        assert_eq!(card["provenance"]["training"]["games"], 512);
        let names = card["actions"]["names"].as_array().expect("a list");
        assert_eq!(card["actions"]["count"], names.len());
        let fields = card["observation"]["fields"].as_array().expect("a list");
        let last = fields.last().expect("a field");
        let length = last["offset"].as_u64().expect("a number") + last["length"].as_u64().expect("a number");
        assert_eq!(card["observation"]["length"], length);
        assert_eq!(card["model"]["inputs"][0]["shape"][1], length);
        let spec = with_game!(game, G => G::spec(&Default::default())).expect("a game");
        assert_eq!(spec.layout(insights).len() as u64, length);
        let examples = card["examples"].as_array().expect("a list");
        assert_eq!(examples.len(), 16);
        for example in examples {
            assert_eq!(example["observation"].as_array().map(Vec::len), Some(length as usize));
            let policy = example["policy"].as_array().expect("a list");
            let legal = example["legal"].as_array().expect("a list");
            assert_eq!(example["moves"].as_array().map(Vec::len), Some(legal.len()));
            for (action, share) in policy.iter().enumerate() {
                let (share, illegal) = (share.as_f64().expect("a share"), !legal.contains(&action.into()));
                assert_eq!(illegal, share == 0.0, "{game}: action {action}");
                assert_eq!(illegal, example["logits"][action] == -1e9);
            }
            let sum: f64 = policy.iter().filter_map(Value::as_f64).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        }
    }
}

#[test]
fn the_same_checkpoint_gives_the_same_bytes() {
    let (folder, from, out) = checkpoint("kato");
    export(&from, &out, &[]);
    let again = folder.path().join("again");
    export(&from, &again, &["--quiet"]);
    for name in FILES {
        assert_eq!(fs::read(out.join(name)).expect("a file"), fs::read(again.join(name)).expect("a file"));
    }
}

#[test]
fn the_model_has_the_bytes_that_other_runtimes_have_read() {
    let (_folder, from, out) = checkpoint("tictactoe");
    export(&from, &out, &[]);
    assert_eq!(
        card(&out)["model"]["sha256"],
        "91054dcf407ddecaa40d15d502f92edabcd6a388b6ba37ecbad899a29cb278ab",
        "the file has changed: let scripts/check_export.sh judge it, then pin the new digest"
    );
}

#[test]
fn weights_of_sixteen_bits_are_half_as_large_and_their_loss_is_told() {
    let (folder, from, out) = checkpoint("shuter");
    export(&from, &out, &[]);
    let half = folder.path().join("half");
    let words = export(&from, &half, &["--f16"]);
    assert!(words.contains("of 1000 positions"), "{words}");
    let size = |folder: &Path| fs::metadata(folder.join("policy.onnx")).expect("a file").len();
    assert!(size(&half) * 10 < size(&out) * 6);
    let card = card(&half);
    assert_eq!(card["model"]["weights"], "f16");
    assert_eq!(card["model"]["agreement"]["positions"], 1_000);
    assert!(card["model"]["agreement"]["same_best"].as_u64().expect("a number") > 900);
}

#[test]
fn a_folder_that_is_there_is_kept_unless_replacing_it_is_asked_for() {
    let (_folder, from, out) = checkpoint("tictactoe");
    export(&from, &out, &[]);
    let before = fs::read(out.join("policy.json")).expect("a file");
    let words = refused(&from, &out, &["--examples", "20"]);
    assert!(words.contains("is there already: expected a new folder, or --force"), "{words}");
    assert_eq!(fs::read(out.join("policy.json")).expect("a file"), before);
    export(&from, &out, &["--force", "--examples", "20"]);
    assert_eq!(card(&out)["examples"].as_array().map(Vec::len), Some(20));
    assert_eq!(names(out.parent().expect("a folder")), ["first"], "nothing is left beside it");
}

#[test]
fn force_throws_nothing_away_but_exports() {
    let (folder, from, out) = checkpoint("tictactoe");
    export(&from, &out, &[]);
    fs::write(out.join("notes.txt"), "mine").expect("a file");
    let words = refused(&from, &out, &["--force"]);
    assert!(words.contains("\"notes.txt\", which no export has"), "{words}");
    assert_eq!(names(&out).len(), 5);
    let file = folder.path().join("file");
    fs::write(&file, "mine").expect("a file");
    assert!(refused(&from, &file, &["--force"]).contains("is not a folder"));
    assert_eq!(fs::read(&file).expect("a file"), b"mine");
}

#[test]
fn a_checkpoint_that_cannot_be_read_leaves_nothing_behind() {
    let (folder, from, out) = checkpoint("tictactoe");
    let mut bytes = fs::read(from.join("policy.safetensors")).expect("a file");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(from.join("policy.safetensors"), bytes).expect("a file");
    assert!(refused(&from, &out, &[]).contains("does not match its digest"));
    assert!(refused(folder.path(), &out, &[]).contains("manifest.json"));
    assert!(!out.exists() && !out.parent().expect("a folder").exists());
}

#[test]
fn too_few_examples_are_refused() {
    let (_folder, from, out) = checkpoint("tictactoe");
    assert!(refused(&from, &out, &["--examples", "7"]).contains("7 examples: expected 8 to 10000"));
    assert!(!out.exists());
}
