//! A program that is started and left alone: a desktop app, which outlives the call.

use std::process::Stdio;

use super::error::RunError;
use super::proc::ProcId;
use super::{Invocation, child};

/// Starts a program in a process group of its own, without pipes. Nobody waits for it; when it ends,
/// the runtime takes its status.
///
/// # Errors
/// When it could not be started.
pub fn start(invocation: &Invocation) -> Result<Option<ProcId>, RunError> {
    child::refuse_nul(invocation)?;
    let mut command = child::prepared(invocation);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().map_err(|error| child::spawn_error(invocation, error))?;
    Ok(child.id().and_then(ProcId::of))
}
