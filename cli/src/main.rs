//! The one binary: arguments in, library calls, words out.

mod arguments;
mod checkpoint;
mod config;
mod engine;
mod eval;
mod export;
mod games;
mod lines;
mod output;
mod play;
mod replay;
mod serve;
mod simulate;
mod train;

use std::process::ExitCode;

use arguments::{Arguments, Command};
use clap::Parser as _;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match &arguments.command {
        Command::Games(games) => games::run(games),
        Command::Simulate(simulate) => simulate::run(simulate),
        Command::Replay(replay) => replay::run(replay),
        Command::Play(play) => play::run(play),
        Command::Serve(serve) => serve::run(serve),
        Command::Engine => engine::run(),
        Command::Export(export) => export::run(export),
        Command::Eval(eval) => eval::run(eval),
        Command::Match(two) => eval::run_match(two),
        Command::Checkpoint(checkpoint) => checkpoint::run(checkpoint),
        Command::Train(train) => train::run(train),
        Command::Config(config) => config::run(config),
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
