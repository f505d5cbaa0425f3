//! Node and Colony a second time, slow and obvious: written from the rules page with strings and maps, sharing
//! nothing with the engine but the JSON of its records. It follows recorded random games ply by ply.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use nodarium_env::conformance::rules;
use nodarium_env::games::colony::{Colony, ColonyPosition};
use nodarium_env::record::{self, Record};
use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Game, Mask, Rng, Seat, random_member};
use serde_json::{Value, json};

type Place = (i32, i32);

const KINDS: [&str; 9] = ["C1", "C2", "C3", "M1", "M2", "M3", "E1", "E2", "E3"];
const SORTED: [&str; 10] = ["N", "C1", "C2", "C3", "M1", "M2", "M3", "E1", "E2", "E3"];
const STEPS: [Place; 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];

/// The rules of one game and all that is known about it.
struct World {
    players: usize,
    side: i32,
    turns_may_bend: bool,
    turn_limit: usize,
    /// Every Node with its stack from bottom to top: owner and card.
    table: BTreeMap<Place, Vec<(usize, String)>>,
    hands: Vec<Vec<String>>,
    deck: VecDeque<String>,
    turn: usize,
    done: Vec<&'static str>,
    placed: Option<Place>,
    phase: &'static str,
    chosen: Option<String>,
    over: Option<&'static str>,
}

/// "a1" is column 1, row 1; kept as (row, column) so that a map sorts it row by row.
fn place(name: &str) -> Place {
    let column = i32::from(name.as_bytes()[0] - b'a') + 1;
    (name[1..].parse().unwrap(), column)
}

