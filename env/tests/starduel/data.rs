//! The rule options and the data files.

use nodarium_env::games::starduel::{StarDuel, StarDuelRules};
use nodarium_env::{Game, Rules, Text, conformance, record, rules_from};
use proptest::prelude::*;
use serde_json::{Value, json};

const CARDS: &str = include_str!("../../data/starduel_cards.json");
const MAP: &str = include_str!("../../data/starduel_map.json");

fn cards() -> Value {
    serde_json::from_str(CARDS).expect("JSON")
}

fn map() -> Value {
    serde_json::from_str(MAP).expect("JSON")
}

/// Rules whose files hold these texts.
fn with_files(cards: Option<&str>, map: Option<&str>) -> Result<StarDuelRules, String> {
    let given = json!({"round_limit": 40, "cards": cards.map(|_| "my cards.json"), "map": map.map(|_| "my map.json")});
    let read = |name: &str| {
        let text = if name == "my cards.json" { cards } else { map };
        text.map(str::to_owned).ok_or_else(|| "no such file".to_owned())
    };
    rules_from(given.as_object().expect("a map"), &read).map_err(|error| error.to_string())
}

fn with_cards(change: impl FnOnce(&mut Value)) -> Result<StarDuelRules, String> {
    let mut file = cards();
    change(&mut file);
    with_files(Some(&file.to_string()), None)
}

fn with_map(change: impl FnOnce(&mut Value)) -> Result<StarDuelRules, String> {
    let mut file = map();
    change(&mut file);
    with_files(None, Some(&file.to_string()))
}

fn push(list: &mut Value, item: Value) {
    list.as_array_mut().expect("a list").push(item);
}

/// Each side has its own Tier 1, the values differ, and a link of the map is gone on one side only.
fn own_data() -> StarDuelRules {
    let mut own_cards = cards();
    let list = own_cards["cards"].as_array_mut().expect("a list");
    let mut enate: Vec<Value> = list[..3].to_vec();
    for (card, name) in enate.iter_mut().zip(["Xo", "Yma", "Zeta Prime"]) {
        card["name"] = json!(name);
        card["side"] = json!(1);
        card["activation"] = json!([1, 1, 3]);
        card["defence"] = json!(1);
    }
    for card in &mut list[..3] {
        card["side"] = json!(0);
    }
    list.extend(enate);
    let mut own_map = map();
    own_map["links"].as_array_mut().expect("a list").retain(|link| *link != json!([21, 22]));
    with_files(Some(&own_cards.to_string()), Some(&own_map.to_string())).expect("sound files")
}

#[test]
fn a_users_own_files_are_played_and_obey_the_laws() {
    let rules = own_data();
    let spec = StarDuel::spec(&rules);
    assert_eq!(spec.symmetries.len(), 1, "nothing is the same after half a turn");
    conformance::the_mask_holds_exactly_what_can_be_applied::<StarDuel>(&rules);
    conformance::observations_are_finite_and_whole::<StarDuel>(&rules);
    conformance::games_end_in_time_with_zero_sum_returns::<StarDuel>(&rules);
    conformance::the_same_seed_tells_the_same_game::<StarDuel>(&rules);
    conformance::moves_and_positions_survive_being_written::<StarDuel>(&rules);
    conformance::symmetries_commute_with_seeing_and_playing::<StarDuel>(&rules);
    conformance::nothing_hidden_leaks_into_a_view::<StarDuel>(&rules);
    let told = record::simulate::<StarDuel>(&rules, 0, 0);
    assert_eq!(told.rules["cards"], json!("my cards.json"));
    let start = serde_json::to_value(&told.start).expect("JSON");
    let row = |row: u32| -> Vec<&str> {
        let mut names: Vec<&str> = (1..=3)
            .map(|column| start["spaces"][format!("{row}{column}")]["card"].as_str().expect("a card"))
            .collect();
        names.sort_unstable();
        names
    };
    assert_eq!((row(1), row(5)), (vec!["A", "B", "C"], vec!["Xo", "Yma", "Zeta Prime"]));
}

