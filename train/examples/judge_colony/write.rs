//! The weights as the source file that holds them.

use nodarium_env::games::colony::odds::Weights;

/// The file for that many players.
pub fn source(players: u8, weights: &Weights) -> String {
    let (name, number) = if players == 3 { ("FOR_THREE", "three") } else { ("FOR_FOUR", "four") };
    let Weights { first_bias, second_bias, last, straight, .. } = weights;
    let [first_bias, second_bias, last, straight] =
        [first_bias.as_slice(), second_bias, last, straight].map(row);
    let first: String =
        weights.first.iter().map(|seat| format!("        [\n{}        ],\n", rows(seat, 12))).collect();
    let second = rows(&weights.second, 8);
    format!(
        "//! For {number} players.

use super::Weights;

/// The weights for {number} players.
#[rustfmt::skip]
pub static {name}: Weights = Weights {{
    first: &[
{first}    ],
    first_bias: {first_bias},
    second: [
{second}    ],
    second_bias: {second_bias},
    last: {last},
    straight: {straight},
}};
"
    )
}

fn rows<const N: usize>(rows: &[[f32; N]], indent: usize) -> String {
    rows.iter().map(|numbers| format!("{:indent$}{},\n", "", row(numbers))).collect()
}

/// To four digits: more would tell nothing.
fn row(numbers: &[f32]) -> String {
    // No minus before a zero.
    let rounded = numbers.iter().map(|number| (number * 1e4).round() / 1e4 + 0.0);
    format!("[{}]", rounded.map(|number| format!("{number:?}")).collect::<Vec<_>>().join(","))
}