fn name((row, column): Place) -> String {
    format!("{}{row}", "?abcdefghijk".chars().nth(column as usize).unwrap())
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// C-01
fn beats(x: &str, y: &str) -> bool {
    let (x_type, x_level) = x.split_at(1);
    let (y_type, y_level) = y.split_at(1);
    let trumps = ["CM", "ME", "EC"].contains(&format!("{x_type}{y_type}").as_str());
    (x_type == y_type && x_level > y_level) || (trumps && x_level >= y_level)
}

impl World {
    fn read(options: &Value, state: &Value) -> Self {
        let mut table = BTreeMap::new();
        for (cell, stack) in state["table"].as_object().unwrap() {
            let mut cards = Vec::new();
            for text in texts(stack) {
                let (owner, card) = text.split_once(':').unwrap();
                cards.push((owner.parse().unwrap(), card.to_owned()));
            }
            table.insert(place(cell), cards);
        }
        Self {
            players: options["players"].as_u64().unwrap() as usize,
            side: options["table"].as_i64().unwrap() as i32,
            turns_may_bend: options["movement"] == "path",
            turn_limit: options["turn_limit"].as_u64().unwrap() as usize,
            table,
            hands: state["hands"].as_array().unwrap().iter().map(texts).collect(),
            deck: texts(&state["deck"]).into(),
            turn: 0,
            done: vec![],
            placed: None,
            // Nobody controls a Node at the start, so nobody can explore.
            phase: "colonise",
            chosen: None,
            over: None,
        }
    }

    fn write(&self) -> Value {
        let mut table = serde_json::Map::new();
        for (&cell, stack) in &self.table {
            let stack: Vec<String> = stack.iter().map(|(owner, card)| format!("{owner}:{card}")).collect();
            table.insert(name(cell), json!(stack));
        }
        let rank = |card: &String| SORTED.iter().position(|kind| kind == card).unwrap();
        let hands: Vec<Vec<String>> = self
            .hands
            .iter()
            .map(|hand| {
                let mut hand = hand.clone();
                hand.sort_by_key(rank);
                hand
            })
            .collect();
        json!({
            "table": table, "hands": hands, "deck": self.deck, "turn": self.turn, "done": self.done,
            "placed": self.placed.map(name), "phase": self.phase, "chosen": self.chosen,
            "to_move": if self.over.is_some() { Value::Null } else { json!(self.me()) },
        })
    }

    fn me(&self) -> usize {
        self.turn % self.players
    }

    fn on_the_table(&self, (row, column): Place) -> bool {
        let reach = (self.side - 1) / 2;
        (row - 6).abs() <= reach && (column - 6).abs() <= reach
    }

    fn next_to(cell: Place) -> Vec<Place> {
        STEPS.iter().map(|step| (cell.0 + step.0, cell.1 + step.1)).collect()
    }

    /// C-09
    fn controller(&self, cell: Place) -> Option<usize> {
        self.table.get(&cell)?.last().map(|(owner, _)| *owner)
    }

    fn is_unoccupied_node(&self, cell: Place) -> bool {
        self.table.get(&cell).is_some_and(Vec::is_empty)
    }

    fn controlled_by(&self, seat: usize) -> Vec<Place> {
        self.table.keys().copied().filter(|&cell| self.controller(cell) == Some(seat)).collect()
    }

    /// C-07, C-03
    fn explore_cells(&self) -> BTreeSet<Place> {
        let mut cells = BTreeSet::new();
        if self.hands[self.me()].contains(&"N".to_owned()) {
            for own in self.controlled_by(self.me()) {
                for cell in Self::next_to(own) {
                    if self.on_the_table(cell) && !self.table.contains_key(&cell) {
                        cells.insert(cell);
                    }
                }
            }
        }
        cells
    }

    fn colonies_in_hand(&self) -> BTreeSet<&'static str> {
        KINDS.into_iter().filter(|kind| self.hands[self.me()].iter().any(|card| card == kind)).collect()
    }

    /// C-08
    fn colonise_cells(&self) -> BTreeSet<Place> {
        let mine = self.controlled_by(self.me());
        let first_turn = self.turn < self.players;
        let near = |cell: Place| Self::next_to(cell).iter().any(|neighbour| mine.contains(neighbour));
        let free = |cell: Place| self.is_unoccupied_node(cell) && (first_turn || near(cell));
        self.table.keys().copied().filter(|&cell| mine.contains(&cell) || free(cell)).collect()
    }

    /// C-10: whether the card of `me` may pass the cell or end there.
    fn passes(&self, card: &str, cell: Place) -> bool {
        match self.table.get(&cell).map(|stack| stack.last()) {
            None => false,
            Some(None) => true,
            Some(Some((owner, top))) => *owner == self.me() || beats(card, top),
        }
    }

    /// C-10
    fn move_targets(&self, from: Place) -> BTreeSet<Place> {
        let (_, card) = self.table[&from].last().unwrap();
        let mut targets = BTreeSet::new();
        if self.turns_may_bend {
            let mut open = vec![from];
            while let Some(cell) = open.pop() {
                for next in Self::next_to(cell) {
                    if self.passes(card, next) && targets.insert(next) {
                        open.push(next);
                    }
                }
            }
            targets.remove(&from);
        } else {
            for step in STEPS {
                let mut cell = (from.0 + step.0, from.1 + step.1);
                while self.passes(card, cell) {
                    targets.insert(cell);
                    cell = (cell.0 + step.0, cell.1 + step.1);
                }
            }
        }
        targets
    }

    fn move_origins(&self) -> BTreeSet<Place> {
        self.controlled_by(self.me())
            .into_iter()
            .filter(|&cell| self.placed != Some(cell) && !self.move_targets(cell).is_empty())
            .collect()
    }

    fn something_to_do_in(&self, phase: &str) -> bool {
        match phase {
            "explore" => !self.explore_cells().is_empty(),
            "colonise" => !self.colonies_in_hand().is_empty() && !self.colonise_cells().is_empty(),
            "move" => !self.move_origins().is_empty(),
            _ => unreachable!(),
        }
    }

    /// C-06
    fn skip_keeps_the_turn_whole(&self) -> bool {
        let later: &[&str] = match self.phase {
            "explore" => &["colonise", "move"],
            "colonise" => &["move"],
            _ => &[],
        };
        !self.done.is_empty() || later.iter().any(|phase| self.something_to_do_in(phase))
    }

    fn legal(&self) -> BTreeSet<String> {
        let words = |word: &str, cells: BTreeSet<Place>| -> BTreeSet<String> {
            cells.into_iter().map(|cell| format!("{word} {}", name(cell))).collect()
        };
        let mut moves = match self.phase {
            "explore" => words("explore", self.explore_cells()),
            "colonise" => self.colonies_in_hand().into_iter().map(|card| format!("card {card}")).collect(),
            "colonise-at" => words("at", self.colonise_cells()),
            "move" => words("from", self.move_origins()),
            _ => words("to", self.move_targets(place(self.chosen.as_ref().unwrap()))),
        };
        if !self.phase.contains('-') && self.skip_keeps_the_turn_whole() {
            moves.insert("skip".to_owned());
        }
        moves
    }

    fn play(&mut self, text: &str) {
        let me = self.me();
        let (word, what) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "explore" => {
                self.discard("N");
                self.table.insert(place(what), vec![]);
                self.done.push("explore");
                self.go_on_with("colonise");
            }
            "card" => {
                self.chosen = Some(what.to_owned());
                self.phase = "colonise-at";
            }
            "at" => {
                let card = self.chosen.take().unwrap();
                self.discard(&card);
                self.table.get_mut(&place(what)).unwrap().push((me, card));
                self.placed = Some(place(what));
                self.done.push("colonise");
                self.go_on_with("move");
            }
            "from" => {
                self.chosen = Some(what.to_owned());
                self.phase = "move-to";
            }
            "to" => {
                let from = place(&self.chosen.take().unwrap());
                let card = self.table.get_mut(&from).unwrap().pop().unwrap();
                self.table.get_mut(&place(what)).unwrap().push(card);
                self.done.push("move");
                self.finish_turn();
            }
            "skip" => match self.phase {
                "explore" => self.go_on_with("colonise"),
                "colonise" => self.go_on_with("move"),
                _ => self.finish_turn(),
            },
            other => panic!("what is {other}?"),
        }
    }

    fn discard(&mut self, card: &str) {
        let me = self.me();
        let at = self.hands[me].iter().position(|held| held == card).unwrap();
        self.hands[me].remove(at);
    }

    /// A phase with nothing to do is passed over.
    fn go_on_with(&mut self, phase: &'static str) {
        let order = ["explore", "colonise", "move"];
        let first = order.iter().position(|&other| other == phase).unwrap();
        match order[first..].iter().find(|phase| self.something_to_do_in(phase)) {
            Some(phase) => self.phase = phase,
            None => self.finish_turn(),
        }
    }

    /// C-11, C-13
    fn finish_turn(&mut self) {
        self.phase = "move";
        let controls = |seat| self.controlled_by(seat).len();
        let owns = |seat| self.table.values().flatten().any(|(owner, _)| *owner == seat);
        let mut seats = 0..self.players;
        self.over = if seats.clone().any(|seat| controls(seat) == self.table.len()) {
            Some("domination")
        } else if seats.any(|seat| owns(seat) && controls(seat) == 0) {
            Some("eradication")
        } else if self.deck.is_empty() {
            Some("deck")
        } else if self.turn + 1 == self.turn_limit {
            Some("turn limit")
        } else {
            None
        };
        if self.over.is_none() {
            self.turn += 1;
            let me = self.me();
            let card = self.deck.pop_front().unwrap();
            self.hands[me].push(card);
            self.done.clear();
            self.placed = None;
            if ["explore", "colonise", "move"].iter().any(|phase| self.something_to_do_in(phase)) {
                self.go_on_with("explore");
            } else {
                self.over = Some("trapped");
            }
        }
    }

    /// C-12
    fn returns(&self) -> Vec<f64> {
        let level = |cell: &Place| self.table[cell].last().unwrap().1[1..].parse::<u32>().unwrap();
        let score = |seat| {
            let nodes = self.controlled_by(seat);
            (nodes.len(), nodes.iter().map(level).sum::<u32>())
        };
        let scores: Vec<_> = (0..self.players).map(score).collect();
        let best = scores.iter().max().unwrap();
        let winners: Vec<bool> = scores.iter().map(|score| score == best).collect();
        let n = self.players as f64;
        let k = winners.iter().filter(|&&won| won).count() as f64;
        winners.iter().map(|&won| if won { (n / k - 1.0) / (n - 1.0) } else { -1.0 / (n - 1.0) }).collect()
    }
}

