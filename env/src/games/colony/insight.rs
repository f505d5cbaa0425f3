//! The insights: which Nodes others could invade, and what a Colony that is put down or moved wins or loses.

use super::cards::{Card, KINDS};
use super::observe::planes;
use super::options::Movement;
use super::state::{Colony, Owned, Phase, SEATS};
use super::table::{CELLS, Cells, along_lines, along_paths, beside, cross, each, only};
use crate::Layout;

/// Numbers before the insights of that many players.
pub(super) fn start(players: usize) -> usize {
    planes(players) * CELLS + super::observe::counters(players)
}

const DANGER: usize = 0;
const RISK: usize = 1;
const GAIN: usize = 2;
const PLANES: usize = 3;
/// Nodes at risk, behind the kinds.
const AT_RISK_COUNTS: usize = 2;
const COUNT_SCALE: f32 = 1.0 / 10.0;

/// What a Node is worth to whoever holds it safely, and where another could invade it.
const SAFE: f32 = 1.0;
const AT_RISK: f32 = 0.65;
/// What a level of the card on top adds: it decides ties, and stands longer.
const LEVEL: f32 = 0.06;
const GAIN_SCALE: f32 = 0.5;

pub(super) fn layout(observation: Layout) -> Layout {
    observation
        .field("danger", CELLS, "Nodes: the part of the nine kinds of Colony that others could invade there, were they the viewer's")
        .field("risk", CELLS, "to the viewer with a Colony to put down or to move: 1 on the Nodes where others could invade it")
        .field("gain", CELLS, "to the viewer in its turn: what putting the Colony there, moving that one or moving it there wins in Nodes, those at risk on either side counting a third less, ÷ 2")
        .field("gain.kinds", KINDS, "to the viewer about to colonise: the most that each kind in the hand can win, ÷ 2")
        .field("at_risk", AT_RISK_COUNTS, "Nodes of the viewer that others could invade, and Nodes of others that the viewer could, ÷ 10")
}

impl Colony {
    /// Writes what follows from the view.
    pub(super) fn write_insights(&self, viewer: usize, out: &mut [f32]) {
        out.fill(0.0);
        let (cells, behind) = out.split_at_mut(PLANES * CELLS);
        let (planes, _) = cells.as_chunks_mut::<CELLS>();
        let (kinds, at_risk) = behind.split_at_mut(KINDS);
        let outlook = Outlook::new(self, viewer);
        for invadable in outlook.invadable {
            each(invadable).for_each(|cell| planes[DANGER][cell] += 1.0);
        }
        planes[DANGER].iter_mut().for_each(|number| *number *= 1.0 / KINDS as f32);
        at_risk.copy_from_slice(&outlook.at_risk().map(|nodes| nodes as f32 * COUNT_SCALE));
        if self.over.is_some() || self.actor() != viewer {
            return;
        }
        match self.phase {
            Phase::Explore => {}
            Phase::Colonise => outlook.write_kinds(kinds),
            Phase::ColoniseAt => {
                let card = Card::new(self.chosen.into());
                outlook.write_risk(card, &mut planes[RISK]);
                for cell in each(self.colonisable()) {
                    planes[GAIN][cell] = outlook.covering(card, cell, 0) * GAIN_SCALE;
                }
            }
            Phase::Move => {
                for from in each(self.movable()) {
                    let gains = each(self.reach(viewer, from)).map(|to| outlook.moving(from, to));
                    planes[GAIN][from] = gains.fold(f32::NEG_INFINITY, f32::max) * GAIN_SCALE;
                }
            }
            Phase::MoveTo => {
                let from = usize::from(self.chosen);
                outlook.write_risk(self.top(from), &mut planes[RISK]);
                for to in each(self.reach(viewer, from)) {
                    planes[GAIN][to] = outlook.moving(from, to) * GAIN_SCALE;
                }
            }
        }
    }

    /// The Nodes that others' Colonies could invade if a card of each kind of the viewer's lay there: those within their reach,
    /// and the first one in their way.
    fn invadable_kinds(&self, viewer: usize) -> [Cells; KINDS] {
        let mut invadable = [0; KINDS];
        for seat in (0..SEATS).filter(|&seat| seat != viewer) {
            for cell in each(self.control[seat]) {
                let card = self.top(cell);
                let reached = self.reach(seat, cell);
                let mut ahead = beside(reached | only(cell)) & self.nodes & !only(cell);
                if self.movement == Movement::Line {
                    ahead &= cross(cell);
                }
                for (kind, set) in invadable.iter_mut().enumerate() {
                    if card.beats(Card::new(kind)) {
                        *set |= reached | ahead;
                    }
                }
            }
        }
        invadable
    }
}

