//! From finished games to a report.

use std::collections::{BTreeMap, BTreeSet};

use nodarium_agent::play::Finish;
use nodarium_env::{Paint, Text, record};

use super::alone::win_shares;
use super::{
    AloneRow, EntrantRow, Example, FORMAT, ForfeitRow, Kind, Lengths, PairRow, Report, SeatRow, SprtRow,
};
use crate::arena::{Bout, Conditions, Group, Meeting, Played};
use crate::statistics::{Contest, Estimate, Ratings, Sprt, bootstrap_mean, paired_score, rate, wilson};

/// Forfeits that are listed one by one.
const LISTED: usize = 50;
/// Fewer deals than this say little about others.
const FEW_DEALS: usize = 10;
/// Bins of the histogram of lengths, about.
const BINS: u32 = 30;

/// What was asked for, beside the games themselves.
pub struct Asked<'a, R> {
    /// What kind of evaluation it is.
    pub kind: Kind,
    /// The rules.
    pub rules: &'a R,
    /// The seed.
    pub seed: u64,
    /// How everybody played.
    pub conditions: &'a Conditions<'a>,
    /// The names of the entrants, with the step of training for checkpoints of a run.
    pub entrants: Vec<(String, Option<u64>)>,
    /// The meetings.
    pub meetings: &'a [Meeting],
    /// The entrant whose rating is 0.
    pub anchor: usize,
    /// Why the evaluation ended early, if it did.
    pub partial: Option<String>,
    /// The sequential test, if one was asked for.
    pub sprt: Option<Sprt>,
    /// The entrant that has one seat in the first meeting and is measured by its share of the wins, if one is.
    pub alone: Option<usize>,
    /// Whether all games begin alike.
    pub deals_alike: bool,
}

/// Sums up the groups of every meeting.
pub fn summarise<G: Text>(asked: Asked<'_, G::Rules>, groups: &[Vec<Group>]) -> Report {
    let spec = G::spec(asked.rules);
    let entrants = asked.entrants.len();
    let all = || {
        groups
            .iter()
            .zip(asked.meetings)
            .flat_map(|(groups, meeting)| groups.iter().map(move |group| (meeting, group)))
    };
    let whole = || all().filter(|(_, group)| group.is_whole());
    let games = || all().flat_map(|(_, group)| group.bouts.iter().flatten().flat_map(|bout| &bout.games));

    let contests: Vec<Contest> = whole()
        .flat_map(|(meeting, group)| {
            let places = |bout: &Bout| Contest { cluster: group.number, places: places(meeting, bout) };
            group.bouts.iter().flatten().map(places)
        })
        .collect();
    let ratings = rate(entrants, asked.anchor, &contests);
    let pairs = pair_rows(whole(), asked.seed, asked.deals_alike);
    let forfeits: Vec<ForfeitRow> = games().filter_map(forfeit).collect();
    let mut report = Report {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        kind: asked.kind,
        game: spec.id.to_owned(),
        title: spec.title.to_owned(),
        rules: record::options_of(asked.rules),
        table: spec.seats,
        seed: asked.seed,
        best_of: asked.conditions.best_of.games(),
        opening: asked.conditions.opening,
        clock: asked.conditions.clock.map(|clock| clock.as_secs_f64()),
        partial: asked.partial,
        notes: Vec::new(),
        games: games().count() as u64,
        left_out: all().filter(|(_, group)| !group.is_whole()).map(|(_, group)| finished(group)).sum(),
        anchor: asked.anchor,
        entrants: asked
            .entrants
            .iter()
            .enumerate()
            .map(|(entrant, (name, step))| EntrantRow {
                name: name.clone(),
                step: *step,
                games: games().filter(|game| game.seats.contains(&entrant)).count() as u64,
                score: paired_score(&scores_of(entrant, whole())),
                rating: ratings.of(entrant),
                lead: None,
                forfeits: forfeits.iter().filter(|forfeit| forfeit.entrant == entrant).count() as u64,
                exploitability: None,
            })
            .collect(),
        alone: asked.alone.and_then(|entrant| {
            let meeting = asked.meetings.first()?;
            AloneRow::of(
                entrant,
                meeting,
                groups.first()?.iter().filter(|group| group.is_whole()),
                asked.seed,
            )
        }),
        seats: seat_rows(spec.seats, games()),
        lengths: lengths(&games().map(|game| game.plies).collect::<Vec<_>>()),
        ends: ends(&spec.ends, games()),
        sprt: asked.sprt.map(|test| sprt_row(test, pair_counts(whole()))),
        pairs,
        forfeits,
        best_responses: Vec::new(),
        example: example::<G>(asked.rules, asked.seed, groups, &ratings),
    };
    leads(&mut report, &ratings);
    let deals: BTreeSet<u64> = contests.iter().map(|contest| contest.cluster).collect();
    notes(&mut report, deals.len());
    report.forfeits.truncate(LISTED);
    report
}

