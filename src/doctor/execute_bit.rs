//! May the file be started?

use std::path::Path;

use super::context::Context;
use super::{Check, Finding};
use crate::run::RunError;
use crate::run::locate::is_executable;

pub(super) const CHECK: Check =
    Check { id: "execute-bit", run: |context| Box::pin(async move { check(context).await }) };

async fn check(context: &Context) -> Finding {
    let located = match (context.upstream().await, context.located()) {
        (Ok(upstream), _) => Ok(upstream.exe.clone()),
        (Err(_), located) => located.map(|found| found.exe),
    };
    match located {
        Ok(exe) if is_executable(&exe) => Finding::ok("The executable may be started"),
        Ok(exe) | Err(RunError::NotExecutable { path: exe }) => locked(&exe),
        Err(_) => Finding::not_run("Not checked: there is no upstream."),
    }
}

fn locked(exe: &Path) -> Finding {
    Finding::failed(
        format!("{} lacks the execute bit.", exe.display()),
        format!("Run `chmod +x {}`, or `agent-browser-native setup`.", exe.display()),
    )
}
