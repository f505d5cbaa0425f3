//! The eighteen spaces, their coordinates, and the ways between them.
//!
//! A space is a number from 0 in the order of Kurth's coordinates; a set of spaces is a word of bits. Half a turn of
//! the map exchanges the homes, and then space `i` lies where `17 − i` was: a player's own coordinate of a space is
//! Kurth's coordinate of its image.

/// Spaces of each row, from Kurth's home to Enate's.
const ROWS: [usize; 5] = [3, 4, 4, 4, 3];

/// How many spaces there are.
pub(super) const SPACES: usize = {
    let (mut row, mut spaces) = (0, 0);
    while row < ROWS.len() {
        spaces += ROWS[row];
        row += 1;
    }
    spaces
};

/// A set of spaces: bit = space.
pub(super) type Set = u32;

/// Every space.
pub(super) const ALL: Set = (1 << SPACES) - 1;

/// Kurth's coordinate of each space.
pub(super) const COORDINATES: [u8; SPACES] = {
    let mut coordinates = [0; SPACES];
    let (mut row, mut space) = (0, 0);
    while row < ROWS.len() {
        let mut column = 0;
        while column < ROWS[row] {
            coordinates[space] = (10 * (row + 1) + column + 1) as u8;
            space += 1;
            column += 1;
        }
        row += 1;
    }
    coordinates
};

/// The tier that is laid on a space at the start: 1 next to the homes, 3 in the middle.
pub(super) const fn tier_at(space: usize) -> usize {
    let row = COORDINATES[space] as usize / 10;
    if row <= 3 { row } else { ROWS.len() + 1 - row }
}

/// The spaces of each tier at the start, by tier − 1.
pub(super) const TIER_SPACES: [Set; 3] = {
    let mut sets = [0; 3];
    let mut space = 0;
    while space < SPACES {
        sets[tier_at(space) - 1] |= 1 << space;
        space += 1;
    }
    sets
};

/// The three spaces before each seat's home.
pub(super) const HOME_ROWS: [Set; 2] = [(1 << ROWS[0]) - 1, turned_set((1 << ROWS[0]) - 1)];

/// The rows as ranges of spaces.
pub(super) fn rows() -> impl Iterator<Item = std::ops::Range<usize>> {
    ROWS.iter().scan(0, |first, &width| {
        let row = *first..*first + width;
        *first = row.end;
        Some(row)
    })
}

/// The space with that coordinate of Kurth's.
pub(super) fn space_of(coordinate: u64) -> Option<usize> {
    COORDINATES.iter().position(|&known| u64::from(known) == coordinate)
}

/// Where half a turn takes a space.
#[inline]
pub(super) const fn turned(space: usize) -> usize {
    SPACES - 1 - space
}

/// Where half a turn takes a set.
#[inline]
pub(super) const fn turned_set(set: Set) -> Set {
    set.reverse_bits() >> (Set::BITS as usize - SPACES)
}

/// From the map to a seat's own numbering, or back.
#[inline]
pub(super) const fn own(seat: usize, space: usize) -> usize {
    if seat == 0 { space } else { turned(space) }
}

/// From the map to a seat's own numbering, or back.
#[inline]
pub(super) const fn own_set(seat: usize, set: Set) -> Set {
    if seat == 0 { set } else { turned_set(set) }
}

/// The spaces of a set, from the smallest.
#[inline]
pub(super) fn spaces(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let space = set.trailing_zeros() as usize;
            set &= set - 1;
            space
        })
    })
}

const CHUNK: usize = 6;
const CHUNKS: usize = SPACES.div_ceil(CHUNK);

/// The links of a map.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Map {
    /// The spaces linked to each space.
    pub(super) links: [Set; SPACES],
    /// The spaces linked to each seat's home world.
    pub(super) homes: [Set; 2],
    /// The neighbours of every set of six spaces, six by six.
    spread: [[Set; 1 << CHUNK]; CHUNKS],
}

impl Map {
    pub(super) fn new(links: [Set; SPACES], homes: [Set; 2]) -> Self {
        let mut spread = [[0; 1 << CHUNK]; CHUNKS];
        for (chunk, table) in spread.iter_mut().enumerate() {
            for (set, neighbours) in table.iter_mut().enumerate() {
                *neighbours = spaces(set as Set).fold(0, |all, bit| all | links[chunk * CHUNK + bit]);
            }
        }
        Self { links, homes, spread }
    }

    /// Every space linked to one of `set`.
    #[inline]
    pub(super) fn spread(&self, set: Set) -> Set {
        (0..CHUNKS).fold(0, |all, chunk| {
            all | self.spread[chunk][(set >> (chunk * CHUNK)) as usize & ((1 << CHUNK) - 1)]
        })
    }

    /// D-05: calls `layer` with the cost and the spaces that can be entered from a seat's home at that cost and
    /// no lower one, through `passable` spaces, until it says stop or there are none.
    #[inline]
    pub(super) fn layers(&self, seat: usize, passable: Set, mut layer: impl FnMut(u32, Set) -> bool) {
        let mut edge = self.homes[seat];
        let mut seen = edge;
        let mut cost = 1;
        while edge != 0 && layer(cost, edge) {
            edge = self.spread(edge & passable) & !seen;
            seen |= edge;
            cost += 1;
        }
    }

    /// D-05: the Energy that reaching a space costs, if there is a way.
    #[inline]
    pub(super) fn cost(&self, seat: usize, passable: Set, target: Set) -> Option<u32> {
        let mut found = None;
        self.layers(seat, passable, |cost, edge| {
            if edge & target != 0 {
                found = Some(cost);
            }
            found.is_none()
        });
        found
    }

    /// D-12: `from` and every passable space joined to it by passable ones.
    #[inline]
    pub(super) fn region(&self, from: Set, passable: Set) -> Set {
        let mut region = from;
        loop {
            let wider = region | self.spread(region) & passable;
            if wider == region {
                return region;
            }
            region = wider;
        }
    }

    /// Whether half a turn leaves the links as they are.
    pub(super) fn is_symmetric(&self) -> bool {
        self.homes[1] == turned_set(self.homes[0])
            && (0..SPACES).all(|space| self.links[turned(space)] == turned_set(self.links[space]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coordinates_are_those_of_the_rules_page() {
        assert_eq!(SPACES, 18);
        assert_eq!(COORDINATES, [11, 12, 13, 21, 22, 23, 24, 31, 32, 33, 34, 41, 42, 43, 44, 51, 52, 53]);
        for (kurth, enate) in [(11, 53), (12, 52), (21, 44), (44, 21), (31, 34), (53, 11)] {
            let space = space_of(kurth).expect("a coordinate");
            assert_eq!(COORDINATES[own(1, space)], enate, "Kurth {kurth}");
        }
        assert_eq!(TIER_SPACES.map(Set::count_ones), [6, 8, 4]);
        assert_eq!(HOME_ROWS[0] | HOME_ROWS[1], TIER_SPACES[0]);
    }
}
