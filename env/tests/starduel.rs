//! Star Duel: the laws of the contract, the rulings, the readers, and the pins.

#[path = "starduel/board.rs"]
mod board;
#[path = "starduel/data.rs"]
mod data;
#[path = "starduel/hidden.rs"]
mod hidden;
#[path = "starduel/readers.rs"]
mod readers;
#[path = "starduel/rulings.rs"]
mod rulings;

use nodarium_env::games::starduel::{StarDuel, StarDuelRules};
use nodarium_env::{conformance, measure, text};

nodarium_env::conformance! {
    standard: StarDuel = "{}";
    one_round: StarDuel = r#"{"round_limit": 1}"#;
    two_rounds: StarDuel = r#"{"round_limit": 2}"#;
    long: StarDuel = r#"{"round_limit": 150}"#;
}

#[test]
fn perft_counts_hold() {
    conformance::perft_counts_hold::<StarDuel>(include_str!("data/starduel.perft.json"));
}

#[test]
fn a_playthrough_reads_as_before() {
    insta::assert_snapshot!(text::playthrough::<StarDuel>(&StarDuelRules::default(), 38, 24));
}

#[test]
fn the_signature_is_pinned() {
    let signature = |json| measure::signature::<StarDuel>(&conformance::rules::<StarDuel>(json), 100);
    assert_eq!(signature("{}"), 0x6296_d6f1_c68e_6f27, "behaviour or encoding changed: raise the version");
    assert_eq!(
        signature(r#"{"round_limit": 3}"#),
        0xe342_611b_72fd_ed91,
        "behaviour or encoding changed: raise the version"
    );
}

#[test]
fn the_page_shows_the_tables() {
    let page = include_str!("../docs/starduel.md");
    conformance::the_page_shows_the_tables::<StarDuel>(&StarDuelRules::default(), page);
    for ruling in 1..=16 {
        assert!(page.contains(&format!("**D-{ruling:02}**")), "the page lacks D-{ruling:02}");
    }
}
