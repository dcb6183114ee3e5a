//! A control that was turned and replaced by its page at once. Upstream looks at it again, finds it no
//! more, and takes that for a failure of the whole command.

use serde_json::{Value, json};

use super::Trace;
use super::answers::Brought;
use super::look::ask_behind;
use super::run::Run;
use crate::diagnose::category::classify;
use crate::envelope::Answer;
use crate::outcome::FailureCategory;
use crate::plan::Step;
use crate::plan::rows::Wants;

/// Asks the page about a `check` or `uncheck` that has lost its control, and mends its answer where the
/// control that was pressed is as it was wanted (HAZ-26).
pub(super) async fn ask_the_page(
    run: &Run<'_>,
    step: &Step,
    wishes: &Wants,
    main: &mut Answer,
    brought: &mut Brought,
    trace: &mut Trace,
) {
    let wanted = match step.argv.name() {
        "check" => true,
        "uncheck" => false,
        _ => return,
    };
    if main.success || classify(main, step) != FailureCategory::StaleRef {
        return;
    }
    ask_behind(run, step, wishes, brought, trace).await;
    let read = brought.after.page().and_then(|page| page.answers.get("checked"));
    let pressed = read.and_then(|read| read.get("pressed")).and_then(Value::as_bool);
    if pressed == Some(wanted) {
        let target = step.argv.target().map_or("", |target| target.value);
        *main = Answer { success: true, data: json!({ "checked": target }), ..Answer::default() };
    }
}
