//! The server as a client meets it: what it refuses, what it bears.

mod client;

use axum::http::StatusCode;
use client::{Client, block_on};
use nodarium_serve::{Limits, Roster};
use serde_json::{Value, json};

#[test]
fn a_game_is_played_to_its_end() {
    block_on(async {
        let client = Client::new();
        let mut game =
            client.create(json!({"game": "kato", "rules": {"size": 4}, "seed": 7, "seats": [null, 0]})).await;
        while !game.state["over"].as_bool().unwrap() {
            match game.state["yours"].as_bool().unwrap() {
                true => game.play_first().await,
                false => game.advance().await,
            }
        }
        assert_eq!(game.state["outcome"]["returns"].as_array().unwrap().len(), 2);
        assert_eq!(game.state["plies"], game.state["moves"].as_array().unwrap().len());
        let (status, record) = client.get(&game.address("/record", "")).await;
        assert_eq!(status, StatusCode::OK);
        let (status, again) = client.post("/api/records", &record).await;
        assert_eq!(status, StatusCode::OK, "{again}");
        assert_eq!(again["state"]["position"], game.state["position"]);
    });
}

#[test]
fn an_undo_takes_back_the_persons_last_move_and_what_followed() {
    block_on(async {
        let client = Client::new();
        let mut game = client.create(json!({"game": "kato", "seed": 7, "seats": [null, 0]})).await;
        let before = game.state["position"].clone();
        game.play_first().await;
        game.advance().await;
        let (status, state) = client.post(&game.path("/undo"), &json!({"key": game.key})).await;
        assert_eq!((status, &state["position"]), (StatusCode::OK, &before));
        let (status, told) = client.post(&game.path("/undo"), &json!({"key": game.key})).await;
        assert_eq!(status, StatusCode::CONFLICT);
        assert_eq!(told["error"], "there is no move of yours to take back");
    });
}

#[test]
fn what_is_wrong_gets_the_right_status_and_one_sentence() {
    block_on(async {
        let client = Client::new();
        let game = client.create(json!({"game": "kato", "seats": [0, null]})).await;
        let key = &game.key;
        let path = |end: &str| game.path(end);
        let new = |body: Value| ("/api/games".to_owned(), body.to_string());
        let other = "0".repeat(32);
        let cases: Vec<((String, String), u16, &str)> = vec![
            (("/api/games".to_owned(), "{\"game\":".to_owned()), 400, "the request cannot be read: EOF"),
            (("/api/games".to_owned(), "\u{0}".to_owned()), 400, "the request cannot be read"),
            (
                new(json!({"game": "kato", "seats": [0, 0], "path": "/etc/passwd"})),
                400,
                "unknown field `path`",
            ),
            (new(json!({"game": "chess", "seats": [0, 0]})), 422, "unknown game `chess`"),
            (
                new(json!({"game": "kato", "seats": [0]})),
                422,
                "kato is for 2 seats under these rules, not for 1",
            ),
            (new(json!({"game": "kato", "seats": [0, 999]})), 422, "there is no agent 999 in the list"),
            (new(json!({"game": "kato", "seats": [0, -1]})), 400, "the request cannot be read"),
            (
                new(json!({"game": "kato", "rules": {"size": 99}, "seats": [0, 0]})),
                422,
                "rule option `size` is 99",
            ),
            (
                new(json!({"game": "kato", "position": {"cells": "w"}, "seats": [0, 0]})),
                422,
                "not a position of kato",
            ),
            (
                new(json!({"game": "starduel", "rules": {"cards": "/etc/passwd"}, "seats": [0, 0]})),
                422,
                "files are not available here",
            ),
            (("/api/records".to_owned(), "{}".to_owned()), 422, "the record does not hold"),
            (
                (path("/play"), json!({"key": key, "ply": 0, "move": "a1"}).to_string()),
                409,
                "it is the turn of seat 0",
            ),
            (
                (path("/play"), json!({"key": key, "ply": 5, "move": "a1"}).to_string()),
                409,
                "the game is at ply 0",
            ),
            (
                (path("/play"), json!({"key": other, "ply": 0, "move": "a1"}).to_string()),
                403,
                "this key does not open",
            ),
            (
                (path("/think"), json!({"key": key, "ply": 9, "agent": 0}).to_string()),
                422,
                "there is no ply 9",
            ),
            (
                (path("/think"), json!({"key": key, "ply": 0, "agent": 77}).to_string()),
                422,
                "there is no agent 77",
            ),
            (
                (format!("/api/games/{other}/play"), json!({"key": key, "ply": 0, "move": "a1"}).to_string()),
                404,
                "there is no such game",
            ),
        ];
        for ((path, body), expected, sentence) in cases {
            let (status, told) = client.send("POST", &path, Some("application/json"), &body).await;
            let error = told["error"].as_str().unwrap_or_default();
            assert_eq!(status.as_u16(), expected, "{path} {body}: {told}");
            assert!(error.contains(sentence), "{path} {body}: {error}");
            assert!(!error.contains('\n') && !error.contains("passwd: No such"), "{error}");
        }
        let (status, _) = client.send("POST", "/api/games", Some("text/plain"), "{}").await;
        assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "a form of another site is no request");
        let (status, _) = client.get("/../Cargo.toml").await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        let (status, _) = client.get("/api/games").await;
        assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
        // The game has borne all that.
        let (status, state) = client.get(&game.address("", "")).await;
        assert_eq!((status, &state["plies"]), (StatusCode::OK, &json!(0)));
    });
}

