//! The table, the summary and `target/soak.json`.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::growth::{Sample, grown};
use super::options::Options;
use super::worker::Tally;
use crate::Result;

#[derive(Default)]
pub(super) struct Report {
    minutes: u64,
    seed: u64,
    samples: Vec<Sample>,
    /// What was left behind or out of order.
    pub(super) findings: Vec<String>,
    pub(super) kills: usize,
    /// Somebody has stopped the run: it proves nothing.
    pub(super) stopped: bool,
    total: Tally,
}

impl Report {
    pub(super) fn new(options: &Options) -> Self {
        Self { minutes: options.minutes, seed: options.seed, ..Self::default() }
    }

    pub(super) fn head() -> String {
        " time   calls wrong | memory kB  fds | servers daemons clients browsers helpers zombies profiles | \
         own files     kB | temp files    kB"
            .to_owned()
    }

    /// Keeps a sample and prints its row.
    pub(super) fn push(&mut self, sample: Sample, wrong: usize) {
        let Sample { seconds, calls, memory_kb, handles, census, own, profiles, temporary } =
            sample;
        println!(
            "{:>5} {calls:>7} {wrong:>5} | {memory_kb:>9} {handles:>4} | {:>7} {:>7} {:>7} {:>8} {:>7} \
             {:>7} \
             {profiles:>8} | {:>9} {:>6} | {:>10} {:>5}",
            format!("{}:{:02}", seconds / 60, seconds % 60),
            census.servers,
            census.upstream,
            census.clients,
            census.browsers,
            census.helpers,
            census.zombies,
            own.count,
            own.bytes / 1_000,
            temporary.count,
            temporary.bytes / 1_000,
        );
        self.samples.push(sample);
    }

    /// Adds up what the sessions did.
    pub(super) fn take(&mut self, tallies: impl Iterator<Item = Tally>) {
        for tally in tallies {
            self.total.calls += tally.calls;
            self.total.pictures += tally.pictures;
            self.total.wrong.extend(tally.wrong);
            merge(&mut self.total.faults, tally.faults);
            merge(&mut self.total.failures, tally.failures);
            if tally.slowest.0 > self.total.slowest.0 {
                self.total.slowest = tally.slowest;
            }
        }
    }

    pub(super) fn is_clean(&self) -> bool {
        !self.stopped
            && self.total.wrong.is_empty()
            && self.findings.is_empty()
            && grown(&self.samples).is_empty()
    }

    pub(super) fn summary(&self) -> String {
        let total = &self.total;
        let faults: usize = total.faults.values().sum();
        let mut text = format!(
            "\n{} calls, {faults} faults, {} kills of a server, {} wrong answers; slowest answer {:.1} s: {}\n",
            total.calls,
            self.kills,
            total.wrong.len(),
            total.slowest.0.as_secs_f64(),
            total.slowest.1,
        );
        let listed = |counts: &mut dyn Iterator<Item = (String, usize)>| {
            counts.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
        };
        let mut by_fault = total.faults.iter().map(|(name, count)| ((*name).to_owned(), *count));
        text.push_str(&format!("faults: {}\n", listed(&mut by_fault)));
        let mut by_category = total.failures.iter().map(|(name, count)| (name.clone(), *count));
        text.push_str(&format!("failed results: {}\n", listed(&mut by_category)));
        for wrong in &total.wrong {
            text.push_str(&format!("{}\n", wrong.shown()));
        }
        for finding in self.findings.iter().chain(&grown(&self.samples)) {
            text.push_str(&format!("NOT CLEAN {finding}\n"));
        }
        if self.stopped {
            text.push_str("stopped before its time\n");
        }
        text.push_str(if self.is_clean() { "clean\n" } else { "" });
        text
    }

    pub(super) fn save(&self, path: &Path) -> Result<()> {
        let samples: Vec<Value> = self.samples.iter().map(sample_json).collect();
        let wrong: Vec<String> = self.total.wrong.iter().map(super::worker::Wrong::shown).collect();
        let report = json!({
            "minutes": self.minutes,
            "seed": self.seed,
            "clean": self.is_clean(),
            "calls": self.total.calls,
            "faults": self.total.faults,
            "serverKills": self.kills,
            "failedResults": self.total.failures,
            "slowestMs": u64::try_from(self.total.slowest.0.as_millis())?,
            "slowestCall": self.total.slowest.1,
            "picturesWithoutPath": self.total.pictures,
            "wrong": wrong,
            "findings": self.findings,
            "grown": grown(&self.samples),
            "samples": samples,
        });
        std::fs::write(path, format!("{report:#}\n"))?;
        Ok(())
    }
}

fn merge<K: Ord>(total: &mut BTreeMap<K, usize>, part: BTreeMap<K, usize>) {
    for (name, count) in part {
        *total.entry(name).or_default() += count;
    }
}

fn sample_json(sample: &Sample) -> Value {
    let census = sample.census;
    json!({
        "seconds": sample.seconds,
        "calls": sample.calls,
        "memoryKb": sample.memory_kb,
        "openFiles": sample.handles,
        "servers": census.servers,
        "daemons": census.upstream,
        "clients": census.clients,
        "browsers": census.browsers,
        "helpers": census.helpers,
        "zombies": census.zombies,
        "ownFiles": sample.own.count,
        "ownBytes": sample.own.bytes,
        "profiles": sample.profiles,
        "temporaryFiles": sample.temporary.count,
        "temporaryBytes": sample.temporary.bytes,
    })
}
