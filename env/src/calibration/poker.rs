//! What the poker games share: drawing cards, settling the pot, and the pieces of their texts and pictures.

use crate::{BadPosition, Game, Ink, Mask, Paint, Rng, Seat, Text};

/// Draws one of the cards below `cards` that are not among the used ones (bits), and uses it.
pub(super) fn draw_card(cards: usize, used: &mut u8, rng: &mut Rng) -> u8 {
    let mut rank = rng.below(cards as u32 - used.count_ones());
    let mut card = 0;
    while rank > 0 || *used >> card & 1 == 1 {
        rank -= u32::from(*used >> card & 1 == 0);
        card += 1;
    }
    *used |= 1 << card;
    card
}

/// The returns: the loser pays its stake to the other; without one both take theirs back.
pub(super) fn settle(loser: Option<usize>, paid: [u8; 2], out: &mut [f32]) {
    out.fill(0.0);
    if let Some(loser) = loser {
        let stake = f32::from(paid[loser]);
        out[1 - loser] = stake;
        out[loser] = -stake;
    }
}

/// The card with that name, as an index into the game's cards.
pub(super) fn card_named(cards: &[&str], key: &'static str, name: &str) -> Result<u8, BadPosition> {
    let found = cards.iter().position(|card| *card == name).map(|card| card as u8);
    found.ok_or_else(|| BadPosition::new(key, format!("`{name}`: expected one of {}", cards.join(", "))))
}

/// The first letters of some moves.
pub(super) fn letters(moves: impl Iterator<Item = &'static str>) -> String {
    moves.map(|text| &text[..1]).collect()
}

/// Plays on from a state with moves that are written by their first letters; then `to_move` is to act.
pub(super) fn play_letters<G: Text>(
    mut game: G,
    letters: &str,
    to_move: Option<u8>,
) -> Result<G, BadPosition> {
    let mut mask = Mask::EMPTY;
    for (place, letter) in letters.chars().enumerate() {
        game.legal(&mut mask);
        let Some(action) = mask.iter().find(|&action| game.move_text(action).starts_with(letter)) else {
            let problem = format!("`{letter}` at place {place} is not a legal move there");
            return Err(BadPosition::new("history", problem));
        };
        game.apply(action);
    }
    match game.to_move().map(|seat| seat.0) {
        told if told == to_move => Ok(game),
        told => Err(BadPosition::new("to_move", format!("{to_move:?}: the history says {told:?}"))),
    }
}

/// One line a seat: its card, its chips in the pot, whether it is to act.
pub(super) fn seat_lines(game: &impl Game, cards: [&str; 2], paid: [u8; 2], paint: Paint) -> String {
    let line = |(i, ink): (usize, Ink)| {
        let (card, paid) = (paint.ink(ink, cards[i]), paid[i]);
        let mark = if game.to_move() == Some(Seat(i as u8)) { ", to act" } else { "" };
        format!("seat {i}: {card}, {paid} in the pot{mark}\n")
    };
    [Ink::Orange, Ink::Purple].into_iter().enumerate().map(line).collect()
}

/// A line of moves behind its title.
pub(super) fn moves_line(title: &str, moves: impl Iterator<Item = &'static str>) -> String {
    moves.fold(format!("{title}:"), |line, text| line + " " + text) + "\n"
}
