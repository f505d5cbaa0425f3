//! Ratings: the strengths that explain best who came before whom (Bradley–Terry for two, Plackett–Luce for more).

use std::collections::{BTreeMap, BTreeSet};

use super::{Estimate, reach};

/// Elo in one unit of natural log-odds.
pub const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The result of a game or a series: who came before whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contest {
    /// Contests with the same number share their deal and are not independent of each other.
    pub cluster: u64,
    /// The entrants from first to last; those in one list came in level. An entrant may sit at several places.
    pub places: Vec<Vec<usize>>,
}

/// Ratings in Elo, with what is needed for their intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    anchor: usize,
    /// Natural log-odds above the anchor; `None` for whom no chain of contests links to it.
    strengths: Vec<Option<f64>>,
    /// Of the strengths; zeros for the anchor and for whom nothing is known.
    covariance: Vec<Vec<f64>>,
    /// How many standard errors an interval reaches; nothing where a single cluster shows no spread.
    reach: Option<f64>,
}

impl Ratings {
    /// The entrant whose rating is 0.
    pub fn anchor(&self) -> usize {
        self.anchor
    }

    /// The rating of an entrant, in Elo above the anchor.
    pub fn of(&self, entrant: usize) -> Option<Estimate> {
        self.difference(entrant, self.anchor)
    }

    /// How much stronger the first is than the second, in Elo; without width where all contests share one deal.
    pub fn difference(&self, first: usize, second: usize) -> Option<Estimate> {
        let value = self.strengths[first]? - self.strengths[second]?;
        let c = &self.covariance;
        let variance = c[first][first] + c[second][second] - 2.0 * c[first][second];
        let margin = self.reach.unwrap_or(0.0) * variance.max(0.0).sqrt();
        Some(Estimate { value: value * ELO, low: (value - margin) * ELO, high: (value + margin) * ELO })
    }
}

/// All picks out of the same company: how many, and how many shares of them went to each entrant.
#[derive(Clone, Debug, Default)]
struct Picks {
    all: f64,
    of: Vec<f64>,
}

/// Fits ratings to contests.
///
/// A contest is a row of picks: the first out of all, the next out of the rest, each with probability proportional to
/// strength. Who come in level share a pick; the last places need no order. **Prior:** for every two entrants that have
/// met, one imaginary draw, which keeps the rating of who won or lost everything finite. **Intervals:** from the
/// curvature of the likelihood, corrected for the dependence within clusters (the sandwich estimate); the imaginary
/// draws, each as half a win and half a loss, count in it too, so that a clean sweep is not taken for certainty. They reach as
/// far as Student's distribution asks of that many clusters.
pub fn rate(entrants: usize, anchor: usize, contests: &[Contest]) -> Ratings {
    fit(entrants, anchor, contests, 1.0)
}

/// The same with another number of imaginary draws.
fn fit(entrants: usize, anchor: usize, contests: &[Contest], prior: f64) -> Ratings {
    let mut picks: BTreeMap<Vec<usize>, Picks> = BTreeMap::new();
    let mut add = |company: &[usize], first: &[usize], weight: f64| {
        let picks = picks.entry(company.to_vec()).or_default();
        picks.of.resize(entrants, 0.0);
        picks.all += weight;
        for &entrant in first {
            picks.of[entrant] += weight / first.len() as f64;
        }
    };
    let mut met = vec![vec![false; entrants]; entrants];
    for contest in contests {
        each_pick(contest, |company, first| add(company, first, 1.0));
        let all: Vec<usize> = contest.places.concat();
        all.iter().for_each(|&a| all.iter().for_each(|&b| met[a][b] |= a != b));
    }
    for (a, row) in met.iter().enumerate() {
        for b in (a + 1..entrants).filter(|&b| row[b]) {
            add(&[a, b], &[a, b], prior);
        }
    }
    let linked = linked(anchor, &met);
    let free: Vec<usize> = (0..entrants).filter(|&entrant| entrant != anchor && linked[entrant]).collect();
    picks.retain(|company, _| linked[company[0]]);
    let (strengths, curvature) = climb(entrants, &free, &picks);
    let spread = spread(entrants, &strengths, contests, &met, prior);
    let inner = |matrix: &[Vec<f64>]| -> Vec<Vec<f64>> {
        free.iter().map(|&a| free.iter().map(|&b| matrix[a][b]).collect()).collect()
    };
    let inverse = inverse(&inner(&curvature));
    let sandwich = product(&product(&inverse, &inner(&spread)), &inverse);
    let mut covariance = vec![vec![0.0; entrants]; entrants];
    for (i, &a) in free.iter().enumerate() {
        for (j, &b) in free.iter().enumerate() {
            covariance[a][b] = sandwich[i][j];
        }
    }
    let strengths = strengths.into_iter().zip(&linked).map(|(s, &known)| known.then_some(s)).collect();
    let clusters: BTreeSet<u64> = contests.iter().map(|contest| contest.cluster).collect();
    Ratings { anchor, strengths, covariance, reach: reach(clusters.len()) }
}

