//! The insights: which Nodes others could invade, and what each action leads to as far as the table tells.

mod ahead;
mod chance;
mod counts;
mod danger;
mod hands;
mod line;
mod plans;
mod prospect;
mod reply;
mod scene;
mod shortlist;
#[cfg(test)]
mod tests;
mod turn;
mod weigh;
mod weights;

pub use self::counts::{COUNTS, Counts};
pub use self::plans::Planned;
pub use self::weights::{FOR_FOUR, FOR_THREE, SECOND, UNITS, Weights};

use self::prospect::Prospect;
use self::weigh::Weighed;
use super::actions::Step;
use super::cards::{Card, KINDS};
use super::observe::planes;
use super::state::{Colony, Phase};
use super::table::{CELLS, each};
use crate::{Action, Layout, Mask};

/// Numbers before the insights of that many players.
pub(super) fn start(players: usize) -> usize {
    planes(players) * CELLS + super::observe::counters(players)
}

const DANGER: usize = 0;
const RISK: usize = 1;
const GAIN: usize = 2;
/// The planes of the first fields; those of [`WORTH`] and so on come behind the first counters.
const FIRST_PLANES: usize = 3;
/// Nodes at risk, behind the kinds.
const AT_RISK_COUNTS: usize = 2;

const WORTH: usize = 0;
const BEST: usize = 1;
const REPLY: usize = 2;
const NEXT: usize = 3;
const ROOM: usize = 4;
const REACH: usize = 5;
const MORE_PLANES: usize = 6;
/// Reply, next, room and reach of the table as it lies.
const NOW: usize = 4;
const ERADICATION: usize = 2;

const COUNT_SCALE: f32 = 1.0 / 10.0;
const GAIN_SCALE: f32 = 1.0 / 2.0;
const WORTH_SCALE: f32 = 1.0 / 4.0;
/// How far behind the best action one may be, in Nodes, before it no longer shows among the best.
const BEHIND: f32 = 1.0 / 4.0;
const ROOM_SCALE: f32 = 1.0 / 8.0;
const REACH_SCALE: f32 = 1.0 / 32.0;
const LEAD_SCALE: f32 = 1.0 / 5.0;

/// The fields that tell the best actions, in the order of these: cells, kinds, skip.
pub(super) const BEST_FIELDS: [&str; 3] = ["best", "best.kinds", "best.skip"];

pub(super) fn layout(observation: Layout) -> Layout {
    observation
        .field("danger", CELLS, "Nodes: the part of the nine kinds of Colony that others could invade there, were they the viewer's")
        .field("risk", CELLS, "to the viewer with a Colony to put down or to move: 1 on the Nodes where others could invade it")
        .field("gain", CELLS, "to the viewer in its turn: what exploring there, putting the Colony there, moving that one or moving it there wins in Nodes, those at risk on either side counting a third less, ÷ 2")
        .field("gain.kinds", KINDS, "to the viewer about to colonise: the most that each kind in the hand can win, ÷ 2")
        .field("at_risk", AT_RISK_COUNTS, "Nodes of the viewer that others could invade, and Nodes of others that the viewer could, ÷ 10")
        .field("worth", CELLS, "to the viewer in its turn: what the action makes the table better by in Nodes, with the best rest of the turn and, of the best actions, with what comes of it, ÷ 4, from −1 to 1; 1 where it wins the game, −1 where it loses it")
        .field("best", CELLS, "to the viewer in its turn: 1 on the action that is worth most, down to 0 on those worth a quarter of a Node less")
        .field("reply", CELLS, "the most Nodes that a move of another could then take from the viewer's lead, ÷ 2")
        .field("next", CELLS, "the most Nodes that the viewer's lead could then win by a move, ÷ 2")
        .field("room", CELLS, "unoccupied Nodes then next to Nodes of the viewer, less those next to others', ÷ 8")
        .field("reach", CELLS, "Nodes that the viewer's Colonies could then move to, each Colony's counted, less the same of the others, ÷ 32, from −1 to 1")
        .field("worth.kinds", KINDS, "to the viewer about to colonise: the worth of the best cell for each kind in the hand")
        .field("best.kinds", KINDS, "the same as `best`")
        .field("reply.kinds", KINDS, "the reply to the best cell")
        .field("next.kinds", KINDS, "the next move after the best cell")
        .field("worth.skip", 1, "to the viewer that may skip: what the best rest of the turn makes of it, as in `worth`")
        .field("best.skip", 1, "the same as `best`")
        .field("now", NOW, "reply, next, room and reach of the table as it lies")
        .field("lead", 1, "Nodes of the viewer less those of the best other, ÷ 5")
        .field("last", 1, "1 when no turn of the viewer follows this one, or the one that it waits for")
        .field("eradication", ERADICATION, "1 when a move of the viewer could take another's only Node; 1 when one of another could take the viewer's")
}

/// The numbers of an observation's insights, field by field.
struct Fields<'a> {
    first: &'a mut [[f32; CELLS]],
    gain_kinds: &'a mut [f32],
    at_risk: &'a mut [f32],
    more: &'a mut [[f32; CELLS]],
    worth_kinds: &'a mut [f32],
    best_kinds: &'a mut [f32],
    reply_kinds: &'a mut [f32],
    next_kinds: &'a mut [f32],
    worth_skip: &'a mut f32,
    best_skip: &'a mut f32,
    now: &'a mut [f32],
    lead: &'a mut f32,
    last: &'a mut f32,
    eradication: &'a mut [f32],
}

