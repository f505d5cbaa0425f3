//! A second Node by Kanare Kato, written from the rules page with plain sets of coordinates: slow and obvious. It
//! reads nothing but records and follows thousands of games ply by ply.

use std::collections::{BTreeMap, BTreeSet};

use nodarium_env::games::kato::{Kato, KatoRules};
use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Game, Mask, Rng, conformance, random_action, random_member, record};
use serde_json::{Value, json};

/// Row from the top and number in the row from the left, both from 1.
type Cell = (usize, usize);

/// A board and what stands on it.
struct Referee {
    size: usize,
    swap: bool,
    pieces: BTreeMap<Cell, char>,
    phase: &'static str,
    anchor: Option<Cell>,
    to_move: Option<u8>,
    end: Option<(&'static str, u8)>,
}

const COLOURS: [char; 2] = ['w', 'b'];

impl Referee {
    fn new(size: usize, swap: bool) -> Self {
        let (pieces, phase) = (BTreeMap::new(), "prepare");
        Self { size, swap, pieces, phase, anchor: None, to_move: Some(0), end: None }
    }

    // The board: row a has n cells, the middle row 2n − 1, the last row n.

    fn row_length(&self, row: usize) -> usize {
        if row <= self.size { self.size + row - 1 } else { 3 * self.size - 1 - row }
    }

    fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for row in 1..2 * self.size {
            for number in 1..=self.row_length(row) {
                cells.push((row, number));
            }
        }
        cells
    }

    fn name(cell: Cell) -> String {
        let letter = "abcdefghijklmno".chars().nth(cell.0 - 1).unwrap();
        format!("{letter}{}", cell.1)
    }

    /// The numbers of the lines through a cell: its row, and where its two diagonals cross the middle row, extended
    /// beyond its ends where need be. In the upper half a row begins half a cell further left than the one above:
    /// going down to the right adds one to the number, going down to the left keeps it. In the lower half a row
    /// begins half a cell further right: going down to the right keeps it, going down to the left takes one off.
    fn lines(&self, cell: Cell) -> [i64; 3] {
        let (row, number, n) = (cell.0 as i64, cell.1 as i64, self.size as i64);
        let (rows_above_middle, rows_below_middle) = ((n - row).max(0), (row - n).max(0));
        [row, number + rows_above_middle, number + rows_below_middle]
    }

    fn same_line(&self, a: Cell, b: Cell) -> Option<usize> {
        let (a, b) = (self.lines(a), self.lines(b));
        (0..3).find(|&axis| a[axis] == b[axis])
    }

    /// Two cells are neighbours when they are next to each other on a line.
    fn neighbours(&self, cell: Cell) -> Vec<Cell> {
        let (row, number) = cell;
        let mut around = vec![(row, number - 1), (row, number + 1)];
        around.extend(if row < self.size {
            [(row + 1, number), (row + 1, number + 1)]
        } else {
            [(row + 1, number - 1), (row + 1, number)]
        });
        around.extend(if row <= self.size {
            [(row - 1, number - 1), (row - 1, number)]
        } else {
            [(row - 1, number), (row - 1, number + 1)]
        });
        around.retain(|&(row, number)| {
            row >= 1 && row < 2 * self.size && number >= 1 && number <= self.row_length(row)
        });
        around
    }

    /// The sides of a cell, clockwise from the top.
    fn sides(&self, cell: Cell) -> BTreeSet<usize> {
        let (row, number) = cell;
        let (first, last) = (number == 1, number == self.row_length(row));
        let mut sides = BTreeSet::new();
        if row == 1 {
            sides.insert(0);
        }
        if last && row <= self.size {
            sides.insert(1);
        }
        if last && row >= self.size {
            sides.insert(2);
        }
        if row == 2 * self.size - 1 {
            sides.insert(3);
        }
        if first && row >= self.size {
            sides.insert(4);
        }
        if first && row <= self.size {
            sides.insert(5);
        }
        sides
    }

    fn is_outer(&self, cell: Cell) -> bool {
        !self.sides(cell).is_empty()
    }

