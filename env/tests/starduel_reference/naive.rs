//! The rules as maps of strings, straight from the rules page.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Value, json};

/// card, tier, needs P/M, defence, activation, exhaustion
const CARDS: &str = "\
A | 1 | 0/0 | 2 | 2/0/0 | 0/1/2
B | 1 | 0/0 | 2 | 0/2/0 | 1/0/2
C | 1 | 0/0 | 2 | 1/0/2 | 0/2/1
D | 2 | 1/1 | 3 | 2/1/0 | 1/1/2
E | 2 | 1/1 | 3 | 1/2/0 | 1/1/2
F | 2 | 2/0 | 3 | 0/3/0 | 2/0/2
G | 2 | 0/2 | 3 | 3/0/0 | 0/2/2
H | 2 | 2/1 | 3 | 1/0/3 | 2/2/0
I | 2 | 1/2 | 3 | 0/1/3 | 2/2/0
J | 2 | 2/2 | 4 | 2/2/0 | 2/1/2
K | 2 | 2/2 | 4 | 1/1/2 | 3/2/0
L | 2 | 1/0 | 2 | 0/1/1 | 1/1/1
M | 2 | 0/1 | 2 | 1/0/1 | 1/1/1
N | 3 | 3/3 | 5 | 3/2/0 | 3/3/0
O | 3 | 4/2 | 5 | 0/4/1 | 4/2/0
P | 3 | 2/4 | 5 | 4/0/1 | 2/4/0
Q | 3 | 3/2 | 4 | 1/1/3 | 2/2/2
R | 3 | 2/3 | 4 | 1/1/3 | 2/2/2
S | 3 | 4/4 | 6 | 3/3/1 | 4/4/0";

#[derive(Clone, Debug)]
pub struct Card {
    pub tier: i32,
    needs: Vec<i32>,
    defence: i32,
    activation: Vec<i32>,
    exhaustion: Vec<i32>,
}

pub fn cards() -> BTreeMap<String, Card> {
    let values = |text: &str| text.split('/').map(|value| value.parse().expect("a number")).collect();
    let card = |line: &str| {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let number = |i: usize| parts[i].parse().expect("a number");
        let card = Card {
            tier: number(1),
            needs: values(parts[2]),
            defence: number(3),
            activation: values(parts[4]),
            exhaustion: values(parts[5]),
        };
        (parts[0].to_owned(), card)
    };
    CARDS.lines().map(card).collect()
}

fn width(row: i32) -> i32 {
    if row == 1 || row == 5 { 3 } else { 4 }
}

pub fn all_spaces() -> Vec<i32> {
    (1..=5).flat_map(|row| (1..=width(row)).map(move |column| 10 * row + column)).collect()
}

/// From Kurth's coordinate to the seat's own, or back: row′ = 6 − row, column′ = width + 1 − column.
fn own(seat: usize, at: i32) -> i32 {
    let (row, column) = (at / 10, at % 10);
    if seat == 0 { at } else { 10 * (6 - row) + width(row) + 1 - column }
}

fn links() -> BTreeSet<(i32, i32)> {
    let mut pairs = Vec::new();
    for row in 1..=5 {
        pairs.extend((1..width(row)).map(|c| (10 * row + c, 10 * row + c + 1)));
    }
    for c in 1..=4 {
        pairs.extend([(20 + c, 30 + c), (30 + c, 40 + c)]);
    }
    for c in 1..=3 {
        pairs.extend([(10 + c, 20 + c), (10 + c, 21 + c), (50 + c, 40 + c), (50 + c, 41 + c)]);
    }
    assert_eq!(pairs.len() + 2 * 3, 39, "39 links with those of the homes");
    pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect()
}

