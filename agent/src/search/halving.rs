//! Sequential halving as a table: which actions of the root are still considered, simulation by simulation.

/// For every number of considered actions the visit counts that sequential halving works through.
///
/// `[considered + 1, simulations]`, row by row. In simulation `i` the root tries, among the actions that have been
/// visited exactly `row[i]` times, the one with the best score: while all considered actions have the same count, that
/// walks through all of them; once the row asks for more than the worse half has, only the better half goes on.
/// Written this way (mctx's `get_table_of_considered_visits`) nothing needs to remember who was eliminated.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    simulations: usize,
    visits: Vec<u32>,
}

impl Schedule {
    /// The table for up to `considered` actions.
    pub fn new(considered: usize, simulations: usize) -> Self {
        let visits = (0..=considered).flat_map(|m| considered_visits(m, simulations)).collect();
        Self { simulations, visits }
    }

    /// The visit count to look for in that simulation.
    #[inline]
    pub fn visits(&self, considered: usize, simulation: usize) -> u32 {
        self.visits[considered * self.simulations + simulation]
    }
}

/// The row of one number of considered actions.
fn considered_visits(considered: usize, simulations: usize) -> Vec<u32> {
    if considered <= 1 {
        return (0..simulations as u32).collect();
    }
    let halvings = considered.next_power_of_two().trailing_zeros() as usize;
    let mut sequence = Vec::new();
    let (mut left, mut visits) = (considered, 0);
    while sequence.len() < simulations {
        let rounds = (simulations / (halvings * left)).max(1);
        for _ in 0..rounds {
            sequence.extend(std::iter::repeat_n(visits, left));
            visits += 1;
        }
        // The last two share what remains.
        left = (left / 2).max(2);
    }
    sequence.truncate(simulations);
    sequence
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(visits, how many times)`, one after the other.
    fn runs(runs: &[(u32, usize)]) -> Vec<u32> {
        runs.iter().flat_map(|&(visits, times)| std::iter::repeat_n(visits, times)).collect()
    }

    /// The rows that mctx's `get_sequence_of_considered_visits` gives.
    #[test]
    fn the_rows_are_those_of_mctx() {
        assert_eq!(considered_visits(0, 16), (0..16).collect::<Vec<_>>());
        assert_eq!(considered_visits(1, 16), (0..16).collect::<Vec<_>>());
        assert_eq!(considered_visits(2, 5), [0, 0, 1, 1, 2]);
        assert_eq!(considered_visits(8, 2), [0, 0]);
        assert_eq!(considered_visits(8, 13), runs(&[(0, 8), (1, 4), (2, 1)]));
        assert_eq!(considered_visits(8, 24), runs(&[(0, 8), (1, 4), (2, 4), (3, 2), (4, 2), (5, 2), (6, 2)]));
        let pairs = (3..8).map(|visits| (visits, 2));
        let seven: Vec<_> = [(0, 7), (1, 3), (2, 3)].into_iter().chain(pairs).chain([(8, 1)]).collect();
        assert_eq!(considered_visits(7, 24), runs(&seven));
        assert_eq!(considered_visits(16, 32), runs(&[(0, 16), (1, 8), (2, 4), (3, 4)]));
    }

    #[test]
    fn every_row_spends_every_simulation_and_always_finds_an_action() {
        for considered in 1..=32 {
            for simulations in 0..200 {
                let row = considered_visits(considered, simulations);
                assert_eq!(row.len(), simulations);
                let mut visits = vec![0; considered];
                for count in row {
                    let next = visits.iter().position(|&v| v == count);
                    visits[next.expect("some action has just that many visits")] += 1;
                }
            }
        }
    }
}
