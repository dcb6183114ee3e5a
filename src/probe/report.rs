//! What the page scripts answer, as types. Unknown or missing fields are no error: a probe that
//! says nothing proves nothing.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{FAILED_MARKER, STALE_MARKER, TAKEN_MARKER};

/// Where the page is: the answer of every script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct PageReport {
    /// Identity of the top document; empty when it could not be read.
    pub doc: String,
    /// Address.
    pub url: String,
    /// Title.
    pub title: String,
    /// Identities of the frames, `other-origin` where they cannot be read.
    pub frames: Vec<String>,
    /// Another window has opened this one.
    pub popup: bool,
    /// HTTP status of the document, 0 when unknown.
    pub status: u16,
    /// How much input the document has got.
    pub inputs: u32,
    /// How often the pointer has come upon an element of it.
    pub hovers: u32,
    /// How old the document is.
    pub age_ms: u32,
    /// When the way to the document began, on the clock that `at` is of.
    pub began_at: u64,
    /// When the row in front of an act has read the page.
    pub at: u64,
    /// Names of the visible dialogs.
    pub dialogs: Vec<String>,
    /// What stands in the first of them, where elements were marked.
    pub front: Option<Box<Front>>,
    /// What the page tells its reader.
    pub messages: Vec<String>,
    /// What dialogs said that were answered before anybody saw them.
    pub said: Option<Box<Said>>,
    /// The observers of the before-row were still there: the same document.
    pub armed: bool,
    /// What the observers saw.
    pub effect: Option<Watched>,
    /// The verdict on a filled field.
    pub fill: Option<FillReport>,
    /// The state of a checked control, where a row behind the command has read it.
    pub checked: Option<bool>,
    /// Where a text went that was meant for an element which takes none.
    pub astray: Option<Astray>,
    /// What is known of the field that text was typed into (DEC-68).
    pub typed: Option<TypedReport>,
    /// Addresses whose requests ended without an answer, where that was asked (HAZ-12).
    pub resources: Option<Vec<String>>,
    /// What single diagnostics asked, by id.
    pub answers: Map<String, Value>,
    /// How long the after-row waited for a change.
    pub waited_ms: Option<u32>,
    /// What can be read on the page first, where that was asked.
    pub shows: Option<String>,
    /// The script failed; the reason is for debugging only.
    pub probe_error: Option<String>,
}

/// What stands in an open dialog.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Front {
    /// Its words beside its name and those of its controls.
    pub text: String,
    /// Its controls, in the order of the page.
    pub controls: Vec<FreshControl>,
}

/// What dialogs of the browser said that were answered before anybody saw them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Said {
    /// Texts of the first alerts.
    pub alerts: Vec<String>,
    /// The document did not want to be left, for the sake of unsaved changes.
    pub unsaved: bool,
}

/// What the observers saw between the before-row and the after-row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Watched {
    /// Something in the document changed.
    pub changed: bool,
    /// The address changed inside the same document.
    pub url_changed: bool,
    /// A new `alert` or `status` text.
    pub text: Option<String>,
    /// The name of a dialog that was not there before.
    pub dialog: Option<String>,
    /// Names of dialogs that stood there before and still do, beside what was hit.
    pub standing: Vec<String>,
    /// An editable element has got the focus.
    pub focused: bool,
    /// Which one, where it is not what was hit.
    pub focus: Option<FreshControl>,
    /// The browser kept the form back, for the sake of this field.
    pub held: Option<HeldForm>,
    /// A request that the command began and that has no answer yet.
    pub pending: Option<Pending>,
    /// A part of the page says that it is busy since the command.
    pub busy: bool,
    /// A frame was sent to another page, which has not come.
    pub frame_asked: bool,
    /// A download link was hit.
    pub download: bool,
    /// The hit element carries another name than in the snapshot.
    pub renamed: Option<String>,
    /// The hit element stands in a row that reads differently than in the snapshot.
    pub moved: Option<String>,
    /// An event was stopped because its target was created after the snapshot.
    pub stopped: Option<Stopped>,
    /// The element under the mouse was created after the snapshot.
    pub unseen: bool,
    /// A trusted event reached a control.
    pub reached: bool,
    /// What was hit says that it is disabled, and the browser presses it all the same.
    pub disabled: bool,
    /// Controls that are shown now and were not at the last snapshot.
    pub fresh: Option<Fresh>,
    /// The document is about to be left: a form was sent or a navigation has begun.
    pub leaving: bool,
    /// That navigation has begun.
    pub going: bool,
    /// It has ended, and the document is still there. The look behind the command tells.
    pub stayed: bool,
    /// Its window closes itself.
    pub closing: bool,
}

