//! What a comparison of games has met, so that a test can say that it meant something.

/// How often the rare things happened.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    pub regions_of_several_squares: u32,
    pub regions_kept_open_by_a_branch_inside: u32,
    pub closed_edges_that_mattered: u32,
    pub captured_pays_again: u32,
    pub bank_short: u32,
    pub taken_from_the_opponent: u32,
    pub lost_because_the_opponent_holds_no_more: u32,
    pub branch_limits: u32,
    pub ties: u32,
    pub two_for_one: u32,
    pub other_colour: u32,
    pub stalemates: u32,
    pub ten_points: u32,
}
