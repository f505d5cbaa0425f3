//! The weights of [`Chances`](super::chance::Chances): what each count adds to the score of a seat, stage by stage.
//!
//! They are a fit to the tables at the end of every turn, with the counts of all seats and which one won: a conditional logit, a
//! stage at a time, drawn towards 0 by 3 times the squared weights. The games were 9,600 for each number of players, by bots that
//! went by the advice of version 4, with three turns in ten made by one of the sixteen plans that looked best instead; for three
//! players also 1,960 in which the others were such bots or `uct:100`, each counting three times. Without turns made at random the
//! fit takes a card that is held for the reason why its holder wins. Stages that a game cannot come to have no weights of their own.

/// What is counted of a seat.
pub(super) const COUNTS: usize = 26;
/// The last round by its turns still to come, 1 to 4; the second to last, the third to last, 4 to 5, 6 to 8 and more rounds.
pub(super) const STAGES: usize = 9;

/// The weights of each count, stage by stage.
pub(super) type Weights = [[f32; STAGES]; COUNTS];

#[rustfmt::skip]
pub(super) const FOR_THREE: Weights = [
    // Turns left, less the mean of all seats
    [0.07, 0.24, 0.00, 0.00, 1.68, 1.39, 1.15, 0.98, 0.92],
    // Whether its turn comes next
    [0.07, 0.09, -0.36, 0.00, -0.46, -0.49, -0.49, -0.54, -0.46],
    // Whether it comes second
    [-0.36, 0.15, -0.06, 0.00, -0.23, -0.27, -0.29, -0.36, -0.33],
    // Whether it comes third of four
    [0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00],
    // Nodes
    [2.44, 1.60, 1.28, 0.00, 0.92, 0.66, 0.43, 0.25, 0.19],
    // Held by level 2
    [0.44, 0.30, 0.24, 0.00, 0.24, 0.22, 0.22, 0.21, 0.21],
    // Held by level 3
    [0.90, 0.63, 0.48, 0.00, 0.49, 0.47, 0.52, 0.58, 0.66],
    // Nodes that others could invade
    [-0.13, -0.07, -0.12, 0.00, -0.12, -0.09, -0.11, -0.13, -0.10],
    // Others that could invade any
    [-0.43, -0.29, -0.13, 0.00, -0.05, -0.02, -0.04, -0.05, -0.16],
    // Nodes that the next to move could invade
    [-0.13, -0.12, -0.05, 0.00, -0.08, -0.07, -0.05, -0.03, 0.03],
    // The most Nodes that a move wins
    [2.23, 1.22, 0.88, 0.00, 0.65, 0.46, 0.31, 0.24, 0.26],
    // Nodes of others that its moves could take
    [-0.11, -0.03, -0.01, 0.00, -0.04, -0.04, -0.07, -0.10, -0.10],
    // Free Nodes beside its own
    [0.12, 0.18, 0.19, 0.00, 0.17, 0.16, 0.10, 0.06, 0.04],
    // Nodes that its Colonies reach, ÷ 10
    [0.01, 0.00, -0.05, 0.00, 0.05, 0.07, 0.11, 0.17, 0.17],
    // Node cards in the hand
    [0.18, 0.12, 0.25, 0.00, 0.25, 0.25, 0.24, 0.23, 0.25],
    // Colonies of level 1 in the hand
    [0.04, 0.05, 0.05, 0.00, 0.04, 0.04, 0.06, 0.08, 0.16],
    // Of level 2
    [-0.07, 0.17, 0.21, 0.00, 0.27, 0.30, 0.34, 0.38, 0.41],
    // Of level 3
    [0.37, 0.08, 0.17, 0.00, 0.34, 0.40, 0.39, 0.55, 0.86],
    // Own cards right beneath its own
    [0.01, 0.02, 0.04, 0.00, 0.10, 0.10, 0.13, 0.09, 0.11],
    // Own cards right beneath others'
    [0.12, 0.15, 0.18, 0.00, 0.21, 0.19, 0.17, 0.18, 0.26],
    // Its only Node could be invaded
    [0.00, 0.00, 0.00, 0.00, -0.03, -0.18, -0.52, 0.09, 0.00],
    // It could win by taking another's only Node
    [0.00, 0.01, 0.50, 0.00, 0.53, 0.50, 0.21, 0.11, 0.04],
    // And its turn comes next
    [0.00, 0.01, 0.22, 0.00, 0.68, 0.48, 0.64, 0.95, 2.17],
    // Nodes that no card on the table beats
    [-0.07, -0.05, -0.02, 0.00, 0.01, 0.04, 0.03, 0.01, 0.05],
    // How likely it is to add a Node by colonising
    [1.72, 0.84, 0.40, 0.00, 0.22, 0.12, 0.13, 0.01, -0.23],
    // Invasions to expect
    [-0.43, -0.38, -0.29, 0.00, -0.23, -0.26, -0.19, -0.06, 0.10],
];

