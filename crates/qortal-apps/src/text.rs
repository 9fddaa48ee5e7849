//! Plain text of the documents that the apps' editors produce: HTML, TipTap JSON and Slate JSON.
//!
//! All three become the same text: one line for each paragraph, heading and list item, `- ` and `1. ` before list items,
//! `> ` before quoted lines, code as it is, and links as `label (address)` where the two differ. Work and output are linear in
//! the size of the input. Content that is nested too deeply is left out, and so is text beyond 1 MiB.

mod html;
mod links;
mod slate;
mod tiptap;
mod writer;

pub use self::{
    html::{has_tags, html},
    links::links,
    slate::slate,
    tiptap::tiptap,
};

/// The plain text of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RichText {
    /// The text, without blank lines at its ends.
    pub text: String,
    /// The mentioned accounts, by the shown name.
    pub mentions: Vec<String>,
    /// The addresses of its links, in order. [`links`] finds the addresses in plain text.
    pub links: Vec<String>,
    /// The number of pictures in the document. The text shows each as `[picture]`.
    pub pictures: u32,
    /// Whether a part of the document was left out because it is nested too deeply or too long.
    pub is_cut: bool,
}
