//! The words of a game: positions, moves, drawings.

use std::fmt::{Debug, Write as _};

use anstyle::{Color, RgbColor, Style};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::rng::Purpose;
use crate::{Action, Game, Mask, Rng, Seat, random_action};

/// A game that can be written down. Apart from [`Game`], because nobody should read text to learn a rule.
pub trait Text: Game {
    /// The whole truth about a state, hidden cards included: `STATE` of the record format.
    type Position: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send;

    /// The state as the referee writes it.
    fn position(&self) -> Self::Position;

    /// Reads a position; refuses what no play could reach where that can be told from the position alone.
    fn from_position(rules: &Self::Rules, position: &Self::Position) -> Result<Self, BadPosition>;

    /// Appends the text of a legal action of this state.
    fn write_move(&self, action: Action, out: &mut String);

    /// The state drawn in the terminal, over several lines, as `seat` sees it; `None` shows everything.
    fn draw(&self, seat: Option<Seat>, paint: Paint) -> String;

    /// The text of a legal action of this state.
    fn move_text(&self, action: Action) -> String {
        let mut text = String::new();
        self.write_move(action, &mut text);
        text
    }

    /// The legal action with that text.
    fn parse_move(&self, text: &str) -> Result<Action, BadMove> {
        let mut mask = Mask::EMPTY;
        self.legal(&mut mask);
        let mut written = String::new();
        for action in mask.iter() {
            written.clear();
            self.write_move(action, &mut written);
            if written == text {
                return Ok(action);
            }
        }
        let legal: Vec<String> = mask.iter().map(|action| self.move_text(action)).collect();
        Err(BadMove { text: text.to_owned(), legal })
    }
}

/// A position that cannot be: which key, what it holds, what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{key}`: {problem}")]
pub struct BadPosition {
    /// The key of the position.
    pub key: &'static str,
    /// What is wrong with it.
    pub problem: String,
}

impl BadPosition {
    /// The error for a key of a position.
    pub fn new(key: &'static str, problem: impl Into<String>) -> Self {
        Self { key, problem: problem.into() }
    }
}

/// A text that is no legal move here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a legal move here; legal {}", listed(.legal))]
pub struct BadMove {
    /// What was given.
    pub text: String,
    /// What could have been given.
    pub legal: Vec<String>,
}

fn listed(legal: &[String]) -> String {
    const SHOWN: usize = 12;
    match legal.len() {
        0 => "is nothing: the game is over".to_owned(),
        n if n <= SHOWN => format!("are: {}", legal.join(", ")),
        n => format!("are: {}, … ({n} in all)", legal[..SHOWN].join(", ")),
    }
}

/// Whether a drawing has colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Letters only, for files and for terminals without colour.
    Plain,
    /// With ANSI colours.
    Colour,
}

impl Paint {
    /// `text` in the given ink.
    pub fn ink(self, ink: Ink, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Colour => {
                let style = ink.style();
                format!("{style}{text}{style:#}")
            }
        }
    }
}

/// The inks of the drawings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Ink {
    Red,
    Yellow,
    Blue,
    Green,
    Orange,
    Purple,
    White,
    Cyan,
    /// For what matters little.
    Dim,
    /// For what matters.
    Bold,
}

impl Ink {
    fn style(self) -> Style {
        let rgb = |r, g, b| Style::new().fg_color(Some(Color::Rgb(RgbColor(r, g, b))));
        match self {
            Self::Red => rgb(230, 85, 80),
            Self::Yellow => rgb(225, 190, 60),
            Self::Blue => rgb(90, 140, 235),
            Self::Green => rgb(90, 180, 95),
            Self::Orange => rgb(250, 140, 30).bold(),
            Self::Purple => rgb(175, 105, 235).bold(),
            Self::White => rgb(240, 240, 240).bold(),
            Self::Cyan => rgb(70, 195, 205).bold(),
            Self::Dim => rgb(125, 125, 125),
            Self::Bold => Style::new().bold(),
        }
    }
}

/// A game of random play told from the deal to the end: the drawing after the deal and every `every` plies, the
/// moves between them, the end. A text that a diff can review.
pub fn playthrough<G: Text>(rules: &G::Rules, seed: u64, every: usize) -> String {
    let spec = G::spec(rules);
    let mut game = G::deal(rules, &mut Rng::keyed(Purpose::Deal, seed, 0, 0));
    let mut choices = Rng::keyed(Purpose::Choice, seed, 0, 0);
    let mut told = game.draw(None, Paint::Plain);
    let mut ply = 0;
    while let (Some(seat), Some(action)) = (game.to_move(), random_action(&game, &mut choices)) {
        ply += 1;
        let _ = writeln!(told, "{ply}. seat {}: {}", seat.0, game.move_text(action));
        game.apply(action);
        if ply % every == 0 || game.end().is_some() {
            told.push_str(&game.draw(None, Paint::Plain));
        }
    }
    let mut returns = vec![0.0; spec.seats];
    game.returns(&mut returns);
    let end = game.end().map_or("none", |end| spec.ends[end.index()]);
    let _ = writeln!(told, "end: {end}, returns {returns:?}");
    told
}