#[test]
fn an_illegal_move_changes_nothing() {
    block_on(async {
        let client = Client::new();
        let game = client.create(json!({"game": "kato", "seats": [null, 0]})).await;
        for text in ["f6", "", "zz", "<script>"] {
            let (status, told) =
                client.post(&game.path("/play"), &json!({"key": game.key, "ply": 0, "move": text})).await;
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
            assert_eq!(told["error"], "this is not a legal move here");
        }
        let (_, state) = client.get(&game.address("", "")).await;
        assert_eq!(state["position"], game.state["position"]);
    });
}

#[test]
fn other_names_and_other_sites_are_refused() {
    block_on(async {
        let client = Client::new();
        let (status, told) = client.host("evil.example").get("/api/agents").await;
        assert_eq!(status, StatusCode::MISDIRECTED_REQUEST);
        assert_eq!(told["error"], "this server does not answer to that Host name");
        let (status, told) = client.host("evil.example").get("/").await;
        assert_eq!((status, told["error"].is_string()), (StatusCode::MISDIRECTED_REQUEST, true));
        let body = json!({"game": "kato", "seats": [0, 0]});
        let (status, _) = client.origin("http://evil.example").post("/api/games", &body).await;
        assert_eq!(status, StatusCode::FORBIDDEN);
        let (status, _) = client.origin("http://localhost").post("/api/games", &body).await;
        assert_eq!(status, StatusCode::OK, "the page itself says where it is from");
    });
}

#[test]
fn ten_megabytes_are_too_much_with_and_without_a_length() {
    block_on(async {
        let client = Client::new();
        let body = " ".repeat(10 << 20);
        for told_length in [true, false] {
            let (status, told) = client.send_sized("/api/records", &body, told_length).await;
            assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
            assert!(told["error"].as_str().unwrap().starts_with("the request is too large"), "{told}");
        }
        client.create(json!({"game": "kato", "seats": [null, 0]})).await;
    });
}

#[test]
fn of_a_thousand_sessions_the_last_are_refused_and_the_first_live_on() {
    block_on(async {
        let client = Client::new();
        let mut first = client.create(json!({"game": "kato", "seats": [null, 0]})).await;
        let mut refused = 0;
        for _ in 0..1_000 {
            let (status, told) = client.post("/api/games", &json!({"game": "kato", "seats": [0, 0]})).await;
            match status {
                StatusCode::OK => {}
                StatusCode::SERVICE_UNAVAILABLE => {
                    refused += 1;
                    assert!(
                        told["error"].as_str().unwrap().starts_with("256 games are open already"),
                        "{told}"
                    );
                }
                _ => panic!("{status}: {told}"),
            }
        }
        assert_eq!(refused, 1_000 - 255);
        first.play_first().await;
        let (status, _) = client.send("DELETE", &first.address("", ""), None, "").await;
        assert_eq!(status, StatusCode::OK);
        client.create(json!({"game": "kato", "seats": [null, 0]})).await;
    });
}

#[test]
fn games_left_alone_make_room() {
    block_on(async {
        let limits = Limits { sessions: 2, idle: std::time::Duration::ZERO, ..Limits::default() };
        let client = Client::with(Roster::bots(), limits);
        for _ in 0..5 {
            client.create(json!({"game": "kato", "seats": [null, 0]})).await;
        }
    });
}

#[test]
fn fifty_sessions_play_at_once_without_an_error() {
    block_on(async {
        let client = Client::new();
        let games = ["shuter", "kato", "colony", "starduel"];
        let playing: Vec<_> = (0..50)
            .map(|number| {
                let (client, game) = (client.clone(), games[number % games.len()]);
                tokio::spawn(async move {
                    // A person at seat 0 and uct:100 at seat 1.
                    let mut game =
                        client.create(json!({"game": game, "seed": number, "seats": [null, 2]})).await;
                    for _ in 0..30 {
                        match (&game.state["over"], &game.state["yours"]) {
                            (Value::Bool(true), _) => break,
                            (_, Value::Bool(true)) => game.play_first().await,
                            _ => game.advance().await,
                        }
                    }
                    game.state["plies"].as_u64().unwrap()
                })
            })
            .collect();
        for played in playing {
            assert!(played.await.expect("no request was refused") > 0);
        }
    });
}

#[test]
fn the_page_is_small_and_loads_nothing_from_elsewhere() {
    block_on(async {
        let client = Client::new();
        let (status, index) = client.text("/").await;
        assert_eq!(status, StatusCode::OK);
        assert!(
            index.contains("<style nonce=") && !index.contains("style.css"),
            "the style sheet is within the page"
        );
        let mut waiting = vec![String::new()];
        let mut known = waiting.clone();
        let mut size = 0;
        while let Some(name) = waiting.pop() {
            let (status, text) = client.text(&format!("/{name}")).await;
            assert_eq!(status, StatusCode::OK, "{name}");
            size += text.len();
            let foreign = text.split("://").skip(1).filter(|rest| !rest.starts_with("www.w3.org/2000/svg"));
            assert_eq!(foreign.count(), 0, "{name} names another site");
            for quoted in text.split(['"', '\'']) {
                let file = quoted.trim_start_matches("./").trim_start_matches('/');
                let is_file =
                    [".js", ".css", ".svg"].iter().any(|end| file.ends_with(end)) && !file.contains(' ');
                if is_file && !known.contains(&file.to_owned()) {
                    known.push(file.to_owned());
                    waiting.push(file.to_owned());
                }
            }
        }
        assert!(index.contains("<main"), "the page has a main part");
        assert!(known.len() > 5, "the modules were found: {known:?}");
        let (_, start) = client.text("/start.js").await;
        for module in known.iter().filter(|name| name.ends_with(".js") && *name != "start.js") {
            assert!(start.contains(&format!("./{module}'")), "{module} is fetched with the others");
        }
        assert!(size < 120_000, "the page has {size} bytes");
    });
}
