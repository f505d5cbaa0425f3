//! Checkpoints: what is written is what is read, and whatever is damaged is refused with a sentence.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use nodarium_agent::checkpoint::{
    CheckpointError, Contents, MANIFEST, MAX_MANIFEST, POLICY, Plays, describe, load, newest, save,
    step_folder,
};
use nodarium_agent::network::{NetworkConfig, Weights};
use nodarium_env::calibration::connect_four::ConnectFour;
use nodarium_env::calibration::tictactoe::TicTacToe;
use proptest::prelude::*;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

const LEARNER: &str = "learner.safetensors";

fn plays() -> Plays {
    Plays::of::<TicTacToe>(&Default::default())
}

fn weights(seed: u64) -> Weights {
    let config = NetworkConfig { width: 6, layers: 2, value_scale: 1.5, ..NetworkConfig::default() };
    Weights::draw(config, plays().shape, seed).unwrap()
}

fn write(folder: &Path, seed: u64) -> Result<(), CheckpointError> {
    let counters = BTreeMap::from([("games".to_owned(), 7), ("step".to_owned(), seed)]);
    let learner: &[u8] = b"whatever the learner keeps";
    save(
        folder,
        &Contents {
            plays: &plays(),
            weights: &weights(seed),
            search: None,
            counters,
            further: &[(LEARNER, learner)],
        },
    )
}

/// A run with the whole checkpoint of step 1.
fn run() -> (TempDir, PathBuf) {
    let run = TempDir::new().unwrap();
    let folder = step_folder(run.path(), 1);
    write(&folder, 1).unwrap();
    (run, folder)
}

