//! The drawing in the terminal.

use std::fmt::Write as _;

use super::cards::Card;
use super::notation::Stacked;
use super::state::{Colony, ENDS, Phase};
use super::table::{CELLS, Cell, SIDE, each, only};
use crate::{Ink, Paint};

/// The inks of the seats.
const INKS: [Ink; 4] = [Ink::Orange, Ink::Purple, Ink::Cyan, Ink::Green];
/// Letters of a drawn cell.
const WIDTH: usize = 7;

impl Colony {
    /// The table, the stacks, the players; `viewer` sees no other hand, no deck and nothing of another's turn.
    pub(super) fn picture(&self, viewer: Option<usize>, paint: Paint) -> String {
        let mut picture = self.headline(viewer, paint);
        self.draw_table(&mut picture, paint);
        self.draw_stacks(&mut picture, paint);
        for seat in 0..usize::from(self.players) {
            self.draw_player(&mut picture, seat, viewer, paint);
        }
        let shown = viewer.is_none().then(|| cards(self.deck.iter()));
        let _ = writeln!(
            picture,
            "deck: {} cards {}",
            self.deck.len(),
            paint.ink(Ink::Dim, &shown.unwrap_or_default())
        );
        let trimmed: Vec<&str> = picture.lines().map(str::trim_end).collect();
        trimmed.join("\n") + "\n"
    }

    fn headline(&self, viewer: Option<usize>, paint: Paint) -> String {
        let words = match (self.over, viewer) {
            (Some(reason), _) => format!("over: {}", ENDS[reason as usize]),
            (None, Some(viewer)) if viewer != self.actor() => format!("seat {} acts", self.actor()),
            _ => format!("seat {} {}", self.actor(), self.asked()),
        };
        format!("turn {}, {}\n", self.turn, paint.ink(Ink::Bold, &words))
    }

    /// What the acting player is asked.
    fn asked(&self) -> String {
        let chosen = usize::from(self.chosen);
        match self.phase {
            Phase::Explore => "explores".to_owned(),
            Phase::Colonise => "colonises".to_owned(),
            Phase::ColoniseAt => format!("colonises with {}", Card::new(chosen)),
            Phase::Move => "moves".to_owned(),
            Phase::MoveTo => format!("moves from {}", Cell::new(chosen)),
        }
    }

    fn draw_table(&self, picture: &mut String, paint: Paint) {
        let playable = self.playable();
        let columns = SIDE / 2 - usize::from(self.half)..=SIDE / 2 + usize::from(self.half);
        picture.push_str("  ");
        for column in columns.clone() {
            let _ = write!(picture, "{:^WIDTH$}", char::from(b'a' + column as u8));
        }
        for cell in (0..CELLS).filter(|&cell| playable & only(cell) != 0) {
            if cell % SIDE == *columns.start() {
                let _ = write!(picture, "\n{:>2}", cell / SIDE + 1);
            }
            let (ink, text) = self.drawn(cell);
            picture.push_str(&paint.ink(ink, &format!("{text:^WIDTH$}")));
        }
        picture.push('\n');
    }

    /// `·` an empty cell, `[  ]` an unoccupied Node, `0:C1` a Colony with its owner, `+2` cards below it.
    fn drawn(&self, cell: usize) -> (Ink, String) {
        if self.nodes & only(cell) == 0 {
            (Ink::Dim, "·".to_owned())
        } else if self.occupied() & only(cell) == 0 {
            (Ink::White, "[  ]".to_owned())
        } else {
            let owner = self.owner(cell);
            let below = self.buried.iter().filter(|&(at, _)| at == cell).count();
            let more = if below > 0 { format!("+{below}") } else { String::new() };
            (INKS[owner], format!("{owner}:{}{more}", self.top(cell)))
        }
    }

    /// The stacks of more than one card, from the bottom to the top.
    fn draw_stacks(&self, picture: &mut String, paint: Paint) {
        let deep = self.buried.iter().fold(0, |set, (cell, _)| set | only(cell));
        for cell in each(deep) {
            let _ = write!(picture, "  {} on the Node:", Cell::new(cell));
            let below = self.buried.iter().filter(|&(at, _)| at == cell).map(|(_, b)| (b.owner(), b.card()));
            for (owner, card) in below.chain([(self.owner(cell), self.top(cell))]) {
                let text = Stacked { owner: owner as u8, card }.to_string();
                let _ = write!(picture, " {}", paint.ink(INKS[owner], &text));
            }
            picture.push('\n');
        }
    }

    fn draw_player(&self, picture: &mut String, seat: usize, viewer: Option<usize>, paint: Paint) {
        let name = paint.ink(INKS[seat], &format!("seat {seat}"));
        let (nodes, levels) = (self.control[seat].count_ones(), self.level_sum(seat));
        let hand = match viewer {
            Some(viewer) if viewer != seat => format!("{} cards", self.hand(seat).count()),
            _ => cards(self.hand(seat)),
        };
        let _ = writeln!(picture, "{name}: {nodes} Nodes, levels {levels}, hand {hand}");
    }
}

fn cards(cards: impl Iterator<Item = Card>) -> String {
    cards.map(|card| card.to_string()).collect::<Vec<_>>().join(" ")
}
