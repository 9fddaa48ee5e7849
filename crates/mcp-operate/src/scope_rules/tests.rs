//! What the operator's rules allow a token.

use super::*;

/// Two sets of tools, a tool for itself, and one that every scope allows.
fn tools(name: &str) -> Option<Vec<&'static str>> {
    match name {
        "trade" => Some(vec!["get_price", "list_trades"]),
        "polls" => Some(vec!["list_polls"]),
        "get_balance" => Some(vec!["get_balance"]),
        "index" => Some(vec!["find_tools"]),
        _ => None,
    }
}

fn parse(text: &str) -> Option<ScopeGrants> {
    ScopeGrants::parse(text.split(','), tools, Some("index"))
}

fn rules(text: &str) -> ScopeGrants {
    parse(text).unwrap()
}

fn grant(scopes: &[&str]) -> AuthInfo {
    let grant = AuthInfo::default();
    scopes.iter().fold(grant, |grant, it| grant.with_scope(*it))
}

#[test]
fn a_scope_allows_what_its_rule_names_and_nothing_else() {
    let rules = rules("w:read, w:trade=trade+get_balance, w:polls=polls");
    for (scopes, tool, allowed) in [
        (&["w:read"][..], "get_balance", true),
        (&["w:read"], "list_polls", true),
        (&["w:trade"], "get_balance", true),
        (&["w:trade"], "get_price", true),
        (&["w:trade"], "find_tools", true),
        (&["w:trade"], "list_polls", false),
        (&["w:trade", "w:polls"], "list_polls", true),
        (&["w:polls", "other"], "get_balance", false),
        (&["other"], "get_balance", false),
        (&[], "find_tools", false),
    ] {
        let permit = rules.permissions(Some(&grant(scopes))).allows_tool(tool);
        assert_eq!(permit, allowed, "{scopes:?} {tool}");
    }
    let granted = grant(&["w:polls", "other", "w:trade"]);
    let scopes = rules.permissions(Some(&granted)).scopes();
    assert_eq!(scopes, ["w:trade", "w:polls"]);
    assert!(!rules.permissions(None).allows_tool("find_tools"));
    assert!(ScopeGrants::default().permissions(None).allows_everything());
}

#[test]
fn the_scope_to_ask_for_is_the_narrowest_that_helps() {
    let some = rules("w:read,w:trade=trade");
    for (tool, expected) in [
        (Some("get_price"), Some("w:trade")),
        (Some("get_balance"), Some("w:read")),
        (None, Some("w:read")),
    ] {
        assert_eq!(some.needed_for(tool), expected, "{tool:?}");
    }
    let narrow = rules("w:trade=trade");
    assert_eq!(narrow.needed_for(Some("get_balance")), None);
    assert_eq!(narrow.needed_for(None), None);
}

#[test]
fn a_rule_has_a_valid_scope_and_known_names() {
    for text in ["a=nothing", "a=", "=trade", "a b", "a=trade+", "a,a=trade"] {
        assert_eq!(parse(text), None, "{text}");
    }
    let read = rules("a, b = trade + get_balance,");
    assert_eq!(read.scopes().collect::<Vec<_>>(), ["a", "b"]);
}
