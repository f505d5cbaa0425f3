//! The map in the terminal.

use std::fmt::Write as _;

use super::actions::NUMBERS;
use super::board::{COORDINATES, Set, own, rows, tier_at};
use super::data::{Card, NO_CARD};
use super::state::{ENDS, EXECUTE, EXHAUST, MOVE, NONE, Phase, StarDuel};
use crate::{Ink, Paint};

/// The least width of a space.
const WIDTH: usize = 16;
const NAMES: [&str; 2] = ["Kurth", "Enate"];
const INKS: [Ink; 2] = [Ink::Blue, Ink::Red];

impl StarDuel {
    /// Three lines a space: its coordinates for Kurth and for Enate with the owner, then the card with its needs and
    /// defence, then what it gives when it is activated and when it is exhausted.
    pub(super) fn picture(&self, viewer: Option<usize>, paint: Paint) -> String {
        let width = self.width();
        let mut picture = self.header(paint);
        for seat in 0..2 {
            picture.push_str(&self.player(seat, viewer, paint));
        }
        let home = |seat: usize| {
            paint.ink(INKS[seat], &format!("{:^1$}", format!("= {} =", NAMES[seat]), 4 * width))
        };
        let _ = writeln!(picture, "{}", home(0).trim_end());
        for row in rows() {
            let indent = " ".repeat((4 - row.len()) * width / 2);
            for line in 0..3 {
                let cells: Vec<String> =
                    row.clone().map(|space| self.line(space, line, viewer, (paint, width))).collect();
                let _ = writeln!(picture, "{}", format!("{indent}{}", cells.concat()).trim_end());
            }
        }
        let _ = writeln!(picture, "{}", home(1).trim_end());
        let _ = writeln!(picture, "{}", paint.ink(Ink::Dim, &self.spare_line(viewer)));
        picture
    }

    /// Wide enough for every card and two blanks.
    fn width(&self) -> usize {
        let lines = self.tables.cards.iter().flat_map(face);
        lines.map(|line| line.chars().count() + 2).fold(WIDTH, usize::max)
    }

    fn header(&self, paint: Paint) -> String {
        let what = match (self.outcome, self.seat_to_act()) {
            (Some(outcome), _) => format!("over ({})", ENDS[usize::from(outcome.end)]),
            (None, Some(seat)) if self.phase == Phase::Program => format!("{} programs", NAMES[seat]),
            (None, Some(seat)) => {
                let left = [(EXECUTE, "execute"), (EXHAUST, "exhaust"), (MOVE, "move")];
                let left: Vec<&str> =
                    left.iter().filter(|(bit, _)| self.left & bit != 0).map(|&(_, name)| name).collect();
                format!("{} acts (left: {})", NAMES[seat], left.join(", "))
            }
            (None, None) => String::new(),
        };
        format!(
            "{} {what}\n",
            paint.ink(Ink::Bold, &format!("Round {} of {}:", self.round, self.round_limit))
        )
    }

    fn player(&self, seat: usize, viewer: Option<usize>, paint: Paint) -> String {
        let player = self.players[seat];
        let hidden = self.phase == Phase::Program && viewer.is_some_and(|viewer| viewer != seat);
        let program = match self.programs[seat] {
            NONE => "--".to_owned(),
            _ if hidden => "??".to_owned(),
            rank => NUMBERS[usize::from(rank)].to_string(),
        };
        format!(
            "{}  program {program}  influence {}  population {}  minerals {}  energy {}\n",
            paint.ink(INKS[seat], NAMES[seat]),
            self.influence(seat),
            player.population,
            player.minerals,
            player.energy,
        )
    }

    fn line(
        &self,
        space: usize,
        line: usize,
        viewer: Option<usize>,
        (paint, width): (Paint, usize),
    ) -> String {
        let is = |set: Set| set >> space & 1 == 1;
        let owner = (0..2).find(|&seat| is(self.owned[seat]));
        let coordinates = format!("{}/{}", COORDINATES[space], COORDINATES[own(1, space)]);
        let (text, ink) = match (self.cards[space], owner) {
            (NO_CARD, _) => ([coordinates, ".".to_owned(), String::new()], Ink::Dim),
            (card, owner) => {
                let card = &self.tables.cards[usize::from(card)];
                let [front, back] = match is(self.up) {
                    true => face(card),
                    false if viewer.is_none() => {
                        [format!("({}) tier {}", card.name, card.tier), String::new()]
                    }
                    false => [format!("? tier {}", tier_at(space)), String::new()],
                };
                let mark = match (usize::from(self.activated) == space, usize::from(self.moving) == space) {
                    (_, true) => " >",
                    (true, _) => " *",
                    _ => "",
                };
                let head =
                    owner.map_or(coordinates.clone(), |seat| format!("{coordinates} {}{mark}", NAMES[seat]));
                let ink = owner.map_or(if is(self.up) { Ink::White } else { Ink::Dim }, |seat| INKS[seat]);
                ([head, front, back], ink)
            }
        };
        paint.ink(ink, &format!("{:<width$}", text[line]))
    }

    /// The referee sees the spares, a player how many there are.
    fn spare_line(&self, viewer: Option<usize>) -> String {
        let tiers = self.spares.iter().zip(2..).map(|(tier, number)| {
            let names: Vec<&str> =
                tier.iter()
                    .filter(|&&card| card != NO_CARD)
                    .map(|&card| {
                        if viewer.is_none() {
                            self.tables.cards[usize::from(card)].name.as_str()
                        } else {
                            "?"
                        }
                    })
                    .collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(" ") };
            format!("tier {number}: {names}")
        });
        format!("spares  {}", tiers.collect::<Vec<_>>().join("  "))
    }
}

/// `D 1/1 def 3` and `+2/1/0 -1/1/2`.
fn face(card: &Card) -> [String; 2] {
    let slashed = |values: &[u8]| values.iter().map(u8::to_string).collect::<Vec<_>>().join("/");
    [
        format!("{} {} def {}", card.name, slashed(&card.needs), card.defence),
        format!("+{} -{}", slashed(&card.activation), slashed(&card.exhaustion)),
    ]
}
