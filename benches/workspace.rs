//! What the scan of a workspace costs: 5,000 files in under 300 ms.

#![allow(missing_docs, reason = "the macros of criterion make public functions without any")]

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use agent_browser_native::lookup::workspace::scan;
use criterion::{Criterion, criterion_group, criterion_main};

/// The most files that a lookup reads.
const FILES: usize = 5_000;
const BUDGET: Duration = Duration::from_millis(300);
/// Rounds behind the line that stands beside the budget.
const ROUNDS: usize = 15;

/// Files as an application has them: 60 lines, 50 files in a directory.
fn fill(root: &Path) -> std::io::Result<()> {
    for number in 0..FILES {
        let folder = root.join(format!("src/part{}", number / 50));
        fs::create_dir_all(&folder)?;
        let lines: String = (0..60)
            .map(|line| {
                format!("export const value{line} = (input) => input + {number} * {line};\n")
            })
            .collect();
        fs::write(folder.join(format!("Module{number}.tsx")), lines)?;
    }
    fs::write(root.join("src/Last.tsx"), "fetch('/api/price/42');\n")
}

#[expect(clippy::print_stdout, reason = "the figure stands beside its budget")]
fn workspace(criterion: &mut Criterion) {
    let Ok(tree) = tempfile::tempdir() else { return };
    if fill(tree.path()).is_err() {
        return;
    }
    let words = ["/api/price/42", "/api/price", "Counter", "data-testid"].map(str::to_owned);
    let once = || scan(black_box(tree.path()), &words, FILES, &|_, text| !text.is_empty());
    let mut group = criterion.benchmark_group("workspace");
    group.sample_size(20).bench_function("scan 5000 files, budget 300 ms", |bencher| {
        bencher.iter(once);
    });
    group.finish();
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            assert!(once().files >= FILES, "the whole tree is read");
            began.elapsed()
        })
        .collect();
    times.sort();
    let median = times.get(ROUNDS / 2).copied().unwrap_or_default();
    let verdict = if median <= BUDGET { "within" } else { "OVER" };
    println!(
        "workspace scan of {FILES} files: median {median:.0?}, {verdict} the budget of {BUDGET:?}"
    );
}

criterion_group!(lookups, workspace);
criterion_main!(lookups);