    fn empty(&self, outer: bool) -> Vec<Cell> {
        let mut cells = self.cells();
        cells.retain(|&cell| !self.pieces.contains_key(&cell) && self.is_outer(cell) == outer);
        cells
    }

    fn anchors(&self, seat: u8) -> Vec<Cell> {
        let colour = COLOURS[seat as usize];
        self.pieces.iter().filter(|&(&c, &p)| p == colour && self.is_outer(c)).map(|(&c, _)| c).collect()
    }

    // Where a node may go.

    /// K-04: the new anchor on one line through the cell, another own anchor on a different one.
    fn nodes_with(&self, seat: u8, anchor: Cell) -> Vec<Cell> {
        let others: Vec<Cell> = self.anchors(seat).into_iter().filter(|&a| a != anchor).collect();
        let mut cells = self.empty(false);
        cells.retain(|&cell| match self.same_line(anchor, cell) {
            None => false,
            Some(axis) => {
                others.iter().any(|&other| self.same_line(other, cell).is_some_and(|line| line != axis))
            }
        });
        cells
    }

    /// K-05: two own anchors on different lines through the cell.
    fn nodes_without(&self, seat: u8) -> Vec<Cell> {
        let anchors = self.anchors(seat);
        let mut cells = self.empty(false);
        cells.retain(|&cell| {
            let lines: BTreeSet<usize> =
                anchors.iter().filter_map(|&anchor| self.same_line(anchor, cell)).collect();
            lines.len() >= 2
        });
        cells
    }

    fn legal(&self) -> BTreeSet<String> {
        let Some(seat) = self.to_move else { return BTreeSet::new() };
        let names = |cells: Vec<Cell>| cells.into_iter().map(Self::name).collect::<BTreeSet<String>>();
        let mut moves = match (self.phase, self.anchor) {
            ("node", Some(anchor)) => names(self.nodes_with(seat, anchor)),
            ("node", None) => names(self.nodes_without(seat)),
            _ => names(self.empty(true)),
        };
        if self.phase == "anchor" && !self.nodes_without(seat).is_empty() {
            moves.insert("-".to_owned());
        }
        if self.swap && self.phase == "prepare" && seat == 1 && self.pieces.len() == 1 {
            moves.insert("swap".to_owned());
        }
        moves
    }

    // Playing.

    fn play(&mut self, text: &str) {
        let seat = self.to_move.unwrap();
        match text {
            "-" => {
                self.phase = "node";
                return;
            }
            "swap" => {
                self.pieces.values_mut().for_each(|piece| *piece = 'b');
                self.to_move = Some(0);
                return;
            }
            _ => {}
        }
        let cell = self.cells().into_iter().find(|&cell| Self::name(cell) == text).unwrap();
        assert!(self.pieces.insert(cell, COLOURS[seat as usize]).is_none(), "{text} is taken");
        if let Some(end) = self.connection(cell) {
            (self.end, self.to_move, self.anchor) = (Some((end, seat)), None, None);
            return;
        }
        match self.phase {
            "prepare" => {
                let own = self.anchors(seat).len();
                // Whoever places first places one, the other two; with a swap the one is Black's.
                if self.pieces.len() == 1 {
                    self.to_move = Some(1);
                } else if own == 2 {
                    (self.phase, self.to_move) = ("anchor", Some(1 - seat));
                }
            }
            "anchor" if !self.nodes_with(seat, cell).is_empty() => {
                (self.phase, self.anchor) = ("node", Some(cell));
            }
            _ => {
                (self.phase, self.anchor) = ("anchor", None);
                let can_act = |seat| !self.empty(true).is_empty() || !self.nodes_without(seat).is_empty();
                let next = [1 - seat, seat].into_iter().find(|&seat| can_act(seat));
                self.to_move = Some(next.expect("K-09: a full board has a winner"));
            }
        }
    }

