//! HTML, which the editors of Qortal Hub, Q-Tube, Q-Mail and others write, as a browser shows it.

use std::convert::Infallible;

use html5gum::{DefaultEmitter, HtmlString, StartTag, Token, Tokenizer};

use super::{RichText, writer::Writer};

/// The deepest nesting of lists, quotes, links and preformatted text that is read.
const DEEPEST: usize = 64;

/// Returns whether a text has tags, by the test of Qortal Hub (Qortal/Qortal-Hub `src/utils/chat.ts`, `isHtmlString`,
/// commit c93f78a2): `<`, at least one character, `>`.
#[must_use]
pub fn has_tags(text: &str) -> bool {
    let after_opening = text.split_once('<').map(|(_, rest)| rest);
    after_opening.is_some_and(|rest| rest.rfind('>').is_some_and(|end| end > 0))
}

/// Returns the text of an HTML fragment or page.
#[must_use]
pub fn html(source: &str) -> RichText {
    let mut emitter = DefaultEmitter::default();
    // Scripts and styles are one string each, whatever they contain.
    emitter.naively_switch_states(true);
    let mut reader = Reader::default();
    for token in Tokenizer::new_with_emitter(source, emitter) {
        let token = match token {
            Ok(token) => token,
            Err(never) => absurd(never),
        };
        match token {
            Token::StartTag(tag) => reader.start(&tag),
            Token::EndTag(tag) => reader.end(&name(&tag.name)),
            Token::String(text) => reader.text(&String::from_utf8_lossy(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    reader.finish()
}

const fn absurd(never: Infallible) -> ! {
    match never {}
}

#[derive(Debug, Default)]
struct Reader {
    writer: Writer,
    open: Vec<Open>,
    /// The element whose content is not shown.
    hidden: Option<String>,
    /// Whether the last token began a paragraph: the apps' styles show an empty one as a blank line
    /// (Qortal/Qortal-Hub `src/components/Chat/chat.css`, `.tiptap p:empty`).
    is_empty_paragraph: bool,
}

/// An open element that has an effect on its content or at its end.
#[derive(Debug)]
enum Open {
    Quote,
    Item,
    /// A list, with the number of its next item if it is ordered.
    List(Option<u64>),
    Preformatted,
    /// A link: its address, and the place of its label in the line.
    Link(String, usize),
}

impl Reader {
    fn start(&mut self, tag: &StartTag<()>) {
        if self.hidden.is_some() {
            return;
        }
        let name = name(&tag.name);
        self.is_empty_paragraph = name == "p";
        match name.as_str() {
            "script" | "style" | "title" | "template" | "noscript" | "iframe" | "object"
            | "svg" | "textarea" => self.hidden = (!tag.self_closing).then_some(name),
            "br" => self.writer.end_line(),
            "hr" => {
                self.writer.end_block();
                self.writer.text("---\n");
            }
            "img" => {
                let (source, description) = (attribute(tag, "src"), attribute(tag, "alt"));
                self.writer.picture(&source, &description);
            }
            "td" | "th" => self.writer.collapsed(" "),
            "span" if attribute(tag, "data-type") == "mention" => {
                let label = attribute(tag, "data-label");
                let id = attribute(tag, "data-id");
                let label = if label.is_empty() { id } else { label };
                self.writer.report_mention(&label);
            }
            "a" => {
                let start = self.writer.begin_link();
                self.open(|_| Open::Link(attribute(tag, "href"), start));
            }
            "blockquote" => self.open(|writer| {
                writer.begin_quote();
                Open::Quote
            }),
            "ul" => self.open(|writer| {
                writer.end_block();
                Open::List(None)
            }),
            "ol" => self.open(|writer| {
                writer.end_block();
                Open::List(Some(attribute(tag, "start").parse().unwrap_or(1)))
            }),
            "li" => {
                // The end tag of an item may be left out.
                if matches!(self.open.last(), Some(Open::Item)) {
                    self.close();
                }
                let number = self.next_number();
                self.open(|writer| {
                    writer.begin_item(number);
                    Open::Item
                });
            }
            "pre" => self.open(|writer| {
                writer.end_block();
                Open::Preformatted
            }),
            name if is_block(name) => self.writer.end_block(),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        if let Some(hidden) = &self.hidden {
            if hidden == name {
                self.hidden = None;
            }
            return;
        }
        let is_blank_line = std::mem::take(&mut self.is_empty_paragraph);
        match name {
            "p" if is_blank_line => self.writer.end_line(),
            "a" => self.close_to(|it| matches!(it, Open::Link(..))),
            "blockquote" => self.close_to(|it| matches!(it, Open::Quote)),
            "ul" | "ol" => self.close_to(|it| matches!(it, Open::List(_))),
            "li" => self.close_to(|it| matches!(it, Open::Item)),
            "pre" => self.close_to(|it| matches!(it, Open::Preformatted)),
            name if is_block(name) => self.writer.end_block(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        self.is_empty_paragraph = false;
        if self.hidden.is_some() {
        } else if self.open.iter().any(|it| matches!(it, Open::Preformatted)) {
            self.writer.text(text);
        } else {
            self.writer.collapsed(text);
        }
    }

    fn open(&mut self, begin: impl FnOnce(&mut Writer) -> Open) {
        if self.open.len() < DEEPEST {
            self.open.push(begin(&mut self.writer));
        } else {
            self.writer.end_block();
        }
    }

    /// Closes the innermost element of a kind, and those inside it. Ignores an end tag without a start tag.
    fn close_to(&mut self, is_kind: impl Fn(&Open) -> bool) {
        let Some(place) = self.open.iter().rposition(is_kind) else {
            return;
        };
        while self.open.len() > place {
            self.close();
        }
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(Open::Quote | Open::Item) => self.writer.end_level(),
            Some(Open::List(_) | Open::Preformatted) => self.writer.end_block(),
            Some(Open::Link(address, start)) => self.writer.end_link(start, &address),
            None => {}
        }
    }

    /// Returns the number of the next item of the innermost list, or `None` if that list is unordered.
    fn next_number(&mut self) -> Option<u64> {
        let next = { self.open.iter_mut().rev() }.find_map(|it| match it {
            Open::List(next) => Some(next),
            Open::Quote | Open::Item | Open::Preformatted | Open::Link(..) => None,
        })?;
        let number = *next;
        *next = number.map(|it| it.saturating_add(1));
        number
    }

    fn finish(mut self) -> RichText {
        while !self.open.is_empty() {
            self.close();
        }
        self.writer.finish()
    }
}

fn name(name: &HtmlString) -> String {
    String::from_utf8_lossy(name).into_owned()
}

fn attribute(tag: &StartTag<()>, name: &str) -> String {
    let value = tag.attributes.get(name.as_bytes());
    value.map_or_else(String::new, |it| String::from_utf8_lossy(it).into_owned())
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "p" | "div"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "section"
            | "article"
            | "aside"
            | "header"
            | "footer"
            | "main"
            | "nav"
            | "figure"
            | "figcaption"
            | "table"
            | "tr"
            | "caption"
            | "dl"
            | "dt"
            | "dd"
            | "details"
            | "summary"
            | "address"
            | "body"
            | "head"
    )
}
