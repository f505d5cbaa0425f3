//! The rules of Node once more, slow and obvious, written from the rules page alone.

use serde_json::{Value, json};

use super::board::Board;
use super::seen::Seen;

const LETTERS: [char; 4] = ['r', 'y', 'b', 'g'];

/// A state and everything needed to go on from it. Colours are 1 and 2 as on the board, seats 0 and 1.
#[derive(Clone)]
pub struct Naive<'a> {
    pub board: &'a Board,
    pub advanced: bool,
    pub stalemate_turns: u32,
    pub squares: Vec<String>,
    pub corners: Vec<u8>,
    pub edges: Vec<u8>,
    pub captured: Vec<u8>,
    pub cubes: [[u32; 4]; 2],
    pub three_used: bool,
    pub two_used: u32,
    pub idle_turns: u32,
    pub placed: bool,
    pub owed: Option<usize>,
    pub start: bool,
    pub to_move: Option<usize>,
    pub returns: [f64; 2],
    pub end: Option<&'static str>,
    pub seen: Seen,
}

impl<'a> Naive<'a> {
    pub fn new(board: &'a Board, advanced: bool, stalemate_turns: u32, squares: Vec<String>) -> Self {
        Self {
            board,
            advanced,
            stalemate_turns,
            squares,
            corners: vec![0; 24],
            edges: vec![0; 36],
            captured: vec![0; 13],
            cubes: [[0; 4]; 2],
            three_used: false,
            two_used: 0,
            idle_turns: 0,
            placed: false,
            owed: None,
            start: true,
            to_move: Some(0),
            returns: [0.0; 2],
            end: None,
            seen: Seen::default(),
        }
    }

    /// Puts pieces of a colour on the board, with what they capture.
    pub fn pieces_of(&mut self, colour: u8, nodes: &[usize], branches: &[usize]) {
        nodes.iter().for_each(|&corner| self.corners[corner] = colour);
        branches.iter().for_each(|&edge| self.edges[edge] = colour);
        branches.iter().for_each(|&edge| self.lay_branch(colour, edge));
    }

    /// STATE of the record format.
    pub fn state(&self) -> Value {
        let digits = |list: &[u8]| list.iter().map(|&d| (b'0' + d) as char).collect::<String>();
        json!({
            "squares": self.squares,
            "corners": digits(&self.corners),
            "edges": digits(&self.edges),
            "captured": digits(&self.captured),
            "cubes": self.cubes,
            "score": [self.score(1), self.score(2)],
            "three_used": self.three_used,
            "two_used": self.two_used,
            "idle_turns": self.idle_turns,
            "placed": self.placed,
            "owed": self.owed,
            "phase": if self.start { "start" } else { "play" },
            "to_move": self.to_move,
        })
    }

    fn bank(&self, cube: usize) -> u32 {
        10 - self.cubes[0][cube] - self.cubes[1][cube]
    }

    fn touches(&self, edge: usize, corner: usize) -> bool {
        self.board.edge_corners[edge].contains(&corner)
    }

    /// S-02: some branch of the colour ends at one of these corners.
    fn reached(&self, corners: &[usize], colour: u8) -> bool {
        (0..36).any(|e| self.edges[e] == colour && corners.iter().any(|&c| self.touches(e, c)))
    }

    /// S-07.
    fn closed(&self, edge: usize, colour: u8) -> bool {
        let sides = &self.board.edge_squares[edge];
        sides.len() == 2 && sides.iter().all(|&s| self.captured[s] == 3 - colour)
    }

    /// S-06: the squares flooded from one, if they are captured by the colour; whether a branch inside alone kept
    /// them from it.
    fn flood(&self, from: usize, colour: u8) -> (Option<Vec<usize>>, bool) {
        let mut region = vec![from];
        let (mut inside, mut next) = (Vec::new(), 0);
        while next < region.len() {
            for &edge in &self.board.square_edges[region[next]] {
                if self.edges[edge] == colour {
                    continue;
                }
                if self.board.edge_squares[edge].len() == 1 {
                    return (None, false);
                }
                inside.push(edge);
                for &square in &self.board.edge_squares[edge] {
                    if !region.contains(&square) {
                        region.push(square);
                    }
                }
            }
            next += 1;
        }
        let blocked = inside.iter().any(|&e| self.edges[e] == 3 - colour);
        ((!blocked).then_some(region), blocked)
    }

    /// S-12.
    fn largest_network(&self, colour: u8) -> usize {
        let mut left: Vec<usize> = (0..36).filter(|&e| self.edges[e] == colour).collect();
        let mut largest = 0;
        while let Some(first) = left.pop() {
            let (mut network, mut next) = (vec![first], 0);
            while next < network.len() {
                let ends = &self.board.edge_corners[network[next]];
                let (joined, rest) = left.iter().partition(|&&e| ends.iter().any(|&c| self.touches(e, c)));
                let joined: Vec<usize> = joined;
                network.extend(joined);
                left = rest;
                next += 1;
            }
            largest = largest.max(network.len());
        }
        largest
    }

