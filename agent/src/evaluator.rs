//! What search asks about a leaf.

/// Judges many positions at once: a network, or anything that stands in for one.
///
/// All arrays are flat and row by row, one row a position.
pub trait Evaluator: Send + Sync {
    /// Numbers of an observation.
    fn observation(&self) -> usize;

    /// Numbers of a row of logits.
    fn actions(&self) -> usize;

    /// Numbers of a row of values.
    fn seats(&self) -> usize;

    /// Reads `observations` (`[n, observation]`, as the seat to act sees them) and writes `logits` (`[n, actions]`,
    /// not masked: whoever reads them masks) and `values` (`[n, seats]`, expected returns: first the viewer's, then the
    /// others' in the order of play).
    fn evaluate(&self, observations: &[f32], logits: &mut [f32], values: &mut [f32]);
}
