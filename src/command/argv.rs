//! Tokens → `Argv`.
