//! The tools that guides name: a reader finds them in the list of a client, or learns how to reach them.

use qortal_tools::{Catalog, Selection, Surface};

/// Pages about all tools, or about those of another surface.
const OF_ALL: [&str; 5] = [
    "docs/concepts/",
    "docs/core-compatibility.md",
    "docs/from-python.md",
    "docs/questions",
    "docs/tools/",
];

#[test]
fn guides_name_only_tools_that_clients_list() {
    let standard = Selection::of(Surface::Standard);
    let unlisted: Vec<_> = Catalog::entries()
        .filter(|it| {
            it.name.contains('_') && !standard.listed().any(|listed| listed.name == it.name)
        })
        .collect();
    let mut wrong = Vec::new();
    let is_guide = |page: &String| {
        let is_for_users = page == super::README || page.starts_with("docs/");
        let is_for_authors = page.starts_with("docs/authors/");
        is_for_users && !is_for_authors && !OF_ALL.iter().any(|it| page.starts_with(it))
    };
    for page in super::pages().into_iter().filter(is_guide) {
        let text = super::read(&page);
        for paragraph in text.split("\n\n").filter(|it| !it.contains("call_tool")) {
            let words = paragraph.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
            let named = words.filter(|word| unlisted.iter().any(|it| it.name == *word));
            wrong.extend(named.map(|it| format!("{page}: {it}")));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
