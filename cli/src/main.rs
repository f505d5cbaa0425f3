//! The one binary: arguments in, library calls, words out.

mod arguments;
mod checkpoint;
mod games;
mod output;
mod replay;
mod simulate;

use std::process::ExitCode;

use arguments::{Arguments, Command};
use clap::Parser as _;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match &arguments.command {
        Command::Games(games) => games::run(games),
        Command::Simulate(simulate) => simulate::run(simulate),
        Command::Replay(replay) => replay::run(replay),
        Command::Checkpoint(checkpoint) => checkpoint::run(checkpoint),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::reader_has_left(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("nodarium: {error:#}");
            ExitCode::FAILURE
        }
    }
}
