//! Pages made with the libraries that real pages are made with, each used as its documentation says.
//! What a call says is compared with what the page, or its server, knows itself.

mod choices;
mod components;
mod documents;
mod fields;
mod frameworks;
mod ordinary;
mod trouble;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::{Pages, Route};

const FOLDER: &str = "tests/live/real_pages";

/// A script of a page.
pub fn script(body: impl Into<Vec<u8>>) -> Route {
    Route::Answer { status: 200, kind: "text/javascript", headers: Vec::new(), body: body.into() }
}

/// The libraries, installed once from the lock file.
pub fn modules() -> PathBuf {
    xtask::tools::npm_packages(FOLDER).unwrap().join("node_modules")
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER).join("pages").join(name)
}

/// The script of a page in one piece, development builds of the libraries included.
fn bundle(entry: &Path) -> Vec<u8> {
    let modules = modules();
    let mut programs = fs::read_dir(modules.join("@esbuild")).unwrap().flatten();
    let esbuild = programs.next().unwrap().path().join("bin/esbuild");
    let made = Command::new(esbuild)
        .arg(entry)
        .args(["--bundle", "--jsx=automatic", "--loader:.css=text", "--log-level=warning"])
        .arg("--define:process.env.NODE_ENV=\"development\"")
        .env("NODE_PATH", &modules)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    made.stdout
}

/// One of the pages in a browser, seen through the tool.
pub struct Visit {
    pub pages: Pages,
    pub mcp: Mcp,
    /// The text of the last look.
    pub page: String,
    pub bed: Bed,
}

impl Visit {
    /// Serves the page and opens it.
    pub fn to(name: &str) -> Self {
        let pages = Pages::start();
        let bed = Bed::new();
        let mcp = Mcp::start(bed.program().arg("mcp"));
        let mut visit = Self { pages, mcp, page: String::new(), bed };
        visit.go(name);
        visit
    }

    /// Serves another page and opens it.
    pub fn go(&mut self, name: &str) {
        self.serve(name);
        self.page = self.mcp.ok(&["open", &self.pages.url(&format!("/{name}"))]);
    }

    pub fn serve(&self, name: &str) {
        let html = fs::read_to_string(source(&format!("{name}.html"))).unwrap();
        let html = html.replace("OTHER", &self.pages.other_host("/inner"));
        self.pages.html(&format!("/{name}"), &html);
        let entries = ["js", "jsx"].map(|ending| source(&format!("{name}.{ending}")));
        if let Some(entry) = entries.iter().find(|entry| entry.is_file()) {
            self.pages.set(&format!("/{name}.js"), script(bundle(entry)));
        }
    }

    /// Takes a snapshot.
    pub fn look(&mut self) {
        self.page = self.mcp.ok(&["snapshot", "-i"]);
    }

    /// The ref of an element of the last look.
    pub fn at(&self, role: &str, name: &str) -> String {
        ref_in(&self.page, role, name).unwrap_or_else(|| panic!("{role} {name}: {}", self.page))
    }

    /// What a click by ref says.
    pub fn click(&mut self, role: &str, name: &str) -> String {
        let target = self.at(role, name);
        self.mcp.ok(&["click", &target])
    }

    /// What a fill by ref says.
    pub fn fill(&mut self, role: &str, name: &str, text: &str) -> String {
        let target = self.at(role, name);
        self.mcp.ok(&["fill", &target, text])
    }

    /// What a click by role and name says, without a new look.
    pub fn find(&mut self, role: &str, name: &str) -> String {
        self.mcp.ok(&["find", "role", role, "click", "--name", name])
    }

    /// What the page knows itself.
    pub fn js(&mut self, script: &str) -> String {
        self.mcp.ok(&["eval", script]).trim().to_owned()
    }

    /// The state that the page prints as JSON.
    pub fn state(&mut self) -> Value {
        let text = self.js("document.getElementById('state').textContent");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }
}

/// A ready next call in an answer.
pub fn next(args: &[&str]) -> String {
    format!("Next: {}", serde_json::json!({ "args": args }))
}
