//! The report as one page that needs nothing else.

use std::fmt::Write as _;

use super::plot::{escaped, plots};
use super::{Example, Kind, Report};
use crate::statistics::{Decision, Estimate};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Positions of the example that are shown in print and without scripts.
const SHOWN: usize = 6;

/// The page.
pub fn page(report: &Report) -> String {
    let pictures = plots(report);
    let picture = |name: &str| {
        pictures.iter().find(|(known, _)| *known == name).map_or("", |(_, picture)| picture.as_str())
    };
    let mut html = head(report);
    html += &ratings(report);
    html += picture("ratings");
    if report.kind == Kind::Run {
        let _ = write!(html, "<h2>Strength over training</h2>{}", picture("curve"));
    }
    if let Some(row) = &report.alone {
        let _ = write!(
            html,
            "<h2>One against the rest</h2><p><code>{}</code> had one seat, <code>{}</code> all others. Of the games it won {}; \
             a fair share is {:.3}, so that is <b>{:.2} times</b> as much. Mean return {}, over {} deals.</p>",
            escaped(&report.entrants[row.entrant].name),
            others(report, row.entrant),
            share(row.wins),
            row.fair,
            row.times,
            share(row.returns),
            row.groups,
        );
    }
    if let Some(sprt) = &report.sprt {
        let words = match sprt.decision {
            Decision::Accepted => "accepted",
            Decision::Refused => "refused",
            Decision::Open => "not decided",
        };
        let (test, (low, high)) = (&sprt.test, sprt.bounds);
        let _ = write!(
            html,
            "<h2>Sequential test</h2><p>The claim “stronger by {} Elo” against “by {} at most” is <b>{words}</b>: \
             log-likelihood ratio {:.2}, decided at {low:.2} and {high:.2}, after {} pairs of games.</p>",
            test.elo1,
            test.elo0,
            sprt.llr,
            sprt.pairs.iter().sum::<u64>(),
        );
    }
    let _ = write!(
        html,
        "<h2>Who beat whom</h2>{}<p class=soft>Score of the row against the column: 1 a win, ½ a draw.</p>{}",
        picture("matrix"),
        pairs(report)
    );
    html += &responses(report);
    let _ = write!(
        html,
        "<h2>Seats</h2>{}<p class=soft>Share of the {} games that each seat won; the dashed line is a fair share.</p>",
        picture("seats"),
        report.games
    );
    let lengths = &report.lengths;
    let _ = write!(
        html,
        "<h2>Lengths and ends</h2><p>{:.1} plies on average, {} to {}.</p>{}{}",
        lengths.mean,
        lengths.shortest,
        lengths.longest,
        picture("lengths"),
        picture("ends"),
    );
    html += &forfeits(report);
    if let Some(example) = &report.example {
        html += &game(report, example);
    }
    html += "<h2>How to read this</h2>";
    html += "<p class=soft>Every deal was played once for each rotation of the seats. Intervals hold the truth in 95 of 100 \
        evaluations and count deals, not games, because games of one deal depend on each other. Elo: 400 points are odds of \
        ten to one; fitted to all games at once (Bradley–Terry, for larger tables Plackett–Luce), with one imaginary draw \
        for every two that met. The numbers are in <code>report.json</code>, the pictures beside it as SVG.</p>";
    let _ = writeln!(html, "<script>{SCRIPT}</script></body></html>");
    html
}

