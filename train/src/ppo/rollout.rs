//! Playing: some slots of the batch, ply by ply, and all that is worth knowing of them afterwards.

use std::ops::Range;

use nodarium_agent::network::softmax::masked_log_softmax;
use nodarium_agent::{Agent, Evaluator, Query};
use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Batch, Frame, Game, Mask, Rng, Seat, Spec};

use super::advantage::{Ply, Trust, lessons};
use super::objective::Decision;

/// Who plays, and how.
pub struct Table<'a, E> {
    /// The policy that learns.
    pub learner: &'a E,
    /// Who sits opposite in some of the slots.
    pub opponent: Option<Opponent<'a, E>>,
    /// The share of slots in which a rival has every seat but one.
    pub rival_share: f32,
    /// Plies to play.
    pub steps: usize,
    /// Plies that each slot has played before: keys the choices.
    pub before: u64,
    /// The seed.
    pub seed: u64,
    /// Whether games are seen under symmetries.
    pub symmetries: bool,
}

/// A policy that does not learn: a past self, or a frozen one.
pub struct Opponent<'a, E> {
    /// The policy.
    pub policy: &'a E,
    /// The share of slots in which it has every seat but one.
    pub share: f32,
    /// Whether it draws from its policy; else it does the likeliest thing.
    pub draws: bool,
}

/// An agent that sits at the other seats of some slots.
pub type Rival<G> = Box<dyn Agent<G>>;

/// Some slots of a batch with what they played last.
///
/// What is stored is what the network saw: where symmetries are on, every game is played under one of its own, drawn by
/// slot and episode, and observations, legal actions and actions are those of the image. So every decision is learned
/// exactly as it was made.
pub struct Shard<G: Game> {
    /// The number of the first slot.
    first: u64,
    batch: Batch<G>,
    /// Without insights: those take long, and nobody asks for them where a rival decides.
    frame: Frame,
    /// Numbers of an observation, with the game's insights or without.
    width: usize,
    /// One of them, before it is turned.
    shown: Vec<f32>,
    rivals: Vec<Rival<G>>,
    /// The actions of the games that go on.
    played: Vec<Vec<Action>>,
    /// What was played, `[steps, slots]` and row by row.
    pub rows: Rows,
    /// Games that ended: reason and length.
    pub ended: Vec<(u8, u32)>,
    /// What games among rivals that ended paid the policy that learns.
    pub among_rivals: Vec<f32>,
}

/// What was played: flat arrays over `[steps, slots]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    observations: Vec<f32>,
    legal: Vec<Mask>,
    actions: Vec<u16>,
    log_shares: Vec<f32>,
    seats: Vec<u8>,
    learns: Vec<bool>,
    /// What the network expected, the viewer's value first.
    values: Vec<f32>,
    done: Vec<bool>,
    returns: Vec<f32>,
    /// Not a number where there is none.
    pub advantages: Vec<f32>,
    targets: Vec<f32>,
    magnet: Vec<f32>,
}

impl Rows {
    fn clear(&mut self) {
        *self = Self {
            observations: std::mem::take(&mut self.observations),
            magnet: std::mem::take(&mut self.magnet),
            ..Self::default()
        };
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether nothing has been played yet.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// Whether something can be learned from a row.
    pub fn teaches(&self, row: usize) -> bool {
        let seats = self.values.len() / self.len();
        self.learns[row] && self.targets[row * seats..][..seats].iter().any(|target| !target.is_nan())
    }

    /// What the decider of a row expected for itself, and what it should have expected.
    pub fn own_value(&self, row: usize) -> (f32, f32) {
        let seats = self.values.len() / self.len();
        (self.values[row * seats], self.targets[row * seats])
    }

    /// A row with the advantage in other units.
    pub fn decision(&self, row: usize, scaled: impl Fn(f32) -> f32) -> Decision<'_> {
        let slice = |numbers: &'_ [f32]| {
            let width = numbers.len() / self.len();
            row * width..(row + 1) * width
        };
        let advantage = self.advantages[row];
        Decision {
            observation: &self.observations[slice(&self.observations)],
            legal: &self.legal[row],
            action: self.actions[row].into(),
            log_share: self.log_shares[row],
            advantage: (!advantage.is_nan()).then(|| scaled(advantage)),
            values: &self.values[slice(&self.values)],
            targets: &self.targets[slice(&self.targets)],
            magnet: &self.magnet[slice(&self.magnet)],
        }
    }
}