/// Walks through the picks of a contest: out of whom, and who came first (several share it). Level last places are no pick
/// unless nobody came before them.
fn each_pick(contest: &Contest, mut tell: impl FnMut(&[usize], &[usize])) {
    for (i, first) in contest.places.iter().enumerate() {
        let mut company: Vec<usize> = contest.places[i..].concat();
        company.sort_unstable();
        let last = i + 1 == contest.places.len();
        let decided = company.iter().all(|&entrant| entrant == company[0]);
        if !decided && (!last || i == 0) {
            tell(&company, first);
        }
    }
}

/// Who is linked to the anchor by a chain of contests.
fn linked(anchor: usize, met: &[Vec<bool>]) -> Vec<bool> {
    let mut linked = vec![false; met.len()];
    let mut open = vec![anchor];
    while let Some(entrant) = open.pop() {
        if !std::mem::replace(&mut linked[entrant], true) {
            open.extend((0..met.len()).filter(|&other| met[entrant][other]));
        }
    }
    linked
}

/// The chance of each entrant to be picked out of the company.
fn chances(entrants: usize, strengths: &[f64], company: &[usize]) -> Vec<f64> {
    let top = company.iter().map(|&entrant| strengths[entrant]).fold(f64::NEG_INFINITY, f64::max);
    let weight = |entrant: usize| (strengths[entrant] - top).exp();
    let sum: f64 = company.iter().map(|&entrant| weight(entrant)).sum();
    let mut chances = vec![0.0; entrants];
    company.iter().for_each(|&entrant| chances[entrant] += weight(entrant) / sum);
    chances
}

/// Newton's method on the log-likelihood, which has one summit. Returns the strengths and the curvature there.
fn climb(entrants: usize, free: &[usize], picks: &BTreeMap<Vec<usize>, Picks>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut strengths = vec![0.0; entrants];
    let mut curvature = vec![vec![0.0; entrants]; entrants];
    for _ in 0..500 {
        let mut slope = vec![0.0; entrants];
        curvature.iter_mut().for_each(|row| row.fill(0.0));
        for (company, picks) in picks {
            let p = chances(entrants, &strengths, company);
            for &a in free {
                slope[a] += picks.of[a] - picks.all * p[a];
                for &b in free {
                    let own = if a == b { p[a] } else { 0.0 };
                    curvature[a][b] += picks.all * (own - p[a] * p[b]);
                }
            }
        }
        let inner: Vec<Vec<f64>> =
            free.iter().map(|&a| free.iter().map(|&b| curvature[a][b]).collect()).collect();
        let column: Vec<Vec<f64>> = free.iter().map(|&a| vec![slope[a]]).collect();
        let step = product(&inverse(&inner), &column);
        // Far from the summit a whole step can overshoot; a shorter one never goes the wrong way for long.
        let longest = step.iter().map(|row| row[0].abs()).fold(0.0, f64::max);
        let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
        for (&a, row) in free.iter().zip(&step) {
            strengths[a] += scale * row[0];
        }
        if longest < 1e-10 {
            break;
        }
    }
    (strengths, curvature)
}

