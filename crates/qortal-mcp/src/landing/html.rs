//! Static pages with placeholders: text is escaped, and the headers let nothing run and nothing be loaded from elsewhere.

use std::sync::LazyLock;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use mcp_http::{Bytes, Response};
use sha2::{Digest, Sha256};

/// The style of all pages, the only one that they may have.
const STYLE: &str = include_str!("../../landing/style.css");

/// The policy of all pages: only the server's own images are loaded, nothing runs, and no other page frames them.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
});

/// Escapes text of anyone, for content and for attributes in double quotes. Characters that are invisible or reorder others are left out.
pub(super) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            '\n' => html.push('\n'),
            control if control.is_control() => {}
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            other => html.push(other),
        }
    }
    html
}

/// Fills the placeholders of a static text, such as `{address}`. Values are not searched for placeholders.
pub(super) fn filled(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let value = after.split_once('}').and_then(|(name, after)| {
            let (_, value) = values
                .iter()
                .find(|(placeholder, _)| *placeholder == name)?;
            Some((*value, after))
        });
        let (value, after) = value.unwrap_or(("{", after));
        filled.push_str(value);
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// Returns a page with its placeholders filled. Caches do not keep it, because it shows the current state.
pub(super) fn page(html: &str, values: &[(&str, &str)]) -> Response<Bytes> {
    let values = [&[("style", STYLE)], values].concat();
    let headers = [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Security-Policy", POLICY.as_str()),
        ("Cache-Control", "no-store"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ];
    response(filled(html, &values), &headers)
}

/// Returns a file that caches may keep for an hour.
pub(super) fn static_file(
    content_type: &'static str,
    content: impl Into<Bytes>,
) -> Response<Bytes> {
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
    // Every name and value is a constant of this file, and a hash in Base64.
    response
        .body(content.into())
        .unwrap_or_else(|_| Response::default())
}

#[cfg(test)]
mod tests {
    use super::{escaped, filled};

    #[test]
    fn escaped_text_is_never_markup() {
        let text = "<b a=\"x\" b='y'>&\u{202e}\u{0}\u{200b}\r\n</b>";
        let html = "&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;\n&lt;/b&gt;";
        assert_eq!(escaped(text), html);
    }

    #[test]
    fn filled_values_are_not_searched_and_other_braces_stay() {
        let values = [("a", "{b}"), ("b", "1")];
        assert_eq!(
            filled("{a} {b} {c} {\"d\": {\"e\": {b}}} {", &values),
            "{b} 1 {c} {\"d\": {\"e\": 1}} {"
        );
    }
}
