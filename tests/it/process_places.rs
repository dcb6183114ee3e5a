//! Private directories and files.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use agent_browser_native::run::places::{Places, private_dir, write_private};

use crate::support::env::TestEnv;

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().mode() & 0o7777
}

// DEC-11, DEC-12
#[test]
fn private_directory_is_created_with_its_parents_and_accepted_again() {
    let env = TestEnv::new();
    let path = env.path("work/a/b");
    private_dir(&path).unwrap();
    assert_eq!(mode(&path), 0o700);
    private_dir(&path).unwrap();
}

// DEC-11
#[test]
fn private_directory_refuses_links_files_and_open_modes() {
    let env = TestEnv::new();
    let target = env.path("work/target");
    private_dir(&target).unwrap();

    let link = env.path("work/link");
    symlink(&target, &link).unwrap();
    assert!(private_dir(&link).unwrap_err().to_string().contains("is a symbolic link"));

    let dangling = env.path("work/dangling");
    symlink(env.path("work/elsewhere"), &dangling).unwrap();
    assert!(private_dir(&dangling).is_err());
    assert!(!env.path("work/elsewhere").exists());

    let file = env.path("work/file");
    fs::write(&file, "").unwrap();
    assert!(private_dir(&file).unwrap_err().to_string().contains("is not a directory"));

    for open in [0o755, 0o770, 0o701] {
        fs::set_permissions(&target, fs::Permissions::from_mode(open)).unwrap();
        assert!(private_dir(&target).unwrap_err().to_string().contains("other users"));
        assert_eq!(mode(&target), open);
    }
}

// DEC-11
#[test]
fn directory_of_somebody_else_is_refused() {
    let env = TestEnv::new();
    let mut path = env.path("work/given");
    private_dir(&path).unwrap();
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&path, Some(65_534), None).unwrap();
    } else {
        path = "/".into();
    }
    assert!(private_dir(&path).unwrap_err().to_string().contains("belongs to another user"));
}

// DEC-12
#[test]
fn private_file_replaces_a_link_instead_of_following_it() {
    let env = TestEnv::new();
    let victim = env.path("work/victim");
    fs::write(&victim, "untouched").unwrap();
    let path = env.path("state/record.json");
    symlink(&victim, &path).unwrap();
    write_private(&path, b"one").unwrap();
    write_private(&path, b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two");
    assert_eq!(mode(&path), 0o600);
    assert!(!fs::symlink_metadata(&path).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&victim).unwrap(), "untouched");
    assert_eq!(env.files("state"), [path]);
}

// DEC-12
#[test]
fn private_file_that_cannot_be_written_leaves_nothing() {
    let env = TestEnv::new();
    let taken = env.path("state/taken");
    fs::create_dir(&taken).unwrap();
    fs::write(taken.join("inside"), "").unwrap();
    assert!(write_private(&taken, b"x").is_err());
    assert_eq!(env.files("state"), [taken.join("inside")]);
    assert!(write_private(&env.path("no/such/place"), b"x").is_err());
}

// DEC-11, PLAN-51
#[test]
fn socket_directory_is_the_named_one_only_while_it_is_private() {
    let env = TestEnv::new();
    assert_eq!(env.places().socket_dir, env.path("s"));

    let runtime = env.path("home/run");
    fs::create_dir(&runtime).unwrap();
    let env = env.with("XDG_RUNTIME_DIR", runtime.to_str().unwrap());
    fs::set_permissions(env.path("s"), fs::Permissions::from_mode(0o755)).unwrap();
    let places = env.places();
    assert_eq!(places.socket_dir, runtime.join("abn"));
    let note = places.socket_dir_note.as_deref().unwrap();
    assert!(
        note.contains("PI_AGENT_BROWSER_SOCKET_DIR is not used") && note.contains("other users"),
        "{note}"
    );

    places.prepare().unwrap();
    assert_eq!(mode(&runtime.join("abn")), 0o700);
}

// DEC-12
#[test]
fn choosing_places_creates_nothing_and_preparing_them_does() {
    let env = TestEnv::new();
    let named = ["STATE", "TEMP"].map(|kind| (kind, env.path(&format!("home/new/{kind}"))));
    let mut env = env;
    for (kind, path) in &named {
        env.set(&format!("AGENT_BROWSER_NATIVE_{kind}_DIR"), path.to_str().unwrap());
    }
    let places = env.places();
    assert_eq!([&places.state_root, &places.temp_root], [&named[0].1, &named[1].1]);
    assert!(!env.path("home/new").exists(), "choosing creates nothing");
    places.prepare().unwrap();
    assert!(named.iter().all(|(_, path)| mode(path) == 0o700));
    let env = env.with("AGENT_BROWSER_NATIVE_STATE_DIR", "/proc/nowhere/state");
    let places: Places = env.places();
    let error = places.prepare().unwrap_err();
    assert!(error.to_string().contains("/proc/nowhere/state"), "{error}");
}
