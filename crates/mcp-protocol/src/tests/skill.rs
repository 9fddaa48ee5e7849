//! The entry of a skill, and the front matter it is made of.

use serde_json::json;

use crate::skill::{Skill, SkillResource, frontmatter};

#[test]
fn an_entry_has_digests_in_lower_case_hexadecimal() {
    let uri = "skill://refunds/SKILL.md";
    let file = SkillResource::new(uri.to_owned(), [0xAB; 32], 7);
    let front = frontmatter("---\nname: refunds\ndescription: Pay back\n---\n").unwrap();
    let skill = Skill::new(uri.to_owned(), front, vec![file]);
    let expected = json!({
        "uri": uri,
        "frontmatter": {"name": "refunds", "description": "Pay back"},
        "resources": [{"uri": uri, "digest": format!("sha256:{}", "ab".repeat(32)), "size": 7}],
    });
    assert_eq!(skill.to_value(), expected);
}

#[test]
fn front_matter_is_read_verbatim() {
    let text = "---\nname: a-b\ndescription: \"Say \\\"no\\\": twice\"\nmetadata:\n  version: \"1.0\"\n  by: us\nlicense: MIT\n---\n# A\n---\n";
    let expected = json!({
        "name": "a-b",
        "description": "Say \"no\": twice",
        "metadata": {"version": "1.0", "by": "us"},
        "license": "MIT",
    });
    assert_eq!(
        serde_json::Value::from(frontmatter(text).unwrap()),
        expected
    );
}

#[test]
fn what_parsers_of_yaml_read_differently_is_refused_with_its_line() {
    for (text, line) in [
        ("# A", 1),
        ("---\nname: a", 1),
        ("---\nname: a\nversion: 1.0\n---", 3),
        ("---\nname: yes\n---", 2),
        ("---\nname: a: b\n---", 2),
        ("---\nname: a # b\n---", 2),
        ("---\nname:a\n---", 2),
        ("---\nname: [a]\n---", 2),
        ("---\nname: 'a'\n---", 2),
        ("---\nname: |\n  a\n---", 2),
        ("---\nname: \"a\" b\n---", 2),
        ("---\nname\n---", 2),
        ("---\nna me: a\n---", 2),
        ("---\n  name: a\n---", 2),
        ("---\nlicense: MIT\n  name: a\n---", 3),
        ("---\nname: a\nname: b\n---", 3),
    ] {
        assert_eq!(frontmatter(text).unwrap_err().line, line, "{text}");
    }
}
