//! Whether anything has grown.

use super::table::Census;

/// Renderers come and go with tabs and with what the browser keeps ready.
const HELPERS_MORE: u64 = 12;
/// Leases and marks of sessions are written and removed all the time; a leak of one file per call,
/// browser or minute exceeds this within the hour.
const FILES_MORE: u64 = 12;
/// Logs and small stores of the browsers in the home directory.
const BYTES_MORE: u64 = 2_000_000;
/// Memory may grow by this part, or by this much where that is more.
const MEMORY_PART: f64 = 0.2;
const MEMORY_MORE_KB: u64 = 4 * 1024;

/// Bytes of long results that a server may keep for its caller.
pub(super) const LONG_RESULTS: u64 = 600_000;
/// Small files beside them.
const TEMPORARY_MORE: u64 = 100_000;

/// Files of one area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Files {
    pub(super) count: u64,
    pub(super) bytes: u64,
}

/// What was there at one moment at which no call ran.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sample {
    pub(super) seconds: u64,
    pub(super) calls: usize,
    /// Resident memory of the server that lives through the whole run.
    pub(super) memory_kb: u64,
    /// Its open files, without those of clients that wait.
    pub(super) handles: u64,
    pub(super) census: Census,
    /// Files that the tool and upstream keep for themselves: state, sockets, home.
    pub(super) own: Files,
    /// Temporary directories of browsers.
    pub(super) profiles: u64,
    /// Other temporary files: long results that the caller may look up.
    pub(super) temporary: Files,
}

/// The first samples are left out (everything warms up), the next ones are compared with the last.
pub(super) fn spans(samples: &[Sample]) -> Option<(&[Sample], &[Sample])> {
    let span = (samples.len() / 12).max(2);
    let skipped = (samples.len() / 12).max(1);
    let warm = samples.get(skipped..skipped + span)?;
    let last = samples.get(samples.len().checked_sub(span)?.max(skipped + span)..)?;
    (!last.is_empty()).then_some((warm, last))
}

/// What has grown, in words; empty when nothing has.
pub(super) fn grown(samples: &[Sample]) -> Vec<String> {
    let Some((warm, last)) = spans(samples) else {
        return vec!["too few samples to judge growth".to_owned()];
    };
    let mut found = Vec::new();
    let mut compare = |name: &str, value: fn(&Sample) -> u64, more: fn(u64) -> u64| {
        let (before, after) = (median(warm, value), median(last, value));
        if after > before + more(before) {
            found.push(format!("{name}: {before} at first, {after} at the end"));
        }
    };
    compare("memory (kB)", |sample| sample.memory_kb, more_memory);
    compare("open files of the server", |sample| sample.handles, |_| 0);
    compare("processes of browsers", |sample| count(sample.census.helpers), |_| HELPERS_MORE);
    compare("own files", |sample| sample.own.count, |_| FILES_MORE);
    compare("bytes of own files", |sample| sample.own.bytes, |_| BYTES_MORE);
    found
}

fn more_memory(before: u64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
    let part = (before as f64 * MEMORY_PART) as u64;
    part.max(MEMORY_MORE_KB)
}

/// Long results are kept up to a limit, and no longer than their server lives.
pub(super) fn too_much_kept(sample: &Sample, servers: u64) -> Option<String> {
    let limit = servers * (LONG_RESULTS + TEMPORARY_MORE);
    let kept = sample.temporary.bytes;
    (kept > limit).then(|| format!("{kept} bytes of temporary files, the limit is {limit}"))
}

/// Clients that a server may have started ahead of its next calls.
const AHEAD: usize = 4;

/// At rest there is one daemon, one browser and one directory a session, and nothing else but clients
/// that wait.
pub(super) fn amiss(sample: &Sample, servers: usize, sessions: usize) -> Option<String> {
    let Census { servers: running, upstream, clients, browsers, zombies, .. } = sample.census;
    let profiles = usize::try_from(sample.profiles).unwrap_or(usize::MAX);
    let right = (servers, sessions, sessions, 0, sessions);
    let found = (running, upstream, browsers, zombies, profiles);
    (right != found || clients > servers * AHEAD).then(|| {
        format!(
            "at rest: {running} servers, {upstream} daemons, {clients} clients, {browsers} browsers, \
             {zombies} zombies, {profiles} temporary directories of browsers"
        )
    })
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

fn median(samples: &[Sample], value: fn(&Sample) -> u64) -> u64 {
    let mut values: Vec<u64> = samples.iter().map(value).collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Leak = fn(u64, &mut Sample);

    fn samples(count: u64, change: Leak) -> Vec<Sample> {
        let make = |at| {
            let mut sample = Sample { memory_kb: 20_000, handles: 15, ..Sample::default() };
            change(at, &mut sample);
            sample
        };
        (0..count).map(make).collect()
    }

    #[test]
    fn an_hour_compares_minutes_five_to_ten_with_the_last_five() {
        let hour = samples(60, |at, sample| sample.seconds = at * 60);
        let (warm, last) = spans(&hour).unwrap();
        let minutes = |span: &[Sample]| (span[0].seconds / 60, span.len());
        assert_eq!((minutes(warm), minutes(last)), ((5, 5), (55, 5)));
        assert!(spans(&hour[..2]).is_none());
        assert!(!grown(&hour[..2]).is_empty(), "a run that is too short proves nothing");
    }

    #[test]
    fn noise_is_no_growth() {
        let noisy = samples(60, |at, sample| {
            sample.memory_kb += (at * 7919) % 3_000;
            sample.own.count += at % 3;
        });
        assert_eq!(grown(&noisy), Vec::<String>::new());
        let warming = samples(60, |at, sample| sample.memory_kb += if at < 3 { 0 } else { 9_000 });
        assert_eq!(grown(&warming), Vec::<String>::new());
    }

    #[test]
    fn every_leak_is_named() {
        let leaks: [(&str, Leak); 4] = [
            ("memory", |at, sample| sample.memory_kb += at * 120),
            ("open files", |at, sample| sample.handles += at / 20),
            ("own files", |at, sample| sample.own.count += at),
            ("bytes of own", |at, sample| sample.own.bytes += at * 60_000),
        ];
        for (name, leak) in leaks {
            let found = grown(&samples(60, leak));
            assert!(found.len() == 1 && found[0].contains(name), "{name}: {found:?}");
        }
    }

    #[test]
    fn at_rest_every_session_has_exactly_its_own() {
        let census =
            Census { servers: 2, upstream: 4, clients: 8, browsers: 4, helpers: 20, zombies: 0 };
        let rest = Sample { census, profiles: 4, ..Sample::default() };
        assert_eq!(amiss(&rest, 2, 4), None);
        let zombie = Sample { census: Census { zombies: 1, ..census }, ..rest };
        assert!(amiss(&zombie, 2, 4).unwrap().contains("1 zombies"));
        let crowd = Sample { census: Census { clients: 9, ..census }, ..rest };
        assert!(amiss(&crowd, 2, 4).unwrap().contains("9 clients"));
        assert!(amiss(&Sample { profiles: 5, ..rest }, 2, 4).is_some());
        assert_eq!(too_much_kept(&rest, 2), None);
        let temporary = Files { count: 9, bytes: 3 * LONG_RESULTS };
        assert!(too_much_kept(&Sample { temporary, ..rest }, 2).is_some());
    }
}
