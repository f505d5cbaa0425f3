//! The four tabletop games. In each folder: `rules` (state and transitions), `observe` (tensor layout), `actions`
//! (index ↔ action), `notation` (positions and moves as text), `draw` (the terminal picture).

pub mod colony;
pub mod kato;
pub mod shuter;
pub mod starduel;
