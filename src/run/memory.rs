//! Memory that a long answer has needed goes back to the system. The C library keeps it for the next
//! one, for each thread apart, and a server lives as long as its host.

use std::time::Duration;

/// What upstream prints takes ten times as much as values; shorter answers leave little behind.
const LONG: usize = 100_000;
/// The reply goes first.
const PAUSE: Duration = Duration::from_millis(300);

/// Behind a call whose longest answer from upstream had this many bytes, once nothing of it is held.
pub fn give_back_soon(longest_answer: usize) {
    if longest_answer >= LONG {
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