impl Watched {
    /// Something came of the command.
    #[must_use]
    pub fn happened(&self) -> bool {
        self.changed || self.focused || self.download || self.leaving
    }
}

/// Controls that have come since the last snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Fresh {
    /// The first of them.
    pub found: Vec<FreshControl>,
    /// How many more there are.
    pub more: u32,
    /// Those that were there already when the command began.
    pub earlier: Option<Box<Fresh>>,
}

/// One of them, by the words that `find role` takes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FreshControl {
    /// Its role.
    pub role: String,
    /// Its name.
    pub name: String,
}

/// The first field that kept a form from being sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HeldForm {
    /// Its role.
    pub role: String,
    /// Its name.
    pub name: String,
    /// What the browser says of it.
    pub message: String,
    /// How many more fields there are.
    pub more: u32,
}

/// A request without an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Pending {
    /// Its method.
    pub method: String,
    /// The path of its address.
    pub path: String,
}

/// The element that a stopped event was about to reach.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stopped {
    /// Its name now.
    pub name: String,
    /// It is the element of the snapshot and holds another item by now.
    pub taken: bool,
}

/// The field that has the focus behind typed text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TypedReport {
    /// There is one.
    pub known: bool,
    /// It is password-like.
    pub secret: bool,
}

/// The field that took a text of another element; without a role where no field had the focus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Astray {
    /// Its role.
    pub role: String,
    /// Its name.
    pub name: String,
}

/// The verdict on a filled field; never its value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FillReport {
    /// `equal`, `reformatted`, `empty`, `unchanged`, `disabled`, `read-only`, `added`, `differs`, `strayed`, `astray`, `unknown` or `no-field`.
    pub verdict: String,
    /// The field is password-like (DEC-68).
    pub secret: bool,
    /// The value was set through the element's own setter (HAZ-19).
    pub set: bool,
    /// The field is a contenteditable.
    pub editable: bool,
    /// The input's type.
    #[serde(rename = "type")]
    pub kind: String,
}

impl PageReport {
    /// Reads the `result` field of an `eval` row's data.
    #[must_use]
    pub fn from_eval(data: &Value) -> Option<Self> {
        let report: Self = serde_json::from_value(data.get("result")?.clone()).ok()?;
        report.probe_error.is_none().then_some(report)
    }

    /// The page that a thrown identity check names, `None` when the error is another one.
    #[must_use]
    pub fn from_stale_error(error: &str) -> Option<Self> {
        behind(STALE_MARKER, error)
    }

    /// The report of a row that no row may follow.
    #[must_use]
    pub fn from_last_row(error: &str) -> Option<Self> {
        behind(FAILED_MARKER, error).filter(|page: &Self| page.probe_error.is_none())
    }
}

impl Stopped {
    /// What a thrown check says of the element of a ref.
    #[must_use]
    pub fn from_taken_error(error: &str) -> Option<Self> {
        behind(TAKEN_MARKER, error)
    }
}

/// The object behind a marker; an unreadable one still is an answer.
fn behind<T: Default + for<'a> Deserialize<'a>>(marker: &str, error: &str) -> Option<T> {
    let (_, rest) = error.split_once(marker)?;
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<T>();
    Some(values.next().and_then(Result::ok).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    // HAZ-01, DEC-90
    #[test]
    fn a_thrown_identity_check_names_the_page_that_is_there_now() {
        let error = format!(
            "Evaluation error: Error: {STALE_MARKER}{{\"doc\":\"17.5\",\"url\":\"http://a/\",\
             \"title\":\"T \\\"x\\\"\",\"frames\":[]}}\n    at checkIdentity (<anonymous>:1:51)"
        );
        let page = PageReport::from_stale_error(&error).expect("marker");
        assert_eq!((page.doc.as_str(), page.title.as_str()), ("17.5", "T \"x\""));
        assert_eq!(PageReport::from_stale_error("Evaluation error: Error: boom"), None);
        // An unreadable answer still is a refusal, with an unknown page.
        let broken = PageReport::from_stale_error(STALE_MARKER).expect("marker");
        assert_eq!(broken, PageReport::default());
    }

    #[test]
    fn a_failed_probe_is_no_answer() {
        assert_eq!(PageReport::from_eval(&json!({"result": {"probeError": "TypeError"}})), None);
        assert_eq!(PageReport::from_eval(&json!({"result": null})), None);
        let page = PageReport::from_eval(&json!({"result": {"doc": "1", "url": "u"}}));
        assert_eq!(page.map(|p| p.url), Some("u".to_owned()));
    }
}