/// C-02, C-05 and the box: what a start must look like.
fn check_start(options: &Value, start: &Value) {
    let layout: &[&str] = match options["layout"].as_str().unwrap() {
        "grid9" => &["e5", "f5", "g5", "e6", "f6", "g6", "e7", "f7", "g7"],
        "plus5" => &["f5", "e6", "f6", "g6", "f7"],
        _ => &["f4", "e5", "f5", "g5", "d6", "e6", "f6", "g6", "h6", "e7", "f7", "g7", "f8"],
    };
    let table = start["table"].as_object().unwrap();
    assert_eq!(table.keys().collect::<Vec<_>>(), layout, "the layout, row by row");
    assert!(table.values().all(|stack| stack == &json!([])));
    let players = options["players"].as_u64().unwrap() as usize;
    let hands = start["hands"].as_array().unwrap();
    assert_eq!(hands.len(), players);
    let mut cards = vec!["N".to_owned(); layout.len()];
    for (seat, hand) in hands.iter().enumerate() {
        let hand = texts(hand);
        assert_eq!(hand.len(), if seat == 0 { 6 } else { 5 });
        assert!(hand.iter().any(|card| card != "N"), "a hand without a Colony");
        cards.extend(hand);
    }
    cards.extend(texts(&start["deck"]));
    for (card, count) in SORTED.into_iter().zip([21, 7, 4, 2, 7, 4, 2, 7, 4, 2]) {
        assert_eq!(cards.iter().filter(|&held| held == card).count(), count, "cards {card}");
    }
}

/// Follows games of random play.
fn follow(options: &str, games: u64) -> BTreeMap<String, u64> {
    let rules = rules::<Colony>(options);
    follow_records(options, (0..games).map(|index| record::simulate::<Colony>(&rules, 11, index)))
}