fn finished(group: &Group) -> u64 {
    group.bouts.iter().flatten().map(|bout| bout.games.len() as u64).sum()
}

/// The entrants of a bout from first to last.
fn places(meeting: &Meeting, bout: &Bout) -> Vec<Vec<usize>> {
    let mut order: Vec<(f64, usize)> =
        bout.points.iter().copied().zip(meeting.players.iter().copied()).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    order
        .chunk_by(|a, b| a.0 == b.0)
        .map(|level| level.iter().map(|&(_, entrant)| entrant).collect())
        .collect()
}

fn score(own: f64, other: f64) -> f64 {
    if own == other { 0.5 } else { f64::from(u8::from(own > other)) }
}

/// The score of an entrant against whomever it met, one number a group.
fn scores_of<'g>(entrant: usize, whole: impl Iterator<Item = (&'g Meeting, &'g Group)>) -> Vec<f64> {
    let mean = |(meeting, group): (&Meeting, &Group)| {
        let (mut sum, mut count) = (0.0, 0);
        for bout in group.bouts.iter().flatten() {
            compared(meeting, bout, |first, second, own, other| {
                if first == entrant || second == entrant {
                    let (own, other) = if first == entrant { (own, other) } else { (other, own) };
                    sum += score(own, other);
                    count += 1;
                }
            });
        }
        (count > 0).then(|| sum / f64::from(count))
    };
    whole.filter_map(mean).collect()
}

/// Walks through every two different entrants of a bout, the smaller index first, with what each made of it.
fn compared(meeting: &Meeting, bout: &Bout, mut tell: impl FnMut(usize, usize, f64, f64)) {
    for (i, &a) in meeting.players.iter().enumerate() {
        for (j, &b) in meeting.players.iter().enumerate() {
            if a < b {
                tell(a, b, bout.points[i], bout.points[j]);
            }
        }
    }
}

/// What is known of two entrants while groups are counted.
#[derive(Default)]
struct Against {
    wins: u64,
    draws: u64,
    losses: u64,
    /// Sum of scores, sum of returns, comparisons; by group.
    groups: BTreeMap<u64, (f64, f64, f64)>,
    digests: BTreeSet<u64>,
}