/// The spread of the slope: what the clusters and the imaginary half games pull each way, squared and summed.
fn spread(
    entrants: usize,
    strengths: &[f64],
    contests: &[Contest],
    met: &[Vec<bool>],
    prior: f64,
) -> Vec<Vec<f64>> {
    let mut pulls: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for contest in contests {
        let pull = pulls.entry(contest.cluster).or_insert_with(|| vec![0.0; entrants]);
        each_pick(contest, |company, first| {
            let p = chances(entrants, strengths, company);
            pull.iter_mut().zip(p).for_each(|(pull, p)| *pull -= p);
            first.iter().for_each(|&entrant| pull[entrant] += 1.0 / first.len() as f64);
        });
    }
    let clusters = pulls.len() as f64;
    let correction = if clusters > 1.0 { clusters / (clusters - 1.0) } else { 1.0 };
    let mut spread = vec![vec![0.0; entrants]; entrants];
    let mut add = |pull: &[f64], weight: f64| {
        for a in 0..entrants {
            for b in 0..entrants {
                spread[a][b] += weight * pull[a] * pull[b];
            }
        }
    };
    pulls.values().for_each(|pull| add(pull, correction));
    for a in 0..entrants {
        for b in (a + 1..entrants).filter(|&b| met[a][b]) {
            let p = chances(entrants, strengths, &[a, b]);
            for won in [1.0, 0.0] {
                let mut pull = vec![0.0; entrants];
                pull[a] = 0.5 * (won - p[a]);
                pull[b] = -pull[a];
                add(&pull, prior * prior);
            }
        }
    }
    spread
}

fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let columns = b.first().map_or(0, Vec::len);
    let cell = |row: &[f64], j: usize| row.iter().zip(b).map(|(x, other)| x * other[j]).sum();
    a.iter().map(|row| (0..columns).map(|j| cell(row, j)).collect()).collect()
}