#[derive(Clone, Debug)]
pub struct Node {
    pub card: String,
    pub up: bool,
    pub owner: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Player {
    pub influence: i32,
    pub population: i32,
    pub minerals: i32,
    pub energy: i32,
}

/// STATE, in words.
#[derive(Clone, Debug)]
pub struct State {
    limit: i64,
    pub spaces: BTreeMap<i32, Node>,
    pub spares: BTreeMap<i32, Vec<String>>,
    pub players: Vec<Player>,
    round: i64,
    went_second: usize,
    programs: Vec<Option<i32>>,
    acting: Option<usize>,
    left: Vec<String>,
    activated: Option<i32>,
    moving: Option<i32>,
    phase: String,
    /// The end's name and the returns.
    pub over: Option<(String, [f64; 2])>,
    pub cards: BTreeMap<String, Card>,
    links: BTreeSet<(i32, i32)>,
}

impl State {
    pub fn read(start: &Value, limit: i64) -> Self {
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let number = |value: &Value| value.as_i64().expect("a number") as i32;
        let node = |value: &Value| Node {
            card: text(&value["card"]),
            up: value["up"].as_bool().expect("a truth value"),
            owner: value["owner"].as_u64().map(|seat| seat as usize),
        };
        let spaces = start["spaces"].as_object().expect("a map");
        let spares = start["spares"].as_object().expect("a map");
        let players = start["players"].as_array().expect("a list").iter().map(|player| Player {
            influence: number(&player["influence"]),
            population: number(&player["population"]),
            minerals: number(&player["minerals"]),
            energy: number(&player["energy"]),
        });
        Self {
            limit,
            spaces: spaces.iter().map(|(at, n)| (at.parse().expect("a coordinate"), node(n))).collect(),
            spares: spares
                .iter()
                .map(|(tier, cards)| {
                    let cards = cards.as_array().expect("a list").iter().map(text).collect();
                    (tier.parse().expect("a tier"), cards)
                })
                .collect(),
            players: players.collect(),
            round: 1,
            went_second: 0,
            programs: vec![None, None],
            acting: None,
            left: vec![],
            activated: None,
            moving: None,
            phase: "program".to_owned(),
            over: None,
            cards: cards(),
            links: links(),
        }
    }

    pub fn write(&self) -> Value {
        let mut spaces = serde_json::Map::new();
        for (at, node) in &self.spaces {
            spaces.insert(at.to_string(), json!({"card": node.card, "up": node.up, "owner": node.owner}));
        }
        let players: Vec<Value> = self
            .players
            .iter()
            .map(|p| {
                json!({"influence": p.influence, "population": p.population, "minerals": p.minerals,
                    "energy": p.energy})
            })
            .collect();
        json!({
            "spaces": spaces,
            "spares": {"2": self.spares[&2], "3": self.spares[&3]},
            "players": players,
            "round": self.round,
            "went_second": self.went_second,
            "programs": self.programs,
            "acting": self.acting,
            "left": self.left,
            "activated": self.activated.map(|at| at.to_string()),
            "moving": self.moving.map(|at| at.to_string()),
            "phase": self.phase,
            "to_move": self.to_move(),
        })
    }

    pub fn to_move(&self) -> Option<usize> {
        if self.over.is_some() {
            return None;
        }
        match self.phase.as_str() {
            "program" if self.programs[0].is_none() => Some(0),
            "program" => Some(1),
            _ => self.acting,
        }
    }

    fn owner(&self, at: i32) -> Option<usize> {
        self.spaces.get(&at).and_then(|node| node.owner)
    }

    /// Open spaces and own nodes may be passed.
    fn may_pass(&self, seat: usize, at: i32) -> bool {
        !self.spaces.contains_key(&at) || self.owner(at) == Some(seat)
    }

    /// The number of spaces entered on the shortest way from home.
    fn energy_to(&self, seat: usize, target: i32) -> Option<i32> {
        let mut queue: VecDeque<(i32, i32)> = [11, 12, 13].map(|at| (own(seat, at), 1)).into();
        let mut seen: BTreeSet<i32> = queue.iter().map(|&(at, _)| at).collect();
        while let Some((at, entered)) = queue.pop_front() {
            if at == target {
                return Some(entered);
            }
            if self.may_pass(seat, at) {
                for next in self.neighbours(at) {
                    if seen.insert(next) {
                        queue.push_back((next, entered + 1));
                    }
                }
            }
        }
        None
    }

    /// Where the node at `from` can go, over open spaces and own nodes.
    fn joined(&self, seat: usize, from: i32) -> BTreeSet<i32> {
        let mut found = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for next in self.neighbours(at) {
                if self.may_pass(seat, next) && found.insert(next) {
                    open.push(next);
                }
            }
        }
        found.remove(&from);
        found
    }

    fn neighbours(&self, at: i32) -> impl Iterator<Item = i32> {
        self.links.range((at, 0)..(at + 1, 0)).map(|&(_, next)| next)
    }

