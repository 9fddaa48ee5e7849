//! Tables: the same rows as a list of objects and as CSV.

use jsonschema::validator_for;
use qortal_tools::{Catalog, Entry, Object};
use serde_json::{Value, json};

use crate::Chain;

/// The tools that take `format`, and the member with their rows: the one that `csv` stands beside.
fn tables() -> impl Iterator<Item = (&'static Entry, String)> {
    let tabular = Catalog::entries().filter(|entry| {
        let mut parameters = entry.parameters().into_iter();
        parameters.any(|it| it.name == "format")
    });
    tabular.map(|entry| {
        let members = entry.members();
        let place = members.iter().position(|it| it.name == "csv");
        let place = place.unwrap_or_else(|| panic!("{} has no csv", entry.name));
        (entry, members[place - 1].name.clone())
    })
}

/// The lines of a CSV text, each with its fields (RFC 4180).
fn read(csv: &str) -> Vec<Vec<String>> {
    let (mut lines, mut fields, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut is_quoted = false;
    let mut characters = csv.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if is_quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(std::mem::take(&mut field)),
            '\r' if !is_quoted => assert_eq!(characters.peek(), Some(&'\n')),
            '\n' if !is_quoted => {
                fields.push(std::mem::take(&mut field));
                lines.push(std::mem::take(&mut fields));
            }
            c => field.push(c),
        }
    }
    assert!(!is_quoted && field.is_empty() && fields.is_empty(), "{csv}");
    lines
}

fn shown(value: Option<&Value>) -> String {
    match value {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

#[test]
fn rows_are_plain() {
    for (entry, list) in tables() {
        let members = entry.members();
        let rows = members.iter().find(|it| it.name == list).unwrap();
        assert!(!rows.required, "{}", entry.name);
        for (column, schema) in rows.schema["items"]["properties"].as_object().unwrap() {
            let kind = schema["type"].as_str().unwrap();
            let is_plain = ["string", "integer", "number", "boolean"].contains(&kind);
            assert!(is_plain, "{}: {column} is {kind}", entry.name);
        }
    }
}

#[tokio::test]
async fn csv_has_what_the_list_has_and_nothing_else_changes() {
    for (entry, list) in tables() {
        let chain = Chain::recorded().await;
        let mut arguments: Value = serde_json::from_str(entry.example).unwrap();
        let mut plain = chain.call(entry.name, arguments.clone()).await.unwrap();
        arguments["format"] = "csv".into();
        let mut answer = chain.call(entry.name, arguments).await.unwrap();
        chain.stop().await;

        let published = validator_for(&entry.output_schema()).unwrap();
        assert!(published.is_valid(&answer), "{}", entry.name);

        let rows = plain.as_object_mut().unwrap().remove(&list).unwrap();
        let csv = answer.as_object_mut().unwrap().remove("csv").unwrap();
        assert!(answer.get(&list).is_none(), "{}", entry.name);
        let lines = read(csv.as_str().unwrap());
        let (columns, lines) = lines.split_first().unwrap();
        let rows = rows.as_array().unwrap();
        assert!(!rows.is_empty(), "{}: the example has no rows", entry.name);
        let expected: Vec<Vec<_>> = rows
            .iter()
            .map(|row| columns.iter().map(|it| shown(row.get(it))).collect())
            .collect();
        assert_eq!(lines, expected, "{}", entry.name);
        for row in rows {
            let mut members = row.as_object().unwrap().keys();
            assert!(members.all(|it| columns.contains(it)), "{}", entry.name);
        }

        // The next page comes in the same format.
        if let Some(next) = answer.get_mut("next") {
            let format = next["arguments"].as_object_mut().unwrap().remove("format");
            assert_eq!(format, Some(json!("csv")), "{}", entry.name);
        }
        assert_eq!(answer, plain, "{}", entry.name);
    }
}

/// What one value becomes in a line.
#[tokio::test]
async fn fields_are_quoted_where_they_must_and_nothing_becomes_a_formula() {
    let chain = Chain::recorded().await;
    let entry = chain.catalog.entry("list_names").unwrap();
    let pages = chain.catalog.pages(entry, Object::new()).unwrap();
    let columns = pages.csv_header();
    assert!(columns.ends_with("\r\n"), "{columns:?}");
    let column = columns.split(',').next().unwrap();
    let rest = ",".repeat(columns.matches(',').count());
    for (value, expected) in [
        (json!("plain text"), "plain text"),
        (json!("a,b"), "\"a,b\""),
        (json!("say \"hi\""), "\"say \"\"hi\"\"\""),
        (json!("two\nlines"), "\"two\nlines\""),
        (json!(true), "true"),
        (json!(null), ""),
        (json!("=1+1"), "'=1+1"),
        (json!("+1"), "'+1"),
        (json!("-1+2"), "'-1+2"),
        (json!("@sum"), "'@sum"),
        (json!("\tx"), "'\tx"),
        (json!("-"), "'-"),
        (json!("＝1"), "'＝1"),
        (json!("=a,\"b\""), "\"'=a,\"\"b\"\"\""),
        (json!("-1.50000000"), "-1.50000000"),
        (json!(-5), "-5"),
        (json!("a=b"), "a=b"),
        // Where another separator than a comma is set, quotes inside a line are no quotes.
        (json!("a;=1+1"), "a;'=1+1"),
        (json!("a; =1+1;-2"), "a;' =1+1;-2"),
        (json!("a\t@sum"), "a\t'@sum"),
        (json!("a|+1"), "a|'+1"),
        (json!("a\n=1"), "\"a\n'=1\""),
        (json!("a;\"=1\""), "\"a;'\"\"=1\"\"\""),
        (json!("a; b;; c"), "a; b;; c"),
    ] {
        let line = pages.csv(&[json!({ column: value })]);
        assert_eq!(line, format!("{expected}{rest}\r\n"));
    }
    chain.stop().await;
}
