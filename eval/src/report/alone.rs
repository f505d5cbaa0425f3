//! One entrant alone against the same opponent at all other seats: its share of the wins beside a fair one.

use serde::{Deserialize, Serialize};

use super::summary::mean_return;
use crate::arena::{Bout, Group, Meeting};
use crate::statistics::{Estimate, bootstrap_mean};

/// How an entrant with one seat fared; intervals are the bootstrap's over deals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AloneRow {
    /// The index of the entrant.
    pub entrant: usize,
    /// Independent groups behind the intervals: deals, each played from every seat.
    pub groups: u64,
    /// The share of games that it won; who share a win have equal parts of it.
    pub wins: Estimate,
    /// The share of a player as good as the others: one divided by the seats.
    pub fair: f64,
    /// How many times the fair share it won.
    pub times: f64,
    /// The mean return of a game.
    pub returns: Estimate,
}

impl AloneRow {
    /// Sums up the whole groups of a meeting in which the entrant has one seat; `None` without such a group.
    pub fn of<'g>(
        entrant: usize,
        meeting: &Meeting,
        whole: impl Iterator<Item = &'g Group>,
        seed: u64,
    ) -> Option<Self> {
        let place = meeting.players.iter().position(|&player| player == entrant)?;
        let won = |bout: &Bout| win_shares(&bout.points)[place];
        let paid = |bout: &Bout| mean_return(entrant, &bout.games);
        let (wins, returns): (Vec<f64>, Vec<f64>) =
            whole.map(|group| (mean(group, won), mean(group, paid))).unzip();
        if wins.is_empty() {
            return None;
        }
        let fair = 1.0 / meeting.players.len() as f64;
        let groups = wins.len() as u64;
        let (wins, returns) = (bootstrap_mean(&wins, seed), bootstrap_mean(&returns, seed));
        Some(Self { entrant, groups, times: wins.value / fair, wins, fair, returns })
    }
}

/// The mean of a number over the bouts of a whole group.
fn mean(group: &Group, number: impl Fn(&Bout) -> f64) -> f64 {
    group.bouts.iter().flatten().map(number).sum::<f64>() / group.bouts.len() as f64
}

/// The part of the win that each place has: those with the most points share it (C-12).
pub(super) fn win_shares(points: &[f64]) -> Vec<f64> {
    let best = points.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let winners = points.iter().filter(|&&own| own == best).count() as f64;
    points.iter().map(|&own| if own == best { 1.0 / winners } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use nodarium_agent::play::Finish;
    use nodarium_env::End;

    use super::*;
    use crate::arena::Played;

    /// What a table pays when these places win: each winner (n/k − 1)/(n − 1), each other −1/(n − 1).
    fn payoff(seats: usize, winners: &[usize]) -> Vec<f32> {
        let (n, k) = (seats as f32, winners.len() as f32);
        let pay = |place| if winners.contains(&place) { (n / k - 1.0) / (n - 1.0) } else { -1.0 / (n - 1.0) };
        (0..seats).map(pay).collect()
    }

    /// A group with one bout for each list of winning places of the meeting.
    fn group(number: u64, meeting: &Meeting, winners: &[&[usize]]) -> Group {
        let bout = |(rotation, winners): (usize, &&[usize])| {
            let (mut seats, mut returns) = (meeting.players.clone(), payoff(meeting.players.len(), winners));
            let points = returns.iter().map(|&paid| f64::from(paid)).collect();
            seats.rotate_left(rotation);
            returns.rotate_left(rotation);
            let finish = Finish::Over(End(0));
            let game = Played { deal: number, seats, returns, finish, plies: 9, digest: 0, moves: None };
            Some(Bout { games: vec![game], points })
        };
        Group { number, bouts: winners.iter().enumerate().map(bout).collect() }
    }

    #[test]
    fn a_shared_win_counts_in_parts() {
        assert_eq!(win_shares(&[1.0, -0.5, -0.5]), [1.0, 0.0, 0.0]);
        assert_eq!(win_shares(&[0.25, 0.25, -0.5]), [0.5, 0.5, 0.0]);
        assert_eq!(win_shares(&[0.0; 4]), [0.25; 4]);
        for winners in [&[0][..], &[0, 2], &[0, 1, 2], &[1, 3], &[0, 1, 2, 3]] {
            let points: Vec<f64> = payoff(4, winners).into_iter().map(f64::from).collect();
            for (place, share) in win_shares(&points).into_iter().enumerate() {
                assert!((share - (points[place] * 3.0 + 1.0) / 4.0).abs() < 1e-6, "{winners:?}, {place}");
            }
        }
    }

    #[test]
    fn who_sits_alone_has_its_share_of_the_wins_beside_a_fair_one() {
        let meeting = Meeting { players: vec![0, 1, 1] };
        // The first wins 1, ½ and 0 of the first deal, 1, 1 and ⅓ of the second.
        let groups =
            [group(0, &meeting, &[&[0], &[0, 2], &[1]]), group(1, &meeting, &[&[0], &[0], &[0, 1, 2]])];
        let row = AloneRow::of(0, &meeting, groups.iter(), 1).expect("two whole groups");
        let deals = [1.5 / 3.0, (2.0 + 1.0 / 3.0) / 3.0];
        let share = (deals[0] + deals[1]) / 2.0;
        assert_eq!((row.entrant, row.groups, row.fair), (0, 2, 1.0 / 3.0));
        assert!((row.wins.value - share).abs() < 1e-9, "{row:?}");
        assert!((row.times - 3.0 * share).abs() < 1e-9, "{row:?}");
        assert!((row.returns.value - (3.0 * share - 1.0) / 2.0).abs() < 1e-6, "{row:?}");
        // Over two deals, a sample drawn anew has one of them twice often enough to reach both.
        assert!((row.wins.low - deals[0]).abs() < 1e-9 && (row.wins.high - deals[1]).abs() < 1e-9, "{row:?}");
    }

    #[test]
    fn games_of_one_deal_are_one_observation() {
        let meeting = Meeting { players: vec![0, 1, 1] };
        // Each deal is won from one seat of three, whichever: no spread between deals, much between games.
        let groups: Vec<Group> = (0..30)
            .map(|number| {
                let mut winners: [&[usize]; 3] = [&[0], &[1], &[2]];
                winners.rotate_left(number as usize % 3);
                group(number, &meeting, &winners)
            })
            .collect();
        let row = AloneRow::of(0, &meeting, groups.iter(), 1).expect("whole groups");
        assert!((row.times - 1.0).abs() < 1e-9 && row.wins.high - row.wins.low < 1e-9, "{row:?}");
        assert!(row.returns.value.abs() < 1e-6, "{row:?}");
    }

    #[test]
    fn without_a_whole_deal_nothing_is_told() {
        let meeting = Meeting { players: vec![0, 1, 1, 1] };
        assert_eq!(AloneRow::of(0, &meeting, [].iter(), 1), None);
    }
}
