//! The pictures of a report, as SVG: no script, no font or file from elsewhere, light and dark, fit for print.

use std::fmt::Write as _;

use super::{Kind, Report};
use crate::statistics::Estimate;

/// Colours by class; dark only on dark screens, so that print is always light.
const STYLE: &str = "<style>.pt{font:12px system-ui,sans-serif;fill:#1d2733}.ps{font:11px system-ui,sans-serif;fill:#5b6875}\
.pg{stroke:#dfe4e9}.pa{stroke:#8a97a3}.pb{fill:#2f6fb3}.pl{stroke:#2f6fb3;stroke-width:2;fill:none}\
.pw{stroke:#1d2733;stroke-width:1.5}.pd{fill:#2f6fb3;fill-opacity:.16}.pk{stroke:#8a97a3;stroke-dasharray:4 3}\
@media screen and (prefers-color-scheme:dark){.pt{fill:#e3e8ee}.ps{fill:#9aa7b4}.pg{stroke:#303a45}.pa{stroke:#6b7886}\
.pb{fill:#6aa7e8}.pl{stroke:#6aa7e8}.pw{stroke:#e3e8ee}.pd{fill:#6aa7e8}}</style>";

const WIDTH: f64 = 720.0;
/// The height of a row of bars or dots.
const ROW: f64 = 26.0;
/// The width of a letter, about.
const LETTER: f64 = 6.6;

struct Canvas {
    height: f64,
    body: String,
}

impl Canvas {
    fn new(height: f64) -> Self {
        Self { height, body: String::new() }
    }

    fn text(&mut self, class: &str, x: f64, y: f64, anchor: &str, text: &str) {
        let text = escaped(text);
        let _ = write!(
            self.body,
            r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#
        );
    }

    fn line(&mut self, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
        let _ = write!(
            self.body,
            r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
        );
    }

    fn bar(&mut self, [x, y, width, height]: [f64; 4]) {
        let _ = write!(
            self.body,
            r#"<rect class="pb" x="{x:.1}" y="{y:.1}" width="{:.1}" height="{:.1}"/>"#,
            width.max(0.0),
            height.max(0.0)
        );
    }

    fn dot(&mut self, x: f64, y: f64) {
        let _ = write!(self.body, r#"<circle class="pb" cx="{x:.1}" cy="{y:.1}" r="4.5"/>"#);
    }

    /// A whisker from left to right.
    fn whisker(&mut self, x1: f64, x2: f64, y: f64) {
        self.line("pw", [x1, y, x2, y]);
        self.line("pw", [x1, y - 4.0, x1, y + 4.0]);
        self.line("pw", [x2, y - 4.0, x2, y + 4.0]);
    }

    fn close(self, label: &str) -> String {
        let (height, body, label) = (self.height, self.body, escaped(label));
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" aria-label="{label}">{STYLE}{body}</svg>"#
        )
    }
}

/// Text that can stand in a page.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A name short enough for a plot: of a long path, its end.
pub(super) fn short(name: &str) -> String {
    const LONGEST: usize = 30;
    let letters: Vec<char> = name.chars().collect();
    match letters.len() > LONGEST {
        true => format!("…{}", letters[letters.len() - LONGEST + 1..].iter().collect::<String>()),
        false => name.to_owned(),
    }
}

/// A scale with round ticks that holds all the numbers.
struct Scale {
    low: f64,
    high: f64,
    tick: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn over(numbers: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (least, most) = numbers.fold((0_f64, 0_f64), |(low, high), x| (low.min(x), high.max(x)));
        let span = (most - least).max(1e-9);
        let power = 10_f64.powf((span / 6.0).log10().floor());
        let tick = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|tick| span / tick <= 6.5);
        let tick = tick.unwrap_or(10.0 * power);
        let (low, high) = ((least / tick).floor() * tick, (most / tick).ceil() * tick);
        Self { low, high: if high > low { high } else { low + tick }, tick, from, to }
    }

    fn at(&self, x: f64) -> f64 {
        self.from + (x - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.tick).round() as usize;
        (0..=count).map(|i| self.low + i as f64 * self.tick)
    }

    fn name(&self, x: f64) -> String {
        let decimals = if self.tick >= 1.0 { 0 } else { (-self.tick.log10()).ceil() as usize };
        // Not "-0".
        format!("{:.decimals$}", x + 0.0)
    }
}

