//! How strong agents are: an arena where they meet, ratings with intervals, exact exploitability, reports.

pub mod arena;
pub mod exact;
pub mod exploitability;
pub mod ladder;
pub mod report;
pub mod statistics;
