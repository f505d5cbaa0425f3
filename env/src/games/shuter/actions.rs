//! Actions by their index.

use super::geometry::{CORNERS, EDGES};
use super::options::Colour;
use crate::{Action, ActionGroup};

/// Trades of three cubes for one: 4 received colours × 10 ways to give three of the other three colours.
pub const THREES: usize = 40;
/// Trades of two cubes for one: 4 received colours × 6 ways to give two of the other three colours.
pub const TWOS: usize = 24;

/// Index of the first action of each kind.
pub const NODE: usize = 0;
/// First branch.
pub const BRANCH: usize = NODE + CORNERS;
/// First 3:1 trade.
pub const THREE: usize = BRANCH + EDGES;
/// First 2:1 trade.
pub const TWO: usize = THREE + THREES;
/// Ending the turn.
pub const END: usize = TWO + TWOS;
/// First node of the other colour; from here on in `advanced` only.
pub const OTHER_NODE: usize = END + 1;
/// First branch of the other colour.
pub const OTHER_BRANCH: usize = OTHER_NODE + CORNERS;

/// A cube count a colour, one byte each, red lowest. Hands hold ten of a colour at most and an income a few dozen, so the
/// bytes never meet and their top bits stay clear.
pub type Cubes = u32;

/// One cube of the colour.
pub const fn cube(colour: usize) -> Cubes {
    1 << (8 * colour)
}

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Place a node of one's own colour on the corner.
    Node(usize),
    /// Place a branch of one's own colour on the edge.
    Branch(usize),
    /// Give three cubes for one.
    Three(Trade),
    /// Give two cubes for one at the trading post.
    Two(Trade),
    /// End the turn.
    End,
    /// Place a node of the other colour (S-15).
    OtherNode(usize),
    /// Place a branch of the other colour (S-15).
    OtherBranch(usize),
}

/// The cubes that change hands with the bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trade {
    /// What the player gives.
    pub gives: Cubes,
    /// The one cube that the player receives.
    pub receives: Cubes,
}

impl Move {
    /// The move with that index.
    #[inline]
    pub fn from_action(action: Action) -> Self {
        match action.index() {
            i @ NODE..BRANCH => Self::Node(i - NODE),
            i @ BRANCH..THREE => Self::Branch(i - BRANCH),
            i @ THREE..TWO => Self::Three(THREE_TRADES[i - THREE]),
            i @ TWO..END => Self::Two(TWO_TRADES[i - TWO]),
            END => Self::End,
            i @ OTHER_NODE..OTHER_BRANCH => Self::OtherNode(i - OTHER_NODE),
            i => Self::OtherBranch(i - OTHER_BRANCH),
        }
    }
}

/// The 3:1 trades by received colour, then by given colours, all in the order r y b g.
pub static THREE_TRADES: [Trade; THREES] = list(3);
/// The 2:1 trades in the same order.
pub static TWO_TRADES: [Trade; TWOS] = list(2);

/// All of them in the order of their actions.
pub fn trades() -> impl Iterator<Item = Trade> {
    THREE_TRADES.into_iter().chain(TWO_TRADES)
}

const fn list<const N: usize>(given: usize) -> [Trade; N] {
    let mut list = [Trade { gives: 0, receives: 0 }; N];
    let mut n = 0;
    let mut received = 0;
    while received < 4 {
        // Every non-decreasing triple of colours; for two given cubes the last one stays at 0 and is not counted.
        let mut code = 0;
        while code < 64 {
            let (a, b, c) = (code / 16, code / 4 % 4, code % 4);
            let rises = a <= b && (if given == 3 { b <= c } else { c == 0 });
            let differs = a != received && b != received && (given == 2 || c != received);
            if rises && differs {
                let last = if given == 3 { cube(c) } else { 0 };
                list[n] = Trade { gives: cube(a) + cube(b) + last, receives: cube(received) };
                n += 1;
            }
            code += 1;
        }
        received += 1;
    }
    assert!(n == N);
    list
}

/// The trades that a hand allows, by [`trade_key`].
pub static THREES_IN_HAND: [u64; 256] = in_hand(&THREE_TRADES);
/// The same for 2:1 trades.
pub static TWOS_IN_HAND: [u64; 256] = in_hand(&TWO_TRADES);
/// The trades that the bank allows, by [`bank_key`].
pub static THREES_IN_BANK: [u64; 16] = in_bank(&THREE_TRADES);
/// The same for 2:1 trades.
pub static TWOS_IN_BANK: [u64; 16] = in_bank(&TWO_TRADES);

const fn in_hand(trades: &[Trade]) -> [u64; 256] {
    let mut table = [0; 256];
    let mut key = 0;
    while key < 256 {
        let hand = (key & 3 | (key & 12) << 6 | (key & 48) << 12 | (key & 192) << 18) as Cubes;
        let mut i = 0;
        while i < trades.len() {
            if covers(hand, trades[i].gives) {
                table[key] |= 1 << i;
            }
            i += 1;
        }
        key += 1;
    }
    table
}

const fn in_bank(trades: &[Trade]) -> [u64; 16] {
    let mut table = [0; 16];
    let mut key = 0;
    while key < 16 {
        let mut i = 0;
        while i < trades.len() {
            if key >> (trades[i].receives.trailing_zeros() / 8) & 1 == 1 {
                table[key] |= 1 << i;
            }
            i += 1;
        }
        key += 1;
    }
    table
}

