//! Doc comments of public items, read from formatted sources.

use std::collections::BTreeSet;

use super::count::Doc;
use super::markdown;
use crate::tree::File;

/// A declaration that has items inside, by its indentation.
struct Container {
    indent: usize,
    name: String,
    /// Whether its items are public without `pub`: an enum or a trait that is public.
    opens_items: bool,
}

/// Reads the names of a listing in `docs/authors/api`: `Container::name`, and `name` for items of a module.
pub(super) fn listed(listing: &str) -> BTreeSet<String> {
    let lines = listing.lines().filter_map(|line| {
        let (_, item) = line.split_once("pub ")?;
        let path = item
            .split(' ')
            .find(|word| word.contains("::"))
            .or_else(|| item.split(' ').next_back())?;
        Some(key(path.trim_end_matches(':')))
    });
    lines.collect()
}

/// Returns the last two segments of a path without generics, or the last one below a module.
fn key(path: &str) -> String {
    let path = path.split('(').next().unwrap_or_default();
    let mut plain = String::new();
    let mut depth = 0_usize;
    for c in path.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let mut segments = plain.rsplit("::");
    let name = segments.next().unwrap_or_default();
    match segments.next() {
        Some(container) if container.starts_with(char::is_uppercase) => {
            format!("{container}::{name}")
        }
        Some(_) | None => name.to_owned(),
    }
}

/// Returns the doc comments of a file that people read on docs.rs. Without a listing, `pub` decides.
pub(super) fn public(file: &File, listed: Option<&BTreeSet<String>>) -> Vec<Doc> {
    let mut docs = Vec::new();
    let lines: Vec<&str> = file.text.lines().collect();
    docs.extend(module(file, &lines, listed));
    let mut containers: Vec<Container> = Vec::new();
    let mut comment: Vec<&str> = Vec::new();
    for line in &lines {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        if let Some(text) = code.strip_prefix("///") {
            comment.push(text);
            continue;
        }
        if code.is_empty() || code.starts_with("#[") || code.starts_with("//") {
            continue;
        }
        containers.retain(|container| container.indent < indent);
        let outer = containers.last();
        if let Some(item) = Item::of(code, outer) {
            let key = match outer {
                Some(outer) => format!("{}::{}", outer.name, item.name),
                None => item.name.clone(),
            };
            let is_public = listed.map_or(item.is_public, |listed| listed.contains(&key));
            if !comment.is_empty() && is_public && !code.starts_with("pub(") {
                docs.push(Doc {
                    text: without_code(&comment),
                    is_function: Some(item.is_function),
                });
            }
            if code.ends_with('{') {
                containers.push(Container {
                    indent,
                    name: item.name,
                    opens_items: item.opens_items,
                });
            }
        }
        comment.clear();
    }
    docs
}

/// Returns the docs of the module that a file is, if it is public.
fn module(file: &File, lines: &[&str], listed: Option<&BTreeSet<String>>) -> Option<Doc> {
    let stem = file.path.rsplit('/').next()?.strip_suffix(".rs")?;
    let is_public = stem == "lib" || listed.is_some_and(|listed| listed.contains(stem));
    let docs: Vec<&str> = lines
        .iter()
        .map_while(|line| line.strip_prefix("//!"))
        .collect();
    (is_public && !docs.is_empty()).then(|| Doc {
        text: without_code(&docs),
        is_function: None,
    })
}

fn without_code(comment: &[&str]) -> String {
    let lines: Vec<&str> = comment
        .iter()
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    markdown::plain(&lines.join("\n"), false)
}

/// An item that a line of code declares.
struct Item {
    name: String,
    is_function: bool,
    is_public: bool,
    opens_items: bool,
}

impl Item {
    fn of(code: &str, outer: Option<&Container>) -> Option<Self> {
        let is_pub = code.starts_with("pub ");
        let mut words = code
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| {
                !word.is_empty() && !matches!(*word, "pub" | "async" | "unsafe" | "extern" | "C")
            })
            .peekable();
        let first = words.next()?;
        let mut item = |kind: &str| {
            let name = match kind {
                "const" if words.peek() == Some(&"fn") => words.nth(1)?,
                _ => words.next()?,
            };
            Some(name.to_owned())
        };
        let is_open = outer.is_some_and(|outer| outer.opens_items);
        let (name, is_function) = match first {
            "fn" => (item(first)?, true),
            "const" => (item(first)?, code.contains("const fn ")),
            "struct" | "enum" | "trait" | "type" | "static" | "mod" | "union" => {
                (item(first)?, false)
            }
            "impl" => (implemented(code)?, false),
            // A field, or a variant of an enum.
            name if outer.is_some() && (is_pub || is_open) => (name.to_owned(), false),
            _ => return None,
        };
        Some(Self {
            name,
            is_function,
            is_public: is_pub || (is_open && first != "impl"),
            // The fields of a variant are as public as the variant.
            opens_items: match first {
                "enum" | "trait" => is_pub,
                "fn" | "const" | "impl" => false,
                _ => is_open,
            },
        })
    }
}

/// Returns the name of the type that an `impl` line is about.
fn implemented(code: &str) -> Option<String> {
    let head = code.strip_prefix("impl")?;
    let mut depth = 0_usize;
    let mut plain = String::new();
    for c in head.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let of = plain.rsplit(" for ").next()?.trim();
    let name = of.split([' ', '{']).next()?;
    Some(name.rsplit("::").next()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{listed, public};
    use crate::tree::File;

    const SOURCE: &str = "//! Module docs.\n\n/// A listed type.\n#[derive(Debug)]\npub struct Client<T> {\n    /// A listed field.\n    pub url: String,\n    \
        /// A private field.\n    inner: u8,\n}\n\n/// A listed error.\npub enum Error {\n    /// A listed variant.\n    Status {\n        /// A listed code.\n        \
        code: u16,\n    },\n    /// An unlisted variant.\n    Hidden,\n}\n\nimpl<T> Client<T> {\n    /// Returns a listed value.\n    pub const fn get(&self) {}\n\n    \
        /// Returns an unlisted value.\n    pub fn hidden(&self) {}\n}\n\n/// Is private to the crate.\npub(crate) fn get() {}\n";
    const LISTING: &str = "pub mod a\npub struct a::Client<T>\npub a::Client::url: alloc::string::String\npub enum a::Error\npub a::Error::Status\n\
        pub a::Error::Status::code: u16\nimpl<T> a::Client<T>\npub const fn a::Client<T>::get(&self)\npub fn a::get()\n";

    #[test]
    fn public_docs_are_those_of_listed_items() {
        let file = File::new("crates/a/src/a.rs", SOURCE);
        let texts = |listing: Option<&str>| {
            let listed = listing.map(listed);
            let docs = public(&file, listed.as_ref());
            docs.into_iter().map(|doc| doc.text).collect::<Vec<_>>()
        };
        let all = [
            "Module docs.",
            "A listed type.",
            "A listed field.",
            "A listed error.",
            "A listed variant.",
            "A listed code.",
            "Returns a listed value.",
        ];
        assert_eq!(texts(Some(LISTING)), all);
        // Without a listing the module is private, and what is `pub` counts.
        let by_pub = [
            "A listed type.",
            "A listed field.",
            "A listed error.",
            "A listed variant.",
            "A listed code.",
            "An unlisted variant.",
            "Returns a listed value.",
            "Returns an unlisted value.",
        ];
        assert_eq!(texts(None), by_pub);
    }
}