fn head(report: &Report) -> String {
    let kind = match report.kind {
        Kind::Ladder => "the ladder",
        Kind::Tournament => "a tournament",
        Kind::Run => "a run",
        Kind::Match => "a match",
    };
    let title = escaped(&report.title);
    let mut html = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width,initial-scale=1\">\
         <title>{title}: {kind}</title><style>{STYLE}</style><body><h1>{title}: {kind}</h1>"
    );
    let rules: Vec<String> = report.rules.iter().map(|(key, value)| format!("{key} {value}")).collect();
    let rules = if rules.is_empty() { "no rule options".to_owned() } else { rules.join(", ") };
    let mut facts = vec![
        format!("<code>{}</code>", escaped(&report.game)),
        escaped(&rules),
        format!("{} games", report.games),
        format!("seed {}", report.seed),
    ];
    if report.best_of > 1 {
        facts.push(format!("series, best of {}", report.best_of));
    }
    if report.opening > 0 {
        facts.push(format!("{} random plies first", report.opening));
    }
    facts.extend(report.clock.map(|clock| format!("{clock} s an answer")));
    facts.push(format!("Nodarium {}", escaped(&report.version)));
    let _ = write!(html, "<p class=soft>{}</p>", facts.join(" · "));
    if let Some(reason) = &report.partial {
        let _ = write!(html, "<p class=\"note partial\">Not complete: {}.</p>", escaped(reason));
    }
    for note in &report.notes {
        let _ = write!(html, "<p class=note>{}</p>", escaped(note));
    }
    html
}

fn elo(estimate: Option<Estimate>) -> String {
    match estimate {
        None => "–".to_owned(),
        Some(estimate) if !estimate.has_width() => format!("{:.0}", estimate.value),
        Some(Estimate { value, low, high }) => {
            format!("{value:.0} <span class=i>{low:.0} to {high:.0}</span>")
        }
    }
}

fn share(estimate: Estimate) -> String {
    match estimate {
        Estimate { value, low, high } if estimate.has_width() => {
            format!("{value:.3} <span class=i>{low:.3} to {high:.3}</span>")
        }
        Estimate { value, .. } => format!("{value:.3}"),
    }
}

/// The names of everybody else.
fn others(report: &Report, entrant: usize) -> String {
    let rows = report.entrants.iter().enumerate().filter(|&(other, _)| other != entrant);
    rows.map(|(_, row)| escaped(&row.name)).collect::<Vec<_>>().join(", ")
}

fn ratings(report: &Report) -> String {
    let exact = report.entrants.iter().any(|row| row.exploitability.is_some());
    let mut html = String::from(
        "<h2>Ratings</h2><table><tr><th>agent<th class=n>Elo<th class=n>ahead of the next<th class=n>score<th class=n>games",
    );
    html += if exact { "<th class=n>exploitability" } else { "" };
    for entrant in report.ranking() {
        let row = &report.entrants[entrant];
        let _ = write!(
            html,
            "<tr><td><code>{}</code><td class=n>{}<td class=n>{}<td class=n>{:.3}<td class=n>{}",
            escaped(&row.name),
            elo(row.rating),
            elo(row.lead),
            row.score.value,
            row.games
        );
        if exact {
            let known = row.exploitability.map_or("–".to_owned(), |value| format!("{value:.4}"));
            let _ = write!(html, "<td class=n>{known}");
        }
    }
    html + "</table>"
}

fn pairs(report: &Report) -> String {
    let mut html = String::from(
        "<details><summary>Every two in numbers</summary><table><tr><th>first<th>second<th class=n>won<th class=n>drawn\
         <th class=n>lost<th class=n>score of the first<th class=n>mean return",
    );
    let name = |entrant: usize| escaped(&report.entrants[entrant].name);
    for row in &report.pairs {
        let _ = write!(
            html,
            "<tr><td><code>{}</code><td><code>{}</code><td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{}",
            name(row.first),
            name(row.second),
            row.wins,
            row.draws,
            row.losses,
            share(row.score),
            share(row.returns),
        );
    }
    html + "</table></details>"
}

