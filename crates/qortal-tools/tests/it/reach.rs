//! How texts say that tools are reached which are not listed.

use qortal_tools::{Catalog, Selection, Surface};

#[test]
fn texts_say_how_tools_are_reached_that_are_not_listed() {
    let standard = Selection::of(Surface::Standard);
    for (text, expected) in [
        ("One type: search_transactions.", None),
        (
            "Less: get_block_height.",
            Some("Less: get_block_height (through call_tool)."),
        ),
        (
            "get_block_height, then get_block_height and get_balances.",
            Some("get_block_height (through call_tool), then get_block_height and get_balances."),
        ),
    ] {
        assert_eq!(standard.reachable(text), expected.unwrap_or(text));
        assert_eq!(Selection::of(Surface::Extended).reachable(text), text);
    }
    let mut without = standard;
    without.exclude = vec!["call_tool".to_owned()];
    let text = "Less: get_block_height.";
    assert_eq!(without.reachable(text), text);
}

#[test]
fn descriptions_name_no_tool_that_cannot_be_reached() {
    for surface in [Surface::Core, Surface::Standard, Surface::Python] {
        let selection = Selection::of(surface);
        for entry in selection.listed() {
            let said = selection.description(entry);
            for tool in Catalog::entries().filter(|it| it.name.contains('_')) {
                let words = said.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
                let is_named = words.into_iter().any(|it| it == tool.name);
                let remark = format!("{} (through call_tool)", tool.name);
                let is_listed = selection.listed().any(|it| it.name == tool.name);
                assert!(!is_named || is_listed || said.contains(&remark), "{said}");
            }
        }
    }
}

/// A topic is our own text, on every surface.
#[tokio::test]
async fn explained_topics_name_no_tool_that_cannot_be_reached() {
    let chain = crate::Chain::recorded().await;
    let selection = Selection::of(Surface::Standard);
    let entry = Catalog::find("explain_topic").unwrap();
    for topic in [
        "become_minter",
        "groups",
        "minting_levels",
        "node_sync",
        "units",
    ] {
        let arguments = [("topic".to_owned(), topic.into())].into_iter().collect();
        let mut outcome = chain.catalog.call(entry, arguments).await.unwrap();
        selection.reach(&mut outcome, entry.name);
        let structure = outcome.structure();
        let text = structure["text"].as_str().unwrap();
        for tool in Catalog::entries().filter(|it| it.name.contains('_') && text.contains(it.name))
        {
            let is_listed = selection.listed().any(|it| it.name == tool.name);
            let remark = format!("{} (through call_tool)", tool.name);
            assert!(is_listed || text.contains(&remark), "{}: {text}", tool.name);
        }
    }
    chain.stop().await;
}
