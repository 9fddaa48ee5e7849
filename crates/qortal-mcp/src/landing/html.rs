//! Pages for people: HTML that text is escaped on its way into, and the headers that let nothing run and nothing be loaded from
//! elsewhere.

use std::fmt::Arguments;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use mcp_http::{Bytes, Response};
use sha2::{Digest, Sha256};

/// A piece of HTML. Text is escaped on its way in, and pieces are put together by `html!`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub(super) struct Html(String);

impl Html {
    /// HTML that the program has.
    pub(super) fn of(html: &'static str) -> Self {
        Self(html.to_owned())
    }

    /// Text of anyone, for content and for attributes in double quotes. Characters that are invisible or reorder others
    /// are left out.
    pub(super) fn text(text: &str) -> Self {
        let mut html = String::with_capacity(text.len());
        for character in text.chars() {
            match character {
                '&' => html.push_str("&amp;"),
                '<' => html.push_str("&lt;"),
                '>' => html.push_str("&gt;"),
                '"' => html.push_str("&quot;"),
                '\'' => html.push_str("&#39;"),
                '\n' => html.push('\n'),
                it if it.is_control() => {}
                '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
                it => html.push(it),
            }
        }
        Self(html)
    }

    /// For the macro: what was put together.
    #[doc(hidden)]
    pub(super) fn put_together(pieces: Arguments<'_>) -> Self {
        Self(pieces.to_string())
    }

    /// As text.
    #[must_use]
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// As text.
    #[must_use]
    pub(super) fn into_string(self) -> String {
        self.0
    }
}

/// A template with pieces in its holes, as `format!` has them: [`Html`] as it is, and text escaped.
macro_rules! html {
    ($template:expr $(, $name:ident = $piece:expr)* $(,)?) => {
        $crate::landing::html::Html::put_together(format_args!(
            $template $(, $name = $crate::landing::html::Html::from($piece).as_str())*
        ))
    };
}

pub(super) use html;

impl FromIterator<Self> for Html {
    fn from_iter<T: IntoIterator<Item = Self>>(pieces: T) -> Self {
        Self(pieces.into_iter().map(Self::into_string).collect())
    }
}

impl From<&str> for Html {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Html {
    fn from(text: String) -> Self {
        Self::text(&text)
    }
}

impl From<usize> for Html {
    fn from(number: usize) -> Self {
        Self(number.to_string())
    }
}

/// The style of pages, in CSS, which is the only one that they may have.
#[derive(Debug)]
pub(super) struct PageStyle {
    css: &'static str,
    policy: String,
}

impl PageStyle {
    /// Nothing is loaded but the server's own pictures, nothing runs, and no other page frames these.
    #[must_use]
    pub(super) fn new(css: &'static str) -> Self {
        let hash = STANDARD.encode(Sha256::digest(css));
        let policy = format!(
            "default-src 'none'; style-src 'sha256-{hash}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        );
        Self { css, policy }
    }

    /// The content of the `style` element that is allowed.
    pub(super) fn html(&self) -> Html {
        Html::of(self.css)
    }

    /// A page. It is never kept: it tells of now.
    #[must_use]
    pub(super) fn page(&self, html: Html) -> Response<Bytes> {
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
    // Every name and value is a constant of this crate, and a hash in Base64.
    response
        .body(content.into())
        .unwrap_or_else(|_| Response::default())
}

#[cfg(test)]
mod tests {
    use super::Html;

    #[test]
    fn text_never_becomes_markup() {
        let text = "<b a=\"x\" b='y'>&\u{202e}\u{0}\u{200b}\r\n</b>";
        let html = "&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;\n&lt;/b&gt;";
        assert_eq!(Html::text(text).into_string(), html);
    }

    #[test]
    fn a_value_is_filled_in_once_and_is_no_template() {
        let (a, b) = (Html::text("{b}"), Html::text("<"));
        let filled = html!("<p>{a} {b}</p>", a = a, b = b);
        assert_eq!(filled.into_string(), "<p>{b} &lt;</p>");
    }
}