/// The pictures with the names of their files.
pub fn plots(report: &Report) -> Vec<(&'static str, String)> {
    let mut plots = vec![("ratings", ratings(report))];
    if report.kind == Kind::Run {
        plots.push(("curve", curve(report)));
    }
    plots.push(("matrix", matrix(report)));
    plots.push(("seats", seats(report)));
    plots.push(("lengths", lengths(report)));
    plots.push(("ends", ends(report)));
    plots
}

fn margin(names: impl Iterator<Item = String>) -> f64 {
    names.map(|name| name.chars().count()).max().unwrap_or(0) as f64 * LETTER + 18.0
}

/// Ratings as dots with whiskers, the strongest on top.
fn ratings(report: &Report) -> String {
    let rated: Vec<(String, Estimate)> = report
        .ranking()
        .into_iter()
        .filter_map(|entrant| Some((short(&report.entrants[entrant].name), report.entrants[entrant].rating?)))
        .collect();
    let left = margin(rated.iter().map(|(name, _)| name.clone()));
    let bottom = 12.0 + ROW * rated.len() as f64;
    let ends = rated.iter().flat_map(|(_, rating)| [rating.low, rating.high]);
    let scale = Scale::over(ends, left, WIDTH - 30.0);
    let mut canvas = Canvas::new(bottom + 40.0);
    for tick in scale.ticks() {
        let x = scale.at(tick);
        canvas.line("pg", [x, 8.0, x, bottom]);
        canvas.text("ps", x, bottom + 16.0, "middle", &scale.name(tick));
    }
    canvas.text("ps", (left + WIDTH - 30.0) / 2.0, bottom + 33.0, "middle", &axis(report));
    for (row, (name, rating)) in rated.iter().enumerate() {
        let y = 12.0 + ROW * (row as f64 + 0.5);
        canvas.text("pt", left - 10.0, y + 4.0, "end", name);
        canvas.whisker(scale.at(rating.low), scale.at(rating.high), y);
        canvas.dot(scale.at(rating.value), y);
    }
    canvas.close("ratings with 95 % intervals")
}

fn axis(report: &Report) -> String {
    format!("Elo, {} = 0, 95 % intervals", short(&report.entrants[report.anchor].name))
}

/// Strength over training: the run's checkpoints as a line with a band, the bots as dashed lines.
fn curve(report: &Report) -> String {
    const HEIGHT: f64 = 360.0;
    const BOTTOM: f64 = HEIGHT - 46.0;
    let mut points: Vec<(f64, Estimate)> =
        report.entrants.iter().filter_map(|row| Some((row.step? as f64, row.rating?))).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let bots: Vec<(String, f64)> = report
        .entrants
        .iter()
        .filter(|row| row.step.is_none())
        .filter_map(|row| Some((short(&row.name), row.rating?.value)))
        .collect();
    let right = WIDTH - margin(bots.iter().map(|(name, _)| name.clone()));
    let heights = points.iter().flat_map(|(_, rating)| [rating.low, rating.high]);
    let y = Scale::over(heights.chain(bots.iter().map(|(_, rating)| *rating)), BOTTOM, 14.0);
    let x = Scale::over(points.iter().map(|(step, _)| *step), 62.0, right);
    let mut canvas = Canvas::new(HEIGHT);
    for tick in y.ticks() {
        canvas.line("pg", [62.0, y.at(tick), right, y.at(tick)]);
        canvas.text("ps", 54.0, y.at(tick) + 4.0, "end", &y.name(tick));
    }
    for tick in x.ticks() {
        canvas.text("ps", x.at(tick), BOTTOM + 17.0, "middle", &x.name(tick));
    }
    canvas.text(
        "ps",
        (62.0 + right) / 2.0,
        HEIGHT - 8.0,
        "middle",
        &format!("step of training; {}", axis(report)),
    );
    for (at, (name, rating)) in spread_out(&bots, &y) {
        canvas.line("pk", [62.0, y.at(*rating), right, y.at(*rating)]);
        canvas.text("ps", right + 8.0, at + 4.0, "start", name);
    }
    let place = |step: &f64, elo: f64| format!("{:.1},{:.1}", x.at(*step), y.at(elo));
    let upper = points.iter().map(|(step, rating)| place(step, rating.high));
    let lower = points.iter().rev().map(|(step, rating)| place(step, rating.low));
    let band: Vec<String> = upper.chain(lower).collect();
    let line: Vec<String> = points.iter().map(|(step, rating)| place(step, rating.value)).collect();
    let _ = write!(canvas.body, r#"<polygon class="pd" points="{}"/>"#, band.join(" "));
    let _ = write!(canvas.body, r#"<polyline class="pl" points="{}"/>"#, line.join(" "));
    points.iter().for_each(|(step, rating)| canvas.dot(x.at(*step), y.at(rating.value)));
    canvas.close("strength over training")
}

/// Labels at the heights of their values, moved apart where they would overlap.
fn spread_out<'b>(bots: &'b [(String, f64)], y: &Scale) -> Vec<(f64, &'b (String, f64))> {
    let mut sorted: Vec<&(String, f64)> = bots.iter().collect();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut last = f64::NEG_INFINITY;
    let place = |bot: &'b (String, f64)| {
        last = y.at(bot.1).max(last + 13.0);
        (last, bot)
    };
    sorted.into_iter().map(place).collect()
}