fn pair_rows<'g>(
    whole: impl Iterator<Item = (&'g Meeting, &'g Group)>,
    seed: u64,
    deals_alike: bool,
) -> Vec<PairRow> {
    let mut against: BTreeMap<(usize, usize), Against> = BTreeMap::new();
    for (meeting, group) in whole {
        for bout in group.bouts.iter().flatten() {
            compared(meeting, bout, |first, second, own, other| {
                let pair = against.entry((first, second)).or_default();
                match own.total_cmp(&other) {
                    std::cmp::Ordering::Greater => pair.wins += 1,
                    std::cmp::Ordering::Equal => pair.draws += 1,
                    std::cmp::Ordering::Less => pair.losses += 1,
                }
                let sums = pair.groups.entry(group.number).or_default();
                sums.0 += score(own, other);
                sums.1 += mean_return(first, &bout.games);
                sums.2 += 1.0;
                pair.digests.extend(bout.games.iter().map(|game| game.digest));
            });
        }
    }
    let row = |((first, second), pair): ((usize, usize), Against)| {
        let scores: Vec<f64> = pair.groups.values().map(|(score, _, n)| score / n).collect();
        let returns: Vec<f64> = pair.groups.values().map(|(_, paid, n)| paid / n).collect();
        PairRow {
            first,
            second,
            wins: pair.wins,
            draws: pair.draws,
            losses: pair.losses,
            groups: scores.len() as u64,
            score: paired_score(&scores),
            bootstrap: bootstrap_mean(&scores, seed),
            returns: bootstrap_mean(&returns, seed),
            distinct: deals_alike.then_some(pair.digests.len() as u64),
        }
    };
    against.into_iter().map(row).collect()
}

/// What an entrant won on average in these games, over its seats.
pub(super) fn mean_return(entrant: usize, games: &[Played]) -> f64 {
    let paid = games.iter().flat_map(|game| game.seats.iter().zip(&game.returns));
    let own: Vec<f64> =
        paid.filter(|(seat, _)| **seat == entrant).map(|(_, &paid)| f64::from(paid)).collect();
    own.iter().sum::<f64>() / own.len().max(1) as f64
}

fn seat_rows<'g>(seats: usize, games: impl Iterator<Item = &'g Played>) -> Vec<SeatRow> {
    let (mut wins, mut paid, mut count) = (vec![0.0; seats], vec![0.0; seats], 0.0);
    for game in games {
        let returns: Vec<f64> = game.returns.iter().map(|&won| f64::from(won)).collect();
        wins.iter_mut().zip(win_shares(&returns)).for_each(|(sum, share)| *sum += share);
        paid.iter_mut().zip(returns).for_each(|(sum, won)| *sum += won);
        count += 1.0;
    }
    let row = |(wins, paid)| SeatRow { wins: wilson(wins, count), mean_return: paid / f64::max(count, 1.0) };
    wins.into_iter().zip(paid).map(row).collect()
}

fn lengths(plies: &[u32]) -> Lengths {
    let (Some(&shortest), Some(&longest)) = (plies.iter().min(), plies.iter().max()) else {
        return Lengths { bin: 1, ..Lengths::default() };
    };
    let bin = (longest / BINS + 1).max(1);
    let mut counts = vec![0; (longest / bin) as usize + 1];
    plies.iter().for_each(|&n| counts[(n / bin) as usize] += 1);
    let mean = plies.iter().map(|&n| f64::from(n)).sum::<f64>() / plies.len() as f64;
    Lengths { shortest, mean, longest, bin, counts }
}

fn ends<'g>(known: &[&str], games: impl Iterator<Item = &'g Played>) -> Vec<(String, u64)> {
    let mut counts: Vec<(String, u64)> = known.iter().map(|&end| (end.to_owned(), 0)).collect();
    counts.push(("forfeit".to_owned(), 0));
    for game in games {
        match &game.finish {
            Finish::Over(end) => counts[end.index()].1 += 1,
            Finish::Forfeit(_) => counts[known.len()].1 += 1,
        }
    }
    counts
}

fn forfeit(game: &Played) -> Option<ForfeitRow> {
    match &game.finish {
        Finish::Over(_) => None,
        Finish::Forfeit(forfeit) => {
            Some(ForfeitRow { entrant: forfeit.agent, deal: game.deal, words: forfeit.to_string() })
        }
    }
}

/// Pairs of games by the score of the first entrant: 0, ¼, ½, ¾, 1.
pub fn pair_counts<'g>(whole: impl Iterator<Item = (&'g Meeting, &'g Group)>) -> [u64; 5] {
    let mut pairs = [0; 5];
    for score in scores_of(0, whole.filter(|(_, group)| group.is_whole())) {
        pairs[(4.0 * score).round() as usize] += 1;
    }
    pairs
}

