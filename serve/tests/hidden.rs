//! What a seat may not see does not leave the server.

mod client;

use axum::http::StatusCode;
use client::{Client, Game, block_on};
use nodarium_env::games::colony::Colony;
use nodarium_env::games::starduel::StarDuel;
use nodarium_env::rng::Purpose;
use nodarium_env::{Paint, Rng, Seat, random_action};
use nodarium_serve::sight::Sight;
use serde_json::{Value, json};

/// In every state of some games, each seat is shown the same in every world that looks the same to it.
fn worlds_that_look_alike_are_shown_alike<G: Sight>() {
    let rules = G::Rules::default();
    let seats = G::spec(&rules).seats;
    let mut differed = 0;
    for index in 0..20 {
        let mut game = G::deal(&rules, &mut Rng::keyed(Purpose::Deal, 5, index, 0));
        let mut choices = Rng::keyed(Purpose::Choice, 5, index, 0);
        let mut worlds = Rng::keyed(Purpose::World, 5, index, 0);
        while let Some(action) = random_action(&game, &mut choices) {
            for seat in (0..seats).map(|seat| Seat(seat as u8)) {
                let mut world = game.clone();
                world.redeal_hidden(seat, &mut worlds);
                differed += usize::from(world != game);
                assert_eq!(game.sight(Some(seat)), world.sight(Some(seat)));
                assert_eq!(game.draw(Some(seat), Paint::Plain), world.draw(Some(seat), Paint::Plain));
            }
            game.apply(action);
        }
    }
    assert!(differed > 100, "the worlds did differ: {differed}");
}

#[test]
fn a_colony_seat_is_shown_nothing_of_other_hands_and_the_deck() {
    worlds_that_look_alike_are_shown_alike::<Colony>();
}

#[test]
fn a_star_duel_seat_is_shown_nothing_of_face_down_cards_and_secret_programs() {
    worlds_that_look_alike_are_shown_alike::<StarDuel>();
}

/// Plays a game from seat `person` against the `greedy` bot; every answer of the server, by the number of plies played.
async fn answers(client: &Client, game: &str, person: usize) -> (Game, Vec<(usize, String)>) {
    let seats: Vec<Option<usize>> = (0..2).map(|seat| (seat != person).then_some(1)).collect();
    let mut game = client.create(json!({"game": game, "seats": seats})).await;
    let mut told = Vec::new();
    while game.state["over"] == json!(false) {
        told.push((game.state["plies"].as_u64().unwrap() as usize, game.state.to_string()));
        assert_eq!(game.state["seed"], Value::Null, "the seed would tell every card");
        let (status, _) = client.get(&game.address("/record", "")).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "a record would tell every card");
        let ply = &game.state["plies"];
        let (status, thought) =
            client.post(&game.path("/think"), &json!({"key": game.key, "ply": ply, "agent": 0})).await;
        match game.state["yours"].as_bool().unwrap() {
            true => {
                assert_eq!(status, StatusCode::OK, "{thought}");
                told.push((ply.as_u64().unwrap() as usize, thought.to_string()));
                game.play_first().await;
            }
            false => {
                assert_eq!(status, StatusCode::FORBIDDEN, "{thought}");
                assert_eq!(game.state["legal"], json!([]), "legal moves would tell another's hand");
                game.advance().await;
            }
        }
    }
    (game, told)
}

/// The true state after each number of plies.
async fn truth(client: &Client, game: &Game) -> Vec<Value> {
    let (status, record) = client.get(&game.address("/record", "")).await;
    assert_eq!(status, StatusCode::OK, "when the game is over everything is shown");
    let after = record["plies"].as_array().unwrap().iter().map(|ply| ply["state"].clone());
    std::iter::once(record["start"].clone()).chain(after).collect()
}

#[test]
fn no_answer_of_a_colony_game_holds_another_hand_or_the_deck() {
    block_on(async {
        let client = Client::new();
        // The server draws the deals of games that hide something, and some are over soon: as many as it takes.
        let mut greps = [0; 2];
        while let Some(person) = greps.iter().position(|&greps| greps < 50) {
            let (game, told) = answers(&client, "colony", person).await;
            let truth = truth(&client, &game).await;
            for (ply, text) in told {
                let state = &truth[ply];
                let own = &state["hands"][person];
                for hidden in [&state["hands"][1 - person], &state["deck"]] {
                    // Few cards can lie elsewhere in the same order by chance.
                    if hidden.as_array().unwrap().len() > 4 && hidden != own {
                        assert!(!text.contains(&hidden.to_string()), "ply {ply}: {text} holds {hidden}");
                        greps[person] += 1;
                    }
                }
                if text.contains("\"position\"") {
                    let position = &serde_json::from_str::<Value>(&text).unwrap()["position"];
                    assert!(
                        position["deck"].is_u64() && position["hands"][1 - person].is_u64(),
                        "{position}"
                    );
                    assert_eq!(&position["hands"][person], own, "the own hand is shown");
                    if state["to_move"] != json!(person) {
                        assert!(position["chosen"].is_null() && position["phase"].is_null(), "{position}");
                    }
                }
            }
        }
    });
}

#[test]
fn no_answer_of_a_star_duel_names_a_face_down_card_or_a_secret_number() {
    block_on(async {
        let client = Client::new();
        for person in 0..2 {
            let (game, told) = answers(&client, "starduel", person).await;
            let truth = truth(&client, &game).await;
            let mut secrets = 0;
            for (ply, text) in told.into_iter().filter(|(_, text)| text.contains("\"position\"")) {
                let state = &truth[ply];
                let shown: Value = serde_json::from_str(&text).unwrap();
                let position = &shown["position"];
                for (space, node) in state["spaces"].as_object().unwrap() {
                    let expected = if node["up"] == json!(true) { &node["card"] } else { &Value::Null };
                    assert_eq!(&position["spaces"][space]["card"], expected);
                }
                assert!(position["spares"]["2"].is_u64() && position["spares"]["3"].is_u64(), "{position}");
                let program = &state["programs"][1 - person];
                if state["phase"] == json!("program") && !program.is_null() {
                    secrets += 1;
                    assert_eq!(position["programs"][1 - person], json!("?"));
                    let last = shown["moves"].as_array().unwrap().last().unwrap();
                    assert_eq!(last["move"], Value::Null, "the secret number is no open move");
                }
            }
            // Seat 0 programs first: only seat 1 can meet a secret.
            assert_eq!(secrets > 0, person == 1);
        }
    });
}

#[test]
fn two_persons_hold_different_keys_and_see_different_hands() {
    block_on(async {
        let client = Client::new();
        let game = client.create(json!({"game": "colony", "seats": [null, null]})).await;
        let key = |seat: usize| game.keys[seat]["key"].as_str().unwrap().to_owned();
        let mut hands = Vec::new();
        for seat in 0..2 {
            let (_, state) = client.get(&format!("{}?key={}", game.path(""), key(seat))).await;
            assert_eq!(state["viewer"], json!(seat));
            assert_eq!(state["yours"], json!(seat == 0));
            assert!(
                state["position"]["hands"][seat].is_array() && state["position"]["hands"][1 - seat].is_u64()
            );
            hands.push(state["position"]["hands"][seat].clone());
        }
        let (status, _) =
            client.post(&game.path("/play"), &json!({"key": key(1), "ply": 0, "move": "card C1"})).await;
        assert_eq!(status, StatusCode::CONFLICT, "it is the turn of seat 0");
    });
}