/// The score of the row against the column.
fn matrix(report: &Report) -> String {
    let order = report.ranking();
    let names: Vec<String> = order.iter().map(|&entrant| short(&report.entrants[entrant].name)).collect();
    let left = margin(names.iter().cloned());
    let cell = ((WIDTH - left - 10.0) / order.len().max(1) as f64).min(90.0);
    let height = cell.clamp(24.0, 34.0);
    let crowded = cell < 56.0;
    let top = if crowded { margin(names.iter().cloned()) } else { 30.0 };
    let mut canvas = Canvas::new(top + height * order.len() as f64 + 10.0);
    for (i, name) in names.iter().enumerate() {
        canvas.text("pt", left - 10.0, top + height * (i as f64 + 0.5) + 4.0, "end", name);
        let x = left + cell * (i as f64 + 0.5);
        if crowded {
            let name = escaped(name);
            let _ = write!(
                canvas.body,
                r#"<text class="ps" transform="translate({:.1},{:.1}) rotate(-90)">{name}</text>"#,
                x + 4.0,
                top - 6.0
            );
        } else {
            let fits = ((cell / LETTER) as usize).max(3);
            canvas.text("ps", x, top - 8.0, "middle", &name.chars().take(fits).collect::<String>());
        }
    }
    for (i, &row) in order.iter().enumerate() {
        for (j, &column) in order.iter().enumerate() {
            let Some(score) = score_of(report, row, column) else { continue };
            let (x, y) = (left + cell * j as f64, top + height * i as f64);
            let (red, green, blue) = shade(score);
            let _ = write!(
                canvas.body,
                r##"<rect x="{x:.1}" y="{y:.1}" width="{:.1}" height="{:.1}" rx="3" fill="rgb({red},{green},{blue})"/><text x="{:.1}" y="{:.1}" text-anchor="middle" font-size="{}" font-family="system-ui,sans-serif" fill="#14202b">{score:.2}</text>"##,
                cell - 2.0,
                height - 2.0,
                x + cell / 2.0 - 1.0,
                y + height / 2.0 + 3.5,
                if cell < 34.0 { 9 } else { 12 },
            );
        }
    }
    canvas.close("score of the row against the column")
}

fn score_of(report: &Report, row: usize, column: usize) -> Option<f64> {
    report.pairs.iter().find_map(|pair| match (pair.first, pair.second) {
        (a, b) if (a, b) == (row, column) => Some(pair.score.value),
        (a, b) if (a, b) == (column, row) => Some(1.0 - pair.score.value),
        _ => None,
    })
}

/// From orange (lost) over near white (even) to blue (won): told apart by those who see no red or green, too.
fn shade(score: f64) -> (u8, u8, u8) {
    let ends = if score < 0.5 { [240.0, 160.0, 92.0] } else { [110.0, 170.0, 226.0] };
    let strength = (2.0 * score - 1.0).abs();
    let [red, green, blue] = ends.map(|end: f64| (243.0 + (end - 243.0) * strength) as u8);
    (red, green, blue)
}

