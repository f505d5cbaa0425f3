use super::super::actions::{BRANCH, Cubes, END, NODE, OTHER_BRANCH, THREE, cube};
use super::super::geometry::{CORNERS, EDGES, SQUARE_CORNERS, bits};
use super::super::options::Variant;
use super::super::rules::Shuter;
use super::side::pays_after;
use crate::games::shuter::ShuterRules;
use crate::rng::Purpose;
use crate::{Action, Game, Mask, Rng, Seat, Spec, Text, random_action};

/// A position of random play, with what the seat to act is told.
struct Seen {
    game: Shuter,
    seat: Seat,
    spec: Spec,
    numbers: Vec<f32>,
}

impl Seen {
    fn new(game: Shuter, seat: Seat, spec: Spec) -> Self {
        let mut numbers = vec![0.0; spec.insights.len()];
        game.observe(seat, &mut numbers);
        Self { game, seat, spec, numbers }
    }

    /// What a field says, freed of its scale.
    fn told(&self, field: &str, place: usize, scale: f32) -> f32 {
        let range = self.spec.insights.range(field).unwrap_or_else(|| panic!("no field {field}"));
        let told = self.numbers[range][place] * scale;
        assert!((told - told.round()).abs() < 1e-5, "{field} has another scale: {told}");
        told.round()
    }

    fn legal(&self) -> Mask {
        let mut mask = Mask::EMPTY;
        self.game.legal(&mut mask);
        mask
    }

    fn after(&self, action: usize) -> Shuter {
        let mut next = self.game.clone();
        next.apply(Action(action as u16));
        next
    }

    fn may(&self, action: usize) -> bool {
        self.legal().contains(Action(action as u16))
    }
}

/// Positions from the first ply to far into the game.
fn positions(variant: Variant, games: u64) -> impl Iterator<Item = Seen> {
    let rules = ShuterRules { variant, ..ShuterRules::default() };
    let spec = Shuter::spec(&rules);
    (0..games).filter_map(move |index| {
        let mut rng = Rng::keyed(Purpose::Choice, 4, index, 0);
        let mut game = Shuter::deal(&rules, &mut rng);
        for _ in 0..index / 2 {
            let Some(action) = random_action(&game, &mut rng) else { break };
            game.apply(action);
        }
        let seat = game.to_move()?;
        Some(Seen::new(game, seat, spec.clone()))
    })
}

fn income(game: &Shuter, side: usize) -> [f32; 4] {
    Cubes::to_le_bytes(game.sides[side].income).map(f32::from)
}

#[test]
fn a_node_earns_and_denies_what_was_told() {
    let mut nodes = 0;
    for seen in positions(Variant::Classic, 200) {
        let (game, side) = (&seen.game, seen.seat.index());
        for corner in (0..CORNERS).filter(|corner| seen.may(NODE + corner)) {
            let next = seen.after(NODE + corner);
            if next.to_move().is_none() {
                continue;
            }
            let own_lost = |colour: usize| {
                let stops =
                    |&square: &usize| pays_after(game, side, square, 0) && !pays_after(game, side, square, 1);
                let touches = |&square: &usize| SQUARE_CORNERS[square] >> corner & 1 == 1;
                let standing = |square: usize| (game.sides[side].nodes & SQUARE_CORNERS[square]).count_ones();
                let squares = bits(game.ground.colours[colour].into());
                squares.filter(stops).filter(touches).map(standing).sum::<u32>() as f32
            };
            let (before, after) = (income(game, side), income(&next, side));
            let earned: [f32; 4] =
                std::array::from_fn(|colour| after[colour] - before[colour] + own_lost(colour));
            for (name, earned) in ["red", "yellow", "blue", "green"].into_iter().zip(earned) {
                assert_eq!(earned, seen.told(&format!("own.earns.{name}"), corner, 2.0));
            }
            assert_eq!(earned.iter().sum::<f32>(), seen.told("own.earns", corner, 4.0));
            let denied =
                income(game, 1 - side).iter().sum::<f32>() - income(&next, 1 - side).iter().sum::<f32>();
            assert_eq!(denied, seen.told("own.denies", corner, 4.0));
            nodes += 1;
        }
    }
    assert!(nodes > 200, "only {nodes} nodes were tried");
}

