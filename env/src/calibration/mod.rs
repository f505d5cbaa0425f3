//! Small games that the whole field knows exactly: they prove the engine and the learners.

pub mod tictactoe;
