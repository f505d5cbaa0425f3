//! Star Duel once more, slowly and obviously, straight from the rules page: maps of strings, no tables, no bits. It
//! follows recorded games ply by ply and must agree in every legal move, every state and every result.
//!
//! It shares nothing with the engine but the record format: the cards and links below are those of the rules page.

#[path = "starduel_reference/naive.rs"]
mod naive;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use naive::{Player, State, all_spaces, cards};
use nodarium_env::games::starduel::{StarDuel, StarDuelRules};
use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Game, Layout, Rng, Text, conformance, random_action, record};
use serde_json::{Value, json};

fn sorted(mut moves: Vec<String>) -> Vec<String> {
    moves.sort_unstable();
    moves
}

/// Follows one record and tells which kinds of moves and which end it held.
fn follow(told: &Value, seen: &mut BTreeMap<String, u32>) {
    let limit = told["rules"]["round_limit"].as_i64().expect("a limit");
    let mut state = State::read(&told["start"], limit);
    assert_eq!(state.write().to_string(), told["start"].to_string());
    for (number, ply) in told["plies"].as_array().expect("a list").iter().enumerate() {
        assert_eq!(state.to_move().map(|seat| seat as u64), ply["seat"].as_u64(), "ply {number}");
        let legal: Vec<String> = ply["legal"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|m| m.as_str().expect("a text").to_owned())
            .collect();
        assert_eq!(sorted(legal), sorted(state.legal()), "ply {number} in {}", state.write());
        let played = ply["move"].as_str().expect("a text");
        state.play(played);
        *seen.entry(played.split(' ').next().expect("a verb").to_owned()).or_default() += 1;
        // As texts: the order of the keys belongs to the format.
        assert_eq!(state.write().to_string(), ply["state"].to_string(), "after ply {number}, `{played}`");
    }
    let (end, returns) = state.over.expect("the game is over");
    assert_eq!(told["end"], json!(end));
    assert_eq!(told["returns"], json!(returns));
    *seen.entry(end).or_default() += 1;
}

/// D-01
fn check_start(state: &State) {
    let mut names: Vec<&str> = Vec::new();
    for at in all_spaces() {
        let node = &state.spaces[&at];
        let row = at / 10;
        let tier = if row == 3 {
            3
        } else if row == 2 || row == 4 {
            2
        } else {
            1
        };
        assert_eq!(state.cards[&node.card].tier, tier);
        assert_eq!((node.up, node.owner), (tier == 1, None));
        names.push(&node.card);
    }
    names.extend(state.spares.values().flatten().map(String::as_str));
    names.sort_unstable();
    let expected: Vec<String> = "AABBCCDEFGHIJKLMNOPQRS".chars().map(String::from).collect();
    assert_eq!(names, expected);
    for player in &state.players {
        let Player { influence, population, minerals, energy } = *player;
        assert_eq!([influence, population, minerals, energy], [0, 0, 0, 3]);
    }
}

/// Uniformly random play ends most games early, by the exhaustion of a last node. This play looks for targets, seldom
/// exhausts, and so sees attacks, crowded maps and long games.
fn purposeful(game: &StarDuel, rng: &mut Rng) -> Action {
    let moves = record::legal_moves(game);
    let seat = game.to_move().expect("the game goes on");
    static LAYOUT: LazyLock<Layout> = LazyLock::new(|| StarDuel::spec(&StarDuelRules::default()).observation);
    let mut view = vec![0.0; LAYOUT.len()];
    game.observe(seat, &mut view);
    let targets = &view[LAYOUT.range("own.targets").expect("a field")];
    let influence = view[LAYOUT.range("own.resources").expect("a field").start];
    let last_node = influence < 1.5 / 18.0;
    let weight = |text: &str| -> u32 {
        let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
        match verb {
            "program" => {
                let number: i32 = rest.parse().expect("a number");
                let rank = all_spaces().iter().position(|&at| at == number);
                if rank.is_some_and(|rank| targets[rank] == 1.0) {
                    40
                } else {
                    1 + u32::from(number == 15) * 10
                }
            }
            "execute" | "attack" | "replace" => 30,
            "exhaust" if last_node => 0,
            "exhaust" => 1,
            _ => 4,
        }
    };
    let weights: Vec<u32> = moves.iter().map(|text| weight(text)).collect();
    let mut drawn = rng.below(weights.iter().sum());
    for (text, weight) in moves.iter().zip(weights) {
        if drawn < weight {
            return game.parse_move(text).expect("a legal move");
        }
        drawn -= weight;
    }
    unreachable!("the weights add up")
}

