#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;

fn executable(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// An app as packagers lay it out; `name` is its executable.
fn app(root: &Path, name: &str) -> PathBuf {
    let exe = root.join(name);
    executable(&exe, b"#!/bin/sh\n");
    fs::create_dir_all(root.join("resources/app")).unwrap();
    fs::write(root.join("resources/app/package.json"), r#"{"productName":"Note Pad"}"#).unwrap();
    fs::write(root.join("resources.pak"), b"").unwrap();
    exe
}

// DEC-86, ELEC-15, IN-ELEC-17
#[test]
fn resources_and_paks_beside_an_executable_are_proof() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let exe = app(&root.join("notes"), "notes");
    let proof = of_executable(&exe).unwrap();
    assert_eq!((&proof.executable, &proof.app_path), (&exe, &root.join("notes")));
    assert_eq!(proof.package_name.as_deref(), Some("Note Pad"));
    // By a link, as packages put it into /usr/bin.
    std::os::unix::fs::symlink(&exe, root.join("link")).unwrap();
    assert_eq!(of_executable(&root.join("link")).unwrap().executable, exe);
    // Helpers lie beside it.
    executable(&root.join("notes/chrome-sandbox"), &[0; 5_000]);
    executable(&root.join("notes/libffmpeg.so"), &[0; 9_000]);
    assert_eq!(of_directory(&root.join("notes")).unwrap().executable, exe);
    assert_eq!(of_executable(&root.join("notes/chrome-sandbox")), Err(NotAnApp::NoEvidence));
}

// DEC-86
#[test]
fn without_paks_only_the_marker_in_the_executable_is_proof() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("x");
    let exe = app(&root, "x");
    fs::remove_file(root.join("resources.pak")).unwrap();
    assert_eq!(of_executable(&exe), Err(NotAnApp::NoEvidence));
    let mut elf = b"\x7fELF".to_vec();
    elf.resize(300_000, 0);
    executable(&exe, &elf);
    assert_eq!(of_executable(&exe), Err(NotAnApp::NoEvidence));
    elf.extend_from_slice(MARKERS[0].as_bytes());
    executable(&exe, &elf);
    assert!(of_executable(&exe).is_ok());
    // The same text in a script is no marker.
    executable(&exe, MARKERS[0].as_bytes());
    assert_eq!(of_executable(&exe), Err(NotAnApp::NoEvidence));
}

// IN-ELEC-17, ELEC-15
#[test]
fn what_is_no_app_is_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    assert_eq!(of_executable(&root.join("none")), Err(NotAnApp::Missing));
    assert_eq!(of_directory(&root.join("none")), Err(NotAnApp::Missing));
    assert_eq!(of_executable(root), Err(NotAnApp::Directory));
    assert_eq!(of_directory(root), Err(NotAnApp::NoEvidence));
    fs::write(root.join("plain"), b"x").unwrap();
    assert_eq!(of_executable(&root.join("plain")), Err(NotAnApp::NotExecutable));
    executable(&root.join("tool"), b"#!/bin/sh\n");
    assert_eq!(of_executable(&root.join("tool")), Err(NotAnApp::NoEvidence));
    executable(&root.join("Notes.AppImage"), b"\x7fELF\x02\x01\x01\0AI\x02\0");
    assert_eq!(of_executable(&root.join("Notes.AppImage")), Err(NotAnApp::AppImage));
    // Chromium has paks but no app.
    executable(&root.join("chromium/chrome"), b"\x7fELF");
    fs::write(root.join("chromium/resources.pak"), b"").unwrap();
    assert_eq!(of_executable(&root.join("chromium/chrome")), Err(NotAnApp::NoEvidence));
    // A file that only has the name of an archive.
    fs::create_dir_all(root.join("chromium/resources")).unwrap();
    fs::write(root.join("chromium/resources/app.asar"), b"not an archive").unwrap();
    assert_eq!(of_executable(&root.join("chromium/chrome")), Err(NotAnApp::NoEvidence));
}

// ELEC-09, IN-ELEC-18
#[test]
fn an_exe_of_windows_is_proven_by_what_lies_beside_it() {
    let dir = tempfile::tempdir().unwrap();
    let exe = app(&dir.path().join("Notes"), "Notes.exe");
    assert!(of_executable(&exe).is_ok());
    assert_eq!(
        of_directory(&dir.path().join("Notes")).unwrap().executable.file_name().unwrap(),
        "Notes.exe"
    );
    executable(&dir.path().join("calc.exe"), b"MZ");
    assert_eq!(of_executable(&dir.path().join("calc.exe")), Err(NotAnApp::NoEvidence));
}

// DEC-86
#[test]
fn a_bundle_of_macos_is_proven_by_its_framework() {
    let dir = tempfile::tempdir().unwrap();
    let exe = dir.path().join("Notes.app/Contents/MacOS/Notes");
    executable(&exe, b"\xcf\xfa\xed\xfe");
    assert_eq!(of_executable(&exe), Err(NotAnApp::NoEvidence));
    fs::create_dir_all(dir.path().join("Notes.app").join(FRAMEWORK)).unwrap();
    let proof = of_executable(&exe).unwrap();
    assert!(proof.app_path.ends_with("Notes.app"));
}