impl<G: Game> Shard<G> {
    /// These slots of the batch with that seed, seen with the game's insights or without, and their rivals.
    pub fn new(
        rules: &G::Rules,
        slots: Range<u64>,
        seed: u64,
        insights: bool,
        rivals: Vec<Rival<G>>,
    ) -> Self {
        let (first, batch) = (slots.start, Batch::part(rules, slots, seed));
        let (len, width) = (batch.len(), batch.spec().layout(insights).len());
        Self {
            first,
            frame: Frame::new(batch.spec(), len),
            width,
            shown: vec![0.0; width],
            rivals,
            played: vec![Vec::new(); len],
            rows: Rows::default(),
            ended: Vec::new(),
            among_rivals: Vec::new(),
            batch,
        }
    }

    /// The games that go on: how many each slot has finished, and the actions since.
    pub fn games(&self) -> impl Iterator<Item = (u64, &[Action])> {
        self.played.iter().enumerate().map(|(slot, played)| (self.batch.episode(slot), &played[..]))
    }

    /// Takes a slot to where it was.
    pub fn restore(
        &mut self,
        slot: usize,
        episode: u64,
        played: Vec<Action>,
    ) -> Result<(), nodarium_env::BatchError> {
        self.batch.restore(slot, episode, &played)?;
        self.played[slot] = played;
        Ok(())
    }

    /// How many slots there are.
    pub fn slots(&self) -> usize {
        self.played.len()
    }

    /// Plays, and works out what each decision was worth.
    pub fn play<E: Evaluator>(&mut self, table: &Table<'_, E>, magnet: Option<&E>, trust: Trust) {
        self.rows.clear();
        self.ended.clear();
        self.among_rivals.clear();
        let spec = self.batch.spec().clone();
        let slots = self.slots();
        self.rows.observations.resize(table.steps * slots * self.width, 0.0);
        self.batch.observe(&mut self.frame.view_mut()).expect("the frame was made for this batch");
        let mut seen_under: Vec<usize> = (0..slots).map(|slot| self.symmetry(table, &spec, slot)).collect();
        let mut asked = Asked::default();
        let rivalled = self.rivalled(table);
        for step in 0..table.steps {
            let learning = self.learning(&spec, &rivalled);
            let by_rival = |slot: usize| rivalled.contains(&slot) && !learning[slot];
            self.see(&spec, step, &seen_under, by_rival);
            self.rows.learns.extend(&learning);
            let mut chosen = self.decide(table, &spec, step, &mut asked);
            self.ask_rivals(table, &spec, step, &seen_under, &mut chosen);
            let played: Vec<Action> = chosen
                .iter()
                .zip(&seen_under)
                .map(|(&action, &under)| original(&spec, under, action))
                .collect();
            self.batch.step(&played, &mut self.frame.view_mut()).expect("what was drawn is legal");
            self.rows.done.extend(&self.frame.done);
            self.rows.returns.extend(&self.frame.rewards);
            for slot in 0..slots {
                self.played[slot].push(played[slot]);
                if self.frame.done[slot] {
                    self.played[slot].clear();
                    if rivalled.contains(&slot) {
                        let episode = self.batch.episode(slot) - 1;
                        let seat = self.learners_seat(&spec, slot, episode);
                        self.among_rivals.push(self.frame.rewards[[slot, seat]]);
                        let key = self.key(slot, episode);
                        self.rivals.iter_mut().for_each(|rival| rival.forget(key));
                    }
                    self.ended.push((self.frame.ends[slot], self.frame.plies[slot]));
                    seen_under[slot] = self.symmetry(table, &spec, slot);
                }
            }
        }
        self.judge(&spec, trust);
        self.rows.magnet.clear();
        if let Some(magnet) = magnet {
            self.ask_magnet(&spec, magnet, &mut asked);
        }
    }

    /// What the magnet would have done where the policy that learns decided.
    fn ask_magnet<E: Evaluator>(&mut self, spec: &Spec, magnet: &E, asked: &mut Asked) {
        let (slots, width, actions) = (self.slots(), self.width, spec.actions());
        let rows = &mut self.rows;
        rows.magnet.resize(rows.len() * actions, 0.0);
        for first in (0..rows.len()).step_by(slots) {
            let learned: Vec<usize> = (first..first + slots).filter(|&row| rows.learns[row]).collect();
            asked.ask(magnet, learned.iter().map(|row| &rows.observations[row * width..][..width]));
            for (&row, logits) in learned.iter().zip(asked.logits.chunks_exact(actions)) {
                rows.magnet[row * actions..][..actions].copy_from_slice(logits);
            }
        }
    }

    /// The slots in which the policy that learns decides.
    fn learning(&self, spec: &Spec, rivalled: &Range<usize>) -> Vec<bool> {
        let learns = |slot: usize| {
            let seat = self.learners_seat(spec, slot, self.batch.episode(slot));
            slot >= rivalled.end || usize::from(self.frame.seats[slot]) == seat
        };
        (0..self.slots()).map(learns).collect()
    }