/// Any position before a round: nodes of either player anywhere, open spaces, all kinds of resources.
fn scattered(rng: &mut Rng) -> Value {
    let cards = cards();
    let spaces = all_spaces();
    let mut tiers: Vec<Vec<&str>> = vec![vec![]; 4];
    for (name, card) in &cards {
        tiers[card.tier as usize].push(name);
    }
    tiers.iter_mut().for_each(|tier| rng.shuffle(tier));
    let crowd = 1 + rng.below(5);
    let mut nodes: BTreeMap<i32, Value> = BTreeMap::new();
    for &at in &spaces {
        let row = if at > 40 { 6 - at / 10 } else { at / 10 };
        let card = if row == 1 {
            ["A", "B", "C"][(at % 10 - 1) as usize]
        } else {
            tiers[row as usize].pop().expect("a card")
        };
        let owner = [None, None, Some(0), Some(0), Some(1), Some(1)][rng.below(6) as usize];
        let up = row == 1 || owner.is_some() || rng.below(2) == 0;
        if rng.below(6) < crowd {
            nodes.insert(at, json!({"card": card, "up": up, "owner": owner}));
        }
    }
    // Nodes that somebody controls may have moved.
    for _ in 0..4 {
        let (a, b) = (spaces[rng.below(18) as usize], spaces[rng.below(18) as usize]);
        let moves = |at: i32| nodes.get(&at).is_none_or(|node| !node["owner"].is_null());
        if moves(a) && moves(b) {
            let (node_a, node_b) = (nodes.remove(&a), nodes.remove(&b));
            node_a.into_iter().for_each(|node| drop(nodes.insert(b, node)));
            node_b.into_iter().for_each(|node| drop(nodes.insert(if a == b { b } else { a }, node)));
        }
    }
    let mut player = |seat: usize| {
        let influence = nodes.values().filter(|node| node["owner"] == json!(seat)).count();
        let mut any = || rng.below(13);
        json!({"influence": influence, "population": any(), "minerals": any(), "energy": any()})
    };
    let players = [player(0), player(1)];
    let spaces: serde_json::Map<String, Value> =
        nodes.into_iter().map(|(at, node)| (at.to_string(), node)).collect();
    let spares = json!({"2": tiers[2][..rng.below(3) as usize], "3": tiers[3][..rng.below(3) as usize]});
    json!({
        "spaces": spaces, "spares": spares, "players": players, "round": 1, "went_second": 0,
        "programs": [null, null], "acting": null, "left": [], "activated": null, "moving": null,
        "phase": "program", "to_move": 0,
    })
}

/// What was written can be read, and is the same state, its end included.
fn survives(rules: &StarDuelRules, game: &StarDuel) {
    let back = StarDuel::from_position(rules, &game.position());
    assert_eq!(back.as_ref(), Ok(game), "{:?}", game.position());
}

/// Records a game from a given position.
fn record_from(
    start: &Value,
    rules: &StarDuelRules,
    mut choose: impl FnMut(&StarDuel) -> Action,
) -> Option<Value> {
    let position = serde_json::from_value(start.clone()).expect("the form of a position");
    // A position in which one player controls everything cannot be: the round before would have ended the game.
    let mut game = StarDuel::from_position(rules, &position).ok()?;
    let mut plies = Vec::new();
    while let Some(seat) = game.to_move() {
        let legal = record::legal_moves(&game);
        let action = choose(&game);
        let played = game.move_text(action);
        game.apply(action);
        survives(rules, &game);
        plies.push(json!({"seat": seat.0, "legal": legal, "move": played, "state": game.position()}));
    }
    let mut returns = [0.0; 2];
    game.returns(&mut returns);
    let end = StarDuel::spec(rules).ends[game.end().expect("the game is over").index()];
    let limit = rules.round_limit;
    Some(
        json!({"rules": {"round_limit": limit}, "start": start, "plies": plies, "returns": returns, "end": end}),
    )
}

fn rules(round_limit: u32) -> StarDuelRules {
    conformance::rules::<StarDuel>(&format!(r#"{{"round_limit": {round_limit}}}"#))
}

fn value(told: &impl serde::Serialize) -> Value {
    serde_json::to_value(told).expect("a record is JSON")
}

#[test]
fn the_second_implementation_agrees_on_random_games() {
    let mut seen = BTreeMap::new();
    for (limit, games) in [(60, 700), (12, 700), (1, 100), (300, 50)] {
        for index in 0..games {
            let told = value(&record::simulate::<StarDuel>(&rules(limit), 11, index));
            check_start(&State::read(&told["start"], 1));
            follow(&told, &mut seen);
        }
    }
}

#[test]
fn the_second_implementation_agrees_on_purposeful_games() {
    let mut seen = BTreeMap::new();
    for index in 0..300 {
        let mut rng = Rng::keyed(Purpose::Choice, 12, index, 0);
        let told = record::record::<StarDuel>(&rules(60), 12, index, |game| {
            survives(&rules(60), game);
            purposeful(game, &mut rng)
        });
        follow(&value(&told), &mut seen);
    }
    for what in ["attack", "execute", "exhaust", "replace", "to", "influence"] {
        assert!(seen.get(what).is_some_and(|&n| n >= 10), "too little of `{what}`: {seen:?}");
    }
}

#[test]
fn the_second_implementation_agrees_from_any_position() {
    let mut seen = BTreeMap::new();
    for index in 0..2_000 {
        let mut rng = Rng::keyed(Purpose::Choice, 13, index, 0);
        let start = scattered(&mut rng);
        let told = record_from(&start, &rules(8), |game| match index % 2 {
            0 => purposeful(game, &mut rng),
            _ => random_action(game, &mut rng).expect("the game goes on"),
        });
        if let Some(told) = told {
            follow(&told, &mut seen);
        }
    }
    for what in ["attack", "replace", "to", "influence", "population", "all nodes", "round limit"] {
        assert!(seen.get(what).is_some_and(|&n| n >= 10), "too little of `{what}`: {seen:?}");
    }
}
