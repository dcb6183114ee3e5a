use super::*;

fn decoded(value: Value) -> Checked<Electron> {
    Electron::decode(&value, SessionMode::Auto)
}

fn refused(value: Value) -> String {
    let refusal = decoded(value).unwrap_err();
    assert_eq!(refusal.category.name(), "validation-error");
    refusal.message.plain()
}

fn launched(value: Value) -> Launch {
    let mut object = json!({ "action": "launch", "appName": "Notes" });
    object.as_object_mut().unwrap().extend(value.as_object().unwrap().clone());
    match decoded(object).unwrap() {
        Electron::Launch(launch) => *launch,
        other => panic!("{other:?}"),
    }
}

// IN-ELEC-01, ELEC-01
#[test]
fn an_action_is_required_and_one_of_five() {
    assert!(refused(json!({})).contains("electron.action must be one of list, launch"));
    assert!(refused(json!({ "action": "attach" })).contains("attach"));
    assert!(refused(json!("list")).starts_with("electron must be an object"));
    for action in ["list", "status", "cleanup", "probe"] {
        assert_eq!(decoded(json!({ "action": action })).unwrap().action(), action);
    }
}

// IN-ELEC-03, IN-ELEC-05, IN-ELEC-11, IN-ELEC-15, ELEC-02
#[test]
fn every_action_has_its_own_fields() {
    for (action, field) in [
        ("list", "launchId"),
        ("list", "timeoutMs"),
        ("launch", "query"),
        ("launch", "all"),
        ("status", "query"),
        ("cleanup", "appName"),
        ("probe", "all"),
    ] {
        let mut value = json!({ "action": action });
        value[field] = json!("x");
        let text = refused(value);
        assert!(text.contains("has no field") && text.contains(field), "{action}: {text}");
    }
}

// IN-ELEC-04, ELEC-03
#[test]
fn a_launch_names_exactly_one_app() {
    assert!(refused(json!({ "action": "launch" })).contains("exactly one of appPath, appName"));
    let two = json!({ "action": "launch", "appName": "a", "bundleId": "b" });
    assert!(refused(two).contains("not appName and bundleId"));
    let blank = json!({ "action": "launch", "appName": " " });
    assert!(refused(blank).contains("electron.appName must not be empty"));
    for (field, target) in [
        ("appPath", AppTarget::Path("x".into())),
        ("appName", AppTarget::Name("x".into())),
        ("bundleId", AppTarget::Bundle("x".into())),
        ("executablePath", AppTarget::Executable("x".into())),
    ] {
        let mut value = json!({ "action": "launch" });
        value[field] = json!("x");
        let Electron::Launch(launch) = decoded(value).unwrap() else { panic!() };
        assert_eq!(launch.target, target);
        assert_eq!(launch.target.field(), (field, "x"));
    }
}

// IN-ELEC-06, IN-ELEC-07, ELEC-21, ELEC-22
#[test]
fn hand_off_and_target_type_have_defaults_and_few_words() {
    let plain = launched(json!({}));
    assert_eq!((plain.handoff, plain.target_type), (Handoff::Snapshot, TargetType::Page));
    let other = launched(json!({ "handoff": "tabs", "targetType": "webview" }));
    assert_eq!((other.handoff, other.target_type), (Handoff::Tabs, TargetType::Webview));
    let last = launched(json!({ "handoff": "connect", "targetType": "any" }));
    assert_eq!((last.handoff, last.target_type), (Handoff::Connect, TargetType::Any));
    let bad = json!({ "action": "launch", "appName": "a", "handoff": "view" });
    assert!(refused(bad).contains("connect, tabs, snapshot"));
}

