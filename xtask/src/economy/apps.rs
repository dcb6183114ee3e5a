//! The sites that tasks work on: the bundled pages, and web applications from the registries.
//!
//! Every side gets applications of its own with fresh data, because tasks change them.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::tasks::Site;
use crate::process::{Background, Line};
use crate::{Result, root, tools, world::World};

const LOCK_FOLDER: &str = "xtask/tools/apps";
const START_LIMIT: Duration = Duration::from_secs(60);

/// Executables of the applications.
pub(crate) struct Installed {
    python: PathBuf,
    node: PathBuf,
    modules: PathBuf,
}

/// Running applications.
pub(super) struct Apps {
    running: Vec<(Site, u16, Background)>,
}

/// Installs what is missing.
pub(crate) fn install() -> Result<Installed> {
    let python = tools::python_packages(LOCK_FOLDER)?;
    let modules = tools::npm_packages(LOCK_FOLDER)?.join("node_modules");
    Ok(Installed { python, node: tools::node()?, modules })
}

impl Apps {
    /// None: only the bundled pages.
    pub(super) fn none() -> Self {
        Self { running: Vec::new() }
    }

    /// Starts every application with its data below `folder`.
    pub(super) fn start(installed: &Installed, folder: &Path) -> Result<Self> {
        fs::create_dir(folder)?;
        let script = root().join(LOCK_FOLDER).join("shop.py");
        let python = |words: &[&str]| {
            let line = Line::new(&installed.python, words).folder(folder.to_path_buf());
            line.env("PYTHONDONTWRITEBYTECODE", "1")
        };
        let script = script.to_string_lossy();
        let mut running = Vec::new();
        for (site, file) in [(Site::Datasette, "shop.db"), (Site::FlaskAdmin, "office.db")] {
            let database = folder.join(file);
            let database = database.to_string_lossy();
            if python(&[&script, "make", &database]).timed()?.1.code != Some(0) {
                return Err("the shop's database could not be made".into());
            }
            let port = free_port()?;
            let number = port.to_string();
            let line = match site {
                Site::Datasette => python(&["-m", "datasette", "serve", &database, "-p", &number]),
                _ => python(&[&script, "serve", &database, &number]),
            };
            running.push((site, port, line.serve()?));
        }
        let port = free_port()?;
        write_packages(folder, port)?;
        let program = installed.modules.join("verdaccio/bin/verdaccio");
        let listen = format!("127.0.0.1:{port}");
        let words = [&*program.to_string_lossy(), "--config", "config.yaml", "--listen", &listen];
        let line = Line::new(&installed.node, &words).folder(folder.to_path_buf());
        running.push((Site::Verdaccio, port, line.serve()?));
        let mut apps = Self { running };
        apps.wait()?;
        Ok(apps)
    }

    /// The address of a path of a site.
    pub(super) fn url(&self, world: &World, site: Site, path: &str) -> Result<String> {
        if site == Site::Pages {
            return Ok(world.url(path));
        }
        let found = self.running.iter().find(|(known, _, _)| *known == site);
        let (_, port, _) = found.ok_or("this application does not run")?;
        Ok(format!("http://127.0.0.1:{port}{path}"))
    }

    fn wait(&mut self) -> Result<()> {
        let end = Instant::now() + START_LIMIT;
        for (site, port, process) in &mut self.running {
            while TcpStream::connect(("127.0.0.1", *port)).is_err() {
                if Instant::now() > end || !process.is_running() {
                    return Err(format!("{site:?} does not start").into());
                }
                thread::sleep(Duration::from_millis(50));
            }
        }
        Ok(())
    }
}

/// Names and versions, as the lock files say.
pub(super) fn versions() -> Result<Vec<String>> {
    let folder = root().join(LOCK_FOLDER);
    let python = fs::read_to_string(folder.join("requirements.txt"))?;
    let wanted = |line: &&str| line.starts_with("datasette=") || line.starts_with("Flask-Admin=");
    let mut versions: Vec<String> =
        python.lines().filter(wanted).map(|line| line.replace("==", " ")).collect();
    let npm: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("package.json"))?)?;
    let verdaccio = npm["dependencies"]["verdaccio"].as_str().unwrap_or_default();
    versions.push(format!("verdaccio {verdaccio}"));
    Ok(versions)
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// A registry with two packages and nobody to ask for more.
fn write_packages(folder: &Path, port: u16) -> Result<()> {
    let config = "storage: ./storage\nweb:\n  title: Packages\nauth:\n  htpasswd:\n    \
                  file: ./htpasswd\nuplinks: {}\npackages:\n  '**':\n    access: $all\n    \
                  publish: $authenticated\nlog: { type: stdout, format: pretty, level: fatal }\n";
    fs::write(folder.join("config.yaml"), config)?;
    let packages = [
        ("colour-names", "Names of colours", json!({ "left-trim": "^1.0.0" })),
        ("left-trim", "Trims on the left", json!({})),
    ];
    for (name, description, needs) in &packages {
        let long_ago = "2016-01-01T00:00:00.000Z";
        let mut versions = json!({});
        let mut time = json!({ "modified": long_ago, "created": long_ago });
        for version in ["1.0.0", "1.1.0", "1.2.0"] {
            time[version] = json!(long_ago);
            versions[version] = json!({
                "name": name, "version": version, "_id": format!("{name}@{version}"),
                "description": description, "license": "MIT", "dependencies": needs,
                "dist": {
                    "tarball": format!("http://127.0.0.1:{port}/{name}/-/{name}-{version}.tgz"),
                    "shasum": "0".repeat(40),
                },
            });
        }
        let document = json!({
            "name": name, "_id": name, "_rev": "1-1", "versions": versions, "time": time,
            "dist-tags": { "latest": "1.2.0" }, "users": {}, "_uplinks": {}, "_distfiles": {},
            "_attachments": {}, "readme": format!("# {name}\n\n{description}."),
        });
        let home = folder.join("storage").join(name);
        fs::create_dir_all(&home)?;
        fs::write(home.join("package.json"), document.to_string())?;
    }
    let list = json!({ "list": packages.map(|package| package.0), "secret": "a".repeat(32) });
    fs::write(folder.join("storage/.verdaccio-db.json"), list.to_string())?;
    Ok(())
}