    /// S-12.
    fn score(&self, colour: u8) -> usize {
        let nodes = self.corners.iter().filter(|&&c| c == colour).count();
        let squares = self.captured.iter().filter(|&&c| c == colour).count();
        let ahead = self.largest_network(colour) > self.largest_network(3 - colour);
        nodes + squares + if ahead { 2 } else { 0 }
    }

    /// Every legal move, sorted.
    pub fn legal(&mut self) -> Vec<String> {
        let Some(seat) = self.to_move else { return Vec::new() };
        let mut moves = Vec::new();
        if self.start {
            match self.owed {
                None => {
                    let open = |&c: &usize| {
                        self.corners[c] == 0 && (0..36).any(|e| self.edges[e] == 0 && self.touches(e, c))
                    };
                    moves.extend((0..24).filter(open).map(|c| format!("n{c:02}")));
                }
                Some(corner) => {
                    let open = |&e: &usize| self.edges[e] == 0 && self.touches(e, corner);
                    moves.extend((0..36).filter(open).map(|e| format!("b{e:02}")));
                }
            }
        } else {
            self.pieces(seat, seat as u8 + 1, 'n', 'b', &mut moves);
            if self.advanced {
                self.pieces(seat, 2 - seat as u8, 'N', 'B', &mut moves);
            }
            self.trades(seat, &mut moves);
            moves.push("e".to_owned());
        }
        moves.sort_unstable();
        moves
    }

    /// S-02, S-03, S-07, S-11, S-15.
    fn pieces(&mut self, seat: usize, colour: u8, node: char, branch: char, moves: &mut Vec<String>) {
        let pieces = self.corners.iter().chain(&self.captured).filter(|&&owner| owner == colour).count();
        assert!(pieces < 10, "S-11: the tenth node or marker is the tenth point");
        let [red, yellow, blue, green] = self.cubes[seat];
        if yellow >= 2 && green >= 2 {
            let open = |&c: &usize| self.corners[c] == 0 && self.reached(&[c], colour);
            moves.extend((0..24).filter(open).map(|c| format!("{node}{c:02}")));
        }
        if red >= 1 && blue >= 1 {
            if self.edges.iter().filter(|&&e| e == colour).count() >= 24 {
                self.seen.branch_limits += 1;
                return;
            }
            for edge in 0..36 {
                if self.edges[edge] == 0 && self.reached(&self.board.edge_corners[edge], colour) {
                    if self.closed(edge, colour) {
                        self.seen.closed_edges_that_mattered += 1;
                    } else {
                        moves.push(format!("{branch}{edge:02}"));
                    }
                }
            }
        }
    }

    /// S-08.
    fn trades(&self, seat: usize, moves: &mut Vec<String>) {
        let post = self.squares.iter().position(|s| s == "p0");
        let rights = post.map_or(0, |s| {
            let mine = |&&c: &&usize| usize::from(self.corners[c]) == seat + 1;
            self.board.square_corners[s].iter().filter(mine).count()
        });
        for received in (0..4).filter(|&c| self.bank(c) > 0) {
            let mut offer = |letter: char, given: &[usize]| {
                let holds =
                    |c: usize| given.iter().filter(|&&g| g == c).count() as u32 <= self.cubes[seat][c];
                if (0..4).all(holds) && !given.contains(&received) {
                    let given: String = given.iter().map(|&g| LETTERS[g]).collect();
                    moves.push(format!("{letter}{given}{}", LETTERS[received]));
                }
            };
            for a in 0..4 {
                for b in a..4 {
                    for c in (b..4).filter(|_| !self.three_used) {
                        offer('t', &[a, b, c]);
                    }
                    if (self.two_used as usize) < rights {
                        offer('d', &[a, b]);
                    }
                }
            }
        }
    }

    /// Plays a legal move.
    pub fn play(&mut self, text: &str) {
        let seat = self.to_move.expect("the game goes on");
        let own = seat as u8 + 1;
        let number = || text[1..].parse::<usize>().expect("a number");
        let cube = |letter: char| LETTERS.iter().position(|&l| l == letter).expect("a colour");
        match &text[..1] {
            "n" | "b" if self.start => self.place_first(own, number(), &text[..1] == "n"),
            "n" => self.buy_node(seat, own, number()),
            "N" => self.buy_node(seat, 3 - own, number()),
            "b" => self.buy_branch(seat, own, number()),
            "B" => self.buy_branch(seat, 3 - own, number()),
            "t" | "d" => {
                let letters: Vec<usize> = text[1..].chars().map(cube).collect();
                let (received, given) = letters.split_last().expect("letters");
                given.iter().for_each(|&g| self.cubes[seat][g] -= 1);
                self.cubes[seat][*received] += 1;
                if given.len() == 3 {
                    self.three_used = true;
                } else {
                    self.two_used += 1;
                    self.seen.two_for_one += 1;
                }
            }
            "e" => self.end_turn(seat),
            _ => panic!("no move: {text}"),
        }
    }

