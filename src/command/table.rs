//! One row per upstream command.
