//! The data files: the cards and the map's links, read, checked, and turned into tables.
//!
//! The printed values are lost, so the built-in ones are ours; an owner of the printed game can give files of the
//! same form. `docs/starduel.md` describes it.

use std::collections::HashSet;
use std::fmt;
use std::sync::{LazyLock, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::board::{self, HOME_ROWS, Map, SPACES, Set};
use super::observe::SPACE_NUMBERS;

/// The built-in cards, in the form that players may write their own in.
pub const CARDS: &str = include_str!("../../../data/starduel_cards.json");
/// The built-in links.
pub const MAP: &str = include_str!("../../../data/starduel_map.json");

/// D-14: the most Population, Minerals or Energy that a player can have.
pub(super) const LIMIT: u8 = 12;

/// The highest defence, so that `execute p0` … `execute p6` are all the payments there are.
pub(super) const MOST_DEFENCE: u8 = 6;

const TIER_1: usize = 3;
pub(super) const TIER_2: usize = 10;
pub(super) const TIER_3: usize = 6;

/// How many different cards there can be: each side may have its own Tier 1.
pub(super) const MOST_CARDS: usize = 2 * TIER_1 + TIER_2 + TIER_3;

/// In place of a card where there is none.
pub(super) const NO_CARD: u8 = MOST_CARDS as u8;

/// The file of cards.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CardFile {
    cards: Vec<Card>,
}

/// A node card, as the file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Card {
    pub(super) name: String,
    pub(super) tier: u8,
    /// The only side that has this Tier 1 card; both have one without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) side: Option<u8>,
    /// Population, Minerals.
    pub(super) needs: [u8; 2],
    pub(super) defence: u8,
    /// Population, Minerals, Energy.
    pub(super) activation: [u8; 3],
    /// Population, Minerals, Energy.
    pub(super) exhaustion: [u8; 3],
}

/// The file of the map.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MapFile {
    homes: Homes,
    links: Vec<[u64; 2]>,
}

/// The spaces linked to each home world.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Homes {
    kurth: Vec<u64>,
    enate: Vec<u64>,
}

/// The numbers of a card that play uses.
#[derive(Clone, Copy, Default)]
pub(super) struct Values {
    pub(super) needs: [u8; 2],
    pub(super) defence: u8,
    pub(super) activation: [u8; 3],
    pub(super) exhaustion: [u8; 3],
}

/// Everything that the data files say, ready for play. States hold a reference, so that they stay plain values:
/// tables are made once for each different content and live as long as the process.
pub(super) struct Tables {
    pub(super) cards: Vec<Card>,
    pub(super) map: Map,
    /// The values by card; the place of [`NO_CARD`] holds zeros.
    pub(super) values: [Values; MOST_CARDS + 1],
    /// The Tier 1 cards of each side.
    pub(super) tier_1: [[u8; TIER_1]; 2],
    pub(super) tier_2: [u8; TIER_2],
    pub(super) tier_3: [u8; TIER_3],
    /// The place of each Tier 2 or Tier 3 card among those.
    pub(super) hidden_rank: [u8; MOST_CARDS],
    /// Whether half a turn with the seats exchanged leaves the game as it is.
    pub(super) symmetric: bool,
    /// How a card shows: face down, inactive, own, the other's.
    pub(super) views: [[[f32; SPACE_NUMBERS]; 4]; MOST_CARDS + 1],
}

impl Tables {
    /// The tables of the built-in files.
    pub(super) fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<&Tables> = LazyLock::new(|| {
            Tables::new(
                read_cards(CARDS).expect("the built-in cards are sound"),
                read_map(MAP).expect("the built-in map is sound"),
            )
        });
        &BUILT_IN
    }

    /// The tables of the given texts; `None` stands for a built-in file. The error says which of the two is wrong
    /// (0 the cards, 1 the map) and what is.
    pub(super) fn read(cards: Option<&str>, map: Option<&str>) -> Result<&'static Self, (usize, String)> {
        if cards.is_none() && map.is_none() {
            return Ok(Self::built_in());
        }
        let cards = read_cards(cards.unwrap_or(CARDS)).map_err(|problem| (0, problem))?;
        let map = read_map(map.unwrap_or(MAP)).map_err(|problem| (1, problem))?;
        Ok(Self::new(cards, map))
    }

    /// The one table with that content.
    fn new(cards: Vec<Card>, map: Map) -> &'static Self {
        static KNOWN: Mutex<Vec<&Tables>> = Mutex::new(Vec::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tables) = known.iter().find(|tables| tables.cards == cards && tables.map == map) {
            return tables;
        }
        let tables: &'static Self = Box::leak(Box::new(Self::build(cards, map)));
        known.push(tables);
        tables
    }

    fn build(cards: Vec<Card>, map: Map) -> Self {
        let of = |tier: u8, side: u8| {
            let mine = move |card: &Card| card.tier == tier && card.side.is_none_or(|of| of == side);
            cards.iter().enumerate().filter(move |(_, card)| mine(card)).map(|(number, _)| number as u8)
        };
        let mut values = [Values::default(); MOST_CARDS + 1];
        let mut views = [[[0.0; SPACE_NUMBERS]; 4]; MOST_CARDS + 1];
        for (number, card) in cards.iter().enumerate() {
            let Card { needs, defence, activation, exhaustion, .. } = *card;
            values[number] = Values { needs, defence, activation, exhaustion };
            views[number] = super::observe::views(card);
        }
        let mut hidden_rank = [0; MOST_CARDS];
        for (rank, card) in of(2, 0).chain(of(3, 0)).enumerate() {
            hidden_rank[card as usize] = rank as u8;
        }
        Self {
            tier_1: [0, 1].map(|side| fill(of(1, side))),
            tier_2: fill(of(2, 0)),
            tier_3: fill(of(3, 0)),
            hidden_rank,
            symmetric: map.is_symmetric() && cards.iter().all(|card| card.side.is_none()),
            values,
            views,
            map,
            cards,
        }
    }

    /// The card with that name.
    pub(super) fn card(&self, name: &str) -> Option<u8> {
        self.cards.iter().position(|card| card.name == name).map(|number| number as u8)
    }
}

