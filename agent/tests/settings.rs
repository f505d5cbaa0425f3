//! How a checkpoint wants to be searched with: written, read, changed, followed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nodarium_agent::checkpoint::{
    CheckpointError, Contents, MANIFEST, POLICY, Plays, describe, load, save, set_search,
};
use nodarium_agent::network::{NetworkConfig, Weights};
use nodarium_agent::search::{Overrides, Settings};
use nodarium_agent::{Query, Thought, build};
use nodarium_env::calibration::connect_four::ConnectFour;
use nodarium_env::rng::Purpose;
use nodarium_env::{Game as _, Rng};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

const BOLD: Settings = Settings { considered: 3, c_scale: 1.5, rescale: false };

fn plays() -> Plays {
    Plays::of::<ConnectFour>(&Default::default())
}

/// A checkpoint that says this of itself.
fn saved(search: Option<Settings>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1");
    write(&path, search).unwrap();
    (folder, path)
}

fn write(path: &Path, search: Option<Settings>) -> Result<(), CheckpointError> {
    let config = NetworkConfig { width: 16, ..NetworkConfig::default() };
    let mut weights = Weights::draw(config, plays().shape, 4).unwrap();
    // A fresh network thinks nothing of any action; this one has opinions.
    let mut rng = Rng::keyed(Purpose::Weights, 2, 0, 0);
    for (.., numbers) in weights.tensors_mut() {
        numbers.iter_mut().for_each(|number| *number += 0.5 * (rng.unit() - 0.5));
    }
    let counters = BTreeMap::from([("games".to_owned(), 7)]);
    save(path, &Contents { plays: &plays(), weights: &weights, search, counters, further: &[] })
}

fn manifest(path: &Path) -> String {
    fs::read_to_string(path.join(MANIFEST)).unwrap()
}

/// What an agent thinks of the empty board.
fn thought(name: &str) -> Thought {
    let mut agent = build::<ConnectFour>(&name.parse().unwrap(), &Default::default(), 5)
        .unwrap_or_else(|error| panic!("{error}"));
    let game = ConnectFour::deal(&Default::default(), &mut Rng::keyed(Purpose::Deal, 0, 0, 0));
    let mut thoughts = Vec::new();
    agent.think(&[Query { game: &game, key: 0, ply: 0 }], &mut thoughts);
    Thought { time: Duration::ZERO, ..thoughts.remove(0) }
}

#[test]
fn settings_are_read_back_and_their_absence_too() {
    for search in [None, Some(BOLD), Some(Settings { c_scale: 0.1, ..BOLD }), Some(Settings::default())] {
        let (_folder, path) = saved(search);
        assert_eq!(load(&path, &plays()).unwrap().manifest.search, search);
        assert_eq!(manifest(&path).contains("\"search\""), search.is_some(), "absent where nothing is said");
    }
    let (_folder, path) = saved(None);
    let told = describe(&path).unwrap().to_string();
    assert!(told.contains("search    considered=16,c_scale=0.1,rescale=true (by default)\n"), "{told}");
    let (_folder, path) = saved(Some(BOLD));
    let told = describe(&path).unwrap().to_string();
    assert!(told.contains("search    considered=3,c_scale=1.5,rescale=false\n"), "{told}");
}