#[test]
fn files_with_the_built_in_content_are_the_built_in_game() {
    let rules = with_files(Some(CARDS), Some(MAP)).expect("the built-in files are sound");
    let given = json!({"round_limit": 40});
    let built_in: StarDuelRules =
        rules_from(given.as_object().expect("a map"), &nodarium_env::rules::no_files).expect("sound");
    let moves = |rules| {
        let told = record::simulate::<StarDuel>(rules, 2, 7);
        told.plies.into_iter().map(|ply| (ply.played, ply.legal)).collect::<Vec<_>>()
    };
    assert_eq!(moves(&rules), moves(&built_in));
    assert_eq!(StarDuel::spec(&rules), StarDuel::spec(&built_in));
}

#[test]
fn the_same_content_is_the_same_game_however_often_it_is_read() {
    assert_eq!(own_data(), own_data());
    let deal = |rules: &StarDuelRules| {
        StarDuel::deal(rules, &mut nodarium_env::Rng::keyed(nodarium_env::rng::Purpose::Deal, 0, 0, 0))
    };
    assert_eq!(deal(&own_data()), deal(&own_data()));
    assert_ne!(deal(&own_data()), deal(&conformance::rules::<StarDuel>(r#"{"round_limit": 40}"#)));
}

#[test]
fn a_map_that_half_a_turn_changes_has_no_symmetry() {
    let lopsided = with_map(|file| push(&mut file["links"], json!([11, 13]))).expect("sound");
    assert_eq!(StarDuel::spec(&lopsided).symmetries.len(), 1);
    let turned = with_map(|file| {
        push(&mut file["links"], json!([11, 13]));
        push(&mut file["links"], json!([51, 53]));
    })
    .expect("sound");
    assert_eq!(StarDuel::spec(&turned).symmetries.len(), 2);
    conformance::symmetries_commute_with_seeing_and_playing::<StarDuel>(&turned);
}

#[test]
fn each_fault_of_a_card_file_is_named() {
    type Change = fn(&mut Value);
    let faults: &[(Change, &str)] = &[
        (|f| *f = json!([]), "expected a sound file of cards: invalid"),
        (|f| f["extra"] = json!(1), "unknown field `extra`"),
        (|f| f["cards"][0]["cost"] = json!(1), "unknown field `cost`"),
        (|f| f["cards"][0]["needs"] = json!([0]), "invalid length 1"),
        (|f| f["cards"][0]["tier"] = json!(-1), "invalid value"),
        (|f| f["cards"][0]["name"] = json!(""), "card \"\" needs a name of 1 to 12 printable characters"),
        (|f| f["cards"][0]["name"] = json!("a very long name"), "needs a name of 1 to 12"),
        (|f| f["cards"][0]["name"] = json!("a\nb"), "needs a name of 1 to 12"),
        (|f| f["cards"][1]["name"] = json!("A"), "card \"A\" is there twice"),
        (|f| f["cards"][3]["tier"] = json!(4), "card \"D\" has tier 4 where 1, 2 or 3 is needed"),
        (|f| f["cards"][3]["defence"] = json!(0), "card \"D\" has defence 0 where 1 to 6 is needed"),
        (|f| f["cards"][3]["defence"] = json!(7), "card \"D\" has defence 7 where 1 to 6 is needed"),
        (
            |f| f["cards"][3]["needs"] = json!([13, 0]),
            "card \"D\" has 13 in its needs where 0 to 12 is needed",
        ),
        (|f| f["cards"][3]["activation"] = json!([0, 13, 0]), "13 in its activation"),
        (|f| f["cards"][3]["exhaustion"] = json!([0, 0, 99]), "99 in its exhaustion"),
        (
            |f| f["cards"][0]["side"] = json!(2),
            "card \"A\" has side 2 where 0 (Kurth) or 1 (Enate) is needed",
        ),
        (|f| f["cards"][3]["side"] = json!(1), "card \"D\" names a side, which only a Tier 1 card may do"),
        (|f| f["cards"][0]["side"] = json!(0), "2 Tier 1 cards for Enate where 3 are needed"),
        (|f| f["cards"][0]["side"] = json!(1), "2 Tier 1 cards for Kurth where 3 are needed"),
        (|f| f["cards"][3]["tier"] = json!(3), "9 Tier 2 cards where 10 are needed"),
        (|f| drop(f["cards"].as_array_mut().expect("a list").pop()), "5 Tier 3 cards where 6 are needed"),
    ];
    for (change, expected) in faults {
        let error = with_cards(change).expect_err(expected);
        assert!(error.contains(expected), "{error}\nlacks: {expected}");
        assert!(error.starts_with("rule option `cards` is \"my cards.json\": expected "), "{error}");
        assert!(!error.contains('\n'), "one sentence: {error}");
    }
}

#[test]
fn each_fault_of_a_map_file_is_named() {
    type Change = fn(&mut Value);
    let faults: &[(Change, &str)] = &[
        (|f| *f = json!(3), "expected a sound map: invalid type"),
        (|f| f["rows"] = json!([]), "unknown field `rows`"),
        (|f| f["links"][0] = json!([11, 12, 13]), "trailing"),
        (|f| push(&mut f["links"], json!([14, 15])), "there is no space 14 on the map"),
        (|f| push(&mut f["links"], json!([11, 11])), "11 is linked to itself"),
        (|f| push(&mut f["links"], json!([11, 12])), "the link between 11 and 12 is there twice"),
        (|f| push(&mut f["links"], json!([12, 11])), "the link between 12 and 11 is there twice"),
        (|f| f["homes"]["kurth"] = json!([]), "Kurth's home is linked to no space"),
        (|f| f["homes"]["enate"] = json!([51, 51]), "Enate's home is linked to 51 twice"),
        (|f| f["homes"]["enate"] = json!([54]), "there is no space 54 on the map"),
        (|f| f["links"] = json!([]), "no way leads from Kurth's home to 21"),
    ];
    for (change, expected) in faults {
        let error = with_map(change).expect_err(expected);
        assert!(error.contains(expected), "{error}\nlacks: {expected}");
        assert!(error.starts_with("rule option `map` is \"my map.json\": expected "), "{error}");
        assert!(!error.contains('\n'), "one sentence: {error}");
    }
}

#[test]
fn bad_options_are_refused_with_a_sentence() {
    let error = |options: Value| {
        rules_from::<StarDuelRules>(options.as_object().expect("a map"), &nodarium_env::rules::no_files)
            .expect_err("these cannot be played")
            .to_string()
    };
    assert_eq!(
        error(json!({"round_limit": 0})),
        "rule option `round_limit` is 0: expected a whole number, at least 1"
    );
    assert!(error(json!({"round_limit": -3})).contains("expected a whole number, at least 1"));
    assert!(error(json!({"cards": 5})).contains("expected null, or the name of a file of cards"));
    assert!(error(json!({"rounds": 5})).contains("unknown rule option `rounds`"));
    let missing = error(json!({"cards": "lost.json"}));
    assert!(
        missing.starts_with("rule option `cards` is \"lost.json\": expected a file to read: cannot"),
        "{missing}"
    );
    assert_eq!(<StarDuelRules as Rules>::OPTIONS.len(), 3);
}

/// Replaces one number or text of a JSON value, counted through the whole.
fn alter(value: &mut Value, at: &mut usize, with: &Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| alter(item, at, with)),
        Value::Object(items) => items.values_mut().for_each(|item| alter(item, at, with)),
        leaf => {
            if *at == 0 {
                *leaf = with.clone();
            }
            *at = at.wrapping_sub(1);
        }
    }
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        (-2_i64..60).prop_map(|n| json!(n)),
        any::<i64>().prop_map(|n| json!(n)),
        any::<f64>().prop_map(|n| json!(n)),
        "[A-Z]{0,2}|\\PC{0,14}".prop_map(|text| json!(text)),
        Just(json!([])),
        Just(json!({})),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,200}|[\\[\\]{}\",:0-9a-z ]{0,200}") {
        let _ = with_files(Some(&text), None);
        let _ = with_files(None, Some(&text));
    }

    #[test]
    fn an_altered_file_is_refused_or_played(at in 0_usize..260, with in leaf()) {
        for (is_map, mut file) in [(false, cards()), (true, map())] {
            alter(&mut file, &mut { at }, &with);
            let text = file.to_string();
            let given = if is_map { with_files(None, Some(&text)) } else { with_files(Some(&text), None) };
            if let Ok(rules) = given {
                let told = record::simulate::<StarDuel>(&rules, 0, at as u64);
                let start = StarDuel::from_position(&rules, &told.start);
                prop_assert!(start.is_ok());
            }
        }
    }

    #[test]
    fn a_cut_file_is_refused(cut in 0.0_f64..0.99) {
        let upto = |text: &str| text[..(text.len() as f64 * cut) as usize].to_owned();
        prop_assert!(with_files(Some(&upto(CARDS)), None).is_err());
        prop_assert!(with_files(None, Some(&upto(MAP))).is_err());
    }
}