/// What the viewer's Colonies are in for.
struct Outlook<'a> {
    game: &'a Colony,
    viewer: usize,
    others: Cells,
    /// Where others could invade a card of each kind.
    invadable: [Cells; KINDS],
    /// The Nodes of others that the viewer's Colonies could invade, and those that at least two of them could.
    threatened: [Cells; 2],
}

impl<'a> Outlook<'a> {
    fn new(game: &'a Colony, viewer: usize) -> Self {
        let others = game.occupied() & !game.control[viewer];
        let mut threatened = [0; 2];
        for cell in each(game.control[viewer]) {
            let reached = game.reach(viewer, cell) & others;
            threatened = [threatened[0] | reached, threatened[1] | threatened[0] & reached];
        }
        Self { game, viewer, others, invadable: game.invadable_kinds(viewer), threatened }
    }

    /// How many Nodes of the viewer are at risk, and how many of the others.
    fn at_risk(&self) -> [u32; 2] {
        let own = self.game.control[self.viewer];
        let lost = each(own).filter(|&cell| self.invadable[self.game.top(cell).index()] & only(cell) != 0);
        [lost.count() as u32, self.threatened[0].count_ones()]
    }

    /// What a Node is worth to whoever holds it with that card.
    fn worth(card: Card, at_risk: bool) -> f32 {
        LEVEL * card.level() as f32 + if at_risk { AT_RISK } else { SAFE }
    }

    /// What a Node is worth to the viewer with that card on it.
    fn own(&self, card: Card, cell: usize) -> f32 {
        Self::worth(card, self.invadable[card.index()] & only(cell) != 0)
    }

    /// What is worth that much to another takes that much from the viewer: it is shared among the others.
    fn lost(&self, worth: f32) -> f32 {
        -worth / (f32::from(self.game.players) - 1.0)
    }

    /// The Nodes of others that a card of the viewer's could invade from there.
    fn threats(&self, card: Card, cell: usize) -> Cells {
        let open = self.game.open_to(self.viewer, card);
        let reached = match self.game.movement {
            Movement::Line => along_lines(cell, open),
            Movement::Path => along_paths(cell, open),
        };
        reached & self.others
    }

    /// What it wins to threaten Nodes of others with a card there, where no other card threatens them but one that leaves these.
    fn threatening(&self, card: Card, cell: usize, left: Cells) -> f32 {
        let without = self.threatened[0] & (!left | self.threatened[1]);
        let after = (without | self.threats(card, cell)) & !only(cell);
        let before = self.threatened[0] & !only(cell);
        let more = after.count_ones() as f32 - before.count_ones() as f32;
        -self.lost((SAFE - AT_RISK) * more)
    }

    /// What putting a card on a Node wins, by who holds it; `left` are the Nodes that the card no longer threatens.
    fn covering(&self, card: Card, cell: usize, mut left: Cells) -> f32 {
        let game = self.game;
        let before = match () {
            () if game.control[self.viewer] & only(cell) != 0 => {
                left |= self.threats(game.top(cell), cell);
                self.own(game.top(cell), cell)
            }
            () if game.occupied() & only(cell) != 0 => self.lost(Self::worth(game.top(cell), true)),
            () => 0.0,
        };
        self.own(card, cell) - before + self.threatening(card, cell, left)
    }

    /// What moving the top card wins: what lies beneath it takes over where it leaves.
    fn moving(&self, from: usize, to: usize) -> f32 {
        let card = self.game.top(from);
        let below = self.game.buried.iter().filter(|&(cell, _)| cell == from).last();
        let left = match below.map(|(_, owned): (usize, Owned)| (owned.owner() == self.viewer, owned.card()))
        {
            Some((true, below)) => self.own(below, from),
            // Whoever has gone there can come back.
            Some((false, below)) => self.lost(Self::worth(below, card.beats(below))),
            None => 0.0,
        };
        self.covering(card, to, self.threats(card, from)) + left - self.own(card, from)
    }

    fn write_risk(&self, card: Card, plane: &mut [f32; CELLS]) {
        each(self.invadable[card.index()]).for_each(|cell| plane[cell] = 1.0);
    }

