#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

struct Tree {
    dir: tempfile::TempDir,
}

impl Tree {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(path)
    }

    fn file(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn program(&self, path: &str) {
        self.file(path, "#!/bin/sh\n");
        fs::set_permissions(self.at(path), fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn link(&self, path: &str, to: &str) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        symlink(self.at(to), self.at(path)).unwrap();
    }

    /// An app as packagers lay it out.
    fn app(&self, dir: &str, exe: &str, product: &str) {
        self.program(&format!("{dir}/{exe}"));
        let package = format!(r#"{{"name":"x","productName":"{product}"}}"#);
        self.file(&format!("{dir}/resources/app/package.json"), &package);
        self.file(&format!("{dir}/resources.pak"), "");
        self.program(&format!("{dir}/chrome-sandbox"));
    }

    fn bundle(&self, path: &str, exe: &str, plist: &str) {
        self.program(&format!("{path}/Contents/MacOS/{exe}"));
        self.file(&format!("{path}/Contents/Info.plist"), plist);
        let framework = format!("{path}/Contents/Frameworks/Electron Framework.framework");
        fs::create_dir_all(self.at(&framework)).unwrap();
    }

    fn linux(&self) -> Roots {
        Roots {
            platform: Platform::Linux,
            entries: vec![self.at("usr/share/applications")],
            installs: vec![self.at("opt"), self.at("usr/lib"), self.at("usr/share")],
            programs: vec![self.at("usr/bin")],
            snaps: vec![self.at("snap")],
            flatpaks: vec![self.at("flatpak/app")],
        }
    }

    fn macos(&self) -> Roots {
        Roots { installs: vec![self.at("Applications")], ..Roots::none(Platform::Macos) }
    }
}

fn entry(name: &str, exec: &str, more: &str) -> String {
    format!("[Desktop Entry]\nType=Application\nName={name}\nExec={exec}\nIcon=i\n{more}\n")
}

fn names(found: &Found) -> Vec<&str> {
    found.apps.iter().map(|app| app.name.as_str()).collect()
}

// DEC-86, ELEC-08, ELEC-12, IN-ELEC-18
#[test]
fn linux_apps_are_found_by_entries_and_by_install_roots() {
    let tree = Tree::new();
    // By an entry with a path; by a link of PATH; by a script in bin/ (Visual Studio Code).
    tree.app("opt/Signal", "signal-desktop", "Signal");
    tree.file(
        "usr/share/applications/signal-desktop.desktop",
        &entry("Signal", &format!("{} %U", tree.at("opt/Signal/signal-desktop").display()), ""),
    );
    tree.app("usr/lib/slack", "slack", "Slack");
    tree.link("usr/bin/slack", "usr/lib/slack/slack");
    tree.file("usr/share/applications/slack.desktop", &entry("Slack", "slack -s %U", ""));
    tree.app("usr/share/code", "code", "code-oss");
    tree.program("usr/share/code/bin/code");
    tree.link("usr/bin/code", "usr/share/code/bin/code");
    tree.file(
        "usr/share/applications/code.desktop",
        &entry("Visual Studio Code", "code --unity-launch %F", ""),
    );
    // Only installed, without an entry.
    tree.app("opt/Etcher", "balena-etcher", "balenaEtcher");
    // Not Electron: an editor, and Chromium itself.
    tree.program("usr/bin/gedit");
    tree.file("usr/share/applications/gedit.desktop", &entry("Editor", "gedit %U", ""));
    tree.program("usr/lib/chromium/chromium");
    tree.file("usr/lib/chromium/resources.pak", "");

    let found = discover(&tree.linux());
    assert_eq!(names(&found), ["balenaEtcher", "Signal", "Slack", "Visual Studio Code"]);
    let code = found.apps.iter().find(|app| app.name == "Visual Studio Code").unwrap();
    assert_eq!(code.desktop_id.as_deref(), Some("code"));
    assert_eq!(code.executable, tree.at("usr/share/code/code"));
    let details = code.to_details();
    assert_eq!(details["platform"], "linux");
    assert_eq!(details["desktopId"], "code");
    assert_eq!(details["icon"], "i");
    assert_eq!(details["packageSource"], "directory");
    assert_eq!(details["sensitivity"]["level"], "likely-sensitive");
    assert_eq!(details["appPath"], tree.at("usr/share/code").to_str().unwrap());
    assert_eq!(found.skipped, 0);
}

// DEC-86
#[test]
fn snaps_flatpaks_and_app_images_are_found_in_their_layouts() {
    let tree = Tree::new();
    tree.app("snap/notes/12/usr/share/notes", "notes", "Notes");
    tree.app("snap/notes/11/usr/share/notes", "notes", "Notes");
    tree.link("snap/notes/current", "snap/notes/12");
    tree.file(
        "usr/share/applications/notes_notes.desktop",
        &entry("Notes", "env X=1 /snap/bin/notes %U", "X-SnapInstanceName=notes"),
    );
    let flat = "flatpak/app/com.slack.Slack/x86_64/stable/abc/files/extra";
    tree.app(flat, "slack", "Slack");
    tree.link("flatpak/app/com.slack.Slack/current", "flatpak/app/com.slack.Slack/x86_64/stable");
    tree.link(
        "flatpak/app/com.slack.Slack/x86_64/stable/active",
        "flatpak/app/com.slack.Slack/x86_64/stable/abc",
    );
    tree.file(
        "usr/share/applications/com.slack.Slack.desktop",
        &entry("Slack", "/usr/bin/flatpak run com.slack.Slack", "X-Flatpak=com.slack.Slack"),
    );
    tree.app("opt/squashfs-root", "etcher", "Etcher");
    tree.file(
        "usr/share/applications/packed.desktop",
        &entry("Packed", &tree.at("opt/Packed.AppImage").display().to_string(), ""),
    );
    let found = discover(&tree.linux());
    assert_eq!(names(&found), ["Etcher", "Notes", "Slack"]);
    let sources: Vec<&str> = found.apps.iter().map(|app| app.package_source).collect();
    assert_eq!(sources, ["appimage", "snap", "flatpak"]);
    let notes = &found.apps[1];
    assert_eq!(notes.executable, tree.at("snap/notes/12/usr/share/notes/notes"));
    // An AppImage that is still packed cannot be proven: it is counted.
    assert_eq!(found.skipped, 1);
}

// DEC-86, ELEC-08, ELEC-12
#[test]
fn macos_bundles_are_found_by_their_framework_and_named_by_their_list() {
    let tree = Tree::new();
    let plist = "<plist><dict><key>CFBundleName</key><string>Code</string>\
                 <key>CFBundleDisplayName</key><string>Visual Studio Code</string>\
                 <key>CFBundleIdentifier</key><string>com.microsoft.VSCode</string>\
                 <key>CFBundleExecutable</key><string>Electron</string>\
                 <key>CFBundleIconFile</key><string>Code.icns</string></dict></plist>";
    tree.bundle("Applications/Visual Studio Code.app", "Electron", plist);
    tree.bundle("Applications/Tools/Etcher.app", "Etcher", "bplist00\u{1}");
    tree.program("Applications/Calculator.app/Contents/MacOS/Calculator");
    let found = discover(&tree.macos());
    assert_eq!(names(&found), ["Etcher", "Visual Studio Code"]);
    let details = found.apps[1].to_details();
    assert_eq!(details["platform"], "macos");
    assert_eq!(details["bundleId"], "com.microsoft.VSCode");
    assert_eq!(details["icon"], "Code.icns");
    assert_eq!(details["packageSource"], "bundle");
    let exe = tree.at("Applications/Visual Studio Code.app/Contents/MacOS/Electron");
    assert_eq!(found.apps[1].executable, exe);
}

// ELEC-08, IN-ELEC-18
#[test]
fn elsewhere_nothing_is_found_and_a_name_leads_nowhere() {
    let roots = Roots::none(Platform::Unsupported);
    assert!(discover(&roots).apps.is_empty());
    let named = resolve(&AppTarget::Name("Notes".into()), &roots, Path::new("/"));
    assert_eq!(named, Err(Unresolved::NoDiscovery));
    let tree = Tree::new();
    tree.app("Notes", "notes.exe", "Notes");
    let target = AppTarget::Path(tree.at("Notes").to_str().unwrap().to_owned());
    assert_eq!(resolve(&target, &roots, Path::new("/")).unwrap().name, "Notes");
}

// ELEC-03, ELEC-15, IN-ELEC-17
#[test]
fn a_target_leads_to_exactly_one_proven_app() {
    let tree = Tree::new();
    tree.app("opt/Notes", "notes", "Notes");
    tree.app("usr/lib/notes2", "notes2", "notes");
    tree.app("opt/Etcher", "etcher", "Etcher");
    tree.bundle("Applications/Mac.app", "Mac", "");
    tree.program("opt/tool");
    let roots = tree.linux();
    let cwd = tree.at("opt");
    let resolved = |target: AppTarget| resolve(&target, &roots, &cwd);
    assert_eq!(resolved(AppTarget::Name("ETCHER".into())).unwrap().name, "Etcher");
    assert_eq!(resolved(AppTarget::Name("Nothing".into())), Err(Unresolved::Unknown));
    match resolved(AppTarget::Name("Notes".into())) {
        Err(Unresolved::Ambiguous(paths)) => assert_eq!(paths.len(), 2),
        other => panic!("{other:?}"),
    }
    // Relative paths belong to the host's directory.
    assert_eq!(resolved(AppTarget::Path("Etcher".into())).unwrap().name, "Etcher");
    assert_eq!(resolved(AppTarget::Executable("Notes/notes".into())).unwrap().name, "Notes");
    let mac = tree.at("Applications/Mac.app").to_str().unwrap().to_owned();
    assert_eq!(resolved(AppTarget::Path(mac)).unwrap().package_source, "bundle");
    for (target, why) in [
        (AppTarget::Executable("tool".into()), NotAnApp::NoEvidence),
        (AppTarget::Executable("Notes".into()), NotAnApp::Directory),
        (AppTarget::Executable("none".into()), NotAnApp::Missing),
        (AppTarget::Path("none".into()), NotAnApp::Missing),
    ] {
        assert!(
            matches!(resolved(target.clone()), Err(Unresolved::NotAnApp(_, found)) if found == why),
            "{target:?}"
        );
    }
}

// DEC-48
#[test]
fn a_query_is_part_of_a_name_an_id_or_a_path_in_any_case() {
    let tree = Tree::new();
    tree.app("opt/Signal", "signal-desktop", "Signal");
    tree.app("opt/Etcher", "etcher", "Etcher");
    let apps = discover(&tree.linux()).apps;
    let of = |query: &str| matching(apps.clone(), Some(query)).len();
    assert_eq!((of("SIGNAL"), of("desktop"), of("/opt/"), of("zoom")), (1, 1, 2, 0));
    assert_eq!(matching(apps.clone(), None).len(), 2);
}

// DEC-86
#[test]
fn the_search_is_bounded_in_depth_and_in_entries_and_survives_loops() {
    let tree = Tree::new();
    tree.app("opt/1/2/3/4/5/6/7", "deep", "Deep");
    tree.app("opt/1/2/3/4/5/6/7x/8", "deeper", "Too deep");
    tree.link("opt/1/loop", "opt");
    assert_eq!(names(&discover(&tree.linux())), ["Deep"]);
    let mut seen = 0;
    for number in 0..6_000 {
        fs::create_dir_all(tree.at(&format!("usr/lib/d{number:04}"))).unwrap();
    }
    walk(&tree.at("usr/lib"), |_| {
        seen += 1;
        Descend::Yes
    });
    assert!(seen <= ENTRIES + 1, "{seen}");
    // A root that is not there is no error.
    assert!(
        discover(&Roots { installs: vec![tree.at("none")], ..Roots::none(Platform::Linux) })
            .apps
            .is_empty()
    );
}
