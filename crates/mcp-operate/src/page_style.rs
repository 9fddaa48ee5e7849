//! What pages for people are sent with: headers that let nothing run and nothing be loaded from elsewhere.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use mcp_http::{Bytes, Response};
use sha2::{Digest, Sha256};

use crate::Html;

/// The style of pages, in CSS, which is the only one that they may have.
#[derive(Debug)]
pub struct PageStyle {
    css: &'static str,
    policy: String,
}

impl PageStyle {
    /// Nothing is loaded but the server's own pictures, nothing runs, and no other page frames these.
    #[must_use]
    pub fn new(css: &'static str) -> Self {
        let hash = STANDARD.encode(Sha256::digest(css));
        let policy = format!(
            "default-src 'none'; style-src 'sha256-{hash}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        );
        Self { css, policy }
    }

    /// The content of the `style` element that is allowed.
    pub fn html(&self) -> Html {
        Html::of(self.css)
    }

    /// A page. It is never kept: it tells of now.
    #[must_use]
    pub fn page(&self, html: Html) -> Response<Bytes> {
        let headers = [
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Security-Policy", self.policy.as_str()),
            ("Cache-Control", "no-store"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ];
        response(html.into_string(), &headers)
    }
}

/// A file that is the same for a while.
pub fn static_file(content_type: &'static str, content: impl Into<Bytes>) -> Response<Bytes> {
    let headers = [
        ("Content-Type", content_type),
        ("Cache-Control", "max-age=3600"),
        // An icon that is opened by itself is a page, too.
        ("Content-Security-Policy", "default-src 'none'"),
    ];
    response(content, &headers)
}

fn response(content: impl Into<Bytes>, headers: &[(&'static str, &str)]) -> Response<Bytes> {
    let mut response = Response::builder()
        .header("X-Content-Type-Options", "nosniff")
        .header("Referrer-Policy", "no-referrer");
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    // Every name and value is a constant of this crate, and a hash in Base64.
    response
        .body(content.into())
        .unwrap_or_else(|_| Response::default())
}
