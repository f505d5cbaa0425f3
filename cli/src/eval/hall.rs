//! Playing with a progress bar, until all is played, decided, interrupted or broken.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use nodarium_agent::Playable;
use nodarium_agent::play::Finish;
use nodarium_env::record;
use nodarium_eval::arena::{Arena, Bout, Conditions, Entrant, Group, Meeting};
use nodarium_eval::report::{Asked, Report, pair_counts, summarise};
use nodarium_eval::statistics::{Decision, Sprt};
use rayon::prelude::*;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::Event;
use super::arguments::Playing;
use crate::output::WholeFile;

/// Pairs between two looks at a sequential test. It does not depend on the machine, so that the same seed always stops
/// at the same game.
const LOOK: u64 = 32;

/// What came of it.
pub struct Held {
    pub report: Report,
    /// Why not all was played.
    pub reason: Option<String>,
}

/// Everything that is needed to play.
pub struct Hall<'a, G: Playable> {
    playing: &'a Playing,
    rules: &'a G::Rules,
    event: &'a Event,
    entrants: Vec<Entrant<'a, G>>,
    records: Option<WholeFile>,
}

impl<'a, G: Playable> Hall<'a, G> {
    /// Builds everybody once, so that who cannot be had is named before anything is played.
    pub fn open(playing: &'a Playing, rules: &'a G::Rules, event: &'a Event) -> anyhow::Result<Self> {
        let mut entrants = Vec::new();
        for named in &event.named {
            let mut entrant = Entrant::named(&named.agent, rules, playing.seed);
            entrant.check().map_err(|problem| anyhow!(problem))?;
            entrant.name.clone_from(&named.name);
            entrants.push(entrant);
        }
        let records = playing.records.as_deref().map(WholeFile::create).transpose()?;
        Ok(Self { playing, rules, event, entrants, records })
    }

    pub fn hold(self, anchor: usize) -> anyhow::Result<Held> {
        let stop = listen()?;
        let conditions = Conditions {
            clock: self.playing.clock,
            opening: self.playing.opening,
            best_of: self.playing.best_of,
            keep_moves: self.records.is_some(),
            stop: Some(&stop),
        };
        let arena = Arena::new(self.rules, self.playing.seed, &self.entrants, conditions);
        let meetings = &self.event.meetings;
        let rotations = meetings.first().map_or(2, |meeting| meeting.players.len()) as u64;
        let groups = self.event.games.div_ceil(rotations);
        let bar = bar(groups * rotations * meetings.len() as u64, self.playing.quiet.quiet);
        let score = Score::new(self.event);
        let watch = |meeting: usize, bout: &Bout| {
            bar.inc(1);
            bar.set_message(score.count(meeting, bout));
        };
        let mut kept: Vec<Vec<Group>> = vec![Vec::new(); meetings.len()];
        let mut reason = None;
        let step = if self.event.sprt.is_some() { LOOK } else { groups.max(1) };
        for first in (0..groups).step_by(step as usize) {
            let session = arena.play(meetings, first..groups.min(first + step), &watch)?;
            kept.iter_mut().zip(session.groups).for_each(|(kept, more)| kept.extend(more));
            reason = session.failure.or(stop.load(Ordering::Relaxed).then(|| "interrupted".to_owned()));
            if reason.is_some() || self.event.sprt.is_some_and(|test| decided(&test, &meetings[0], &kept[0]))
            {
                break;
            }
        }
        let deals_alike = self.playing.opening == 0 && arena.deals_alike();
        bar.finish_and_clear();
        let asked = Asked {
            kind: self.event.kind,
            rules: self.rules,
            seed: self.playing.seed,
            conditions: &conditions,
            entrants: self.event.named.iter().map(|named| (named.name.clone(), named.step)).collect(),
            meetings,
            anchor,
            partial: reason.clone(),
            sprt: self.event.sprt,
            alone: self.event.alone.then_some(0),
            deals_alike,
        };
        let report = summarise::<G>(asked, &kept);
        // A disk that is full takes no records; the report is still to come.
        if let Some(records) = self.records
            && let Err(error) = write_records::<G>(self.rules, self.playing.seed, &kept, records)
        {
            reason.get_or_insert(format!("{error:#}"));
        }
        Ok(Held { report, reason })
    }
}

/// Whether the test needs no further games.
fn decided(test: &Sprt, meeting: &Meeting, kept: &[Group]) -> bool {
    test.decide(&pair_counts(kept.iter().map(|group| (meeting, group)))) != Decision::Open
}

/// The flag that an interrupt sets. The second one does not wait for what the first has asked for.
fn listen() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: the shutdown looks at the flag before the same signal sets it.
        flag::register_conditional_shutdown(signal, 128 + signal, stop.clone())
            .and_then(|_| flag::register(signal, stop.clone()))
            .context("cannot listen for interrupts")?;
    }
    Ok(stop)
}

/// A bar that shows itself only in a terminal, with the running score.
fn bar(total: u64, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let template = "{bar:30} {human_pos} of {human_len}, {eta} left, {msg}";
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    let bar = ProgressBar::new(total).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// The running score of every meeting.
struct Score<'a> {
    event: &'a Event,
    /// The sum of the first player's scores, and bouts.
    sums: Mutex<Vec<(f64, u64)>>,
}

impl<'a> Score<'a> {
    fn new(event: &'a Event) -> Self {
        Self { event, sums: Mutex::new(vec![(0.0, 0); event.meetings.len()]) }
    }

    fn count(&self, meeting: usize, bout: &Bout) -> String {
        let others = bout.points.len().max(2) as f64 - 1.0;
        let beaten: f64 = bout.points[1..]
            .iter()
            .map(|other| match bout.points[0].total_cmp(other) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            })
            .sum();
        let mut sums = self.sums.lock().expect("nobody panics with it");
        let (sum, count) = &mut sums[meeting];
        *sum += beaten / others;
        *count += 1;
        let players = &self.event.meetings[meeting].players;
        let names: Vec<&str> = players.iter().map(|&player| self.event.named[player].name.as_str()).collect();
        format!("{} {:.3} after {count}", names.join(" – "), *sum / *count as f64)
    }
}

/// Writes the records of all finished games, meeting by meeting. A forfeited game has no record: it never ended.
fn write_records<G: Playable>(
    rules: &G::Rules,
    seed: u64,
    kept: &[Vec<Group>],
    mut records: WholeFile,
) -> anyhow::Result<()> {
    use std::io::Write as _;
    let bouts = kept.iter().flatten().flat_map(|group| group.bouts.iter().flatten());
    let games: Vec<_> =
        bouts.flat_map(|bout| &bout.games).filter(|game| matches!(game.finish, Finish::Over(_))).collect();
    for some in games.chunks(256) {
        let lines: Vec<String> = some
            .par_iter()
            .map(|game| {
                let moves = game.moves.as_deref().unwrap_or_default();
                let told = record::record::<G>(rules, seed, game.deal, |place, _| moves[place.ply as usize]);
                serde_json::to_string(&told).expect("a record can be written as JSON")
            })
            .collect();
        for line in lines {
            writeln!(records, "{line}").context("cannot write the records")?;
        }
    }
    records.finish()
}