    /// The learner's seat where somebody else has the others: it goes round from game to game.
    fn learners_seat(&self, spec: &Spec, slot: usize, episode: u64) -> usize {
        ((self.first + slot as u64 + episode) % spec.seats as u64) as usize
    }

    /// The symmetry under which the game of a slot is seen.
    fn symmetry<E>(&self, table: &Table<'_, E>, spec: &Spec, slot: usize) -> usize {
        if !table.symmetries {
            return 0;
        }
        let (number, episode) = (self.first + slot as u64, self.batch.episode(slot));
        let mut rng = Rng::keyed(Purpose::Symmetry, table.seed, number, episode);
        rng.below(spec.symmetries.len() as u32) as usize
    }

    /// Writes what the seats to act see; a rival sees the game itself.
    fn see(&mut self, spec: &Spec, step: usize, seen_under: &[usize], by_rival: impl Fn(usize) -> bool) {
        let first = step * self.slots() * self.width;
        let rows = self.rows.observations[first..].chunks_exact_mut(self.width);
        for ((slot, row), &under) in rows.enumerate().take(self.played.len()).zip(seen_under) {
            let (game, seat) = (self.batch.game(slot), Seat(self.frame.seats[slot]));
            let legal = self.batch.mask(slot);
            if under == 0 {
                self.rows.legal.push(*legal);
            } else {
                let image = &spec.symmetries[under].actions;
                self.rows.legal.push(legal.iter().map(|action| Action(image[action.index()])).collect());
            }
            match under {
                _ if by_rival(slot) => row.fill(0.0),
                0 => game.observe(seat, row),
                _ => {
                    game.observe(seat, &mut self.shown);
                    for (&number, &place) in self.shown.iter().zip(&spec.symmetries[under].observation) {
                        row[place as usize] = number;
                    }
                }
            }
        }
        self.rows.seats.extend(&self.frame.seats);
    }

    /// Asks whoever has to act, and draws.
    fn decide<E: Evaluator>(
        &mut self,
        table: &Table<'_, E>,
        spec: &Spec,
        step: usize,
        asked: &mut Asked,
    ) -> Vec<Action> {
        let slots = self.slots();
        let first = step * slots;
        let opponent = table.opponent.as_ref();
        let rivalled = self.rivalled(table);
        let [width, actions, seats] = [self.width, spec.actions(), spec.seats];
        let mut chosen = vec![Action(0); slots];
        let rows = &mut self.rows;
        rows.actions.resize(first + slots, 0);
        rows.log_shares.resize(first + slots, 0.0);
        rows.values.resize((first + slots) * seats, 0.0);
        let learner = Some((table.learner, true, true));
        let sides = [learner, opponent.map(|opponent| (opponent.policy, opponent.draws, false))];
        for (evaluator, draws, mine) in sides.into_iter().flatten() {
            let theirs = (0..slots).filter(|slot| rows.learns[first + slot] == mine);
            let theirs: Vec<usize> = theirs.filter(|slot| mine || !rivalled.contains(slot)).collect();
            // An opponent may do without insights: they stand behind what it reads.
            let reads = evaluator.observation();
            asked.ask(
                evaluator,
                theirs.iter().map(|slot| &rows.observations[(first + slot) * width..][..reads]),
            );
            for (index, &slot) in theirs.iter().enumerate() {
                let row = first + slot;
                let mut logs = [0.0; nodarium_env::MAX_ACTIONS];
                let logs = &mut logs[..actions];
                masked_log_softmax(&asked.logits[index * actions..][..actions], &rows.legal[row], logs);
                let number = self.first + slot as u64;
                let mut rng = Rng::keyed(Purpose::Choice, table.seed, number, table.before + step as u64);
                let legal = &rows.legal[row];
                let action = if draws { draw(logs, legal, rng.unit()) } else { likeliest(logs, legal) };
                chosen[slot] = action;
                rows.actions[row] = action.0;
                rows.log_shares[row] = logs[action.index()];
                rows.values[row * seats..][..seats].copy_from_slice(&asked.values[index * seats..][..seats]);
            }
        }
        chosen
    }

    /// The slots in which a rival sits: behind those of the opponent.
    fn rivalled<E>(&self, table: &Table<'_, E>) -> Range<usize> {
        let slots = self.slots();
        let part = |share: f32| (share * slots as f32).round() as usize;
        let opposed = table.opponent.as_ref().map_or(0, |opponent| part(opponent.share));
        let rivals = if self.rivals.is_empty() { 0 } else { part(table.rival_share) };
        opposed..slots.min(opposed + rivals)
    }