fn sprt_row(test: Sprt, pairs: [u64; 5]) -> SprtRow {
    SprtRow { test, pairs, llr: test.llr(&pairs), bounds: test.bounds(), decision: test.decide(&pairs) }
}

/// The first game of the two strongest that have one with its moves kept.
fn example<G: Text>(
    rules: &G::Rules,
    seed: u64,
    groups: &[Vec<Group>],
    ratings: &Ratings,
) -> Option<Example> {
    let firsts = groups.iter().filter_map(|groups| {
        let games = groups.first()?.bouts.iter().flatten().flat_map(|bout| &bout.games);
        games.into_iter().find(|game| game.moves.is_some() && matches!(game.finish, Finish::Over(_)))
    });
    let strength = |game: &&Played| -> f64 {
        let of = |&entrant: &usize| ratings.of(entrant).map_or(-1e9, |rating: Estimate| rating.value);
        game.seats.iter().map(of).sum()
    };
    let game = firsts.max_by(|a, b| strength(a).total_cmp(&strength(b)))?;
    Example::tell::<G>(rules, seed, game, Paint::Colour)
}

/// How far each entrant is ahead of the next.
fn leads(report: &mut Report, ratings: &Ratings) {
    for next in report.ranking().windows(2) {
        report.entrants[next[0]].lead = ratings.difference(next[0], next[1]);
    }
}

fn notes(report: &mut Report, deals: usize) {
    let mut notes = Vec::new();
    match deals {
        1 => notes.push(
            "all games that count share one deal: that gives ratings no interval, and says little about other deals; --games N asks \
             for more"
                .to_owned(),
        ),
        2..FEW_DEALS => notes.push(format!(
            "only {deals} deals: the intervals of mean returns and shares of wins promise more than so few can tell; --games N \
             asks for more"
        )),
        _ => {}
    }
    let name = |entrant: usize| report.entrants[entrant].name.as_str();
    let mut swept = Vec::new();
    for row in &report.pairs {
        let bouts = row.wins + row.draws + row.losses;
        if row.wins == bouts {
            swept.push(format!("{} over {}", name(row.first), name(row.second)));
        } else if row.losses == bouts {
            swept.push(format!("{} over {}", name(row.second), name(row.first)));
        }
        if let Some(distinct) = row.distinct.filter(|&distinct| 2 * distinct < bouts) {
            notes.push(format!(
                "{} and {} played {bouts} games of which only {distinct} differ: every deal is alike and they leave \
                 little to chance, so the intervals promise too much; --opening N begins with N random plies",
                name(row.first),
                name(row.second),
            ));
        }
    }
    if !swept.is_empty() {
        notes.push(format!(
            "clean sweeps: {}. How far apart such two are their games alone cannot tell; where no other games link them, the \
             rating leans on the prior (one imaginary draw for every two that met)",
            swept.join(", ")
        ));
    }
    if let Some(row) = report.alone.as_ref().filter(|row| !row.wins.has_width()) {
        notes.push(format!(
            "{} won the same share of every deal: that gives no interval, and says little about deals that were not played",
            name(row.entrant)
        ));
    }
    if !report.forfeits.is_empty() {
        notes.push(format!("{} games were forfeited; they count as lost", report.forfeits.len()));
    }
    if report.left_out > 0 {
        notes.push(format!(
            "{} finished games are left out of scores and ratings: not all games of their deals were played",
            report.left_out
        ));
    }
    let unrated = report.entrants.iter().filter(|row| row.rating.is_none()).map(|row| row.name.as_str());
    let unrated: Vec<&str> = unrated.collect();
    if !unrated.is_empty() {
        notes.push(format!(
            "no rating for {}: no chain of games leads to {}",
            unrated.join(", "),
            name(report.anchor)
        ));
    }
    report.notes = notes;
}
