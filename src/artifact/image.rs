//! Images: what a file is, and a copy that is small enough for a model.

use std::io::{Cursor, Read};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::{ImageFormat, ImageReader};

/// Longest edge that models see without loss.
const LONG_EDGE: u32 = 1_568;
/// Largest inline image, after scaling (DEC-04).
const INLINE_BYTES: usize = 5 * 1024 * 1024;
/// Larger files are not decoded at all.
const DECODE_LIMIT: u64 = 64 * 1024 * 1024;

/// An image block for the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inline {
    /// The bytes, base64.
    pub base64: String,
    /// `image/png` or `image/jpeg`.
    pub mime: &'static str,
    /// The size it was scaled to, where it was.
    pub scaled: Option<(u32, u32)>,
}

/// Media type and, for images, the size in pixels.
#[must_use]
pub fn kind_of(path: &Path) -> (String, Option<(u32, u32)>) {
    let head = head_of(path);
    let known: [(&[u8], &str); 4] = [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"%PDF-", "application/pdf"),
        (b"PK\x03\x04", "application/zip"),
    ];
    let by_bytes = known.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, name)| *name);
    let by_name = match path.extension().and_then(|ending| ending.to_str()) {
        Some("json" | "har") => "application/json",
        Some("csv") => "text/csv",
        Some("txt") => "text/plain",
        Some("html") => "text/html",
        Some("webm") => "video/webm",
        Some("mp4") => "video/mp4",
        _ => "application/octet-stream",
    };
    let mime = by_bytes.unwrap_or(by_name);
    let dimensions = mime.starts_with("image/").then(|| dimensions(path)).flatten();
    (mime.to_owned(), dimensions)
}

fn head_of(path: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    if let Ok(file) = std::fs::File::open(path) {
        // A file that cannot be read has no known beginning.
        let _ = file.take(16).read_to_end(&mut head);
    }
    head
}

fn dimensions(path: &Path) -> Option<(u32, u32)> {
    ImageReader::open(path).ok()?.with_guessed_format().ok()?.into_dimensions().ok()
}

/// The file as an image block; `None` when it is no image or stays too large.
#[must_use]
pub fn inline(path: &Path) -> Option<Inline> {
    if std::fs::metadata(path).ok()?.len() > DECODE_LIMIT {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let format = image::guess_format(&bytes).ok()?;
    let mime = match format {
        ImageFormat::Png => "image/png",
        ImageFormat::Jpeg => "image/jpeg",
        _ => return None,
    };
    let (width, height) = dimensions(path)?;
    if width.max(height) <= LONG_EDGE {
        return (bytes.len() <= INLINE_BYTES).then(|| Inline {
            base64: STANDARD.encode(&bytes),
            mime,
            scaled: None,
        });
    }
    let picture = image::load_from_memory_with_format(&bytes, format).ok()?;
    let small = picture.resize(LONG_EDGE, LONG_EDGE, image::imageops::FilterType::Triangle);
    let mut out = Cursor::new(Vec::new());
    small.write_to(&mut out, format).ok()?;
    let out = out.into_inner();
    let scaled = Some((small.width(), small.height()));
    (out.len() <= INLINE_BYTES).then(|| Inline { base64: STANDARD.encode(out), mime, scaled })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> (tempfile::TempDir, std::path::PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.png");
        image::RgbImage::new(width, height).save(&path).unwrap();
        (dir, path)
    }

    // DEC-04
    #[test]
    fn a_large_image_is_scaled_for_the_model_and_the_file_stays() {
        let (_dir, path) = png(3136, 100);
        let before = std::fs::read(&path).unwrap();
        let inline = inline(&path).unwrap();
        assert_eq!(inline.scaled, Some((1568, 50)));
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }

    #[test]
    fn a_small_image_is_sent_as_it_is_and_other_files_are_not() {
        let (dir, path) = png(20, 10);
        assert_eq!(kind_of(&path), ("image/png".to_owned(), Some((20, 10))));
        assert_eq!(inline(&path).unwrap().scaled, None);
        let text = dir.path().join("a.txt");
        std::fs::write(&text, "hello").unwrap();
        assert_eq!(inline(&text), None);
        assert_eq!(kind_of(&text).0, "text/plain");
    }
}
