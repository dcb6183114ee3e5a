//! Are there fonts? Without any, pages work and screenshots show boxes.

use std::path::{Path, PathBuf};

use super::context::Context;
use super::{Check, Finding};

/// Directories that are looked into, at most.
const SEARCHED: usize = 500;

pub(super) const CHECK: Check =
    Check { id: "fonts", run: |context| Box::pin(async move { check(context) }) };

fn check(context: &Context) -> Finding {
    let system = ["/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts"];
    let home = context.world.env.path("HOME");
    let own = [".fonts", ".local/share/fonts", "Library/Fonts"];
    let own = home.iter().flat_map(|home| own.iter().map(|name| home.join(name)));
    let roots = system.iter().map(PathBuf::from).chain(own);
    match first_font(roots.collect()) {
        Some(font) => Finding::ok(format!("For example {}", font.display())),
        None => Finding::optional(
            "No fonts were found; text in screenshots will be boxes.",
            "Install a font package, for example fonts-dejavu-core.",
        ),
    }
}

fn first_font(mut left: Vec<PathBuf>) -> Option<PathBuf> {
    left.reverse();
    for _ in 0..SEARCHED {
        let directory = left.pop()?;
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if is_font(&path) {
                return Some(path);
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                left.push(path);
            }
        }
    }
    None
}

fn is_font(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["ttf", "otf", "ttc", "woff2", "pfb"].iter().any(|font| font.eq_ignore_ascii_case(ending))
}
