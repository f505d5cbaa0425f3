//! What each action in the viewer's turn leads to, phase by phase.

use super::super::actions::SKIP;
use super::super::cards::{Card, KINDS};
use super::super::state::{Colony, NONE, Phase};
use super::super::table::each;
use super::prospect::Prospect;
use super::shortlist::{Plan, Shortlist};
use super::{Fields, GAIN, GAIN_SCALE, scaled};
use crate::Mask;

impl Colony {
    /// What each action of the viewer leads to.
    pub(super) fn write_actions(&self, prospect: &Prospect<'_>, fields: &mut Fields<'_>) {
        let (skip, list) = self.write_glance(prospect, fields);
        let mut legal = Mask::EMPTY;
        self.options(&mut legal);
        if legal.contains(SKIP) {
            *fields.worth_skip = prospect.rise(skip);
        }
        let foreseen = if legal.count() > 1 { prospect.foresee(&list) } else { None };
        if let Some(foreseen) = foreseen {
            for action in legal.iter() {
                let [worth, _] = fields.of(action);
                *worth = prospect.rise(foreseen.of(action.index(), prospect.now.worth + *worth));
            }
        }
        fields.compare(&legal);
    }

    /// What each action of the viewer looks like, with the best rest of the turn; what skipping is worth, where one may, and the plans
    /// that look best.
    pub(super) fn write_glance(&self, prospect: &Prospect<'_>, fields: &mut Fields<'_>) -> (f32, Shortlist) {
        let mut skip = 0.0;
        let mut list = Shortlist::new();
        match self.phase {
            Phase::Explore => {
                skip = prospect.without_exploring(&mut list);
                self.write_exploring(prospect, prospect.rest(skip), &mut list, fields);
            }
            Phase::Colonise => {
                skip = prospect.without_colonising(&mut list);
                self.write_kinds(prospect, &mut list, fields);
            }
            Phase::ColoniseAt => {
                let card = Card::new(self.chosen.into());
                for cell in each(self.colonisable()) {
                    let keep = |worth, plan| list.add(worth, plan);
                    let colonised = prospect.colonising(&prospect.scene, card, cell, keep);
                    fields.write_cell(cell, prospect, &colonised);
                }
            }
            Phase::Move => {
                skip = prospect.staying().worth;
                if self.done != 0 {
                    list.add(skip, Plan::NOTHING);
                }
                for from in each(self.movable()) {
                    let [best, most] = prospect.moving_from(from, &mut list);
                    fields.write_cell(from, prospect, &best);
                    fields.first[GAIN][from] = prospect.gain(&most) * GAIN_SCALE;
                }
            }
            Phase::MoveTo => {
                let from = usize::from(self.chosen);
                for to in each(self.reach(self.actor(), from)) {
                    let moved = prospect.moving(&prospect.scene, from, to);
                    list.add(moved.worth, Plan { from: self.chosen, to: to as u8, ..Plan::NOTHING });
                    fields.write_cell(to, prospect, &moved);
                }
            }
        }
        (skip, list)
    }

    fn write_exploring(
        &self,
        prospect: &Prospect<'_>,
        rest: f32,
        list: &mut Shortlist,
        fields: &mut Fields<'_>,
    ) {
        let before = list.clone();
        for cell in each(self.frontier(self.actor())) {
            let explored = cell as u8;
            let keep = |worth, plan: Plan| {
                if plan.at != NONE || before.is_empty() {
                    return list.add(worth, Plan { explored, ..plan });
                }
                // What else the turn does is what it would do without the new Node.
                let rest = before.alike(0);
                if rest.is_empty() {
                    list.miss(worth);
                }
                rest.iter().for_each(|&(_, plan)| list.add(worth, Plan { explored, ..plan }));
            };
            fields.write_cell(cell, prospect, &prospect.exploring(cell, rest, keep));
        }
    }

    fn write_kinds(&self, prospect: &Prospect<'_>, list: &mut Shortlist, fields: &mut Fields<'_>) {
        let hand = &self.hands[self.actor()];
        for kind in (0..KINDS).filter(|&kind| hand[kind] > 0) {
            let [best, most] = prospect.colonising_with(Card::new(kind), list);
            fields.gain_kinds[kind] = prospect.gain(&most) * GAIN_SCALE;
            fields.worth_kinds[kind] = prospect.rise(best.worth);
            let [reply, next, ..] = scaled(&best);
            fields.reply_kinds[kind] = reply;
            fields.next_kinds[kind] = next;
        }
    }
}
