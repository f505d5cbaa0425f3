//! How good a policy is.

pub mod exploitability;
