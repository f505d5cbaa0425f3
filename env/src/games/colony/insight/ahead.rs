//! What comes of the viewer's turn: the turns of the others behind it ([`reply`](super::reply)), and the viewer's next move.

use super::super::actions::ACTIONS;
use super::super::cards::Card;
use super::super::state::{Colony, NONE, SEATS};
use super::line::Line;
use super::prospect::Prospect;
use super::reply::THOUGHT_OF;
use super::scene::Scene;
use super::shortlist::{Plan, Shortlist};
use super::weigh::Scales;

/// Plans looked at, where no more of them look as good as the last one.
pub(super) const LOOKED_AT: usize = 8;
/// How much of what a plan leads to counts; the rest is how it looks. Others do not always do what is foreseen.
pub(super) const FORESEEN: f32 = 0.5;
/// What others may put down, one after the other: the weakest and the strongest Colony of every type.
pub(super) const PUT_DOWN: [Card; 6] =
    [Card::new(0), Card::new(2), Card::new(3), Card::new(5), Card::new(6), Card::new(8)];
/// What a return of 1 is worth that lies ahead: others can still see to it that it does not come.
pub(super) const LATER: f32 = 5.0;

/// What the plans that were looked at are worth, by the action that they begin with.
pub(super) struct Foreseen {
    /// Less than everything where no plan was looked at.
    pub worth: [f32; ACTIONS],
    /// The lowest of them, and what the worst looking plan among them looked like.
    pub lowest: f32,
    pub glance: f32,
}

impl Foreseen {
    /// What an action is worth that looks like that. One that was not looked at is no better than those that were.
    pub(super) fn of(&self, action: usize, looks: f32) -> f32 {
        let worth = self.worth[action];
        if worth > f32::NEG_INFINITY { worth } else { self.lowest.min(self.lowest + looks - self.glance) }
    }
}

impl Prospect<'_> {
    /// Looks at the best plans, if it can be said which ones these are.
    pub(super) fn foresee(&self, list: &Shortlist) -> Option<Foreseen> {
        let ahead = Ahead::new(self);
        let mut foreseen =
            Foreseen { worth: [f32::NEG_INFINITY; ACTIONS], lowest: f32::INFINITY, glance: f32::INFINITY };
        let mut looked_at = 0;
        loop {
            let plans = list.alike(looked_at);
            if plans.is_empty() || looked_at > 0 && looked_at + plans.len() > LOOKED_AT {
                break;
            }
            for &(looks, plan) in plans {
                let leads_to = ahead.worth(&plan) - self.spent(&plan);
                let worth = looks + FORESEEN * (leads_to - looks);
                let best = &mut foreseen.worth[plan.first(self.game.phase).index()];
                *best = best.max(worth);
                foreseen.lowest = foreseen.lowest.min(worth);
                foreseen.glance = looks;
            }
            looked_at += plans.len();
        }
        (looked_at > 0).then_some(foreseen)
    }
}

/// The turns that follow the viewer's.
pub(super) struct Ahead<'a> {
    pub game: &'a Colony,
    pub players: usize,
    start: Line,
    /// The viewer's of now and its next, with the odds, where there are any.
    now: Scales,
    next: Scales,
    /// For each seat in its turn, by how many turns on that is. None of them knows the odds: those are the viewer's, who knows one hand.
    pub turns: [Scales; SEATS + 1],
}

impl<'a> Ahead<'a> {
    pub(super) fn new(prospect: &Prospect<'a>) -> Self {
        let (game, viewer, players) = (prospect.game, prospect.viewer, usize::from(prospect.game.players));
        let scales = |on: usize, knows_odds: bool| {
            let chances = prospect.scales.chances.as_ref().filter(|_| knows_odds);
            let chances = chances.map(|chances| chances.later(on));
            let mut scales = Scales::new(game, (viewer + on) % players, on, chances);
            // C-11: a first Colony may be taken in the turns that follow.
            (0..=on).for_each(|before| scales.on_table[(viewer + before) % players] = true);
            scales
        };
        let start = Line { scene: prospect.scene.clone(), buried: game.buried.clone() };
        let turns = std::array::from_fn(|on| scales(on, false));
        Self { game, players, start, now: scales(0, true), next: scales(players, true), turns }
    }

    /// What the table is worth to the viewer after its plan, the turns of the others, and its next move: the mean of what comes of
    /// the Colonies that others may put down.
    pub(super) fn worth(&self, plan: &Plan) -> f32 {
        let line = self.played(plan);
        if self.now.outcome_for(&line.scene, self.now.viewer).is_some() {
            return self.now.weigh(&line.scene, NONE, true).worth;
        }
        let mut sum = 0.0;
        for card in PUT_DOWN {
            let (worth, put_down) = self.worth_with(line.clone(), card);
            if !put_down {
                // Nor could anybody put down another card.
                return worth;
            }
            sum += worth;
        }
        sum / PUT_DOWN.len() as f32
    }

    /// What comes of it if others put that card down, and whether anybody could.
    fn worth_with(&self, mut line: Line, card: Card) -> (f32, bool) {
        let (next, viewer) = (&self.next, self.next.viewer);
        let worth = |scene: &Scene, result: Option<f32>| {
            next.weigh(scene, NONE, false).worth + LATER * result.unwrap_or(0.0)
        };
        let mut put_down = false;
        for on in 1..self.players {
            put_down |= self.reply(&mut line, on, card);
            let result = self.turns[on].outcome_for(&line.scene, viewer);
            if result.is_some() {
                return (worth(&line.scene, result), put_down);
            }
        }
        let moves = self.best_moves::<THOUGHT_OF>(&line, self.players, 0);
        let tables = moves.found().iter().map(|&(_, step)| match step {
            Some(step) => line.shifted(viewer, step),
            None => line.scene.clone(),
        });
        let best = tables
            .map(|scene| worth(&scene, next.outcome_for(&scene, viewer)))
            .fold(f32::NEG_INFINITY, f32::max);
        (best, put_down)
    }

    /// The table after the viewer's plan.
    pub(super) fn played(&self, plan: &Plan) -> Line {
        let (mut line, viewer) = (self.start.clone(), self.now.viewer);
        if plan.explored != NONE {
            line.scene.explore(plan.explored.into(), viewer);
        }
        if plan.at != NONE {
            line.colonise(plan.at.into(), viewer, Card::new(plan.kind.into()));
        }
        if plan.from != NONE {
            line.shift(viewer, [plan.from.into(), plan.to.into()]);
        }
        line
    }
}
