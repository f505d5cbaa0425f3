//! Node by Jeffrey Shuter: the laws of the contract.

use nodarium_env::games::shuter::Shuter;

nodarium_env::conformance! {
    basic: Shuter = r#"{"variant": "basic"}"#;
    classic: Shuter = r#"{"variant": "classic"}"#;
    advanced: Shuter = r#"{"variant": "advanced"}"#;
    fixed_layout: Shuter =
        r#"{"variant": "basic", "layout": "R2 / G1 B2 R3 / G2 Y2 V G3 Y1 / B3 R1 B1 / Y3"}"#;
    short_stalemate: Shuter = r#"{"variant": "classic", "stalemate_turns": 3}"#;
}

#[test]
fn a_playthrough_reads_as_before() {
    let rules = nodarium_env::conformance::rules::<Shuter>(r#"{"variant": "classic"}"#);
    insta::assert_snapshot!(nodarium_env::text::playthrough::<Shuter>(&rules, 1, 25));
}

#[test]
fn the_page_shows_the_tables_of_the_spec() {
    let rules = nodarium_env::conformance::rules::<Shuter>("{}");
    nodarium_env::conformance::the_page_shows_the_tables::<Shuter>(&rules, include_str!("../docs/shuter.md"));
}
