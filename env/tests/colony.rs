//! Node and Colony: the laws of the contract and the numbers that pin the game down. The rulings are in
//! `colony_rulings.rs`, the second implementation in `colony_reference.rs`.

use nodarium_env::games::colony::Colony;

nodarium_env::conformance! {
    two: Colony = "{}";
    three: Colony = r#"{"players": 3}"#;
    four: Colony = r#"{"players": 4}"#;
    plus: Colony = r#"{"layout": "plus5", "table": 5}"#;
    plus_four: Colony = r#"{"players": 4, "layout": "plus5", "table": 3}"#;
    diamond: Colony = r#"{"players": 3, "layout": "diamond13", "table": 7}"#;
    path: Colony = r#"{"movement": "path"}"#;
    path_four: Colony = r#"{"players": 4, "movement": "path"}"#;
    short: Colony = r#"{"turn_limit": 6}"#;
}