    fn write_kinds(&self, kinds: &mut [f32]) {
        let cells = self.game.colonisable();
        let hand = &self.game.hands[self.viewer];
        for kind in (0..KINDS).filter(|&kind| hand[kind] > 0) {
            let gains = each(cells).map(|cell| self.covering(Card::new(kind), cell, 0));
            kinds[kind] = gains.fold(f32::NEG_INFINITY, f32::max) * GAIN_SCALE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::colony::ColonyRules;
    use crate::rng::Purpose;
    use crate::{Game, Rng, Seat, random_action};

    /// Whether another seat could invade the viewer's Node, by the rules themselves.
    fn can_be_invaded(game: &Colony, viewer: usize, cell: usize) -> bool {
        let reaches =
            |seat: usize| each(game.control[seat]).any(|from| game.reach(seat, from) & only(cell) != 0);
        (0..SEATS).filter(|&seat| seat != viewer).any(reaches)
    }

    #[test]
    fn a_card_can_be_invaded_where_the_rules_say_so() {
        for index in 0..200 {
            let rules = ColonyRules { players: 2 + (index % 3) as u8, ..ColonyRules::default() };
            let mut rng = Rng::keyed(Purpose::Choice, 3, index, 0);
            let mut game = Colony::deal(&rules, &mut rng);
            for _ in 0..index / 2 {
                let Some(action) = random_action(&game, &mut rng) else { break };
                game.apply(action);
            }
            for viewer in 0..usize::from(rules.players) {
                let invadable = game.invadable_kinds(viewer);
                for cell in each(game.control[viewer]) {
                    let told = invadable[game.top(cell).index()] & only(cell) != 0;
                    assert_eq!(told, can_be_invaded(&game, viewer, cell), "game {index}, cell {cell}");
                }
                for cell in each(game.unoccupied()) {
                    for (kind, invadable) in invadable.iter().enumerate() {
                        let mut next = game.clone();
                        next.put(cell, viewer, Card::new(kind));
                        let told = invadable & only(cell) != 0;
                        assert_eq!(told, can_be_invaded(&next, viewer, cell), "game {index}, cell {cell}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_first_colony_wins_its_node() {
        let game = Colony::deal(&ColonyRules::default(), &mut Rng::keyed(Purpose::Deal, 0, 0, 0));
        let mut out = vec![f32::NAN; PLANES * CELLS + KINDS + AT_RISK_COUNTS];
        game.write_insights(0, &mut out);
        let (kinds, at_risk) = out[PLANES * CELLS..].split_at(KINDS);
        assert_eq!(at_risk, [0.0, 0.0]);
        let held = &game.hands[0];
        for kind in 0..KINDS {
            let level = Card::new(kind).level() as f32;
            let expected = if held[kind] > 0 { (SAFE + LEVEL * level) * GAIN_SCALE } else { 0.0 };
            assert_eq!(kinds[kind], expected, "kind {kind}");
        }
        assert!(out[..PLANES * CELLS].iter().all(|&number| number == 0.0));
        assert_eq!(game.to_move(), Some(Seat(0)));
    }

    /// What the viewer's Nodes are worth, less what those of the other are: by the rules themselves.
    fn standing(game: &Colony, viewer: usize) -> f32 {
        let seats = [viewer, 1 - viewer].map(|seat| {
            let worth = |cell| Outlook::worth(game.top(cell), can_be_invaded(game, seat, cell));
            each(game.control[seat]).map(worth).sum::<f32>()
        });
        seats[0] - seats[1]
    }

    /// A card that is put down or moved may also come between others, or open the way to them: that is not foreseen.
    #[test]
    fn a_gain_is_what_the_standing_rises_by_in_most_cases() {
        let (mut same, mut all) = (0, 0);
        for index in 0..300 {
            let mut rng = Rng::keyed(Purpose::Choice, 4, index, 0);
            let mut game = Colony::deal(&ColonyRules::default(), &mut rng);
            for _ in 0..index / 3 {
                let Some(action) = random_action(&game, &mut rng) else { break };
                game.apply(action);
            }
            let viewer = game.actor();
            let (before, outlook) = (standing(&game, viewer), Outlook::new(&game, viewer));
            let mut compare = |gain: f32, after: &Colony| {
                same += u32::from((standing(after, viewer) - before - gain).abs() < 1e-3);
                all += 1;
            };
            match game.phase {
                Phase::ColoniseAt => {
                    let card = Card::new(game.chosen.into());
                    for cell in each(game.colonisable()) {
                        let mut after = game.clone();
                        after.put(cell, viewer, card);
                        compare(outlook.covering(card, cell, 0), &after);
                    }
                }
                Phase::Move => {
                    for from in each(game.movable()) {
                        for to in each(game.reach(viewer, from)) {
                            let mut after = game.clone();
                            let card = after.lift(from);
                            after.put(to, viewer, card);
                            compare(outlook.moving(from, to), &after);
                        }
                    }
                }
                _ => {}
            }
        }
        assert!(all > 500 && same * 10 > all * 8, "{same} of {all}");
    }
}
