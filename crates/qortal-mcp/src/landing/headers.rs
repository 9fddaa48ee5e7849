//! What every page is sent with.

use std::sync::LazyLock;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use mcp_http::{Bytes, Response};
use sha2::{Digest, Sha256};

use super::html::Html;

/// The style of all pages.
const STYLE: &str = include_str!("../../landing/style.css");

/// Nothing is loaded but this server's own pictures, nothing runs, and no other page frames this one.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
});

/// The content of the `style` element that the policy allows.
pub(super) fn style() -> Html {
    Html::of(STYLE)
}

/// A page for people.
pub(super) fn page(html: Html) -> Response<Bytes> {
    let headers = [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Security-Policy", POLICY.as_str()),
        // What it says of the node is of now.
        ("Cache-Control", "no-store"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ];
    response(html.into_string(), &headers)
}

/// A file that is the same for a while.
pub(super) fn file(content_type: &'static str, content: impl Into<Bytes>) -> Response<Bytes> {
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