    /// K-08, K-11: what the group of the piece on that cell connects.
    fn connection(&self, cell: Cell) -> Option<&'static str> {
        let colour = self.pieces[&cell];
        let (mut group, mut open) = (BTreeSet::from([cell]), vec![cell]);
        while let Some(cell) = open.pop() {
            for next in self.neighbours(cell) {
                if self.pieces.get(&next) == Some(&colour) && group.insert(next) {
                    open.push(next);
                }
            }
        }
        let sides: BTreeSet<usize> = group.into_iter().flat_map(|cell| self.sides(cell)).collect();
        let all = |wanted: &[usize]| wanted.iter().all(|side| sides.contains(side));
        if all(&[0, 3]) || all(&[1, 4]) || all(&[2, 5]) {
            Some("opposite sides")
        } else if all(&[0, 2, 4]) || all(&[1, 3, 5]) {
            Some("three sides")
        } else {
            None
        }
    }

    fn state(&self) -> Value {
        let cells: String = self.cells().iter().map(|cell| self.pieces.get(cell).unwrap_or(&'.')).collect();
        json!({"cells": cells, "phase": self.phase, "anchor": self.anchor.map(Self::name), "to_move": self.to_move})
    }

    /// Follows a record from the start to the end.
    fn follow(told: &Value, seen: &mut Seen) {
        let rules = &told["rules"];
        let mut referee =
            Self::new(rules["size"].as_u64().unwrap() as usize, rules["swap"].as_bool().unwrap());
        assert_eq!(told["start"], referee.state());
        for (number, ply) in told["plies"].as_array().unwrap().iter().enumerate() {
            let at = || format!("game {}, ply {number}, rules {rules}", told["index"]);
            assert_eq!(ply["seat"], json!(referee.to_move), "{}", at());
            let listed: Vec<&str> =
                ply["legal"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
            let legal = referee.legal();
            assert_eq!(listed.len(), legal.len(), "{}", at());
            assert!(listed.iter().all(|&text| legal.contains(text)), "{}: {listed:?}, {legal:?}", at());
            let (seat, phase) = (referee.to_move, referee.phase);
            referee.play(ply["move"].as_str().unwrap());
            assert_eq!(ply["state"], referee.state(), "{}", at());
            seen.swaps += u32::from(ply["move"] == "swap");
            if referee.end.is_none() && phase != "prepare" && referee.phase == "anchor" {
                seen.passes += u32::from(referee.to_move == seat);
                seen.nodes_left_out += u32::from(phase == "anchor");
            }
            seen.forced_skips += u32::from(listed == ["-"]);
        }
        let (end, winner) = referee.end.expect("the game is over");
        assert_eq!(told["end"], end);
        let returns = if winner == 0 { [1.0, -1.0] } else { [-1.0, 1.0] };
        assert_eq!(told["returns"], json!(returns));
        seen.games += 1;
        seen.three_sides += u32::from(end == "three sides");
        seen.won_by_an_anchor += u32::from(referee.phase == "anchor");
    }
}

/// What the followed games had in them.
#[derive(Debug, Default)]
struct Seen {
    games: u32,
    passes: u32,
    nodes_left_out: u32,
    forced_skips: u32,
    swaps: u32,
    three_sides: u32,
    won_by_an_anchor: u32,
}

/// Follows games in which `choose` picks the actions.
fn follow(rules: &str, games: u64, mut choose: impl FnMut(&Kato, &mut Rng) -> Action) -> Seen {
    let rules: KatoRules = conformance::rules::<Kato>(rules);
    let mut seen = Seen::default();
    for index in 0..games {
        let mut choices = Rng::keyed(Purpose::Choice, 11, index, 0);
        let told = record::record::<Kato>(&rules, 11, index, |game| choose(game, &mut choices));
        Referee::follow(&serde_json::to_value(&told).unwrap(), &mut seen);
    }
    println!("{seen:?}");
    seen
}

fn at_random(game: &Kato, choices: &mut Rng) -> Action {
    random_action(game, choices).unwrap()
}

