//! What the skills name is there: tools, arguments, topics, members of answers and flags. Their shell blocks are run with
//! the documents.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use qortal_tools::{Catalog, Surface};
use serde_json::Value;

/// The skills, by the name of their folder.
fn skills() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/qortal-mcp/skills");
    let folders = fs::read_dir(folder).unwrap();
    let folders: Vec<PathBuf> = folders.map(|it| it.unwrap().path()).collect();
    let read = |it: PathBuf| {
        let name = it.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(it.join("SKILL.md")).unwrap())
    };
    folders.into_iter().map(read).collect()
}

/// The names of all members of a schema.
fn members(schema: &Value, found: &mut HashSet<String>) {
    match schema {
        Value::Object(object) => {
            let properties = object.get("properties").and_then(Value::as_object);
            found.extend(properties.into_iter().flat_map(|it| it.keys().cloned()));
            object.values().for_each(|it| members(it, found));
        }
        Value::Array(items) => items.iter().for_each(|it| members(it, found)),
        _ => (),
    }
}

/// What is wrong with a text.
fn problems(text: &str) -> Vec<String> {
    let mut named: HashSet<String> = Catalog::entries().map(|it| it.name.to_owned()).collect();
    for entry in Catalog::entries() {
        members(&entry.output_schema_on(Surface::Extended), &mut named);
        members(&entry.input_schema_on(Surface::Extended), &mut named);
    }
    let topics = Catalog::entries().find(|it| it.name == "explain_topic");
    let topics = topics.unwrap().input_schema_on(Surface::Extended);
    let topics = topics.pointer("/properties/topic/enum").unwrap();
    let topics = topics.as_array().unwrap().iter();
    named.extend(topics.map(|it| it.as_str().unwrap().to_owned()));

    let mut wrong = Vec::new();
    let is_apart = |it: char| !it.is_ascii_alphanumeric() && !"_-".contains(it);
    let reference = qortal_mcp::configuration_reference() + &qortal_mcp::commands_reference();
    let flags: HashSet<&str> = reference.split(is_apart).collect();
    for word in text.split(is_apart) {
        let is_flag = word.len() > 2 && word.starts_with("--") && !word.ends_with('-');
        if is_flag && !flags.contains(word) {
            wrong.push(format!("{word} is no flag"));
        }
        if word.contains('_') && !named.contains(word) {
            wrong.push(format!("{word} is no tool, argument or topic"));
        }
    }
    let prose = text.split("```").step_by(2);
    for code in prose.flat_map(|it| it.split('`').skip(1).step_by(2)) {
        if let Some((tool, arguments)) = code.split_once(" {") {
            let arguments = serde_json::from_str(&format!("{{{arguments}"));
            let entry = Catalog::entries().find(|it| it.name == tool);
            let accepts = |arguments: Value| {
                let schema = entry.map(|it| it.input_schema_on(Surface::Extended));
                schema.is_some_and(|it| jsonschema::is_valid(&it, &arguments))
            };
            if !arguments.is_ok_and(accepts) {
                wrong.push(format!("{code} is no call"));
            }
        } else if code.chars().all(|it| it.is_ascii_alphanumeric()) && !named.contains(code) {
            wrong.push(format!("{code} is no member of an answer"));
        }
    }
    wrong
}

#[test]
fn what_the_skills_name_is_there() {
    let skills = skills();
    assert_eq!(skills.len(), 3);
    for (name, text) in skills {
        assert_eq!(problems(&text), Vec::<String>::new(), "{name}");
        let begin = format!("---\nname: {name}\ndescription: ");
        let description = text.strip_prefix(&begin).unwrap().lines().next().unwrap();
        // Some hosts read no more than this of it (agentskills.io/specification, "description field").
        assert!(description.len() <= 1_024, "{name}");
        // A skill stays in the context of a model as long as it is followed.
        assert!(text.len() <= 5_500, "{name}: {} bytes", text.len());
    }
}

/// A check that finds nothing wrong with anything would pass as well.
#[test]
fn a_wrong_name_is_found() {
    for text in [
        "Ask get_balanc.",
        "`qortal-mcp call TOOL --al`",
        "`get_balance {\"address\":1}`",
        "`get_balance {\"adress\":\"x\"}`",
        "`bestAsks`",
    ] {
        assert_eq!(problems(text).len(), 1, "{text}");
    }
}