impl<'a> Fields<'a> {
    fn new(out: &'a mut [f32]) -> Self {
        let (first, out) = out.split_at_mut(FIRST_PLANES * CELLS);
        let (gain_kinds, out) = out.split_at_mut(KINDS);
        let (at_risk, out) = out.split_at_mut(AT_RISK_COUNTS);
        let (more, out) = out.split_at_mut(MORE_PLANES * CELLS);
        let (worth_kinds, out) = out.split_at_mut(KINDS);
        let (best_kinds, out) = out.split_at_mut(KINDS);
        let (reply_kinds, out) = out.split_at_mut(KINDS);
        let (next_kinds, out) = out.split_at_mut(KINDS);
        let (worth_skip, out) = out.split_at_mut(1);
        let (best_skip, out) = out.split_at_mut(1);
        let (now, out) = out.split_at_mut(NOW);
        let (lead, out) = out.split_at_mut(1);
        let (last, eradication) = out.split_at_mut(1);
        Self {
            first: first.as_chunks_mut().0,
            gain_kinds,
            at_risk,
            more: more.as_chunks_mut().0,
            worth_kinds,
            best_kinds,
            reply_kinds,
            next_kinds,
            worth_skip: &mut worth_skip[0],
            best_skip: &mut best_skip[0],
            now,
            lead: &mut lead[0],
            last: &mut last[0],
            eradication,
        }
    }

    /// The worth of an action, and whether it is among the best.
    fn of(&mut self, action: Action) -> [&mut f32; 2] {
        match Step::of(action) {
            Step::Cell(cell) => {
                let (worth, rest) = self.more.split_at_mut(BEST);
                [&mut worth[WORTH][cell], &mut rest[0][cell]]
            }
            Step::Card(card) => [&mut self.worth_kinds[card.index()], &mut self.best_kinds[card.index()]],
            Step::Skip => [self.worth_skip, self.best_skip],
        }
    }

    /// Writes which actions are the best, and scales what they are worth.
    fn compare(&mut self, legal: &Mask) {
        let worths = legal.iter().map(|action| *self.of(action)[0]);
        let highest = worths.fold(f32::NEG_INFINITY, f32::max);
        for action in legal.iter() {
            let [worth, best] = self.of(action);
            *best = (1.0 - (highest - *worth) / BEHIND).max(0.0);
            *worth = (*worth * WORTH_SCALE).clamp(-1.0, 1.0);
        }
    }

    /// Writes what an action on a cell leads to, its worth not yet scaled.
    fn write_cell(&mut self, cell: usize, prospect: &Prospect<'_>, weighed: &Weighed) {
        self.first[GAIN][cell] = prospect.gain(weighed) * GAIN_SCALE;
        self.more[WORTH][cell] = prospect.rise(weighed.worth);
        let [reply, next, room, reach] = scaled(weighed);
        self.more[REPLY][cell] = reply;
        self.more[NEXT][cell] = next;
        self.more[ROOM][cell] = room;
        self.more[REACH][cell] = reach;
    }
}

/// Reply, next, room and reach as they are written.
fn scaled(weighed: &Weighed) -> [f32; NOW] {
    [
        weighed.reply * GAIN_SCALE,
        weighed.next * GAIN_SCALE,
        weighed.room * ROOM_SCALE,
        // Where the way may bend, Colonies can reach nearly everything.
        (weighed.reach * REACH_SCALE).clamp(-1.0, 1.0),
    ]
}

impl Prospect<'_> {
    /// What an action wins at once.
    fn gain(&self, weighed: &Weighed) -> f32 {
        weighed.standing - self.now.standing
    }

    /// What a worth is beside that of the table as it lies.
    fn rise(&self, worth: f32) -> f32 {
        worth - self.now.worth
    }
}

impl Colony {
    /// Writes what follows from the view.
    pub(super) fn write_insights(&self, viewer: usize, out: &mut [f32]) {
        out.fill(0.0);
        let mut fields = Fields::new(out);
        let invadable = self.invadable_kinds(viewer);
        for cells in invadable {
            each(cells).for_each(|cell| fields.first[DANGER][cell] += 1.0);
        }
        fields.first[DANGER].iter_mut().for_each(|number| *number *= 1.0 / KINDS as f32);
        let prospect = Prospect::new(self, viewer);
        self.write_table(&prospect, &mut fields);
        if self.over.is_some() || self.actor() != viewer {
            return;
        }
        let held = match self.phase {
            Phase::ColoniseAt => Some(Card::new(self.chosen.into())),
            Phase::MoveTo => Some(self.top(self.chosen.into())),
            _ => None,
        };
        if let Some(card) = held {
            each(invadable[card.index()]).for_each(|cell| fields.first[RISK][cell] = 1.0);
        }
        self.write_actions(&prospect, &mut fields);
    }

    /// What there is to say about the table, whoever is to act.
    fn write_table(&self, prospect: &Prospect<'_>, fields: &mut Fields<'_>) {
        let now = &prospect.now;
        fields.at_risk.copy_from_slice(&now.at_risk.map(|nodes| nodes as f32 * COUNT_SCALE));
        fields.now.copy_from_slice(&scaled(now));
        *fields.lead = prospect.lead() * LEAD_SCALE;
        *fields.last = f32::from(prospect.in_last_turn());
        fields.eradication.copy_from_slice(&now.eradication.map(f32::from));
    }
}