fn responses(report: &Report) -> String {
    if report.best_responses.is_empty() {
        return String::new();
    }
    let mut html = String::from(
        "<h2>Best responses</h2><p class=soft>What a fresh agent learned to win against the frozen one: a lower bound on how \
         far it can be exploited.</p><table><tr><th>against<th>trained by<th class=n>plies of training<th class=n>games\
         <th class=n>mean return<th class=n>score",
    );
    for row in &report.best_responses {
        let _ = write!(
            html,
            "<tr><td><code>{}</code><td>{}<td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{}",
            escaped(&row.against),
            escaped(&row.method),
            row.steps,
            row.games,
            share(row.mean_return),
            share(row.score)
        );
    }
    html + "</table>"
}

fn forfeits(report: &Report) -> String {
    if report.forfeits.is_empty() {
        return String::new();
    }
    let mut html = String::from("<h2>Forfeits</h2><table><tr><th>agent<th class=n>deal<th>what happened");
    for row in &report.forfeits {
        let name = escaped(&report.entrants[row.entrant].name);
        let words = escaped(&row.words);
        let _ = write!(html, "<tr><td><code>{name}</code><td class=n>{}<td>{words}", row.deal);
    }
    html + "</table>"
}

fn game(report: &Report, example: &Example) -> String {
    let seats = example.seats.iter().enumerate();
    let who: Vec<String> = seats
        .map(|(seat, &entrant)| {
            format!("seat {seat} <code>{}</code>", escaped(&report.entrants[entrant].name))
        })
        .collect();
    let mut html = format!(
        "<h2>A game</h2><div id=game><p>{}. Deal {}, {} plies, end: {}, returns {:?}.</p><div class=controls>\
         <button id=back type=button>back</button><input id=at type=range min=0 value=0 aria-label=ply>\
         <button id=on type=button>on</button><span id=where class=soft></span></div>",
        who.join(", "),
        example.deal,
        example.plies.len(),
        escaped(&example.end),
        example.returns,
    );
    let last = example.plies.len();
    let is_key = |ply: usize| (0..SHOWN).any(|i| i * last / (SHOWN - 1) == ply);
    let mut step = |ply: usize, words: &str, drawing: &str| {
        let key = if is_key(ply) { " key" } else { "" };
        let _ = write!(
            html,
            "<figure class=\"step{key}\"><figcaption>{}</figcaption><pre class=board>{}</pre></figure>",
            escaped(words),
            coloured(drawing)
        );
    };
    step(0, "after the deal", &example.start);
    for (number, ply) in example.plies.iter().enumerate() {
        step(number + 1, &format!("{}. seat {}: {}", number + 1, ply.seat, ply.played), &ply.drawing);
    }
    let moves: Vec<String> = example.plies.iter().map(|ply| escaped(&ply.played)).collect();
    let _ = write!(html, "<p class=moves>{}</p></div>", moves.join(" · "));
    html
}

/// ANSI colours as spans: what the drawings use, bold and 24-bit foreground.
fn coloured(drawing: &str) -> String {
    let mut html = String::new();
    let mut parts = drawing.trim_end().split('\u{1b}');
    html += &escaped(parts.next().unwrap_or(""));
    let mut open = 0;
    for part in parts {
        let (code, text) = part.split_once('m').unwrap_or(("", part));
        let code = code.trim_start_matches('[');
        match code.strip_prefix("38;2;") {
            Some(rgb) => {
                let _ = write!(html, "<span style=\"color:rgb({})\">", escaped(&rgb.replace(';', ",")));
                open += 1;
            }
            None if code == "1" => {
                html += "<span style=\"font-weight:700\">";
                open += 1;
            }
            None => {
                html += &"</span>".repeat(open);
                open = 0;
            }
        }
        html += &escaped(text);
    }
    html + &"</span>".repeat(open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_become_spans_and_text_stays_text() {
        let drawing = "a<b \u{1b}[1m\u{1b}[38;2;1;2;3mX\u{1b}[0m & y\n";
        assert_eq!(
            coloured(drawing),
            "a&lt;b <span style=\"font-weight:700\"><span style=\"color:rgb(1,2,3)\">X</span></span> &amp; y"
        );
    }
}
