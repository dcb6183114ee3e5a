use super::*;
use crate::session::refs::RefInfo;

fn words(value: Value) -> Vec<String> {
    SemanticAction::decode("semanticAction", &value).unwrap().words()
}

fn refused(value: Value) -> String {
    SemanticAction::decode("semanticAction", &value).unwrap_err().message.plain()
}

// IN-SEM-02, IN-SEM-04, IN-SEM-14, IN-SEM-15, IN-SEM-16, IN-SEM-07
#[test]
fn locator_forms_compile_to_find() {
    let text = json!({"action": "click", "locator": "text", "value": "Log in"});
    assert_eq!(words(text), ["find", "text", "Log in", "click"]);
    let role = json!({"action": "check", "locator": "role", "role": "checkbox", "name": "Agree"});
    assert_eq!(words(role), ["find", "role", "checkbox", "check", "--name", "Agree"]);
    let fill = json!({"action": "fill", "locator": "role", "value": "textbox", "name": "Email", "text": "a@b"});
    assert_eq!(words(fill), ["find", "role", "textbox", "fill", "a@b", "--name", "Email"]);
}

// IN-SEM-09, IN-SEM-17, IN-SEM-10, IN-SEM-18, DEC-43
#[test]
fn selector_forms_compile_to_the_plain_command() {
    assert_eq!(words(json!({"action": "click", "selector": "@e5"})), ["click", "@e5"]);
    let fill = json!({"action": "fill", "selector": "#x", "text": "t"});
    assert_eq!(words(fill), ["fill", "#x", "t"]);
    let select = json!({"action": "select", "selector": "#s", "values": ["a", "b"]});
    assert_eq!(words(select), ["select", "#s", "a", "b"]);
    assert_eq!(words(json!({"action": "uncheck", "selector": "#c"})), ["uncheck", "#c"]);
}

// IN-SEM-05, IN-SEM-06, IN-SEM-08, IN-SEM-10, IN-SEM-11, DEC-40, DEC-43
#[test]
fn what_does_not_fit_is_refused_by_the_name_of_its_field() {
    assert!(refused(json!({"action": "hover", "selector": "x"})).contains("action must be one of"));
    assert!(
        refused(json!({"action": "click"}))
            .contains("selector or semanticAction.locator is missing")
    );
    assert!(
        refused(json!({"action": "click", "locator": "text", "value": "  "}))
            .contains("must not be empty")
    );
    let both = json!({"action": "click", "locator": "text", "value": "a", "selector": "b"});
    assert!(refused(both).contains("exclude each other"));
    let roles = json!({"action": "click", "locator": "role", "value": "link", "role": "button"});
    assert!(refused(roles).contains("must be equal"));
    let name = json!({"action": "click", "locator": "text", "value": "a", "name": "b"});
    assert!(refused(name).contains("belong to locator role"));
    let role = json!({"action": "click", "locator": "text", "value": "a", "role": "button"});
    assert!(refused(role).contains("belong to locator role"));
    assert!(refused(json!({"action": "fill", "selector": "#x"})).contains("text is missing"));
    assert!(
        refused(json!({"action": "select", "selector": "#x"}))
            .contains("value or values is missing")
    );
    let both = json!({"action": "select", "selector": "#x", "value": "a", "values": ["b"]});
    assert!(
        refused(both).contains("semanticAction.value and semanticAction.values exclude each other")
    );
    assert!(
        refused(json!({"action": "select", "locator": "role", "value": "x"}))
            .contains("selector is missing")
    );
    let uncheck = json!({"action": "uncheck", "locator": "text", "value": "a"});
    assert!(refused(uncheck).contains("uncheck works with selector only"));
    assert!(
        refused(json!({"action": "click", "selector": "a", "nme": "b"}))
            .contains("no field \"nme\"")
    );
}

// IN-GEN-03
#[test]
fn a_field_of_the_wrong_kind_is_named() {
    for field in FIELDS {
        let mut value = json!({"action": "select", "selector": "#a", "values": ["b"]});
        value[field] = json!({ "a": 1 });
        let said = refused(value);
        assert!(said.starts_with(&format!("semanticAction.{field}")), "{field}: {said}");
    }
    for (value, named) in [
        (json!([]), "semanticAction must be an object"),
        (json!("click"), "semanticAction must be an object"),
        (json!({"action": "select", "selector": "#a", "values": []}), "semanticAction.values"),
        (
            json!({"action": "select", "selector": "#a", "values": ["b", 1]}),
            "semanticAction.values[1]",
        ),
        (
            json!({"action": "select", "selector": "#a", "values": ["b\0"]}),
            "semanticAction.values[0]",
        ),
        (json!({"action": "fill", "selector": "#a", "text": "\0"}), "semanticAction.text"),
    ] {
        assert!(refused(value).starts_with(named), "{named}");
    }
}

// IN-SEM-12, IN-SEM-19, PLAN-17
#[test]
fn a_session_stands_in_front_and_the_plan_is_echoed() {
    let value = json!({"action": "click", "locator": "text", "value": "a", "session": "s", "namespace": "n"});
    let compiled = SemanticAction::decode("semanticAction", &value).unwrap().compile();
    assert_eq!(compiled.args, ["--namespace", "n", "--session", "s", "find", "text", "a", "click"]);
    let (key, echo) = &compiled.echo[0];
    assert_eq!(*key, "compiledSemanticAction");
    assert_eq!(*echo, json!({"action": "click", "locator": "text", "args": compiled.args}));
    let value = json!({"action": "select", "selector": "#a", "values": ["b", "c"]});
    let compiled = SemanticAction::decode("semanticAction", &value).unwrap().compile();
    let expected = json!({"action": "select", "selector": "#a", "values": ["b", "c"], "args": ["select", "#a", "b", "c"]});
    assert_eq!(compiled.echo[0].1, expected);
}

// IN-SEM-21, IN-SEM-22, DEC-41
#[test]
fn one_exact_current_ref_takes_the_place_of_a_role_and_name() {
    let mut refs = RefSnapshot::default();
    let info = |role: &str, name: &str| RefInfo {
        role: role.into(),
        name: name.into(),
        ..RefInfo::default()
    };
    refs.refs.insert(1, info("button", "Save"));
    refs.refs.insert(2, info("button", "Edit"));
    refs.refs.insert(3, info("button", "Edit"));
    refs.refs.insert(4, info("link", "Home page"));
    let act = |action: &str, role: &str, name: &str| {
        let value = json!({"action": action, "locator": "role", "value": role, "name": name});
        SemanticAction::decode("semanticAction", &value).unwrap()
    };
    assert_eq!(act("click", "button", " Save ").resolve(&refs), Some(1));
    assert_eq!(act("click", "button", "Edit").resolve(&refs), None, "several");
    assert_eq!(act("click", "button", "Sav").resolve(&refs), None, "never by prefix");
    let twin = RefInfo { duplicate_index: Some(1), ..info("button", "Buy") };
    refs.refs.insert(5, twin);
    assert_eq!(act("click", "button", "Buy").resolve(&refs), None, "its twin was left out");
    assert_eq!(act("click", "button", "Save").on_ref(1).words(), ["click", "@e1"]);
    let fill = json!({"action": "fill", "locator": "role", "value": "link", "name": "Home page", "text": "x"});
    assert_eq!(SemanticAction::decode("semanticAction", &fill).unwrap().resolve(&refs), None);
}