/// Marks the top bit of each byte, where cube counts never reach.
const TOPS: Cubes = 0x8080_8080;

/// Whether the hand holds at least that many cubes of every colour.
#[inline]
pub const fn covers(hand: Cubes, cost: Cubes) -> bool {
    ((hand | TOPS) - cost) & TOPS == TOPS
}

/// Two bits a colour: the count, or 3 where it is higher. More than three of a colour are never given.
#[inline]
pub fn trade_key(hand: Cubes) -> usize {
    let above = ((hand + 0x7c7c_7c7c) & TOPS) >> 7;
    let full = above * 0xff;
    let cut = hand & !full | full & 0x0303_0303;
    ((cut | cut >> 6 | cut >> 12 | cut >> 18) & 0xff) as usize
}

/// One bit a colour: whether the bank holds any.
#[inline]
pub fn bank_key(bank: Cubes) -> usize {
    let some = ((bank + 0x7f7f_7f7f) & TOPS) >> 7;
    ((some | some >> 7 | some >> 14 | some >> 21) & 0xf) as usize
}

/// The letters of the cubes, each as often as it is there, in the order r y b g.
pub fn letters(cubes: Cubes) -> impl Iterator<Item = char> {
    Colour::ALL
        .into_iter()
        .zip(cubes.to_le_bytes())
        .flat_map(|(colour, n)| (0..n).map(move |_| colour.letter()))
}

/// Appends the text of an action: `n07`, `b11`, `tybgr`, `dryb`, `e`, `N07`, `B11`.
pub fn write_action(action: Action, out: &mut String) {
    let mut piece = |letter: char, number: usize| {
        out.push(letter);
        out.push(char::from(b'0' + (number / 10) as u8));
        out.push(char::from(b'0' + (number % 10) as u8));
    };
    match Move::from_action(action) {
        Move::Node(corner) => piece('n', corner),
        Move::Branch(edge) => piece('b', edge),
        Move::OtherNode(corner) => piece('N', corner),
        Move::OtherBranch(edge) => piece('B', edge),
        Move::End => out.push('e'),
        Move::Three(trade) | Move::Two(trade) => {
            out.push(if trade.gives.to_le_bytes().iter().sum::<u8>() == 3 { 't' } else { 'd' });
            out.extend(letters(trade.gives));
            out.extend(letters(trade.receives));
        }
    }
}

/// The groups of actions, for the spec.
pub fn groups(advanced: bool) -> Vec<ActionGroup> {
    let names = |range: std::ops::Range<usize>| {
        range.map(|i| {
            let mut name = String::new();
            write_action(Action(i as u16), &mut name);
            name
        })
    };
    let mut groups = vec![
        ActionGroup::new("place a node of the own colour on the corner", names(NODE..BRANCH)),
        ActionGroup::new("place a branch of the own colour on the edge", names(BRANCH..THREE)),
        ActionGroup::new("trade 3:1, given colours then received colour", names(THREE..TWO)),
        ActionGroup::new("trade 2:1 at the trading post", names(TWO..END)),
        ActionGroup::new("end the turn", names(END..OTHER_NODE)),
    ];
    if advanced {
        groups.push(ActionGroup::new("place a node of the other colour", names(OTHER_NODE..OTHER_BRANCH)));
        let last = OTHER_BRANCH + EDGES;
        groups.push(ActionGroup::new("place a branch of the other colour", names(OTHER_BRANCH..last)));
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_125_actions_and_185_in_advanced() {
        let count = |advanced| groups(advanced).iter().map(|group| group.names.len()).sum::<usize>();
        assert_eq!([count(false), count(true)], [125, 185]);
        assert_eq!([NODE, BRANCH, THREE, TWO, END], [0, 24, 60, 100, 124]);
    }

    #[test]
    fn trades_come_by_received_then_by_given_colour() {
        let names = &groups(false)[2].names;
        assert_eq!(&names[..10].join(" "), "tyyyr tyybr tyygr tybbr tybgr tyggr tbbbr tbbgr tbggr tgggr");
        assert_eq!(names[10], "trrry");
        let names = &groups(false)[3].names;
        assert_eq!(&names[..7].join(" "), "dyyr dybr dygr dbbr dbgr dggr drry");
    }

    #[test]
    fn the_tables_allow_what_hand_and_bank_cover() {
        for code in 0..11_u32.pow(4) {
            let hand = (0..4).map(|i| code / 11_u32.pow(i) % 11 * cube(i as usize)).sum::<u32>();
            for (i, trade) in THREE_TRADES.iter().enumerate() {
                assert_eq!(THREES_IN_HAND[trade_key(hand)] >> i & 1 == 1, covers(hand, trade.gives));
                let held = hand >> trade.receives.trailing_zeros() & 0xff > 0;
                assert_eq!(THREES_IN_BANK[bank_key(hand)] >> i & 1 == 1, held);
            }
            for (i, trade) in TWO_TRADES.iter().enumerate() {
                assert_eq!(TWOS_IN_HAND[trade_key(hand)] >> i & 1 == 1, covers(hand, trade.gives));
            }
        }
    }
}
