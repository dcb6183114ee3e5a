//! `cargo xtask`: see [`xtask::COMMANDS`].

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    xtask::dispatch(&args)
}
