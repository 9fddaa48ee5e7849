//! What a right answer is, whichever client brings it.

use serde_json::Value;

/// How much of a wrong answer is shown.
const SHOWN: usize = 300;

/// What has to come of a step.
#[derive(Debug)]
pub(super) enum Expect {
    /// This value.
    Exactly(Value),
    /// A list with this text.
    Includes(&'static str),
    /// A tool's outcome: no error, and the same facts as text and as structured content.
    Outcome,
    /// An outcome with one block of text, which is this.
    Text(&'static str),
    /// Resources, each with contents under its URI.
    Resources,
    /// A list of prompts with this one, and its messages.
    Prompt(&'static str),
    /// The steps of the slow tool in order. A client may lose the last one: it comes with the result, and
    /// some have stopped listening when they have read that.
    Progress,
}

/// What is wrong with `got`, if anything.
pub(super) fn problem(expect: &Expect, got: &Value) -> Option<String> {
    let verdict = match expect {
        Expect::Exactly(value) if value == got => None,
        Expect::Exactly(value) => Some(difference(value, got)),
        Expect::Includes(text) if includes(got, text) => None,
        Expect::Includes(text) => Some(format!("no {text}")),
        Expect::Outcome => outcome(got),
        Expect::Text(text) if texts(got) == [*text] && !is_error(got) => None,
        Expect::Text(text) => Some(format!("not {text:?}")),
        Expect::Resources => resources(got),
        Expect::Prompt(name) => prompt(got, name),
        Expect::Progress if is_progress(got) => None,
        Expect::Progress => Some("not 0, 50, 100".to_owned()),
    };
    verdict.map(|verdict| format!("{verdict}: {}", shown(got)))
}

/// Where lists part, for long ones; else what was wanted.
fn difference(wanted: &Value, got: &Value) -> String {
    let (Some(wanted), Some(got)) = (wanted.as_array(), got.as_array()) else {
        return format!("not {}", shown(wanted));
    };
    let same = wanted.iter().zip(got).take_while(|(a, b)| a == b).count();
    let wanted = wanted.get(same).map_or("the end".to_owned(), shown);
    let got = got.get(same).map_or("the end".to_owned(), shown);
    format!("after {same} comes {got}, not {wanted}")
}

fn outcome(got: &Value) -> Option<String> {
    if is_error(got) {
        return Some("isError".to_owned());
    }
    let structure = got.get("structuredContent").filter(|it| !it.is_null());
    // A picture comes without, since some hosts show their model nothing else.
    if !structure.map_or_else(|| has_picture(got), Value::is_object) {
        return Some("structuredContent is no object".to_owned());
    }
    let texts = texts(got);
    let Some(text) = texts.first() else {
        return Some("no text".to_owned());
    };
    match serde_json::from_str::<Value>(text) {
        Ok(said) if structure.is_none_or(|it| said == *it) => None,
        Ok(_) => Some("text and structuredContent differ".to_owned()),
        Err(_) => Some("the text is no JSON".to_owned()),
    }
}

fn has_picture(got: &Value) -> bool {
    let content = got.get("content").and_then(Value::as_array);
    let mut blocks = content.into_iter().flatten();
    blocks.any(|it| it.get("type").is_some_and(|it| it == "image"))
}

fn resources(got: &Value) -> Option<String> {
    let list = got.as_array().filter(|list| !list.is_empty());
    let Some(list) = list else {
        return Some("no resources".to_owned());
    };
    let is_read = |resource: &&Value| {
        let uri = resource.get("uri").and_then(Value::as_str);
        let contents = resource.get("contents").and_then(Value::as_array);
        let contents = contents.into_iter().flatten();
        let mut fitting = contents.filter(|it| {
            let holds = it.get("text").or(it.get("blob"));
            let is_filled = holds
                .and_then(Value::as_str)
                .is_some_and(|it| !it.is_empty());
            is_filled && uri.is_some() && it.get("uri").and_then(Value::as_str) == uri
        });
        fitting.next().is_some()
    };
    let unread = list.iter().find(|resource| !is_read(resource))?;
    Some(format!("{} has no contents", shown(unread)))
}

fn prompt(got: &Value, name: &str) -> Option<String> {
    if !got
        .get("listed")
        .is_some_and(|listed| includes(listed, name))
    {
        return Some(format!("{name} is not listed"));
    }
    let messages = got.get("messages").and_then(Value::as_array);
    let text = messages.and_then(|it| it.first()?.get("content")?.get("text")?.as_str());
    match text {
        Some(text) if !text.is_empty() => None,
        Some(_) | None => Some("no message".to_owned()),
    }
}

fn is_progress(got: &Value) -> bool {
    let seen = got.as_array().map(Vec::as_slice).unwrap_or_default();
    let seen: Vec<_> = seen.iter().filter_map(Value::as_f64).collect();
    seen == [0.0, 50.0] || seen == [0.0, 50.0, 100.0]
}

fn is_error(outcome: &Value) -> bool {
    outcome.get("isError") == Some(&Value::Bool(true))
}

fn texts(outcome: &Value) -> Vec<&str> {
    let content = outcome.get("content").and_then(Value::as_array);
    let blocks = content.into_iter().flatten();
    blocks
        .filter_map(|block| block.get("text")?.as_str())
        .collect()
}

fn includes(list: &Value, text: &str) -> bool {
    list.as_array()
        .is_some_and(|list| list.iter().any(|it| it == text))
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Expect, problem};

    fn check(expect: &Expect, right: &[Value], wrong: &[(Value, &str)]) {
        for got in right {
            assert_eq!(problem(expect, got), None, "{got}");
        }
        for (got, why) in wrong {
            let found = problem(expect, got).unwrap_or_default();
            assert!(found.starts_with(why), "{got}: {found}");
        }
    }

    fn outcome(text: &str, structure: Value, is_error: bool) -> Value {
        json!({
            "content": [{"type": "text", "text": text}],
            "structuredContent": structure,
            "isError": is_error,
        })
    }

    #[test]
    fn an_outcome_says_the_same_twice() {
        check(
            &Expect::Outcome,
            &[outcome(
                r#"{"a":1,"b":null}"#,
                json!({"b": null, "a": 1}),
                false,
            )],
            &[
                (outcome("{}", json!({}), true), "isError"),
                (
                    outcome("[]", json!([]), false),
                    "structuredContent is no object",
                ),
                (
                    outcome(r#"{"a":1}"#, json!({"a": 2}), false),
                    "text and structuredContent differ",
                ),
                (outcome("a", json!({}), false), "the text is no JSON"),
                (json!({"structuredContent": {}, "content": []}), "no text"),
                (Value::Null, "structuredContent is no object"),
            ],
        );
    }

    #[test]
    fn a_text_is_all_there_is() {
        check(
            &Expect::Text("a"),
            &[json!({"content": [{"type": "text", "text": "a"}]})],
            &[
                (outcome("a", json!({}), true), "not \"a\""),
                (outcome("b", json!({}), false), "not \"a\""),
            ],
        );
    }

    #[test]
    fn every_resource_has_contents_of_its_own() {
        let resource =
            |uri: &str, text: &str| json!({"uri": "a:b", "contents": [{"uri": uri, "text": text}]});
        check(
            &Expect::Resources,
            &[
                json!([resource("a:b", "c")]),
                json!([{"uri": "a:b", "contents": [{"uri": "a:b", "blob": "AA=="}]}]),
            ],
            &[
                (json!([]), "no resources"),
                (
                    json!([resource("a:b", "c"), resource("a:c", "c")]),
                    "{\"uri\":\"a:b\"",
                ),
                (json!([resource("a:b", "")]), "{\"uri\":\"a:b\""),
            ],
        );
    }

    #[test]
    fn a_prompt_is_listed_and_speaks() {
        let message = json!([{"role": "user", "content": {"type": "text", "text": "Do."}}]);
        check(
            &Expect::Prompt("a"),
            &[json!({"listed": ["b", "a"], "messages": message})],
            &[
                (
                    json!({"listed": ["b"], "messages": message}),
                    "a is not listed",
                ),
                (json!({"listed": ["a"], "messages": []}), "no message"),
            ],
        );
    }

    #[test]
    fn progress_is_in_order_and_may_lack_its_end() {
        check(
            &Expect::Progress,
            &[json!([0, 50, 100]), json!([0.0, 50.0])],
            &[
                (json!([50, 0, 100]), "not 0"),
                (json!([0]), "not 0"),
                (json!([]), "not 0"),
            ],
        );
    }

    #[test]
    fn lists_are_compared_in_order() {
        check(
            &Expect::Exactly(json!(["a", "b"])),
            &[json!(["a", "b"])],
            &[
                (json!(["b", "a"]), "after 0 comes \"b\", not \"a\""),
                (json!(["a"]), "after 1 comes the end, not \"b\""),
                (json!(["a", "b", "c"]), "after 2 comes \"c\", not the end"),
                (json!("a"), "not [\"a\",\"b\"]"),
            ],
        );
        check(
            &Expect::Includes("a"),
            &[json!(["b", "a"])],
            &[(json!(["b"]), "no a"), (json!("a"), "no a")],
        );
    }
}
