//! The page, inside the binary: one HTML file, one style sheet, plain modules. There is nothing to build or fetch.
//!
//! The style sheet goes out within the HTML, and modules are fetched when that has been painted, all at once: a first glance
//! waits for no second request, and modules do not wait for each other.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};

use crate::Refusal;
use crate::guard::CONTENT_POLICY;
use crate::sessions::secret;

/// A file of the page.
pub struct File {
    /// Its name in the address.
    pub name: &'static str,
    kind: &'static str,
    /// What it holds.
    pub text: &'static str,
}

macro_rules! files {
    ($($name:literal: $kind:literal),* $(,)?) => {
        [$(File { name: $name, kind: $kind, text: include_str!(concat!("../page/", $name)) }),*]
    };
}

/// Every file of the page.
pub static FILES: [File; 14] = files! {
    "index.html": "text/html; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "api.js": "text/javascript; charset=utf-8",
    "app.js": "text/javascript; charset=utf-8",
    "colony.js": "text/javascript; charset=utf-8",
    "dom.js": "text/javascript; charset=utf-8",
    "kato.js": "text/javascript; charset=utf-8",
    "newgame.js": "text/javascript; charset=utf-8",
    "shuter.js": "text/javascript; charset=utf-8",
    "starduel.js": "text/javascript; charset=utf-8",
    "start.js": "text/javascript; charset=utf-8",
    "target.js": "text/javascript; charset=utf-8",
    "thinking.js": "text/javascript; charset=utf-8",
};

/// Where the HTML asks for the style sheet.
const LINK: &str = r#"<link rel="stylesheet" href="style.css">"#;

pub async fn index() -> Result<Response, Refusal> {
    // A style within the page is let through by a word that only this answer knows.
    let nonce = secret();
    let style = format!("<style nonce=\"{nonce}\">\n{}</style>", find("style.css")?.text);
    let policy = format!("{CONTENT_POLICY}; style-src 'nonce-{nonce}'");
    let page = find("index.html")?;
    let headers = [(header::CONTENT_TYPE, page.kind), (header::CONTENT_SECURITY_POLICY, &*policy)];
    Ok((headers, page.text.replacen(LINK, &style, 1)).into_response())
}

pub async fn file(Path(name): Path<String>) -> Result<Response, Refusal> {
    if name == "index.html" {
        return index().await;
    }
    let file = find(&name)?;
    Ok(([(header::CONTENT_TYPE, file.kind)], file.text).into_response())
}

fn find(name: &str) -> Result<&'static File, Refusal> {
    FILES.iter().find(|file| file.name == name).ok_or(Refusal::Nowhere)
}