    /// The number under which rivals know a game.
    fn key(&self, slot: usize, episode: u64) -> u64 {
        episode << 32 | (self.first + slot as u64)
    }

    /// Asks the rivals where one of them has to act. They see the game itself, not its image.
    fn ask_rivals<E>(
        &mut self,
        table: &Table<'_, E>,
        spec: &Spec,
        step: usize,
        seen_under: &[usize],
        chosen: &mut [Action],
    ) {
        let rivalled = self.rivalled(table);
        let (first, count) = (step * self.slots(), self.rivals.len());
        let mut rivals = std::mem::take(&mut self.rivals);
        for (index, rival) in rivals.iter_mut().enumerate() {
            let theirs = rivalled.clone().filter(|slot| slot % count == index);
            let theirs: Vec<usize> = theirs.filter(|slot| !self.rows.learns[first + slot]).collect();
            let query = |&slot: &usize| Query {
                game: self.batch.game(slot),
                key: self.key(slot, self.batch.episode(slot)),
                ply: self.played[slot].len() as u32,
            };
            let queries: Vec<_> = theirs.iter().map(query).collect();
            let mut actions = Vec::new();
            rival.act(&queries, &mut actions);
            for (&slot, action) in theirs.iter().zip(actions) {
                let image = Action(spec.symmetries[seen_under[slot]].actions[action.index()]);
                chosen[slot] = image;
                self.rows.actions[first + slot] = image.0;
            }
        }
        self.rivals = rivals;
    }

    /// Works out advantages and targets.
    fn judge(&mut self, spec: &Spec, trust: Trust) {
        let (slots, seats, rows) = (self.slots(), spec.seats, &mut self.rows);
        rows.advantages = vec![f32::NAN; rows.len()];
        rows.targets = vec![f32::NAN; rows.len() * seats];
        for slot in 0..slots {
            let of_slot: Vec<usize> = (slot..rows.len()).step_by(slots).collect();
            let ply = |&row: &usize| Ply {
                seat: rows.seats[row].into(),
                learns: rows.learns[row],
                value: rows.values[row * seats],
                ended: rows.done[row].then(|| &rows.returns[row * seats..][..seats]),
            };
            let plies: Vec<Ply<'_>> = of_slot.iter().map(ply).collect();
            for (&row, lesson) in of_slot.iter().zip(lessons(&plies, seats, trust)) {
                rows.advantages[row] = lesson.advantage.unwrap_or(f32::NAN);
                let seat = usize::from(rows.seats[row]);
                for (ahead, target) in rows.targets[row * seats..][..seats].iter_mut().enumerate() {
                    *target = lesson.targets[(seat + ahead) % seats].unwrap_or(f32::NAN);
                }
            }
        }
    }
}

/// The action of the game for an action of its image.
fn original(spec: &Spec, under: usize, image: Action) -> Action {
    if under == 0 {
        return image;
    }
    let actions = &spec.symmetries[under].actions;
    let index = actions.iter().position(|&to| to == image.0).expect("a symmetry reaches every action");
    Action(index as u16)
}

/// Draws one of the legal actions; `unit` is a random number below 1.
fn draw(logs: &[f32], legal: &Mask, unit: f32) -> Action {
    let mut rest = unit;
    let drawn = legal.iter().find(|action| {
        rest -= logs[action.index()].exp();
        rest < 0.0
    });
    // Shares sum to 1 but for rounding; what rounding leaves over goes to the likeliest.
    drawn.unwrap_or_else(|| likeliest(logs, legal))
}

/// The first of the likeliest legal actions, as a policy plays it where nothing is hidden.
fn likeliest(logs: &[f32], legal: &Mask) -> Action {
    let best = legal.iter().max_by(|a, b| logs[a.index()].total_cmp(&logs[b.index()]).then(b.cmp(a)));
    best.expect("games in a batch go on")
}

/// Arrays for a call of an evaluator, kept from step to step.
#[derive(Default)]
struct Asked {
    observations: Vec<f32>,
    logits: Vec<f32>,
    values: Vec<f32>,
}

impl Asked {
    fn ask<'a, E: Evaluator>(&mut self, evaluator: &E, rows: impl Iterator<Item = &'a [f32]>) {
        self.observations.clear();
        rows.for_each(|row| self.observations.extend_from_slice(row));
        let n = self.observations.len() / evaluator.observation();
        self.logits.resize(n * evaluator.actions(), 0.0);
        self.values.resize(n * evaluator.seats(), 0.0);
        if n > 0 {
            evaluator.evaluate(&self.observations, &mut self.logits, &mut self.values);
        }
    }
}
