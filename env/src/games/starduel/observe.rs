//! The observation: what a seat may know, in its own coordinates.

use super::actions::PROGRAMS;
use super::board::{SPACES, Set, own, own_set, spaces};
use super::data::{Card, LIMIT, MOST_DEFENCE, NO_CARD, TIER_2, TIER_3};
use super::state::{NONE, Phase, StarDuel};
use crate::Layout;

/// Numbers of a card: there, face up, own, the other's, tier, needs, defence, both bonuses.
const CARD_NUMBERS: usize = 14;

/// Numbers of a space: its card, and how near it is for either player.
pub(super) const SPACE_NUMBERS: usize = CARD_NUMBERS + 2;

const HIDDEN_CARDS: usize = TIER_2 + TIER_3;
const PLAYER_NUMBERS: usize = 4;

/// The fields, in order.
pub(super) fn layout() -> Layout {
    Layout::default()
        .field(
            "spaces",
            SPACES * SPACE_NUMBERS,
            "16 numbers a space, spaces in the order of the viewer's own coordinates: a node is there; it is face \
             up; the viewer controls it; the other does; tier ÷ 3; needed Population, Minerals ÷ 12; defence ÷ 6; \
             activation bonus in Population, Minerals, Energy ÷ 12; exhaustion bonus likewise; nearness for the \
             viewer, then for the other: (13 − Energy that targeting costs) ÷ 12, 0 without a way. A face-down node \
             shows only that it is there and its tier",
        )
        .field(
            "own.targets",
            SPACES,
            "1 where a program of the viewer could be executed now: Energy, needs or payment suffice",
        )
        .field("other.targets", SPACES, "the same for the other player, in the viewer's coordinates")
        .field("activated", SPACES, "1 at the node activated this turn")
        .field("moving", SPACES, "1 at the node that is being moved")
        .field("own.program", PROGRAMS, "1 at the number that the viewer has programmed")
        .field("other.program", PROGRAMS, "1 at the other's number in the other's coordinates, once revealed")
        .field("unseen", HIDDEN_CARDS, "1 for each Tier 2, then Tier 3 card that lies face down or is a spare")
        .field("own.resources", PLAYER_NUMBERS, "Influence ÷ 18; Population, Minerals, Energy ÷ 12")
        .field("other.resources", PLAYER_NUMBERS, "the same for the other player")
        .field("phase", 3, "program, act, move-to")
        .field("acting", 2, "the viewer's turn; the other's turn; none while programming")
        .field("left", 3, "execute, exhaust, move not used in this turn")
        .field("spares", 2, "spares of Tier 2, Tier 3 ÷ 2")
        .field("round", 1, "round ÷ round limit")
        .field("tie", 1, "1 if the viewer goes first when both program the same number")
}

/// How a card shows face down, inactive, as the viewer's, as the other's. The nearness is left out.
pub(super) fn views(card: &Card) -> [[f32; SPACE_NUMBERS]; 4] {
    let part = |value: u8| f32::from(value) / f32::from(LIMIT);
    let mut open = [0.0; SPACE_NUMBERS];
    open[0] = 1.0;
    open[4] = f32::from(card.tier) / 3.0;
    let mut views = [open; 4];
    for view in &mut views[1..] {
        view[1] = 1.0;
        view[7] = f32::from(card.defence) / f32::from(MOST_DEFENCE);
        let values = card.needs.iter().chain(&card.activation).chain(&card.exhaustion);
        for (at, &value) in [5, 6, 8, 9, 10, 11, 12, 13].into_iter().zip(values) {
            view[at] = part(value);
        }
    }
    views[2][2] = 1.0;
    views[3][3] = 1.0;
    views
}

