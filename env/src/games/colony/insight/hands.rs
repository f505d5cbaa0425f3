//! What is in the hands, as far as the viewer knows.

use super::super::cards::{CARD_KINDS, COUNTS, Card};
use super::super::state::{Colony, SEATS};
use super::super::table::each;

/// How many cards of each kind a hand holds, as far as is known.
pub(super) type Cards = [f32; CARD_KINDS];

/// The part of each kind among the cards that the viewer has not seen: they lie in the deck and in the other hands.
pub(super) fn unseen(game: &Colony, viewer: usize) -> Cards {
    let mut unseen = COUNTS;
    unseen[Card::NODE.index()] -= game.nodes.count_ones() as u8;
    each(game.occupied()).for_each(|cell| unseen[game.top(cell).index()] -= 1);
    game.buried.iter().for_each(|(_, card)| unseen[card.card().index()] -= 1);
    unseen.iter_mut().zip(game.hands[viewer]).for_each(|(unseen, held)| *unseen -= held);
    let all = f32::from(unseen.iter().sum::<u8>().max(1));
    unseen.map(|cards| f32::from(cards) / all)
}

/// What the viewer holds, and what the others hold on average: the cards that it has not seen are all equally likely there.
pub(super) fn expected(game: &Colony, viewer: usize) -> [Cards; SEATS] {
    let unseen = unseen(game, viewer);
    std::array::from_fn(|seat| {
        let hand = &game.hands[seat];
        if seat == viewer {
            hand.map(f32::from)
        } else {
            unseen.map(|part| part * f32::from(hand.iter().sum::<u8>()))
        }
    })
}
