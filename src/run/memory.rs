//! Memory that a long answer has needed goes back to the system. The C library keeps it for the next
//! one, for each thread apart, and a server lives as long as its host.

use std::time::Duration;

/// What upstream prints takes ten times as much as values; shorter answers leave little behind.
const LONG: usize = 100_000;
/// The answer goes first.
const PAUSE: Duration = Duration::from_millis(300);

/// Behind the call that has got an answer of this many bytes.
pub(super) fn give_back_soon(answer: usize) {
    if answer >= LONG {
        tokio::spawn(async {
            tokio::time::sleep(PAUSE).await;
            give_back();
        });
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn give_back() {
    #[expect(unsafe_code, reason = "declares a function of the C library, which no argument harms")]
    unsafe extern "C" {
        safe fn malloc_trim(left: usize) -> std::ffi::c_int;
    }
    malloc_trim(0);
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn give_back() {}