    fn needs_met(&self, seat: usize, card: &str) -> bool {
        let needs = &self.cards[card].needs;
        self.players[seat].population >= needs[0] && self.players[seat].minerals >= needs[1]
    }

    fn executions(&self, seat: usize) -> Vec<String> {
        let number = self.programs[seat].expect("a program");
        if number == 15 {
            return if self.players[seat].energy < 12 { vec!["execute".to_owned()] } else { vec![] };
        }
        if number == 14 {
            let can = |node: &Node| {
                let tier = self.cards[&node.card].tier;
                node.up && node.owner.is_none() && tier > 1 && !self.spares[&tier].is_empty()
            };
            return self
                .spaces
                .iter()
                .filter(|(_, node)| can(node))
                .map(|(at, _)| format!("replace {at}"))
                .collect();
        }
        let target = own(seat, number);
        let Some(node) = self.spaces.get(&target) else { return vec![] };
        match self.energy_to(seat, target) {
            Some(cost) if cost <= self.players[seat].energy => {}
            _ => return vec![],
        }
        match node.owner {
            Some(owner) if owner == seat => vec![],
            Some(_) => {
                let defence = self.cards[&node.card].defence;
                (0..=defence)
                    .filter(|&p| {
                        p <= self.players[seat].population && defence - p <= self.players[seat].minerals
                    })
                    .map(|p| format!("attack p{p}"))
                    .collect()
            }
            None if !node.up || self.needs_met(seat, &node.card) => vec!["execute".to_owned()],
            None => vec![],
        }
    }

    pub fn legal(&self) -> Vec<String> {
        let Some(seat) = self.to_move() else { return vec![] };
        if self.phase == "program" {
            let numbers = all_spaces().into_iter().chain([14, 15]);
            return numbers.map(|number| format!("program {number}")).collect();
        }
        if self.phase == "move-to" {
            let from = self.moving.expect("a node on the move");
            return self.joined(seat, from).iter().map(|at| format!("to {at}")).collect();
        }
        let mut legal = self.actions(seat);
        legal.push("end".to_owned());
        legal
    }

    /// Everything but `end`.
    fn actions(&self, seat: usize) -> Vec<String> {
        let left = |what: &str| self.left.iter().any(|left| left == what);
        let mine: Vec<i32> =
            self.spaces.iter().filter(|(_, node)| node.owner == Some(seat)).map(|(&at, _)| at).collect();
        let mut actions = Vec::new();
        if left("execute") {
            actions.extend(self.executions(seat));
        }
        if left("exhaust") {
            let can = mine.iter().filter(|&&at| self.activated != Some(at));
            actions.extend(can.map(|at| format!("exhaust {at}")));
        }
        if left("move") {
            let can = mine.iter().filter(|&&at| !self.joined(seat, at).is_empty());
            actions.extend(can.map(|at| format!("from {at}")));
        }
        actions
    }

    fn use_up(&mut self, what: &str) {
        self.left.retain(|left| left != what);
    }

    fn gain(&mut self, seat: usize, bonus: &[i32]) {
        let player = &mut self.players[seat];
        player.population = (player.population + bonus[0]).min(12);
        player.minerals = (player.minerals + bonus[1]).min(12);
        player.energy = (player.energy + bonus[2]).min(12);
    }