/// Every file under a folder with its bytes.
fn everything(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(everything(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

/// Loading refuses with one sentence that names the file and touches nothing.
fn refusal(folder: &Path, plays: &Plays) -> String {
    let before = everything(folder.parent().unwrap());
    let sentence = load(folder, plays).expect_err("it was refused").to_string();
    assert_eq!(everything(folder.parent().unwrap()), before, "nothing on disk has changed");
    assert!(sentence.contains(folder.to_str().unwrap()) && !sentence.contains('\n'), "{sentence}");
    sentence
}

/// Changes the manifest and seals it again, as someone would who wants to deceive.
fn forge(folder: &Path, change: impl FnOnce(String) -> String) {
    let path = folder.join(MANIFEST);
    let text = fs::read_to_string(&path).unwrap();
    let body = change(text[..text.find(",\n  \"sha256\"").unwrap()].to_owned());
    let digest: String = Sha256::digest(&body).iter().map(|byte| format!("{byte:02x}")).collect();
    fs::write(path, format!("{body},\n  \"sha256\": \"{digest}\"\n}}\n")).unwrap();
}

/// Puts other weights into the checkpoint, with a manifest that vouches for them.
fn forge_policy(folder: &Path, bytes: &[u8]) {
    let old = fs::read(folder.join(POLICY)).unwrap();
    let hex =
        |bytes: &[u8]| Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    fs::write(folder.join(POLICY), bytes).unwrap();
    let size = |bytes: &[u8]| format!("\"size\": {}", bytes.len());
    forge(folder, |text| text.replace(&hex(&old), &hex(bytes)).replace(&size(&old), &size(bytes)));
}

#[test]
fn what_is_written_is_read_back_bit_for_bit() {
    let (_run, folder) = run();
    let read = load(&folder, &plays()).unwrap();
    let bits = |weights: &Weights| -> Vec<u32> {
        weights.tensors().iter().flat_map(|(_, _, numbers)| numbers.iter().map(|n| n.to_bits())).collect()
    };
    assert_eq!(bits(&read.weights), bits(&weights(1)));
    assert_eq!(read.weights, weights(1));
    assert_eq!(read.manifest.plays, plays());
    assert_eq!(read.manifest.counters["games"], 7);
    assert_eq!(read.read(LEARNER).unwrap(), b"whatever the learner keeps");
    let again = step_folder(folder.parent().unwrap(), 1);
    write(&again, 1).unwrap();
    for name in [MANIFEST, POLICY] {
        assert_eq!(
            fs::read(folder.join(name)).unwrap(),
            fs::read(again.join(name)).unwrap(),
            "{name} is reproducible"
        );
    }
}

#[test]
fn playing_needs_the_weights_alone_but_a_run_needs_everything() {
    let (run, folder) = run();
    fs::remove_file(folder.join(LEARNER)).unwrap();
    let read = load(&folder, &plays()).unwrap();
    assert!(read.read(LEARNER).unwrap_err().to_string().starts_with("cannot read "));
    assert!(read.read("other").unwrap_err().to_string().contains("lists no other"));
    assert!(newest(run.path(), &plays()).unwrap_err().to_string().contains(LEARNER));
}

#[test]
fn another_game_other_rules_and_another_version_are_refused() {
    let (_run, folder) = run();
    let other = Plays::of::<ConnectFour>(&Default::default());
    assert!(refusal(&folder, &other).ends_with("is for game tictactoe: expected connect_four"));
    let newer = Plays { version: plays().version + 1, ..plays() };
    assert!(refusal(&folder, &newer).contains("is for game version"));
    let mut rules = plays();
    rules.rules.insert("variant".to_owned(), "basic".into());
    assert!(refusal(&folder, &rules).ends_with("is for rule option `variant` absent: expected \"basic\""));
    let mut wider = plays();
    wider.shape.observation += 1;
    assert!(refusal(&folder, &wider).contains("is for shape"));
}

#[test]
fn a_newer_format_is_named_before_anything_else_is_read() {
    let (_run, folder) = run();
    fs::write(folder.join(MANIFEST), r#"{"format": 2, "weights": "elsewhere"}"#).unwrap();
    assert!(
        refusal(&folder, &plays()).ends_with("has format 2: expected 1, the one that this version reads")
    );
}

#[test]
fn a_forged_manifest_cannot_ask_for_memory_or_lead_elsewhere() {
    let forged = |from: &str, to: &str| {
        let (_run, folder) = run();
        forge(&folder, |text| {
            assert!(text.contains(from), "{text}");
            text.replace(from, to)
        });
        refusal(&folder, &plays())
    };
    assert!(forged("\"width\": 6", "\"width\": 1000000").contains("`width` is 1000000: expected 1 to 8192"));
    assert!(
        forged("\"width\": 6", "\"width\": 7")
            .contains("`torso.0.weight` is F32 [18, 6]: expected F32 [18, 7]")
    );
    assert!(forged("\"layers\": 2", "\"layers\": 1").contains("` is there: expected absent"));
    assert!(forged(LEARNER, "../learner").contains("expected a plain name"));
    assert!(forged(POLICY, "weights.bin").contains("lists no policy.safetensors"));
    assert!(forged("\"size\": 26", "\"size\": 99999999999").contains("expected at most 2147483648"));
    assert!(forged("\"width\": 6", "\"width\": 6,\n    \"run\": \"rm\"").contains("unknown field `run`"));
    assert!(
        forged("\"value_scale\": 1.5", "\"value_scale\": -1.0").contains("expected a finite number above 0")
    );
}

#[test]
fn forged_weights_of_another_type_or_shape_or_not_finite_are_refused() {
    use safetensors::tensor::{Dtype, TensorView};
    let (_run, folder) = run();
    let good = fs::read(folder.join(POLICY)).unwrap();
    let (numbers, half) = (vec![0_u8; 6 * 18 * 4], vec![0_u8; 6 * 18 * 2]);
    let one = |dtype, dims: [usize; 2], bytes: &[u8]| {
        safetensors::serialize(
            [("torso.0.weight", TensorView::new(dtype, dims.to_vec(), bytes).unwrap())],
            None,
        )
        .unwrap()
    };
    forge_policy(&folder, &one(Dtype::F32, [6, 18], &numbers));
    assert!(
        refusal(&folder, &plays()).ends_with("tensor `torso.0.weight` is F32 [6, 18]: expected F32 [18, 6]")
    );
    forge_policy(&folder, &one(Dtype::F16, [18, 6], &half));
    assert!(refusal(&folder, &plays()).contains("is F16 [18, 6]"));
    forge_policy(&folder, &one(Dtype::F32, [18, 6], &numbers));
    assert!(refusal(&folder, &plays()).contains("is absent"));
    forge_policy(&folder, b"not tensors at all");
    assert!(refusal(&folder, &plays()).contains("is not a safetensors file"));
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut bytes = good.clone();
        let end = bytes.len();
        bytes[end - 4..].copy_from_slice(&bad.to_le_bytes());
        forge_policy(&folder, &bytes);
        assert!(refusal(&folder, &plays()).contains("has a number that is not finite at index"));
    }
    forge_policy(&folder, &good);
    assert_eq!(load(&folder, &plays()).unwrap().weights, weights(1), "the forger's tool itself is sound");
}

#[test]
fn what_is_not_a_checkpoint_at_all_is_refused() {
    let (_run, folder) = run();
    fs::write(folder.join(MANIFEST), vec![b' '; MAX_MANIFEST as usize + 1]).unwrap();
    assert!(refusal(&folder, &plays()).ends_with("has 1048577 bytes: expected at most 1048576"));
    fs::write(folder.join(MANIFEST), "[".repeat(100_000)).unwrap();
    assert!(refusal(&folder, &plays()).contains("is not a manifest"));
    fs::remove_file(folder.join(MANIFEST)).unwrap();
    assert!(refusal(&folder, &plays()).starts_with("cannot read "));
    fs::create_dir(folder.join(MANIFEST)).unwrap();
    assert!(refusal(&folder, &plays()).ends_with("is not a file"));
}

#[test]
fn weights_that_are_not_finite_are_not_written() {
    let run = TempDir::new().unwrap();
    let mut weights = weights(1);
    weights.value.bias[0] = f32::NAN;
    let contents = Contents {
        plays: &plays(),
        weights: &weights,
        search: None,
        counters: BTreeMap::new(),
        further: &[],
    };
    let error = save(&step_folder(run.path(), 1), &contents).unwrap_err().to_string();
    assert!(error.contains("tensor `value.bias` has a number that is not finite at index 0"), "{error}");
    assert!(everything(run.path()).is_empty());
}

#[test]
fn further_files_have_plain_names_each_once() {
    let run = TempDir::new().unwrap();
    for names in
        [&["../escape"][..], &["a/b"], &[""], &[".hidden"], &[MANIFEST], &[POLICY], &["twice", "twice"]]
    {
        let further: Vec<(&str, &[u8])> = names.iter().map(|&name| (name, &b"x"[..])).collect();
        let contents = Contents {
            plays: &plays(),
            weights: &weights(1),
            search: None,
            counters: BTreeMap::new(),
            further: &further,
        };
        assert!(matches!(save(&step_folder(run.path(), 1), &contents), Err(CheckpointError::Listing { .. })));
    }
    assert!(everything(run.path()).is_empty());
}

#[test]
fn a_whole_checkpoint_is_not_written_over_and_a_damaged_one_is_moved_aside() {
    let (run, folder) = run();
    let before = everything(run.path());
    assert!(
        write(&folder, 2)
            .unwrap_err()
            .to_string()
            .ends_with("already holds a whole checkpoint: it is not written over")
    );
    assert_eq!(everything(run.path()), before);
    fs::write(folder.join(LEARNER), "damage").unwrap();
    write(&folder, 2).unwrap();
    assert_eq!(load(&folder, &plays()).unwrap().weights, weights(2));
    assert_eq!(fs::read(folder.with_extension("damaged").join(LEARNER)).unwrap(), b"damage");
}

#[test]
fn a_crash_at_any_moment_leaves_the_last_good_one_and_does_not_stand_in_the_way_of_the_next() {
    let names = [POLICY, LEARNER, MANIFEST];
    for written in 0..=names.len() {
        for whole in [false, true] {
            let (run, first) = run();
            let second = step_folder(run.path(), 2);
            let partial = second.with_file_name(".00000002.partial");
            fs::create_dir(&partial).unwrap();
            for (index, name) in names[..written].iter().enumerate() {
                let bytes = fs::read(first.join(name)).unwrap();
                let cut = if whole || index + 1 < written { bytes.len() } else { bytes.len() / 2 };
                fs::write(partial.join(name), &bytes[..cut]).unwrap();
            }
            let found = newest(run.path(), &plays()).unwrap();
            assert_eq!((found.step, found.checkpoint.weights, found.refused.len()), (1, weights(1), 0));
            write(&second, 2).unwrap();
            assert_eq!(newest(run.path(), &plays()).unwrap().checkpoint.weights, weights(2));
            assert!(!partial.exists());
        }
    }
}

#[test]
fn a_run_falls_back_to_the_newest_whole_one_and_says_what_was_wrong() {
    let (run, first) = run();
    write(&step_folder(run.path(), 2), 2).unwrap();
    write(&step_folder(run.path(), 10), 10).unwrap();
    write(&step_folder(run.path(), 9), 9).unwrap();
    fs::create_dir(run.path().join("checkpoints/notes")).unwrap();
    assert_eq!(newest(run.path(), &plays()).unwrap().step, 10, "steps are numbers, not words");
    fs::write(step_folder(run.path(), 10).join(POLICY), "cut").unwrap();
    fs::remove_dir_all(step_folder(run.path(), 9)).unwrap();
    fs::create_dir(step_folder(run.path(), 9)).unwrap();
    let found = newest(run.path(), &plays()).unwrap();
    assert_eq!((found.step, &found.checkpoint.weights), (2, &weights(2)));
    let refused: Vec<String> = found.refused.iter().map(ToString::to_string).collect();
    assert!(refused[0].contains("00000010/policy.safetensors has 3 bytes"), "{refused:?}");
    assert!(refused[1].contains("00000009/manifest.json"), "{refused:?}");
    for folder in [first, step_folder(run.path(), 2)] {
        fs::remove_file(folder.join(MANIFEST)).unwrap();
    }
    let nothing = newest(run.path(), &plays()).unwrap_err();
    assert_eq!(nothing.refused.len(), 4);
    assert!(nothing.to_string().contains("holds no whole checkpoint: "), "{nothing}");
    assert!(newest(&run.path().join("nowhere"), &plays()).is_err());
}

#[test]
fn a_description_tells_what_it_is_and_what_is_wrong() {
    let (_run, folder) = run();
    let description = describe(&folder).unwrap();
    assert!(description.is_whole() && description.unplayable.is_none(), "{description}");
    let text = description.to_string();
    assert!(
        text.contains("tictactoe (version") && text.contains("18 → mlp 2 × 6 → 9 logits + 2 values (±1.5)"),
        "{text}"
    );
    assert!(text.contains("step      1"), "{text}");
    fs::write(folder.join(POLICY), "damage").unwrap();
    let description = describe(&folder).unwrap();
    assert!(
        !description.is_whole() && description.to_string().contains("has 6 bytes: expected"),
        "{description}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    /// Cuts, flips and exchanges in any file: refused, and the older checkpoint still loads.
    #[test]
    fn random_damage_is_refused_and_a_run_falls_back(
        file in 0..3_usize,
        place in any::<prop::sample::Index>(),
        damage in prop_oneof![Just(None), (0..8_u32).prop_map(Some)],
    ) {
        let (run, _first) = run();
        let second = step_folder(run.path(), 2);
        write(&second, 2).unwrap();
        let path = second.join([MANIFEST, POLICY, LEARNER][file]);
        let mut bytes = fs::read(&path).unwrap();
        let place = place.index(bytes.len());
        match damage {
            None => bytes.truncate(place),
            Some(bit) => bytes[place] ^= 1 << bit,
        }
        fs::write(&path, &bytes).unwrap();
        let before = everything(run.path());
        let found = newest(run.path(), &plays()).unwrap();
        prop_assert_eq!(found.step, 1);
        prop_assert_eq!(&found.checkpoint.weights, &weights(1));
        let sentence = found.refused[0].to_string();
        prop_assert!(sentence.contains(path.to_str().unwrap()) && !sentence.contains('\n'), "{}", sentence);
        if file < 2 {
            prop_assert!(load(&second, &plays()).is_err());
        }
        prop_assert_eq!(everything(run.path()), before);
    }

    /// Weights that someone vouched for with fresh digests: whatever the bytes, they load finite or not at all.
    #[test]
    fn random_bytes_with_good_digests_load_finite_or_not_at_all(
        place in any::<prop::sample::Index>(),
        noise in prop::collection::vec(any::<u8>(), 1..40),
    ) {
        let (_run, folder) = run();
        let mut bytes = fs::read(folder.join(POLICY)).unwrap();
        let place = place.index(bytes.len());
        let end = bytes.len().min(place + noise.len());
        bytes[place..end].copy_from_slice(&noise[..end - place]);
        forge_policy(&folder, &bytes);
        if let Ok(read) = load(&folder, &plays()) {
            prop_assert_eq!(read.weights.not_finite(), None);
            prop_assert_eq!(read.weights.shape(), &plays().shape);
        }
    }
}