fn fill<const N: usize>(cards: impl Iterator<Item = u8>) -> [u8; N] {
    let mut filled = [NO_CARD; N];
    filled.iter_mut().zip(cards).for_each(|(place, card)| *place = card);
    filled
}

/// There is one table of each content, so the address tells.
impl PartialEq for Tables {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.cards.iter().map(|card| card.name.as_str()).collect();
        write!(f, "Tables({})", names.join(" "))
    }
}

fn read_cards(text: &str) -> Result<Vec<Card>, String> {
    let CardFile { cards } = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut names = HashSet::new();
    for card in &cards {
        check_card(card).map_err(|problem| format!("card {:?} {problem}", card.name))?;
        if !names.insert(card.name.as_str()) {
            return Err(format!("card {:?} is there twice", card.name));
        }
    }
    let count = |tier, side: Option<u8>| {
        cards.iter().filter(|c| c.tier == tier && (c.side.is_none() || c.side == side)).count()
    };
    for (side, name) in ["Kurth", "Enate"].into_iter().enumerate() {
        let found = count(1, Some(side as u8));
        if found != TIER_1 {
            return Err(format!("{found} Tier 1 cards for {name} where {TIER_1} are needed"));
        }
    }
    for (tier, needed) in [(2, TIER_2), (3, TIER_3)] {
        let found = count(tier, None);
        if found != needed {
            return Err(format!("{found} Tier {tier} cards where {needed} are needed"));
        }
    }
    Ok(cards)
}

fn check_card(card: &Card) -> Result<(), String> {
    const LONGEST_NAME: usize = 12;
    let length = card.name.chars().count();
    if !(1..=LONGEST_NAME).contains(&length) || card.name.chars().any(char::is_control) {
        return Err(format!("needs a name of 1 to {LONGEST_NAME} printable characters"));
    }
    if !(1..=3).contains(&card.tier) {
        return Err(format!("has tier {} where 1, 2 or 3 is needed", card.tier));
    }
    if !(1..=MOST_DEFENCE).contains(&card.defence) {
        return Err(format!("has defence {} where 1 to {MOST_DEFENCE} is needed", card.defence));
    }
    match card.side {
        Some(side) if side > 1 => {
            return Err(format!("has side {side} where 0 (Kurth) or 1 (Enate) is needed"));
        }
        Some(_) if card.tier > 1 => return Err("names a side, which only a Tier 1 card may do".to_owned()),
        _ => {}
    }
    let parts: [(&str, &[u8]); 3] =
        [("needs", &card.needs), ("activation", &card.activation), ("exhaustion", &card.exhaustion)];
    for (part, values) in parts {
        if let Some(value) = values.iter().find(|&&value| value > LIMIT) {
            return Err(format!("has {value} in its {part} where 0 to {LIMIT} is needed"));
        }
    }
    Ok(())
}

fn read_map(text: &str) -> Result<Map, String> {
    let file: MapFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let space = |coordinate: u64| {
        board::space_of(coordinate).ok_or_else(|| format!("there is no space {coordinate} on the map"))
    };
    let mut homes = [0; 2];
    for (home, (given, name)) in
        homes.iter_mut().zip([(&file.homes.kurth, "Kurth's"), (&file.homes.enate, "Enate's")])
    {
        for &coordinate in given {
            let bit = 1 << space(coordinate)?;
            if *home & bit != 0 {
                return Err(format!("{name} home is linked to {coordinate} twice"));
            }
            *home |= bit;
        }
        if *home == 0 {
            return Err(format!("{name} home is linked to no space"));
        }
    }
    let mut links: [Set; SPACES] = [0; SPACES];
    for &[a, b] in &file.links {
        let (from, to) = (space(a)?, space(b)?);
        if from == to {
            return Err(format!("{a} is linked to itself"));
        }
        if links[from] >> to & 1 == 1 {
            return Err(format!("the link between {a} and {b} is there twice (one entry goes both ways)"));
        }
        links[from] |= 1 << to;
        links[to] |= 1 << from;
    }
    let map = Map::new(links, homes);
    for (&home, name) in homes.iter().zip(["Kurth's", "Enate's"]) {
        let unreached = board::ALL & !map.region(home, board::ALL);
        if unreached != 0 {
            let lost = board::COORDINATES[unreached.trailing_zeros() as usize];
            return Err(format!("no way leads from {name} home to {lost}"));
        }
    }
    Ok(map)
}

/// How many cards of that number are in the game: two of a Tier 1 card that both sides have.
pub(super) fn copies(card: &Card) -> usize {
    if card.tier == 1 && card.side.is_none() { HOME_ROWS.len() } else { 1 }
}