// IN-ELEC-08, ELEC-18
#[test]
fn arguments_of_the_launch_itself_are_refused() {
    for arg in [
        "--user-data-dir=/home/ann/.config/App",
        "--user-data-dir",
        "--remote-debugging-port=9222",
        "-remote-debugging-port=9222",
        "--Remote-Debugging-Address=0.0.0.0",
        "--remote-debugging-pipe",
        "--",
    ] {
        let value = json!({ "action": "launch", "appName": "a", "appArgs": ["--x", arg] });
        let text = refused(value);
        assert!(text.contains("appArgs[1]") && text.contains("nothing was started"), "{text}");
    }
    let args = ["--no-sandbox", "file.txt", "user-data-dir=x", "--user-data-directory"];
    assert_eq!(launched(json!({ "appArgs": args })).app_args, args);
}

// IN-ELEC-10, ELEC-28
#[test]
fn a_launch_waits_fifteen_seconds_unless_told_otherwise() {
    for (given, ms) in [
        (json!({}), 15_000),
        (json!({ "timeoutMs": 0 }), 15_000),
        (json!({ "timeoutMs": -5 }), 15_000),
        (json!({ "timeoutMs": 700 }), 700),
        (json!({ "timeoutMs": 900_000 }), 120_000),
    ] {
        assert_eq!(launched(given).timeout_ms, ms);
    }
    let text = json!({ "action": "launch", "appName": "a", "timeoutMs": "soon" });
    assert!(refused(text).contains("electron.timeoutMs"));
}

// IN-ELEC-11, ELEC-04
#[test]
fn all_is_true_or_left_out_and_never_beside_an_id() {
    let which = |value: Value| match decoded(value).unwrap() {
        Electron::Status(scope) | Electron::Cleanup(scope) => scope.which,
        other => panic!("{other:?}"),
    };
    assert_eq!(which(json!({ "action": "status" })), Which::Only);
    assert_eq!(which(json!({ "action": "cleanup", "all": true })), Which::All);
    let one = json!({ "action": "status", "launchId": "electron-1" });
    assert_eq!(which(one), Which::One("electron-1".into()));
    for all in [json!(false), json!("true"), json!(1)] {
        assert!(refused(json!({ "action": "status", "all": all })).contains("electron.all"));
    }
    let both = json!({ "action": "cleanup", "all": true, "launchId": "electron-1" });
    assert!(refused(both).contains("exclude each other"));
}

// DEC-48
#[test]
fn a_list_has_fifty_rows_and_never_more_than_two_hundred() {
    let most = |value: Value| match decoded(value).unwrap() {
        Electron::List(list) => list.max_results,
        other => panic!("{other:?}"),
    };
    assert_eq!(most(json!({ "action": "list" })), 50);
    assert_eq!(most(json!({ "action": "list", "maxResults": 7 })), 7);
    assert_eq!(most(json!({ "action": "list", "maxResults": 5_000 })), 200);
    assert!(refused(json!({ "action": "list", "maxResults": 0 })).contains("maxResults"));
}

// IN-ELEC-21, RES-36
#[test]
fn the_plan_is_echoed() {
    let launch = json!({
        "action": "launch", "appName": "Notes", "appArgs": ["--x"], "deny": "Signal",
    });
    let compiled = decoded(launch).unwrap().compile();
    assert!(compiled.args.is_empty() && compiled.rows.is_none());
    let (key, echo) = &compiled.echo[0];
    assert_eq!(*key, "compiledElectron");
    assert_eq!(
        *echo,
        json!({
            "action": "launch", "appName": "Notes", "handoff": "snapshot",
            "targetType": "page", "timeoutMs": 15_000, "appArgs": ["--x"],
            "deny": ["Signal"],
        })
    );
    let status = decoded(json!({ "action": "status", "all": true })).unwrap().compile();
    assert_eq!(status.echo[0].1, json!({ "action": "status", "all": true }));
}

// IN-ELEC-16
#[test]
fn a_session_mode_belongs_to_a_launch_only() {
    let launch = json!({ "action": "launch", "appName": "a" });
    assert!(Electron::decode(&launch, SessionMode::Fresh).is_ok());
    assert!(Electron::decode(&json!({ "action": "probe" }), SessionMode::Fresh).is_err());
}
