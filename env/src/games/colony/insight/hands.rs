//! What is in the hands, as far as the viewer knows.

use super::super::cards::{CARD_KINDS, COUNTS, Card};
use super::super::state::{Colony, SEATS};
use super::super::table::each;

/// Cards of a hand: Nodes, then Colonies of level 1, 2 and 3.
pub(super) type Cards = [f32; 4];

/// What the viewer holds, and what the others hold on average: the cards that it has not seen are all equally likely there.
pub(super) fn expected(game: &Colony, viewer: usize) -> [Cards; SEATS] {
    let mut unseen = COUNTS;
    unseen[Card::NODE.index()] -= game.nodes.count_ones() as u8;
    each(game.occupied()).for_each(|cell| unseen[game.top(cell).index()] -= 1);
    game.buried.iter().for_each(|(_, card)| unseen[card.card().index()] -= 1);
    unseen.iter_mut().zip(game.hands[viewer]).for_each(|(unseen, held)| *unseen -= held);
    let all = f32::from(unseen.iter().sum::<u8>().max(1));
    let unseen = sorted(&unseen).map(|cards| cards / all);
    std::array::from_fn(|seat| {
        let hand = &game.hands[seat];
        if seat == viewer {
            sorted(hand)
        } else {
            unseen.map(|part| part * f32::from(hand.iter().sum::<u8>()))
        }
    })
}

fn sorted(counts: &[u8; CARD_KINDS]) -> Cards {
    let mut cards = [0.0; 4];
    for (kind, &count) in counts.iter().enumerate() {
        let card = Card::new(kind);
        cards[if card.is_colony() { card.level() } else { 0 }] += f32::from(count);
    }
    cards
}