/// The share of games that each seat won.
fn seats(report: &Report) -> String {
    let left = 70.0;
    let bottom = 12.0 + ROW * report.seats.len() as f64;
    let scale = Scale { low: 0.0, high: 1.0, tick: 0.25, from: left, to: WIDTH - 120.0 };
    let mut canvas = Canvas::new(bottom + 24.0);
    for tick in scale.ticks() {
        canvas.line("pg", [scale.at(tick), 8.0, scale.at(tick), bottom]);
        canvas.text("ps", scale.at(tick), bottom + 16.0, "middle", &format!("{:.0} %", 100.0 * tick));
    }
    let fair = scale.at(1.0 / report.seats.len().max(1) as f64);
    for (seat, row) in report.seats.iter().enumerate() {
        let y = 12.0 + ROW * (seat as f64 + 0.5);
        canvas.text("pt", left - 10.0, y + 4.0, "end", &format!("seat {seat}"));
        canvas.bar([left, y - 8.0, scale.at(row.wins.value) - left, 16.0]);
        canvas.whisker(scale.at(row.wins.low), scale.at(row.wins.high), y);
        let share = format!("{:.1} %", 100.0 * row.wins.value);
        canvas.text("pt", WIDTH - 110.0, y + 4.0, "start", &share);
    }
    canvas.line("pk", [fair, 4.0, fair, bottom]);
    canvas.close("share of games won by each seat")
}

/// How long games were.
fn lengths(report: &Report) -> String {
    const HEIGHT: f64 = 220.0;
    const BOTTOM: f64 = HEIGHT - 46.0;
    let lengths = &report.lengths;
    let most = lengths.counts.iter().copied().max().unwrap_or(0) as f64;
    let y = Scale::over([most].into_iter(), BOTTOM, 14.0);
    let to = (lengths.counts.len() as u32 * lengths.bin) as f64;
    let x = Scale::over([to].into_iter(), 62.0, WIDTH - 20.0);
    let mut canvas = Canvas::new(HEIGHT);
    for tick in y.ticks() {
        canvas.line("pg", [62.0, y.at(tick), WIDTH - 20.0, y.at(tick)]);
        canvas.text("ps", 54.0, y.at(tick) + 4.0, "end", &y.name(tick));
    }
    for tick in x.ticks() {
        canvas.text("ps", x.at(tick), BOTTOM + 17.0, "middle", &x.name(tick));
    }
    for (bin, &count) in lengths.counts.iter().enumerate() {
        let from = x.at(f64::from(bin as u32 * lengths.bin));
        let to = x.at(f64::from((bin as u32 + 1) * lengths.bin));
        let top = y.at(count as f64);
        canvas.bar([from + 0.5, top, to - from - 1.0, BOTTOM - top]);
    }
    canvas.text(
        "ps",
        WIDTH / 2.0,
        HEIGHT - 8.0,
        "middle",
        &format!("plies of a game, {} to a bar", lengths.bin),
    );
    canvas.close("lengths of games")
}

/// How games ended.
fn ends(report: &Report) -> String {
    let ends: Vec<&(String, u64)> = report.ends.iter().filter(|(_, count)| *count > 0).collect();
    let left = margin(ends.iter().map(|(name, _)| name.clone()));
    let all = ends.iter().map(|(_, count)| *count).sum::<u64>().max(1) as f64;
    let mut canvas = Canvas::new(16.0 + ROW * ends.len() as f64);
    for (row, (name, count)) in ends.iter().enumerate() {
        let y = 8.0 + ROW * (row as f64 + 0.5);
        let share = *count as f64 / all;
        let width = share * (WIDTH - left - 170.0);
        canvas.text("pt", left - 10.0, y + 4.0, "end", name);
        canvas.bar([left, y - 8.0, width, 16.0]);
        canvas.text("pt", left + width + 8.0, y + 4.0, "start", &format!("{count} ({:.1} %)", 100.0 * share));
    }
    canvas.close("how games ended")
}
