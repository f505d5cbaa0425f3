//! Shuter's Node: points, income in every colour, room to grow, squares half enclosed, cubes that buy something.

use nodarium_env::games::shuter::{Shuter, ShuterRules, Variant};

use super::diamond::DIAMOND;
use super::{Greedy, Judgement, View};

const COLOURS: [&str; 4] = ["red", "yellow", "blue", "green"];
const SIDES: [&str; 2] = ["own", "other"];

/// A point is what counts in the end.
const POINT: f32 = 1.0;
/// A cube a turn, by how many of that colour come already: the first of a colour is worth most.
const INCOME: [f32; 6] = [0.0, 0.9, 1.35, 1.6, 1.7, 1.75];
/// Every branch helps towards the largest network, the more the closer the race is.
const BRANCH: f32 = 0.25;
/// A free corner to build on, and one a branch further away, by each cube that a node would earn there.
const SPOT: [f32; 2] = [0.12, 0.05];
/// A square by the own branches around it; the whole one is a point and safe income.
const ENCLOSING: [f32; 5] = [0.0, 0.05, 0.15, 0.35, 0.0];
/// Cubes in hand: a pair for a branch, four for a node, any other one. Less than what they buy.
const BRANCH_IN_HAND: f32 = 0.18;
const NODE_IN_HAND: f32 = 0.8;
const CUBE_IN_HAND: f32 = 0.02;

/// In `advanced`: a point of the other colour, which loses at ten. It is worth more than what a node earns.
const GIVEN_POINT: f32 = 1.5;
/// What income is worth there: it buys the other colour's nodes.
const BUYING: f32 = 0.6;
/// A corner on which somebody could put a node of that colour.
const GIVEN_SPOT: f32 = 0.1;

/// A field of one side.
fn of<'a>(view: &View<'a>, side: usize, name: &str) -> &'a [f32] {
    view.field(&format!("{}.{name}", SIDES[side]))
}

/// Cubes that a node on the corner would earn the side: squares that pay and have room for one more node.
fn earnings(view: &View<'_>, side: usize) -> Vec<f32> {
    let coloured = COLOURS.map(|colour| view.field(colour));
    let limits = ["limit.1", "limit.2", "limit.3"].map(|limit| view.field(limit));
    let (own, other) = (of(view, side, "captured"), of(view, 1 - side, "captured"));
    let nodes = SIDES.map(|side| view.field(&format!("{side}.nodes")));
    let pays = |square: usize| {
        let standing: f32 = DIAMOND.squares[square].0.iter().map(|&c| nodes[0][c] + nodes[1][c]).sum();
        let limit: f32 = (1..).zip(limits).map(|(dots, set)| dots as f32 * set[square]).sum();
        let room = own[square] > 0.0 || other[square] == 0.0 && standing < limit;
        coloured.iter().any(|set| set[square] > 0.0) && room
    };
    let paying: Vec<bool> = (0..DIAMOND.squares.len()).map(pays).collect();
    let at = |squares: &Vec<usize>| squares.iter().filter(|&&square| paying[square]).count() as f32;
    DIAMOND.corner_squares.iter().map(at).collect()
}

/// The corners that a side can build on, and what it takes to reach others.
fn room(view: &View<'_>, side: usize) -> f32 {
    let earnings = earnings(view, side);
    let spots = of(view, side, "node_spots");
    let nodes = SIDES.map(|side| view.field(&format!("{side}.nodes")));
    let free = |corner: usize| nodes[0][corner] + nodes[1][corner] == 0.0;
    let mut distance = spots.iter().map(|&spot| if spot > 0.0 { 0 } else { 2 }).collect::<Vec<usize>>();
    for (ends, &open) in DIAMOND.edges.iter().zip(of(view, side, "branch_spots")) {
        for &corner in ends.iter().filter(|&&corner| open > 0.0 && free(corner)) {
            distance[corner] = distance[corner].min(1);
        }
    }
    let worth =
        |(corner, &near): (usize, &usize)| SPOT.get(near).map_or(0.0, |spot| spot * (0.5 + earnings[corner]));
    distance.iter().enumerate().map(worth).sum()
}

/// Squares that a side has begun to enclose: nobody has captured them and no branch of the other is in the way.
fn enclosing(view: &View<'_>, side: usize) -> f32 {
    let (own, other) = (of(view, side, "branches"), of(view, 1 - side, "branches"));
    let captured = SIDES.map(|side| view.field(&format!("{side}.captured")));
    let worth = |(square, (_, edges)): (usize, &([usize; 4], [usize; 4]))| {
        let around = |of: &[f32]| edges.iter().map(|&edge| of[edge]).sum::<f32>();
        let open = captured[0][square] + captured[1][square] + around(other) == 0.0;
        if open { ENCLOSING[around(own) as usize] } else { 0.0 }
    };
    DIAMOND.squares.iter().enumerate().map(worth).sum()
}

/// What a side earns, by what it is good for.
fn income(view: &View<'_>, side: usize) -> f32 {
    of(view, side, "income").iter().map(|n| INCOME[((n * 10.0).round() as usize).min(5)]).sum()
}

/// What a side has: points, income, branches, room.
fn standing(view: &View<'_>, side: usize) -> f32 {
    let income = income(view, side);
    let points = view.field("score")[side] * 10.0;
    let branches: f32 = of(view, side, "branches").iter().sum();
    POINT * points + income + BRANCH * branches + room(view, side) + enclosing(view, side)
}

/// What the viewer's cubes can buy.
fn in_hand(view: &View<'_>) -> f32 {
    let cubes = view.field("own.cubes");
    let [red, yellow, blue, green] = [0, 1, 2, 3].map(|colour| cubes[colour] * 10.0);
    let nodes = (yellow.min(green) / 2.0).min(2.0);
    let branches = red.min(blue).min(4.0);
    BRANCH_IN_HAND * branches + NODE_IN_HAND * nodes + CUBE_IN_HAND * (red + yellow + blue + green)
}

/// What a side has where the first colour at ten points loses and pieces of either colour may be bought: income is good,
/// points and places for nodes of the own colour are what the other will fill.
fn standing_advanced(view: &View<'_>, side: usize) -> f32 {
    let points = view.field("score")[side] * 10.0;
    let spots: f32 = of(view, side, "node_spots").iter().sum();
    BUYING * income(view, side) - GIVEN_POINT * points - GIVEN_SPOT * spots
}

fn appraise_advanced(view: &View<'_>) -> f32 {
    standing_advanced(view, 0) - standing_advanced(view, 1) + in_hand(view)
}

impl Greedy for Shuter {
    /// The viewer's standing against the opponent's, and the viewer's hand: the opponent's would punish ending a turn.
    fn appraise(view: &View<'_>) -> f32 {
        standing(view, 0) - standing(view, 1) + in_hand(view)
    }

    /// Where points lose, random play hands them out as fast as they can be bought.
    fn judged_after(rules: &ShuterRules) -> Option<u32> {
        (rules.variant == Variant::Advanced).then_some(0)
    }

    fn judgement(rules: &ShuterRules) -> Judgement {
        match rules.variant {
            Variant::Advanced => appraise_advanced,
            Variant::Basic | Variant::Classic => Self::appraise,
        }
    }
}