/// A star from the middle to sides 0, 2 and 4.
fn star(rules: &KatoRules) -> Mask {
    let n = usize::from(rules.size);
    let spec = Kato::spec(rules);
    let names: Vec<&str> = spec.action_names().collect();
    let (mut row, mut number) = (n, n);
    let mut arm = Vec::new();
    while row > 0 {
        let name = Referee::name((row, number));
        arm.push(names.iter().position(|&known| known == name).unwrap());
        number -= row % 2;
        row -= 1;
    }
    let turned = |sixths: usize| {
        let actions = &spec.symmetries[sixths].actions;
        arm.iter().map(move |&cell| Action(actions[cell]))
    };
    turned(0).chain(turned(2)).chain(turned(4)).collect()
}

/// White builds the star and keeps its other pieces apart from it, Black keeps out of it, and nobody connects
/// opposite sides while there is anything else.
fn weaving(rules: &KatoRules) -> impl FnMut(&Kato, &mut Rng) -> Action + use<> {
    let star = star(rules);
    let referee = Referee::new(usize::from(rules.size), false);
    let cells = referee.cells();
    let number = |cell: &Cell| Action(cells.iter().position(|known| known == cell).unwrap() as u16);
    let is_apart = |cell: &&Cell| {
        !star.contains(number(cell)) && !referee.neighbours(**cell).iter().any(|c| star.contains(number(c)))
    };
    let apart: Mask = cells.iter().filter(is_apart).map(number).collect();
    move |game, choices| {
        let mut mask = Mask::EMPTY;
        game.legal(&mut mask);
        let is_shy = |&action: &Action| {
            let mut next = game.clone();
            next.apply(action);
            next.end().is_none_or(|end| end.0 != 0)
        };
        let shy: Mask = mask.iter().filter(is_shy).collect();
        let among = |wanted: &dyn Fn(Action) -> bool| shy.iter().filter(|&a| wanted(a)).collect::<Mask>();
        let sets = match game.to_move().unwrap().0 {
            0 => [among(&|a| star.contains(a)), among(&|a| apart.contains(a)), shy, mask],
            _ => [among(&|a| apart.contains(a)), among(&|a| !star.contains(a)), shy, mask],
        };
        sets.into_iter().find_map(|set| random_member(&set, choices)).expect("the game goes on")
    }
}

/// One ply in two is the first legal one, so that pieces come to lie side by side along the rim.
fn along_the_rim(game: &Kato, choices: &mut Rng) -> Action {
    let mut mask = Mask::EMPTY;
    game.legal(&mut mask);
    match choices.below(2) {
        0 => mask.nth(0).unwrap(),
        _ => at_random(game, choices),
    }
}

#[test]
fn random_games_on_size_4_follow_the_rules_page() {
    let seen = follow(r#"{"size": 4}"#, 1_500, at_random);
    assert!(seen.passes > 0 && seen.nodes_left_out > 0 && seen.forced_skips > 0, "{seen:?}");
}

#[test]
fn random_games_on_size_5_with_swap_follow_the_rules_page() {
    let seen = follow(r#"{"size": 5, "swap": true}"#, 500, at_random);
    assert!(seen.swaps > 0 && seen.passes > 0, "{seen:?}");
}

#[test]
fn random_games_on_size_6_follow_the_rules_page() {
    let seen = follow("{}", 400, at_random);
    assert!(seen.passes > 0 && seen.won_by_an_anchor > 0, "{seen:?}");
}

#[test]
fn random_games_on_size_7_follow_the_rules_page() {
    follow(r#"{"size": 7, "swap": true}"#, 60, at_random);
}

#[test]
fn random_games_on_size_8_follow_the_rules_page() {
    follow(r#"{"size": 8}"#, 40, at_random);
}

#[test]
fn games_won_by_three_sides_follow_the_rules_page() {
    for rules in [r#"{"size": 4}"#, r#"{"size": 5, "swap": true}"#, "{}", r#"{"size": 7}"#] {
        let seen = follow(rules, 200, weaving(&conformance::rules::<Kato>(rules)));
        assert!(seen.three_sides > 2, "{rules}: {seen:?}");
    }
}

#[test]
fn games_along_the_rim_follow_the_rules_page() {
    let seen = follow(r#"{"size": 4, "swap": true}"#, 500, along_the_rim);
    assert!(seen.won_by_an_anchor > 0, "{seen:?}");
    follow("{}", 100, along_the_rim);
}
