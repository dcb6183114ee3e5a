//! Where this program keeps things: state, temporary files, sockets, and its own upstream copy.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::env::ParentEnv;
pub use super::private::{check_private_dir, private_dir, write_private};

const OUR_NAME: &str = "agent-browser-native";

/// Bytes that the whole path of a socket may have, `.sock` included.
const SOCKET_PATH_LIMIT: usize = 103;

/// The directories of one user. Nothing is created until [`Places::prepare`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// Leases, journals and session artifacts.
    pub state_root: PathBuf,
    /// Files that may vanish with the process.
    pub temp_root: PathBuf,
    /// Where upstream puts its sockets. Short, because their path length is limited.
    pub socket_dir: PathBuf,
    /// Holds the upstream copy that `setup` installs.
    pub data_root: PathBuf,
    /// Why a socket directory that the environment names is not used.
    pub socket_dir_note: Option<String>,
}

/// Why no place could be chosen or prepared.
#[derive(Debug, thiserror::Error)]
pub enum PlacesError {
    /// Neither a home directory nor an explicit directory is set.
    #[error(
        "Neither HOME nor {variable} is set to an absolute path, so there is no place for private files"
    )]
    NoHome {
        /// The variable that would name the directory.
        variable: &'static str,
    },
    /// A directory was named by a path that means another place in every directory.
    #[error("{variable} must be an absolute path")]
    NotAbsolute {
        /// The variable that names it.
        variable: &'static str,
    },
    /// A directory is not ours alone.
    #[error("Cannot use the private directory {}: {source}", path.display())]
    NotPrivate {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        source: io::Error,
    },
    /// The path of a session's socket would be too long for the system.
    #[error(
        "The socket path of session {session:?} would have {length} bytes, and {SOCKET_PATH_LIMIT} are possible. \
         Use a shorter session name, or set PI_AGENT_BROWSER_SOCKET_DIR to a shorter private directory"
    )]
    SocketPathTooLong {
        /// The session.
        session: String,
        /// The length that it would need.
        length: usize,
    },
}

impl Places {
    /// Chooses the places from the environment, without creating anything.
    ///
    /// # Errors
    /// When there is no home directory and none is named.
    pub fn resolve(env: &ParentEnv) -> Result<Self, PlacesError> {
        let user = rustix::process::geteuid().as_raw();
        let (socket_dir, socket_dir_note) = socket_dir(env, user);
        let temp_root = named_dir(env, "AGENT_BROWSER_NATIVE_TEMP_DIR")?
            .unwrap_or_else(|| system_temp(env).join(format!("{OUR_NAME}-{user}")));
        Ok(Self {
            state_root: user_dir(env, &STATE)?,
            temp_root,
            socket_dir,
            data_root: user_dir(env, &DATA)?,
            socket_dir_note,
        })
    }

    /// Creates the directories that every call needs and makes sure that they are private.
    ///
    /// # Errors
    /// When one cannot be created or is not ours alone.
    pub fn prepare(&self) -> Result<(), PlacesError> {
        [&self.state_root, &self.temp_root, &self.socket_dir].into_iter().try_for_each(|path| {
            private_dir(path)
                .map_err(|source| PlacesError::NotPrivate { path: path.clone(), source })
        })
    }
}

struct UserDir {
    ours: &'static str,
    base: &'static str,
    below_home: &'static str,
}

const STATE: UserDir = UserDir {
    ours: "AGENT_BROWSER_NATIVE_STATE_DIR",
    base: "XDG_STATE_HOME",
    below_home: if cfg!(target_os = "macos") {
        "Library/Application Support"
    } else {
        ".local/state"
    },
};

const DATA: UserDir = UserDir {
    ours: "AGENT_BROWSER_NATIVE_DATA_DIR",
    base: "XDG_DATA_HOME",
    below_home: if cfg!(target_os = "macos") {
        "Library/Application Support"
    } else {
        ".local/share"
    },
};

fn user_dir(env: &ParentEnv, kind: &UserDir) -> Result<PathBuf, PlacesError> {
    if let Some(named) = named_dir(env, kind.ours)? {
        return Ok(named);
    }
    env.path(kind.base)
        .or_else(|| env.path("HOME").map(|home| home.join(kind.below_home)))
        .map(|base| base.join(OUR_NAME))
        .ok_or(PlacesError::NoHome { variable: kind.ours })
}

fn named_dir(env: &ParentEnv, variable: &'static str) -> Result<Option<PathBuf>, PlacesError> {
    match env.get(variable) {
        Some(_) => env.path(variable).map(Some).ok_or(PlacesError::NotAbsolute { variable }),
        None => Ok(None),
    }
}

fn socket_dir(env: &ParentEnv, user: u32) -> (PathBuf, Option<String>) {
    let usual = || match env.path("XDG_RUNTIME_DIR").map(|runtime| runtime.join("abn")) {
        Some(directory) if can_be_private(&directory).is_ok() => directory,
        _ => PathBuf::from(format!("/tmp/abn-{user}")),
    };
    let Some(named) = env.get("PI_AGENT_BROWSER_SOCKET_DIR").map(PathBuf::from) else {
        return (usual(), None);
    };
    let problem = if named.is_absolute() {
        can_be_private(&named).err().map(|error| error.to_string())
    } else {
        Some(format!("{} is not an absolute path", named.display()))
    };
    match problem {
        None => (named, None),
        Some(problem) => {
            (usual(), Some(format!("PI_AGENT_BROWSER_SOCKET_DIR is not used: {problem}")))
        }
    }
}