    pub fn play(&mut self, text: &str) {
        let seat = self.to_move().expect("the game goes on");
        let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
        match verb {
            "program" => {
                self.programs[seat] = Some(rest.parse().expect("a number"));
                if seat == 1 {
                    let first = self.first();
                    self.turn_of(first);
                }
                return;
            }
            "end" => return self.turn_over(),
            "from" => {
                self.moving = Some(rest.parse().expect("a space"));
                self.phase = "move-to".to_owned();
                return;
            }
            "execute" | "attack" => {
                self.use_up("execute");
                let number = self.programs[seat].expect("a program");
                if number == 15 {
                    self.gain(seat, &[0, 0, 2]);
                } else {
                    let paid = rest.strip_prefix('p').map_or(0, |p| p.parse().expect("a number"));
                    self.target(seat, own(seat, number), paid);
                }
            }
            "replace" => {
                self.use_up("execute");
                let at: i32 = rest.parse().expect("a space");
                let tier = self.cards[&self.spaces[&at].card].tier;
                let next = self.spares.get_mut(&tier).expect("a tier").remove(0);
                self.spaces.insert(at, Node { card: next, up: true, owner: None });
            }
            "exhaust" => {
                self.use_up("exhaust");
                let node = self.spaces.remove(&rest.parse().expect("a space")).expect("a node");
                let bonus = self.cards[&node.card].exhaustion.clone();
                self.players[seat].influence -= 1;
                self.gain(seat, &bonus);
                if self.players[seat].influence == 0 {
                    self.lose(seat, "influence");
                }
            }
            "to" => {
                let (from, to) = (self.moving.take().expect("a node"), rest.parse().expect("a space"));
                let node = self.spaces.remove(&from).expect("a node");
                if let Some(swapped) = self.spaces.remove(&to) {
                    self.spaces.insert(from, swapped);
                }
                self.spaces.insert(to, node);
                if self.activated == Some(from) {
                    self.activated = Some(to);
                } else if self.activated == Some(to) {
                    self.activated = Some(from);
                }
                self.use_up("move");
                self.phase = "act".to_owned();
            }
            _ => panic!("what is `{text}`?"),
        }
        self.end_empty_turn();
    }

    fn target(&mut self, seat: usize, at: i32, paid: i32) {
        let cost = self.energy_to(seat, at).expect("a way");
        self.players[seat].energy -= cost;
        let node = self.spaces[&at].clone();
        let card = self.cards[&node.card].clone();
        if node.owner.is_some() {
            self.players[seat].population -= paid;
            self.players[seat].minerals -= card.defence - paid;
            if paid > 0 && self.players[seat].population == 0 {
                return self.lose(seat, "population");
            }
            self.spaces.remove(&at);
            self.players[1 - seat].influence -= 1;
            if self.players[1 - seat].influence == 0 {
                self.lose(1 - seat, "influence");
            }
            return;
        }
        self.spaces.get_mut(&at).expect("a node").up = true;
        if self.needs_met(seat, &node.card) {
            self.spaces.get_mut(&at).expect("a node").owner = Some(seat);
            self.players[seat].influence += 1;
            self.gain(seat, &card.activation);
            self.activated = Some(at);
            for (&near, node) in &mut self.spaces {
                if self.links.contains(&(at, near)) {
                    node.up = true;
                }
            }
        }
    }

    fn lose(&mut self, seat: usize, end: &str) {
        let mut returns = [1.0; 2];
        returns[seat] = -1.0;
        self.over = Some((end.to_owned(), returns));
    }

    fn first(&self) -> usize {
        match self.programs[0].cmp(&self.programs[1]) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Greater => 1,
            std::cmp::Ordering::Equal => self.went_second,
        }
    }

    fn turn_of(&mut self, seat: usize) {
        self.phase = "act".to_owned();
        self.acting = Some(seat);
        self.left = ["execute", "exhaust", "move"].map(str::to_owned).to_vec();
        self.activated = None;
        self.end_empty_turn();
    }

    fn end_empty_turn(&mut self) {
        let seat = self.acting.expect("a player acts");
        if self.over.is_none() && self.actions(seat).is_empty() {
            self.turn_over();
        }
    }

    fn turn_over(&mut self) {
        let seat = self.acting.expect("a player acts");
        if seat == self.first() {
            return self.turn_of(1 - seat);
        }
        self.went_second = seat;
        self.phase = "program".to_owned();
        self.programs = vec![None, None];
        self.acting = None;
        self.left.clear();
        self.activated = None;
        for player in 0..2 {
            if !self.spaces.is_empty() && self.spaces.values().all(|node| node.owner == Some(player)) {
                self.lose(1 - player, "all nodes");
                return;
            }
        }
        if self.round == self.limit {
            let rank = |seat: usize| {
                let p = &self.players[seat];
                (p.influence, p.population + p.minerals + p.energy)
            };
            let returns = match rank(0).cmp(&rank(1)) {
                std::cmp::Ordering::Greater => [1.0, -1.0],
                std::cmp::Ordering::Less => [-1.0, 1.0],
                std::cmp::Ordering::Equal => [0.0, 0.0],
            };
            self.over = Some(("round limit".to_owned(), returns));
        } else {
            self.round += 1;
        }
    }
}