    /// S-01.
    fn place_first(&mut self, own: u8, place: usize, node: bool) {
        if node {
            self.corners[place] = own;
            self.owed = Some(place);
            return;
        }
        self.lay_branch(own, place);
        self.owed = None;
        let pairs = self.edges.iter().filter(|&&e| e != 0).count();
        self.to_move = Some([0, 1, 1, 0, 1][pairs]);
        if pairs == 4 {
            self.start = false;
            self.income(1);
        }
    }

    fn buy_node(&mut self, seat: usize, colour: u8, corner: usize) {
        self.cubes[seat][1] -= 2;
        self.cubes[seat][3] -= 2;
        self.corners[corner] = colour;
        self.after_placing(seat, colour);
    }

    fn buy_branch(&mut self, seat: usize, colour: u8, edge: usize) {
        self.cubes[seat][0] -= 1;
        self.cubes[seat][2] -= 1;
        self.lay_branch(colour, edge);
        self.after_placing(seat, colour);
    }

    /// S-06.
    fn lay_branch(&mut self, colour: u8, edge: usize) {
        self.edges[edge] = colour;
        let before = self.captured.clone();
        for (square, &owner) in before.iter().enumerate() {
            let (region, blocked) = self.flood(square, colour);
            self.seen.regions_kept_open_by_a_branch_inside += u32::from(blocked);
            if let Some(region) = region {
                if region.len() > 1 && owner == 0 {
                    self.seen.regions_of_several_squares += 1;
                }
                region.iter().for_each(|&s| self.captured[s] = colour);
            }
        }
    }

    /// S-13, S-14.
    fn after_placing(&mut self, seat: usize, colour: u8) {
        self.placed = true;
        self.idle_turns = 0;
        self.seen.other_colour += u32::from(usize::from(colour) != seat + 1);
        self.seen.ties += u32::from(self.largest_network(1) == self.largest_network(2));
        assert!(self.score(3 - colour) < 10, "a placement raises only its own colour's score");
        if self.score(colour) >= 10 {
            let good = if self.advanced { -1.0 } else { 1.0 };
            self.returns = if colour == 1 { [good, -good] } else { [-good, good] };
            self.end = Some("ten points");
            self.to_move = None;
            self.seen.ten_points += 1;
        }
    }

    /// S-14.
    fn end_turn(&mut self, seat: usize) {
        if !self.placed {
            self.idle_turns += 1;
        }
        if self.idle_turns >= self.stalemate_turns {
            self.end = Some("stalemate");
            self.to_move = None;
            self.seen.stalemates += 1;
            return;
        }
        self.three_used = false;
        self.two_used = 0;
        self.placed = false;
        self.to_move = Some(1 - seat);
        self.income(1 - seat);
    }

    /// S-04, S-05, S-10.
    fn income(&mut self, seat: usize) {
        let own = seat as u8 + 1;
        let mut owed = [0; 4];
        for square in 0..13 {
            let Some(cube) = LETTERS.iter().position(|&l| self.squares[square].starts_with(l)) else {
                continue;
            };
            let limit: usize = self.squares[square][1..].parse().expect("a limit");
            let around = &self.board.square_corners[square];
            let nodes = around.iter().filter(|&&c| self.corners[c] != 0).count();
            let mine = around.iter().filter(|&&c| self.corners[c] == own).count() as u32;
            let captured = self.captured[square];
            if captured == own || captured == 0 && nodes <= limit {
                owed[cube] += mine;
                self.seen.captured_pays_again += u32::from(captured == own && nodes > limit);
            }
        }
        for (cube, owed) in owed.into_iter().enumerate() {
            let from_bank = owed.min(self.bank(cube));
            self.cubes[seat][cube] += from_bank;
            let rest = owed - from_bank;
            if rest == 0 {
                continue;
            }
            self.seen.bank_short += 1;
            if self.cubes[1 - seat][cube] > self.cubes[seat][cube] {
                let taken = rest.min(self.cubes[1 - seat][cube]);
                self.cubes[1 - seat][cube] -= taken;
                self.cubes[seat][cube] += taken;
                self.seen.taken_from_the_opponent += 1;
            } else {
                self.seen.lost_because_the_opponent_holds_no_more += 1;
            }
        }
    }
}