#[test]
fn settings_out_of_range_are_neither_written_nor_read() {
    let folder = tempfile::tempdir().unwrap();
    for c_scale in [f32::NAN, f32::INFINITY, -1.0, 100.5] {
        let refused = write(&folder.path().join("1"), Some(Settings { c_scale, ..BOLD }));
        let sentence = refused.unwrap_err().to_string();
        assert!(sentence.contains("search setting `c_scale` is "), "{sentence}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let cases = [
        (
            "\"considered\": 3",
            "\"considered\": 0",
            "search setting `considered` is 0: expected a whole number",
        ),
        ("\"considered\": 3", "\"considered\": 257", "search setting `considered` is 257"),
        ("\"considered\": 3", "\"considered\": -3", "is not a manifest: invalid value: integer `-3`"),
        (
            "\"c_scale\": 1.5",
            "\"c_scale\": -1.5",
            "search setting `c_scale` is -1.5: expected a number from 0 to 100",
        ),
        ("\"c_scale\": 1.5", "\"c_scale\": 1e300", "search setting `c_scale` is inf"),
        ("\"c_scale\": 1.5", "\"c_scale\": null", "is not a manifest: invalid type: null"),
        ("\"c_scale\": 1.5", "\"c_visit\": 1.5", "is not a manifest: unknown field `c_visit`"),
    ];
    for (from, to, expected) in cases {
        let (_folder, path) = saved(Some(BOLD));
        let text = manifest(&path);
        let body = text[..text.find(",\n  \"sha256\"").unwrap()].replace(from, to);
        let digest: String = Sha256::digest(&body).iter().map(|byte| format!("{byte:02x}")).collect();
        fs::write(path.join(MANIFEST), format!("{body},\n  \"sha256\": \"{digest}\"\n}}\n")).unwrap();
        let sentence = load(&path, &plays()).unwrap_err().to_string();
        assert!(sentence.contains(expected) && !sentence.contains('\n'), "{to}: {sentence}");
        assert!(sentence.contains(path.to_str().unwrap()), "{sentence}");
    }
}

#[test]
fn settings_are_changed_in_place_and_nothing_else_is() {
    let (_folder, path) = saved(None);
    let (before, policy) = (load(&path, &plays()).unwrap(), fs::read(path.join(POLICY)).unwrap());
    // What a crash while writing has left behind.
    fs::write(path.join(".manifest.json.partial"), "{\"format\": 1, \"pl").unwrap();
    assert!(load(&path, &plays()).is_ok(), "a crash before the rename leaves the old one");
    let some: Overrides = "c_scale=0.2".parse().unwrap();
    let now = set_search(&path, &some).unwrap();
    assert_eq!(now, Settings { c_scale: 0.2, ..Settings::default() });
    let told = set_search(&path, &"rescale=false".parse().unwrap()).unwrap();
    assert_eq!(told, Settings { rescale: false, ..now }, "what is not given stays");
    let after = load(&path, &plays()).unwrap();
    assert_eq!(after.manifest.search, Some(told));
    assert_eq!((&after.weights, &after.manifest.counters), (&before.weights, &before.manifest.counters));
    assert_eq!(
        (&after.manifest.files, &after.manifest.plays, &after.manifest.network),
        (&before.manifest.files, &before.manifest.plays, &before.manifest.network)
    );
    assert_eq!(fs::read(path.join(POLICY)).unwrap(), policy);
    assert_eq!(fs::read_dir(&path).unwrap().count(), 2, "nothing is left beside the two files");
    let (_other, same) = saved(Some(told));
    assert_eq!(manifest(&path), manifest(&same), "as if it had been written so");
}

#[test]
fn a_manifest_that_cannot_be_believed_is_left_alone() {
    let (_folder, path) = saved(None);
    let cut = manifest(&path).replace("\"games\": 7", "\"games\": 8");
    fs::write(path.join(MANIFEST), &cut).unwrap();
    let sentence = set_search(&path, &"considered=8".parse().unwrap()).unwrap_err().to_string();
    assert!(sentence.ends_with("does not match its own digest: it was cut, damaged or edited"), "{sentence}");
    assert_eq!(manifest(&path), cut);
    let nowhere = set_search(&path.join("none"), &Overrides::default()).unwrap_err().to_string();
    assert!(nowhere.starts_with("cannot read "), "{nowhere}");
}

#[test]
fn a_search_by_name_follows_the_checkpoint_and_the_name_has_the_last_word() {
    let (_plain, plain) = saved(None);
    let (_bold, bold) = saved(Some(BOLD));
    for symmetric in ["", "symmetric:"] {
        let ask = |path: &Path, settings: &str| {
            thought(&format!("{symmetric}gumbel:{}@64{settings}", path.display()))
        };
        let (usual, own) = (ask(&plain, ""), ask(&bold, ""));
        let tried = |thought: &Thought| thought.visits.iter().filter(|&&visits| visits > 0).count();
        assert_eq!((tried(&usual), tried(&own)), (7, 3), "so many actions are considered");
        assert_eq!(ask(&plain, ",considered=3,c_scale=1.5,rescale=false"), own, "the name says the same");
        assert_eq!(ask(&bold, ",rescale=true,considered=16,c_scale=0.1"), usual, "the name says otherwise");
        let less = ask(&bold, ",c_scale=0");
        assert_eq!(tried(&less), 3, "the others stay as the checkpoint says");
        assert_ne!(less.policy, own.policy);
        assert_ne!(ask(&bold, ",rescale=true").policy, own.policy);
    }
}
