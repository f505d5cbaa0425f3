//! The report as a Markdown table, for terminals and docs.

use std::fmt::Write as _;

use super::{AloneRow, Report};
use crate::statistics::{Decision, Estimate};

/// Elo with its interval.
fn elo(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| "–".to_owned(), |estimate| format!("{estimate:.0}"))
}

/// The share of wins beside a fair one, and the mean return.
fn words(row: &AloneRow) -> String {
    let AloneRow { wins, fair, times, returns, groups, .. } = row;
    format!(
        "wins {wins} of the games, fair share {fair:.3}: {times:.2} times; mean return {returns} over {groups} deals"
    )
}

/// The rating table and the score of every two, as Markdown.
pub fn table(report: &Report) -> String {
    let name = |entrant: usize| format!("`{}`", report.entrants[entrant].name);
    let mut text =
        String::from("| agent | Elo | ahead of the next | score | games |\n|---|---|---|---|---|\n");
    for entrant in report.ranking() {
        let row = &report.entrants[entrant];
        let (rating, lead) = (elo(row.rating), elo(row.lead));
        let _ = writeln!(
            text,
            "| {} | {rating} | {lead} | {:.3} | {} |",
            name(entrant),
            row.score.value,
            row.games
        );
    }
    text += "\n| first | second | won | drawn | lost | score of the first | mean return |\n|---|---|---|---|---|---|---|\n";
    for row in &report.pairs {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {:.3} | {:.3} |",
            name(row.first),
            name(row.second),
            row.wins,
            row.draws,
            row.losses,
            row.score,
            row.returns,
        );
    }
    if let Some(row) = &report.alone {
        let _ = writeln!(text, "\n{} alone against the rest: {}", name(row.entrant), words(row));
    }
    if let Some(sprt) = &report.sprt {
        let (test, (low, high)) = (&sprt.test, sprt.bounds);
        let words = match sprt.decision {
            Decision::Accepted => {
                format!("accepted: stronger by {} Elo rather than {}", test.elo1, test.elo0)
            }
            Decision::Refused => format!("refused: stronger by {} Elo rather than {}", test.elo0, test.elo1),
            Decision::Open => "not decided".to_owned(),
        };
        let _ = writeln!(
            text,
            "\nsequential test {words} (log-likelihood ratio {:.2}, bounds {low:.2} and {high:.2}, pairs by score {:?})",
            sprt.llr, sprt.pairs
        );
    }
    for note in &report.notes {
        let _ = writeln!(text, "\nnote: {note}");
    }
    text
}
