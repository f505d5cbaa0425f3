//! The games of Nodarium behind one contract: [`Game`] for one state, [`Batch`] for thousands at once, [`Text`] and
//! [`record`] for games written down.
//!
//! This crate knows no network, no file, no clock and no global randomness.

pub mod batch;
pub mod calibration;
pub mod catalog;
pub mod conformance;
pub mod flags;
mod game;
pub mod games;
pub mod grid;
mod mask;
pub mod measure;
pub mod record;
pub mod rng;
pub mod rules;
pub mod spec;
pub mod tally;
pub mod text;

pub use batch::{Batch, BatchError, Frame, FrameMut};
pub use game::{Action, End, Game, IllegalAction, Seat, random_action, random_member};
pub use grid::Grid;
pub use mask::{MAX_ACTIONS, Mask};
pub use rng::Rng;
pub use rules::{BadRules, RuleOption, Rules, rules_from};
pub use spec::{ActionGroup, Field, Information, Layout, Spec, Symmetry};
pub use tally::Tally;
pub use text::{BadMove, BadPosition, Ink, Paint, Text};
