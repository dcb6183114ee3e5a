//! The promise of `docs/ECONOMY.md`, on the bundled pages.

use std::path::Path;

// DEC-70
#[test]
fn live_bundled_tasks_need_a_quarter_fewer_turns_and_tokens_than_raw_upstream() {
    let program = Path::new(env!("CARGO_BIN_EXE_agent-browser-native"));
    let economy = xtask::economy::bundled(program).unwrap();
    let broken = economy.broken_promises();
    assert!(broken.is_empty(), "{broken:#?}\n{}", economy.table());
}

// DEC-70, PRES-SNAP-01
#[test]
fn live_tasks_on_real_web_applications_are_finished_by_what_the_text_says() {
    let program = Path::new(env!("CARGO_BIN_EXE_agent-browser-native"));
    let unfinished = xtask::economy::on_applications(program).unwrap();
    assert!(unfinished.is_empty(), "{unfinished:#?}");
}