/// The inverse of a positive definite matrix, by elimination; such a one needs no exchange of rows.
fn inverse(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let unit = |i: usize| (0..n).map(move |j| f64::from(u8::from(i == j)));
    let mut rows: Vec<Vec<f64>> =
        matrix.iter().enumerate().map(|(i, row)| row.iter().copied().chain(unit(i)).collect()).collect();
    for i in 0..n {
        let pivot = rows[i][i];
        rows[i].iter_mut().for_each(|x| *x /= pivot);
        let reduced = rows[i].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = row[i];
            row.iter_mut().zip(&reduced).for_each(|(x, r)| *x -= factor * r);
        }
    }
    rows.into_iter().map(|row| row[n..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contests of two, each its own cluster: `wins[a][b]` is how often `a` beat `b`.
    fn wins(wins: &[&[usize]]) -> Vec<Contest> {
        let mut contests = Vec::new();
        for (a, row) in wins.iter().enumerate() {
            for (b, &n) in row.iter().enumerate() {
                contests.extend((0..n).map(|_| vec![vec![a], vec![b]]));
            }
        }
        let keyed = |(cluster, places)| Contest { cluster: cluster as u64, places };
        contests.into_iter().enumerate().map(keyed).collect()
    }

    #[test]
    fn the_american_league_of_1987_has_agrestis_strengths_and_errors() {
        // Agresti, Categorical Data Analysis: wins of 13 games each. Strengths above Baltimore and their standard
        // errors as the R package BradleyTerry2 gives them.
        let contests = wins(&[
            &[0, 7, 9, 7, 7, 9, 11],
            &[6, 0, 7, 5, 11, 9, 9],
            &[4, 6, 0, 7, 7, 8, 12],
            &[6, 8, 6, 0, 6, 7, 10],
            &[6, 2, 6, 7, 0, 7, 12],
            &[4, 4, 5, 6, 6, 0, 6],
            &[2, 4, 1, 3, 1, 7, 0],
        ]);
        let ratings = fit(7, 6, &contests, 0.0);
        let published = [
            (1.5814, 0.3433),
            (1.4364, 0.3396),
            (1.2945, 0.3367),
            (1.2476, 0.3359),
            (1.1077, 0.3339),
            (0.6839, 0.3319),
        ];
        for (team, (strength, error)) in published.into_iter().enumerate() {
            let found = ratings.strengths[team].expect("everybody has met");
            assert!((found - strength).abs() < 1e-4, "team {team}: {found}, published {strength}");
            // Ours are corrected by what the games show; with independent games that changes little.
            let ours = ratings.covariance[team][team].sqrt();
            assert!((ours / error - 1.0).abs() < 0.06, "team {team}: error {ours}, published {error}");
        }
    }

    #[test]
    fn two_players_have_the_elo_of_their_score() {
        let three_of_four = wins(&[&[0, 300], &[100, 0]]);
        let found = fit(2, 1, &three_of_four, 0.0).of(0).expect("they have met");
        assert!((found.value - 190.848_502).abs() < 1e-5, "{found}");
        let drawn: Vec<Contest> =
            (0..50).map(|cluster| Contest { cluster, places: vec![vec![0, 1]] }).collect();
        assert_eq!(rate(2, 1, &drawn).of(0).map(|found| found.value), Some(0.0));
    }

    #[test]
    fn the_best_of_three_is_rated_by_how_often_it_is_first() {
        // With winners alone the likeliest strengths are proportional to the wins.
        let places = |first: usize| vec![vec![first], (0..3).filter(|&other| other != first).collect()];
        let firsts = [0; 60].into_iter().chain([1; 30]).chain([2; 10]);
        let contests: Vec<Contest> = firsts
            .enumerate()
            .map(|(i, first)| Contest { cluster: i as u64, places: places(first) })
            .collect();
        let ratings = fit(3, 2, &contests, 0.0);
        let strength = |entrant: usize| ratings.strengths[entrant].expect("everybody has met");
        assert!((strength(0) - 6_f64.ln()).abs() < 1e-9 && (strength(1) - 3_f64.ln()).abs() < 1e-9);
    }

    #[test]
    fn who_wins_everything_has_a_finite_rating_with_a_wide_interval() {
        let found = rate(2, 1, &wins(&[&[0, 200], &[0, 0]])).of(0).expect("they have met");
        assert!((found.value - 400.0 * (200.5_f64 / 0.5).log10()).abs() < 1e-6, "{found}");
        assert!(found.low > 500.0 && found.low < 850.0 && found.high > 1_200.0, "{found}");
    }

    #[test]
    fn the_games_of_one_deal_give_no_interval_and_those_of_two_a_wide_one() {
        let rated = |clusters: u64| {
            let contests = wins(&[&[0, 30], &[20, 0]]).into_iter();
            // The wins come first, so that deals differ.
            let dealt =
                contests.map(|contest| Contest { cluster: contest.cluster * clusters / 50, ..contest });
            rate(2, 1, &dealt.collect::<Vec<_>>()).of(0).expect("they have met")
        };
        let [one, two, fifty] = [1, 2, 50].map(rated);
        assert!(one.value == two.value && two.value == fifty.value);
        assert!(!one.has_width() && two.has_width() && fifty.has_width(), "{one} {two} {fifty}");
        let width = |estimate: Estimate| estimate.high - estimate.low;
        assert!(width(two) > 5.0 * width(fifty), "{two} {fifty}");
    }

    #[test]
    fn whom_nobody_links_to_the_anchor_has_no_rating() {
        let mut contests = wins(&[&[0, 3], &[2, 0]]);
        contests.push(Contest { cluster: 9, places: vec![vec![2], vec![3]] });
        let ratings = rate(5, 1, &contests);
        let rated: Vec<bool> = (0..5).map(|entrant| ratings.of(entrant).is_some()).collect();
        assert_eq!(rated, [true, true, false, false, false]);
        assert_eq!(ratings.of(1), Some(Estimate { value: 0.0, low: 0.0, high: 0.0 }));
    }

    #[test]
    fn an_entrant_with_several_seats_does_not_beat_itself() {
        let places = vec![vec![0], vec![0, 1]];
        let contests: Vec<Contest> =
            (0..20).map(|cluster| Contest { cluster, places: places.clone() }).collect();
        let found = rate(2, 1, &contests).of(0).expect("they have met");
        assert!(found.value > 0.0, "{found}");
        let alone = [Contest { cluster: 0, places: vec![vec![0], vec![0]] }];
        assert_eq!(rate(2, 1, &alone).of(0), None);
    }
}
