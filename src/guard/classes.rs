//! Permission classes (DEC-100).

use super::GuardContext;
use crate::command::Class;
use crate::error::{Checked, Refusal};
use crate::outcome::FailureCategory;

pub(super) fn check(context: &GuardContext<'_>) -> Checked<()> {
    let rows = context.steps.iter().flat_map(|step| step.argv.classes());
    let wanted = context.argv.classes().into_iter().chain(rows);
    match wanted.into_iter().find(|class| !context.allowed.contains(class)) {
        None => Ok(()),
        Some(class) => Err(refusal(class)),
    }
}

fn refusal(class: Class) -> Box<Refusal> {
    let name = class.name();
    Refusal::new(
        FailureCategory::PolicyBlocked,
        format!(
            "nothing was done, this server does not allow commands of the class {name}. \
             Whoever runs it can add --allow {name} to its command line."
        ),
    )
}
