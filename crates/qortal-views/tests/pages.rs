//! What hosts ask of a page, as far as it can be seen without a browser.

use qortal_views::View;

/// The most bytes of a page. Hosts publish no limit; this travels once a conversation.
const MOST: usize = 30_000;

/// What would load something, run text as code or markup, or not be seen by a host that wraps listeners.
const NEVER: &[&str] = &[
    "src=",
    "<link",
    "@import",
    "url(",
    "https:",
    "eval",
    "new Function",
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "createContextualFragment",
    "document.write",
    "onmessage",
    "import(",
    "fetch(",
    "XMLHttpRequest",
    "WebSocket",
    "localStorage",
    "100vh",
];

#[test]
fn pages_are_whole_and_small() {
    for view in View::ALL {
        let (name, page) = (view.name, view.html);
        assert!(
            page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"),
            "{name}"
        );
        assert!(page.ends_with("</script>\n</body>\n</html>\n"), "{name}");
        assert!(
            page.contains(&format!("<title>{}</title>", view.title)),
            "{name}"
        );
        assert!(page.len() < MOST, "{name} has {} bytes", page.len());
        for (tag, count) in [
            ("<script>", 1),
            ("</script", 1),
            ("<style>", 1),
            ("</style", 1),
            ("<main", 1),
        ] {
            assert_eq!(page.matches(tag).count(), count, "{tag} in {name}");
        }
    }
}

#[test]
fn pages_load_nothing_and_run_no_text() {
    for view in View::ALL {
        // The one address is the name of a vocabulary.
        let page = view.html.replace("http://www.w3.org/2000/svg", "");
        assert!(!page.contains("http:"), "{}", view.name);
        for never in NEVER {
            assert!(!page.contains(never), "{never} in {}", view.name);
        }
    }
}

#[test]
fn a_tool_has_one_view() {
    let mut tools: Vec<_> = View::ALL.iter().flat_map(|it| it.tools).collect();
    let count = tools.len();
    tools.sort();
    tools.dedup();
    assert_eq!(tools.len(), count);
    assert_eq!(View::of_tool("get_node_health").unwrap(), View::NODE);
    assert_eq!(View::of_tool("get_balance"), None);
}