impl StarDuel {
    /// Writes every element of `out`.
    pub(super) fn write_view(&self, viewer: usize, out: &mut [f32]) {
        let mut out = Rest(out);
        let seats = [viewer, 1 - viewer];
        let ways = seats.map(|seat| self.ways(seat, viewer));
        self.write_spaces(viewer, &ways, out.take::<{ SPACES * SPACE_NUMBERS }>());
        for (seat, way) in seats.into_iter().zip(&ways) {
            write_bits(own_set(viewer, self.targets(seat, way.affordable)), out.take::<SPACES>());
        }
        for space in [self.activated, self.moving] {
            let at = if space == NONE { 0 } else { 1 << own(viewer, space as usize) };
            write_bits(at, out.take::<SPACES>());
        }
        let revealed = self.phase != Phase::Program;
        for (seat, shown) in seats.into_iter().zip([true, revealed]) {
            let program = self.programs[seat];
            write_bits(if shown && program != NONE { 1 << program } else { 0 }, out.take::<PROGRAMS>());
        }
        write_bits(self.unseen(), out.take::<HIDDEN_CARDS>());
        for seat in seats {
            let player = self.players[seat];
            let part = |value: u8| f32::from(value) * (1.0 / LIMIT as f32);
            let influence = self.influence(seat) as f32 * (1.0 / SPACES as f32);
            *out.take() = [influence, part(player.population), part(player.minerals), part(player.energy)];
        }
        write_bits(1 << self.phase as u32, out.take::<3>());
        *out.take() = seats.map(|seat| f32::from(u8::from(usize::from(self.acting) == seat)));
        write_bits(u32::from(self.left), out.take::<3>());
        *out.take() =
            self.spares.map(|tier| tier.map(|card| if card == NO_CARD { 0.0 } else { 0.5 }).iter().sum());
        *out.take() = [self.round as f32 / self.round_limit as f32];
        *out.take() = [f32::from(u8::from(usize::from(self.went_second) == viewer))];
    }

    /// D-05 for every space at once.
    fn ways(&self, seat: usize, viewer: usize) -> Ways {
        let mut ways = Ways { near: [0.0; SPACES], affordable: 0 };
        let energy = u32::from(self.players[seat].energy);
        self.tables.map.layers(seat, self.passable(seat), |cost, edge| {
            if cost <= energy {
                ways.affordable |= edge;
            }
            let near = NEARNESS[cost as usize];
            spaces(own_set(viewer, edge)).for_each(|space| ways.near[space] = near);
            cost < u32::from(LIMIT)
        });
        ways
    }

    /// The nodes among `affordable` that a seat could look at, activate or attack.
    fn targets(&self, seat: usize, affordable: Set) -> Set {
        let player = self.players[seat];
        let inactive = self.inactive() & affordable;
        let looks = inactive & !self.up;
        let activates = spaces(inactive & self.up).filter(|&at| player.meet(self.values(at)));
        let attacks =
            spaces(self.owned[1 - seat] & affordable).filter(|&at| player.can_pay(self.values(at).defence));
        activates.chain(attacks).fold(looks, |all, space| all | 1 << space)
    }

    #[inline]
    fn write_spaces(&self, viewer: usize, ways: &[Ways; 2], out: &mut [f32; SPACES * SPACE_NUMBERS]) {
        let (blocks, _) = out.as_chunks_mut::<SPACE_NUMBERS>();
        for (i, block) in blocks.iter_mut().enumerate() {
            let space = own(viewer, i);
            let is = |set: Set| (set >> space & 1) as usize;
            let shown = is(self.up) + is(self.owned[viewer]) + 2 * is(self.owned[1 - viewer]);
            *block = self.tables.views[self.cards[space] as usize][shown];
            block[CARD_NUMBERS] = ways[0].near[i];
            block[CARD_NUMBERS + 1] = ways[1].near[i];
        }
    }

    /// The cards that nobody has seen, as bits: Tier 2, then Tier 3, in the order of the data file.
    fn unseen(&self) -> u32 {
        let face_down = spaces(self.occupied & !self.up).map(|space| self.cards[space]);
        let spares = self.spares.into_iter().flatten().filter(|&card| card != NO_CARD);
        face_down.chain(spares).fold(0, |all, card| all | 1 << self.tables.hidden_rank[card as usize])
    }
}

/// What a player can reach.
struct Ways {
    /// In the viewer's coordinates.
    near: [f32; SPACES],
    /// Spaces that cost no more Energy than the player has.
    affordable: Set,
}

/// How near a space is by what targeting it costs.
const NEARNESS: [f32; LIMIT as usize + 1] = {
    let mut table = [0.0; LIMIT as usize + 1];
    let mut cost = 1;
    while cost < table.len() {
        table[cost] = (table.len() - cost) as f32 / LIMIT as f32;
        cost += 1;
    }
    table
};

/// The part of an observation that is still to be written.
struct Rest<'a>(&'a mut [f32]);

impl<'a> Rest<'a> {
    #[inline]
    fn take<const N: usize>(&mut self) -> &'a mut [f32; N] {
        let (taken, rest) = std::mem::take(&mut self.0)
            .split_first_chunk_mut()
            .expect("the observation is as long as its layout");
        self.0 = rest;
        taken
    }
}

#[inline]
fn write_bits<const N: usize>(bits: u32, out: &mut [f32; N]) {
    for (i, x) in out.iter_mut().enumerate() {
        *x = (bits >> i & 1) as f32;
    }
}