/// A directory that is private, or that we could create in a directory that exists.
fn can_be_private(path: &Path) -> io::Result<()> {
    match check_private_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Err(error), |parent| std::fs::metadata(parent).map(drop))
        }
        other => other,
    }
}

/// The system's directory for temporary files.
#[must_use]
pub fn system_temp(env: &ParentEnv) -> PathBuf {
    env.path("TMPDIR").unwrap_or_else(|| PathBuf::from("/tmp"))
}

/// Where the sockets of a namespace lie.
#[must_use]
pub fn socket_dir_of(socket_dir: &Path, namespace: Option<&str>) -> PathBuf {
    match namespace {
        Some(namespace) => socket_dir.join("namespaces").join(namespace).join("run"),
        None => socket_dir.to_owned(),
    }
}

/// Removes what upstream leaves of a closed session beside its socket.
pub fn remove_socket_files(dir: &Path, session: &str) {
    for ending in ["sock", "pid", "version", "config", "engine", "stream", "target"] {
        // Most are gone already.
        let _ = std::fs::remove_file(dir.join(format!("{session}.{ending}")));
    }
}

/// Makes sure that a session's socket path is one that upstream can use.
///
/// # Errors
/// When the path would be too long.
pub fn socket_path_fits(socket_dir: &Path, session: &str) -> Result<(), PlacesError> {
    let length = socket_dir.as_os_str().as_bytes().len() + 1 + session.len() + ".sock".len();
    if length <= SOCKET_PATH_LIMIT {
        return Ok(());
    }
    Err(PlacesError::SocketPathTooLong { session: session.to_owned(), length })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn places(pairs: &[(&str, &str)]) -> Places {
        Places::resolve(&pairs.iter().copied().collect()).unwrap()
    }

    // DEC-12
    #[test]
    fn state_and_data_follow_the_platform_and_can_be_set() {
        let usual = places(&[("HOME", "/h")]);
        if cfg!(target_os = "linux") {
            assert_eq!(usual.state_root, Path::new("/h/.local/state/agent-browser-native"));
            assert_eq!(usual.data_root, Path::new("/h/.local/share/agent-browser-native"));
        }
        let xdg =
            places(&[("HOME", "/h"), ("XDG_STATE_HOME", "/x"), ("XDG_DATA_HOME", "relative")]);
        assert_eq!(xdg.state_root, Path::new("/x/agent-browser-native"));
        assert!(xdg.data_root.starts_with("/h"));
        let ours = places(&[
            ("AGENT_BROWSER_NATIVE_STATE_DIR", "/a"),
            ("AGENT_BROWSER_NATIVE_DATA_DIR", "/b"),
            ("AGENT_BROWSER_NATIVE_TEMP_DIR", "/c"),
        ]);
        assert_eq!(
            (ours.state_root, ours.data_root, ours.temp_root),
            ("/a".into(), "/b".into(), "/c".into())
        );
    }

    // DEC-12
    #[test]
    fn without_a_usable_directory_the_error_names_the_variable() {
        let nothing = ParentEnv::default();
        let relative =
            nothing.clone().and("HOME", "/h").and("AGENT_BROWSER_NATIVE_STATE_DIR", "here");
        for env in [nothing, relative] {
            let error = Places::resolve(&env).unwrap_err();
            assert!(error.to_string().contains("AGENT_BROWSER_NATIVE_STATE_DIR"), "{error}");
        }
    }

    // DEC-11
    #[test]
    fn socket_directory_falls_back_to_one_below_tmp() {
        let user = rustix::process::geteuid().as_raw();
        let fallback = PathBuf::from(format!("/tmp/abn-{user}"));
        assert_eq!(places(&[("HOME", "/h")]).socket_dir, fallback);
        let no_runtime = places(&[("HOME", "/h"), ("XDG_RUNTIME_DIR", "/nonexistent/run")]);
        assert_eq!(no_runtime.socket_dir, fallback);
        let relative = places(&[("HOME", "/h"), ("PI_AGENT_BROWSER_SOCKET_DIR", "run")]);
        assert_eq!(relative.socket_dir, fallback);
        assert!(relative.socket_dir_note.unwrap().contains("not an absolute path"));
    }

    // DEC-11, PLAN-51
    #[test]
    fn socket_path_of_103_bytes_fits_and_104_does_not() {
        let directory = Path::new("/tmp/abn-0");
        let longest = "s".repeat(SOCKET_PATH_LIMIT - "/tmp/abn-0/.sock".len());
        socket_path_fits(directory, &longest).unwrap();
        let error = socket_path_fits(directory, &format!("{longest}s")).unwrap_err();
        assert!(error.to_string().contains("104 bytes"), "{error}");
        let namespaced = socket_dir_of(directory, Some("team"));
        assert_eq!(namespaced, Path::new("/tmp/abn-0/namespaces/team/run"));
        assert!(socket_path_fits(&namespaced, &longest).is_err());
    }
}
