//! The rule options and the squares of the box.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::geometry::SQUARES;
use crate::rules::Reader;
use crate::{BadRules, RuleOption, Rules};

/// The four resources, in the order of our tables and texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Colour {
    Red,
    Yellow,
    Blue,
    Green,
}

impl Colour {
    /// All four in order.
    pub const ALL: [Self; 4] = [Self::Red, Self::Yellow, Self::Blue, Self::Green];

    /// The letter in texts.
    pub const fn letter(self) -> char {
        ['r', 'y', 'b', 'g'][self as usize]
    }

    /// The name in the fields of an observation.
    pub const fn name(self) -> &'static str {
        ["red", "yellow", "blue", "green"][self as usize]
    }

    /// The colour with that letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|colour| colour.letter() == letter)
    }
}

/// A square of the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Square {
    /// Pays cubes of its colour while no more nodes stand on it than its limit (the white dots).
    Coloured(Colour, u8),
    /// Pays nothing.
    Vacant,
    /// Pays nothing; nodes on it trade 2:1.
    TradingPost,
}

/// The largest limit of a square.
pub const LARGEST_LIMIT: u8 = 3;

impl Square {
    /// Every square of the box, the trading post last: each colour with limits 1, 2 and 3, and the vacant square.
    pub const BOX: [Self; SQUARES + 1] = {
        let mut squares = [Self::Vacant; SQUARES + 1];
        let mut i = 0;
        while i < Colour::ALL.len() * LARGEST_LIMIT as usize {
            let limit = (i % LARGEST_LIMIT as usize) as u8 + 1;
            squares[i] = Self::Coloured(Colour::ALL[i / LARGEST_LIMIT as usize], limit);
            i += 1;
        }
        squares[SQUARES] = Self::TradingPost;
        squares
    };

    /// How many of them a variant shuffles: in `basic` the trading post stays in the box.
    pub const fn in_play(variant: Variant) -> usize {
        match variant {
            Variant::Basic => SQUARES,
            Variant::Classic | Variant::Advanced => SQUARES + 1,
        }
    }

    /// The square with that text: `r2`, `v0`, `p0`; upper case will do.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        match text.as_str() {
            "v" | "v0" => Some(Self::Vacant),
            "p" | "p0" => Some(Self::TradingPost),
            _ => {
                let mut letters = text.chars();
                let colour = Colour::from_letter(letters.next()?)?;
                let limit = letters.next()?.to_digit(10)? as u8;
                let whole = letters.next().is_none() && (1..=LARGEST_LIMIT).contains(&limit);
                whole.then_some(Self::Coloured(colour, limit))
            }
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Coloured(colour, limit) => write!(f, "{}{limit}", colour.letter()),
            Self::Vacant => f.write_str("v0"),
            Self::TradingPost => f.write_str("p0"),
        }
    }
}

impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| {
            D::Error::custom(format!(
                "`{text}` is no square: expected a colour r y b g with 1, 2 or 3, v0 or p0"
            ))
        })
    }
}

/// How the game is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Without the trading post.
    Basic,
    /// With the trading post in the shuffle; one square stays out.
    #[default]
    Classic,
    /// Classic, but the colour that reaches ten points first loses, and pieces of either colour may be bought.
    Advanced,
}

/// The rule options of Shuter's Node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShuterRules {
    /// How the game is played.
    pub variant: Variant,
    /// Turns in a row without a placement that make a draw (S-14).
    pub stalemate_turns: u32,
    /// The 13 squares row by row instead of a shuffle.
    pub layout: Option<Layout>,
}

impl Default for ShuterRules {
    fn default() -> Self {
        Self { variant: Variant::default(), stalemate_turns: 20, layout: None }
    }
}

/// A fixed layout. Written as a list; one text with the squares apart by blanks, commas or slashes is read too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Layout(pub Vec<Square>);

impl<'de> Deserialize<'de> for Layout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            List(Vec<Square>),
            Text(String),
        }
        match Form::deserialize(deserializer)? {
            Form::List(squares) => Ok(Self(squares)),
            Form::Text(text) => text
                .split([' ', ',', '/'])
                .filter(|word| !word.is_empty())
                .map(|word| {
                    Square::parse(word).ok_or_else(|| D::Error::custom(format!("`{word}` is no square")))
                })
                .collect::<Result<_, _>>()
                .map(Self),
        }
    }
}

const LAYOUT: &str =
    "null (shuffled) or 13 different squares row by row, of r1 r2 r3 y1 … g3, v0 and, not in basic, p0";

impl Rules for ShuterRules {
    const OPTIONS: &'static [RuleOption] = &[
        RuleOption { key: "variant", allowed: "basic, classic or advanced", about: "how the game is played" },
        RuleOption {
            key: "stalemate_turns",
            allowed: "a whole number from 1 to 1000000",
            about: "turns in a row without a placement that make a draw",
        },
        RuleOption { key: "layout", allowed: LAYOUT, about: "a fixed board instead of the shuffle" },
    ];

    fn check(&mut self, _read: &Reader<'_>) -> Result<(), BadRules> {
        if !(1..=1_000_000).contains(&self.stalemate_turns) {
            return Err(BadRules::value("stalemate_turns", self.stalemate_turns, Self::OPTIONS[1].allowed));
        }
        if let Some(Layout(squares)) = &self.layout {
            check_squares(squares, self.variant)
                .map_err(|problem| BadRules::value("layout", squares, format!("{LAYOUT}; {problem}")))?;
        }
        Ok(())
    }
}

/// Says what keeps these squares from being a board of the variant.
pub fn check_squares(squares: &[Square], variant: Variant) -> Result<(), String> {
    if squares.len() != SQUARES {
        return Err(format!("these are {} squares, not {SQUARES}", squares.len()));
    }
    let known = &Square::BOX[..Square::in_play(variant)];
    for (i, square) in squares.iter().enumerate() {
        if !known.contains(square) {
            return Err(format!("{square} is not in the box of this variant"));
        }
        if squares[..i].contains(square) {
            return Err(format!("{square} is there twice"));
        }
    }
    Ok(())
}