/// Follows games in which everybody prefers what gives seat 0 more Nodes than the others: a way to domination.
fn follow_conspiracies(options: &str, games: u64) -> BTreeMap<String, u64> {
    let rules = rules::<Colony>(options);
    let spec = Colony::spec(&rules);
    let nodes = spec.observation.range("nodes").unwrap();
    let mut view = vec![0.0; spec.observation.len()];
    let mut lead = |game: &Colony, action: Action| {
        let mut next = game.clone();
        next.apply(action);
        next.observe(Seat(0), &mut view);
        let nodes = &view[nodes.clone()];
        nodes[0] - nodes[1..].iter().sum::<f32>()
    };
    let conspiracy = |index| {
        let mut choices = Rng::keyed(Purpose::Choice, 5, index, 0);
        record::record::<Colony>(&rules, 11, index, |game| {
            let mut mask = Mask::EMPTY;
            game.legal(&mut mask);
            let best = mask.iter().map(|action| lead(game, action)).fold(f32::MIN, f32::max);
            let liked: Mask = mask.iter().filter(|&action| lead(game, action) == best).collect();
            random_member(&liked, &mut choices).unwrap()
        })
    };
    follow_records(options, (0..games).map(conspiracy))
}

fn follow_records(
    options: &str,
    records: impl Iterator<Item = Record<ColonyPosition>>,
) -> BTreeMap<String, u64> {
    let mut ends = BTreeMap::new();
    for told in records {
        let index = told.index;
        let told = serde_json::to_value(told).unwrap();
        check_start(&told["rules"], &told["start"]);
        let mut world = World::read(&told["rules"], &told["start"]);
        assert_eq!(world.write(), told["start"], "game {index}: the start");
        for (number, ply) in told["plies"].as_array().unwrap().iter().enumerate() {
            let at = format!("{options}, game {index}, ply {number}");
            assert_eq!(world.over, None, "{at}: it is over");
            assert_eq!(json!(world.me()), ply["seat"], "{at}: the seat");
            let legal = texts(&ply["legal"]);
            assert_eq!(legal.len(), legal.iter().collect::<BTreeSet<_>>().len(), "{at}: a move twice");
            assert_eq!(world.legal(), legal.into_iter().collect(), "{at}: the legal moves");
            world.play(ply["move"].as_str().unwrap());
            // As text: the order of the keys counts.
            assert_eq!(world.write().to_string(), ply["state"].to_string(), "{at}: the state");
        }
        let end = world.over.expect("the game is over");
        assert_eq!(json!(end), told["end"], "game {index}");
        for (mine, theirs) in world.returns().into_iter().zip(told["returns"].as_array().unwrap()) {
            assert!((mine - theirs.as_f64().unwrap()).abs() < 1e-6, "game {index}: the returns");
        }
        *ends.entry(end.to_owned()).or_insert(0) += 1;
    }
    ends
}

#[test]
fn two_players_agree_with_the_reference() {
    follow("{}", 1_000);
}

#[test]
fn three_and_four_players_agree_with_the_reference() {
    follow(r#"{"players": 3}"#, 300);
    follow(r#"{"players": 4}"#, 300);
}

#[test]
fn other_layouts_and_tables_agree_with_the_reference() {
    follow(r#"{"layout": "plus5"}"#, 200);
    follow(r#"{"layout": "plus5", "table": 3, "players": 4}"#, 200);
    follow(r#"{"layout": "diamond13", "players": 4}"#, 200);
    follow(r#"{"layout": "diamond13", "table": 5}"#, 200);
    follow(r#"{"table": 3}"#, 200);
    follow(r#"{"table": 7, "players": 3}"#, 200);
}

#[test]
fn path_movement_and_the_turn_limit_agree_with_the_reference() {
    follow(r#"{"movement": "path"}"#, 300);
    follow(r#"{"movement": "path", "players": 3, "layout": "plus5"}"#, 200);
    follow(r#"{"movement": "path", "players": 4, "table": 5}"#, 200);
    follow(r#"{"turn_limit": 1, "players": 3}"#, 50);
    follow(r#"{"turn_limit": 7}"#, 100);
}

#[test]
fn the_followed_games_end_in_every_way() {
    let mut ends = follow(r#"{"layout": "plus5", "table": 3, "players": 2}"#, 400);
    ends.extend(follow(r#"{"turn_limit": 20, "movement": "path", "players": 4}"#, 200));
    ends.extend(follow_conspiracies(r#"{"layout": "plus5", "table": 3, "movement": "path"}"#, 200));
    for end in ["deck", "trapped", "domination", "eradication", "turn limit"] {
        assert!(ends.contains_key(end), "no game ended by {end}: {ends:?}");
    }
}
