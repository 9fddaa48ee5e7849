//! What the operator's rules allow a token.

use super::*;

fn rules(text: &str) -> ScopeRules {
    ScopeRules::parse(text.split(',')).unwrap()
}

fn grant(scopes: &[&str]) -> Grant {
    let grant = Grant::default();
    scopes.iter().fold(grant, |grant, it| grant.with_scope(*it))
}

#[test]
fn a_scope_allows_what_its_rule_names_and_nothing_else() {
    let rules = rules("q:read, q:trade=trade+get_balance, q:polls=polls");
    for (scopes, tool, allowed) in [
        (&["q:read"][..], "get_balance", true),
        (&["q:read"], "list_polls", true),
        (&["q:trade"], "get_balance", true),
        (&["q:trade"], "get_trade_price", true),
        (&["q:trade"], "find_tools", true),
        (&["q:trade"], "list_polls", false),
        (&["q:trade", "q:polls"], "list_polls", true),
        (&["q:polls", "other"], "get_balance", false),
        (&["other"], "get_balance", false),
        (&[], "find_tools", false),
    ] {
        let tools: Vec<_> = Catalog::entries().map(|it| it.name).collect();
        let permit = rules.permit(Some(&grant(scopes))).allows(tool);
        assert_eq!(permit, allowed, "{scopes:?} {tool} {tools:?}");
    }
    assert!(!rules.permit(None).allows("find_tools"));
    assert!(ScopeRules::default().permit(None).is_full());
}

#[test]
fn the_scope_to_ask_for_is_the_narrowest_that_helps() {
    let some = rules("q:read,q:trade=trade");
    for (tool, expected) in [
        (Some("get_trade_price"), Some("q:trade")),
        (Some("get_balance"), Some("q:read")),
        (None, Some("q:read")),
    ] {
        assert_eq!(some.needed_for(tool), expected, "{tool:?}");
    }
    let narrow = rules("q:trade=trade");
    assert_eq!(narrow.needed_for(Some("get_balance")), None);
    assert_eq!(narrow.needed_for(None), None);
}

#[test]
fn a_rule_has_a_valid_scope_and_known_names() {
    for text in ["a=nothing", "a=", "=trade", "a b", "a=trade+", "a,a=trade"] {
        assert_eq!(ScopeRules::parse(text.split(',')), None, "{text}");
    }
    let read = rules("a, b = trade + get_balance,");
    assert_eq!(read.scopes().collect::<Vec<_>>(), ["a", "b"]);
}