/// In `advanced` a seat may place branches of both colours, so that both sides' insights meet the truth.
#[test]
fn a_branch_captures_grows_and_scores_what_was_told() {
    let (mut branches, mut captures, mut swings) = ([0; 2], 0, 0);
    for seen in positions(Variant::Advanced, 600).chain(positions(Variant::Basic, 300)) {
        if seen.game.in_start() {
            continue;
        }
        for (which, (name, first)) in [("own", BRANCH), ("other", OTHER_BRANCH)].into_iter().enumerate() {
            let side = if which == 0 { seen.seat.index() } else { 1 - seen.seat.index() };
            for edge in (0..EDGES).filter(|edge| seen.may(first + edge)) {
                let (game, next) = (&seen.game, seen.after(first + edge));
                let gained =
                    |of: fn(&Shuter, usize) -> u32, side| of(&next, side) as f32 - of(game, side) as f32;
                let told = |field: &str, scale| seen.told(&format!("{name}.{field}"), edge, scale);
                let captured = gained(|game, side| game.sides[side].captured.count_ones(), side);
                assert_eq!(told("captures", 3.0), captured);
                assert_eq!(told("grows", 5.0), gained(|game, side| game.sides[side].largest(), side));
                let points = gained(Shuter::score, side) - gained(Shuter::score, 1 - side);
                assert_eq!(told("points", 4.0), points);
                branches[which] += 1;
                captures += usize::from(captured > 0.0);
                swings += usize::from(points > captured);
            }
        }
    }
    assert!(branches.iter().all(|&tried| tried > 500), "only {branches:?} branches were tried");
    assert!(captures > 20 && swings > 20, "only {captures} captures and {swings} networks");
}

/// The fewest branches after which a node may stand on each corner, found by building in every order.
fn branches_needed(game: &Shuter, placed: usize, fewest: &mut [usize; CORNERS]) {
    let mut mask = Mask::EMPTY;
    game.legal(&mut mask);
    let may = |action: usize| mask.contains(Action(action as u16));
    for corner in (0..CORNERS).filter(|corner| may(NODE + corner)) {
        fewest[corner] = fewest[corner].min(placed);
    }
    if placed < 3 {
        for edge in (0..EDGES).filter(|edge| may(BRANCH + edge)) {
            let mut next = game.clone();
            next.place_branch(game.to_move().expect("the game goes on").index(), edge);
            branches_needed(&next, placed + 1, fewest);
        }
    }
}

#[test]
fn corners_are_as_near_as_building_shows() {
    let mut found = [0; 5];
    for seen in positions(Variant::Classic, 300).step_by(5).filter(|seen| !seen.game.in_start()) {
        let mut rich = seen.game.clone();
        rich.sides[seen.seat.index()].cubes = (0..4).map(|colour| 2 * cube(colour)).sum();
        rich.sides[1 - seen.seat.index()].cubes = 0;
        let mut fewest = [usize::MAX; CORNERS];
        branches_needed(&rich, 0, &mut fewest);
        for (corner, needed) in fewest.into_iter().enumerate() {
            let reach = seen.numbers[seen.spec.insights.range("own.reach").expect("a field")][corner];
            let expected = if needed > 3 { 0.0 } else { 1.0 / (1 + needed) as f32 };
            assert_eq!(reach, expected, "corner {corner} of {:?}", seen.game);
            found[needed.min(4)] += 1;
        }
    }
    assert!(found.iter().all(|&corners| corners > 0), "{found:?} corners by the branches needed");
}

/// Branches and nodes that cubes r y b g buy, each alone.
fn bought(game: &Shuter, side: usize) -> [f32; 2] {
    let [red, yellow, blue, green] = game.position().cubes[side];
    [red.min(blue).into(), (yellow / 2).min(green / 2).into()]
}

#[test]
fn a_trade_changes_what_cubes_buy_as_was_told() {
    let (mut trades, mut pays) = (0, 0);
    for seen in positions(Variant::Classic, 600) {
        let side = seen.seat.index();
        let before = bought(&seen.game, side);
        let mut best = before;
        for trade in 0..END - THREE {
            let told = ["trade.branches", "trade.nodes"].map(|field| seen.told(field, trade, 2.0));
            let after = if seen.may(THREE + trade) {
                trades += 1;
                bought(&seen.after(THREE + trade), side)
            } else {
                before
            };
            assert_eq!(told, [after[0] - before[0], after[1] - before[1]]);
            best = [best[0].max(after[0]), best[1].max(after[1])];
        }
        let buys: [f32; 4] = std::array::from_fn(|i| seen.told("own.buys", i, 4.0));
        assert_eq!(buys, [before[0], before[1], best[0], best[1]]);
        pays += usize::from(best != before);
    }
    assert!(trades > 1_000 && pays > 20, "only {trades} trades, {pays} that help");
}

#[test]
fn the_other_side_buys_in_its_turn_what_was_told() {
    let mut compared = 0;
    for seen in positions(Variant::Classic, 600).filter(|seen| seen.may(END)) {
        let other = Seat(1 - seen.seat.0);
        let next = seen.after(END);
        let [waits, acts] = [&seen.game, &next].map(|game| game.sides[other.index()]);
        let paid = acts.cubes == waits.cubes + waits.income;
        let no_colour_short = next.bank().to_le_bytes().iter().all(|&cubes| cubes > 0);
        if next.to_move() == Some(other) && paid && no_colour_short {
            let then = Seen::new(next, other, seen.spec.clone());
            for i in 0..4 {
                assert_eq!(seen.told("other.buys", i, 4.0), then.told("own.buys", i, 4.0));
            }
            compared += 1;
        }
    }
    assert!(compared > 100, "only {compared} turns were compared");
}
