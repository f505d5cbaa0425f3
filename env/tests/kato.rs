//! Node by Kanare Kato: the laws of the contract, the rulings, the numbers that pin the game down.

use nodarium_env::games::kato::Kato;

nodarium_env::conformance! {
    size_4: Kato = r#"{"size": 4}"#;
    size_5_with_swap: Kato = r#"{"size": 5, "swap": true}"#;
    size_6: Kato = "{}";
    size_6_with_swap: Kato = r#"{"swap": true}"#;
    size_7: Kato = r#"{"size": 7}"#;
    size_8: Kato = r#"{"size": 8}"#;
}
