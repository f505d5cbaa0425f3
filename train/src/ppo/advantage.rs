//! What each decision was worth: returns and advantages along each seat's own decisions.
//!
//! A seat decides, others may decide in between, the seat decides again: for it that is one step. A seat that decides
//! several times in a row makes several steps. So every seat has a chain of its own through a slot's plies, and
//! generalised advantage estimation runs along that chain. The last decision of a chain that the iteration cut off is not
//! learned from: what the network thought of it stands for all that follows.

/// How far ahead to trust.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trust {
    /// What a return is worth one own decision later.
    pub discount: f32,
    /// 1 trusts what games ended with, 0 what the network thought of the next own decision.
    pub lambda: f32,
}

/// One ply of a slot, as far as advantages are concerned.
#[derive(Clone, Copy, Debug)]
pub struct Ply<'a> {
    /// Who decided.
    pub seat: usize,
    /// Whether the policy that learns decided, and not a past self.
    pub learns: bool,
    /// What the decider expected for itself.
    pub value: f32,
    /// The returns of the game that the ply ended, seat 0 first.
    pub ended: Option<&'a [f32]>,
}

/// What can be learned from one ply.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// How much better than expected it went for the decider; `None` where the chain was cut or a past self decided.
    pub advantage: Option<f32>,
    /// What each seat should have expected, seat 0 first; `None` where nothing is known.
    pub targets: Vec<Option<f32>>,
}

/// What is known about the rest of a seat's chain.
#[derive(Clone, Copy)]
struct Ahead {
    /// What the step to there is worth: a return, or the discounted value of the next decision.
    worth: f32,
    /// The advantage of that next decision.
    advantage: f32,
    /// What the seat should expect there.
    target: f32,
}

/// The lessons of a slot's plies, in their order.
pub fn lessons(plies: &[Ply<'_>], seats: usize, trust: Trust) -> Vec<Lesson> {
    let mut ahead: Vec<Option<Ahead>> = vec![None; seats];
    let mut lessons: Vec<Lesson> = Vec::with_capacity(plies.len());
    for ply in plies.iter().rev() {
        if let Some(returns) = ply.ended {
            for (ahead, &paid) in ahead.iter_mut().zip(returns) {
                *ahead = Some(Ahead { worth: paid, advantage: 0.0, target: paid });
            }
        }
        let mut advantage = None;
        if ply.learns {
            let own = &mut ahead[ply.seat];
            let next = own.map(|next| {
                let better = next.worth - ply.value + trust.discount * trust.lambda * next.advantage;
                advantage = Some(better);
                better
            });
            let gained = next.unwrap_or(0.0);
            *own = Some(Ahead {
                worth: trust.discount * ply.value,
                advantage: gained,
                target: ply.value + gained,
            });
        }
        lessons.push(Lesson {
            advantage,
            targets: ahead.iter().map(|next| next.map(|next| next.target)).collect(),
        });
    }
    lessons.reverse();
    for (lesson, ply) in lessons.iter_mut().zip(plies) {
        // Where the chain was cut the target is the value itself: nothing to learn.
        if ply.learns && lesson.advantage.is_none() {
            lesson.targets[ply.seat] = None;
        }
    }
    lessons
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Trust = Trust { discount: 1.0, lambda: 1.0 };

    fn ply(seat: usize, value: f32) -> Ply<'static> {
        Ply { seat, learns: true, value, ended: None }
    }

    #[test]
    fn with_full_trust_in_games_the_advantage_is_the_return_less_the_value() {
        let plies =
            [ply(0, 0.2), ply(1, -0.1), ply(1, 0.4), Ply { ended: Some(&[1.0, -1.0]), ..ply(0, 0.5) }];
        let advantages: Vec<_> =
            lessons(&plies, 2, PLAIN).into_iter().map(|l| l.advantage.unwrap()).collect();
        for (advantage, expected) in advantages.iter().zip([0.8, -0.9, -1.4, 0.5]) {
            assert!((advantage - expected).abs() < 1e-6, "{advantages:?}");
        }
    }

    #[test]
    fn without_trust_in_games_a_decision_is_judged_by_the_seats_own_next_one() {
        let trust = Trust { discount: 0.5, lambda: 0.0 };
        let plies = [ply(0, 0.2), ply(1, 9.0), ply(0, 0.6), Ply { ended: Some(&[1.0, -1.0]), ..ply(1, 0.0) }];
        let lessons = lessons(&plies, 2, trust);
        assert!(
            (lessons[0].advantage.unwrap() - (0.5 * 0.6 - 0.2)).abs() < 1e-6,
            "not by the other seat's 9"
        );
        assert!(
            (lessons[2].advantage.unwrap() - (1.0 - 0.6)).abs() < 1e-6,
            "the end pays every seat at once"
        );
        assert!((lessons[1].advantage.unwrap() - (0.5 * 0.0 - 9.0)).abs() < 1e-6);
    }

    #[test]
    fn a_chain_that_was_cut_ends_with_what_the_network_thought() {
        let plies = [ply(0, 0.1), ply(1, 0.2), ply(0, 0.3)];
        let lessons = lessons(&plies, 2, PLAIN);
        assert_eq!(lessons[2], Lesson { advantage: None, targets: vec![None, None] });
        assert_eq!(lessons[1], Lesson { advantage: None, targets: vec![Some(0.3), None] });
        assert!((lessons[0].advantage.unwrap() - 0.2).abs() < 1e-6);
    }

    #[test]
    fn a_game_that_ends_stops_every_chain() {
        let plies = [Ply { ended: Some(&[-1.0, 1.0]), ..ply(0, 0.0) }, ply(0, 0.7), ply(1, 0.0), ply(0, 0.0)];
        let lessons = lessons(&plies, 2, PLAIN);
        assert_eq!(lessons[0].advantage, Some(-1.0), "nothing of the next game reaches this one");
        assert_eq!(lessons[0].targets, [Some(-1.0), Some(1.0)]);
    }

    #[test]
    fn decisions_of_past_selves_teach_values_and_no_policy() {
        let other = Ply { learns: false, ..ply(1, 123.0) };
        let plies = [ply(0, 0.5), other, Ply { ended: Some(&[1.0, -1.0]), ..other }];
        let lessons = lessons(&plies, 2, PLAIN);
        assert_eq!(lessons[0].advantage, Some(0.5));
        assert_eq!(lessons[0].targets, [Some(1.0), Some(-1.0)]);
        assert_eq!((lessons[1].advantage, lessons[2].advantage), (None, None));
    }

    #[test]
    fn lambda_mixes_one_step_and_the_whole_game() {
        let trust = Trust { discount: 1.0, lambda: 0.5 };
        let plies = [ply(0, 0.0), ply(0, 0.4), Ply { ended: Some(&[1.0]), ..ply(0, 0.8) }];
        let advantages: Vec<_> =
            lessons(&plies, 1, trust).into_iter().map(|l| l.advantage.unwrap()).collect();
        let (third, second) = (0.2, 0.4 + 0.5 * 0.2);
        for (advantage, expected) in advantages.iter().zip([0.4 + 0.5 * second, second, third]) {
            assert!((advantage - expected).abs() < 1e-6, "{advantages:?}");
        }
    }
}
