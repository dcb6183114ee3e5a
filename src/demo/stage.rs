//! Where the demo plays: private directories of its own, both sides' environments, and names that
//! nobody else uses. Everything is removed at the end.

use std::path::{Path, PathBuf};

use super::DemoError;
use super::side::{RawCli, Voice};
use crate::call::{Engine, EngineOptions, Keep};
use crate::command::Class;
use crate::config::Trust;
use crate::run::places::{private_dir, remove_socket_files};
use crate::run::{ChildEnv, ParentEnv, Places};

/// Ends a browser that nobody closed, should the demo itself be killed.
const IDLE_MS: &str = "300000";

/// What the demo works with.
pub(super) struct Stage {
    pub(super) own_exe: PathBuf,
    /// Relative paths of both sides belong to it.
    pub(super) cwd: PathBuf,
    pub(super) upstream: PathBuf,
    env: ParentEnv,
    places: Places,
    root: PathBuf,
    name: String,
}

impl Stage {
    pub(super) fn new(
        own_exe: PathBuf,
        upstream: PathBuf,
        env: ParentEnv,
        places: &Places,
    ) -> Result<Self, DemoError> {
        let number = getrandom::u32().map_err(|error| std::io::Error::other(error.to_string()))?;
        let name = format!("demo-{number:08x}");
        // A name that the reaper takes for what it is once this process is gone.
        let root = places.temp_root.join(format!("{number:016x}-{}", std::process::id()));
        let own = Places {
            state_root: root.join("state"),
            temp_root: root.join("temp"),
            socket_dir: places.socket_dir.clone(),
            data_root: places.data_root.clone(),
            socket_dir_note: None,
        };
        private_dir(&places.temp_root)?;
        private_dir(&root)?;
        own.prepare()?;
        let cwd = root.join("work");
        private_dir(&cwd)?;
        Ok(Self { own_exe, cwd, upstream, env, places: own, root, name })
    }

    pub(super) fn session(&self, what: &str) -> String {
        format!("{}-{what}", self.name)
    }

    /// A value that only processes of this run carry.
    pub(super) fn mark(&self, side: &str) -> String {
        format!("{}-{side}", self.name)
    }

    /// Upstream as somebody uses it who has nothing else: no option of ours but the place of its
    /// sockets and a limit for the case that the demo dies.
    pub(super) fn raw_env(&self) -> ChildEnv {
        let env = self.env.clone().and("AGENT_BROWSER_IDLE_TIMEOUT_MS", IDLE_MS);
        env.launching(&self.places.socket_dir)
    }

    pub(super) fn raw_cli(&self) -> RawCli {
        RawCli {
            exe: self.upstream.clone(),
            env: self.raw_env(),
            cwd: self.cwd.clone(),
            session: self.session("raw"),
        }
    }

    pub(super) fn raw(&self) -> Voice {
        Voice::Raw(self.raw_cli())
    }

    /// This tool as a server door sets it up.
    pub(super) fn ours(&self) -> Voice {
        Voice::Ours(Box::new(Engine::new(EngineOptions {
            door: "demo",
            host_id: self.name.clone(),
            cwd: self.cwd.clone(),
            env: self.env.clone(),
            places: self.places.clone(),
            allowed: Class::ALL.into_iter().collect(),
            view: true,
            confine: None,
            keep: Keep::ThisProcess,
            prepares: false,
            failure_notice: "isError: true",
            trust: Trust::default(),
        })))
    }

    /// For a server process of ours.
    pub(super) fn own_env(&self) -> ChildEnv {
        let path = |path: &Path| path.as_os_str().to_owned();
        self.env
            .unchanged()
            .and("AGENT_BROWSER_NATIVE_STATE_DIR", path(&self.places.state_root))
            .and("AGENT_BROWSER_NATIVE_TEMP_DIR", path(&self.places.temp_root))
            .and("PI_AGENT_BROWSER_SOCKET_DIR", path(&self.places.socket_dir))
            .and("AGENT_BROWSER_NATIVE_UPSTREAM_PATH", path(&self.upstream))
    }

    /// Upstream leaves files of a closed session behind.
    pub(super) fn forget_sockets_of(&self, session: &str) {
        remove_socket_files(&self.places.socket_dir, session);
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.forget_sockets_of(&self.session("raw"));
        // What cannot be removed lies in a private temporary directory.
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::reap::owner_of_temp;

    // DEC-106
    #[test]
    fn what_a_killed_demo_leaves_is_known_by_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let env: ParentEnv = [("HOME", "/h")].into_iter().collect();
        let mut places = Places::resolve(&env).unwrap();
        (places.state_root, places.temp_root) = (dir.path().join("s"), dir.path().join("t"));
        (places.socket_dir, places.data_root) = (dir.path().join("k"), dir.path().join("d"));
        let stage = Stage::new("own".into(), "upstream".into(), env, &places).unwrap();
        let name = stage.root.file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(owner_of_temp(&name), Some(std::process::id()), "{name}");
        assert_eq!(stage.root.parent(), Some(places.temp_root.as_path()));
    }
}