#[rustfmt::skip]
pub(super) const FOR_FOUR: Weights = [
    // Turns left, less the mean of all seats
    [0.33, 0.51, 0.70, 0.00, 1.80, 1.52, 1.24, 0.84, 0.84],
    // Whether its turn comes next
    [0.33, 0.29, 0.09, -0.46, -0.59, -0.66, -0.63, -0.21, -0.21],
    // Whether it comes second
    [-0.29, 0.22, 0.27, -0.25, -0.39, -0.47, -0.46, -0.16, -0.16],
    // Whether it comes third of four
    [-0.16, -0.15, 0.34, -0.14, -0.25, -0.31, -0.33, -0.16, -0.16],
    // Nodes
    [2.69, 1.82, 1.38, 1.15, 0.86, 0.57, 0.27, 0.16, 0.16],
    // Held by level 2
    [0.54, 0.41, 0.34, 0.30, 0.26, 0.23, 0.21, 0.22, 0.22],
    // Held by level 3
    [1.06, 0.77, 0.63, 0.54, 0.58, 0.61, 0.69, 0.91, 0.91],
    // Nodes that others could invade
    [-0.17, -0.23, -0.19, -0.18, -0.15, -0.16, -0.10, -0.04, -0.04],
    // Others that could invade any
    [-0.58, -0.29, -0.17, -0.10, -0.07, -0.09, -0.05, -0.11, -0.11],
    // Nodes that the next to move could invade
    [-0.17, 0.11, -0.07, -0.04, -0.08, -0.05, -0.05, -0.04, -0.04],
    // The most Nodes that a move wins
    [2.15, 1.40, 0.94, 0.77, 0.53, 0.33, 0.27, 0.29, 0.29],
    // Nodes of others that its moves could take
    [-0.04, -0.01, -0.04, -0.02, -0.02, -0.03, -0.02, -0.01, -0.01],
    // Free Nodes beside its own
    [0.19, 0.18, 0.19, 0.17, 0.12, 0.08, 0.00, 0.00, 0.00],
    // Nodes that its Colonies reach, ÷ 10
    [0.00, 0.07, 0.03, 0.05, 0.05, 0.04, 0.17, 0.08, 0.08],
    // Node cards in the hand
    [0.10, 0.12, 0.18, 0.35, 0.27, 0.23, 0.20, 0.14, 0.14],
    // Colonies of level 1 in the hand
    [-0.02, -0.01, 0.02, 0.00, -0.03, -0.03, -0.04, -0.07, -0.07],
    // Of level 2
    [0.02, 0.03, 0.00, 0.06, 0.16, 0.23, 0.22, 0.15, 0.15],
    // Of level 3
    [-0.09, 0.06, -0.12, -0.12, 0.37, 0.39, 0.55, 0.67, 0.67],
    // Own cards right beneath its own
    [0.11, 0.09, 0.08, 0.09, 0.13, 0.15, 0.12, 0.08, 0.08],
    // Own cards right beneath others'
    [0.17, 0.20, 0.25, 0.30, 0.27, 0.22, 0.18, 0.17, 0.17],
    // Its only Node could be invaded
    [0.00, 0.00, -0.01, -0.06, -0.85, -0.22, -0.25, -0.14, -0.14],
    // It could win by taking another's only Node
    [0.04, -0.05, 0.13, -0.04, -0.02, -0.10, 0.12, 0.03, 0.03],
    // And its turn comes next
    [0.04, 0.21, 0.41, 0.73, 0.61, 0.89, 1.17, 2.72, 2.72],
    // Nodes that no card on the table beats
    [-0.04, 0.01, 0.08, 0.11, 0.06, 0.05, 0.04, 0.04, 0.04],
    // How likely it is to add a Node by colonising
    [1.75, 0.93, 0.45, 0.13, 0.17, 0.30, 0.27, -0.02, -0.02],
    // Invasions to expect
    [-0.82, -0.65, -0.30, -0.30, -0.22, -0.09, -0.05, 0.02, 0.02],
];
