//! The published schema and the reader accept the same arguments, but for what JSON Schema cannot say.

use std::collections::BTreeSet;

use jsonschema::validator_for;
use qortal_tools::{Catalog, Entry, Property};
use serde_json::{Map, Value, json};

/// What readers refuse although the schema accepts it: the beginning of the problem, and why no schema says it.
const BEYOND_SCHEMAS: [(&str, &str); 13] = [
    ("Invalid Qortal address.", "a checksum"),
    ("Invalid public key.", "bytes in Base58"),
    ("Invalid timestamp.", "several forms of times"),
    ("Invalid signature.", "bytes in Base58"),
    (
        "Invalid group.",
        "the bounds of its number, and control characters",
    ),
    ("Invalid asset.", "the same"),
    ("Invalid amount.", "decimal places, and the largest amount"),
    ("Invalid name.", "a length in bytes, not in characters"),
    ("Invalid identifier.", "the same, and control characters"),
    ("Invalid file path.", "no part of it leads upwards"),
    ("Invalid argument.", "control characters"),
    (
        "Unknown transaction type.",
        "38 names, too many for listings",
    ),
    ("Unknown service.", "its name or its number"),
];

/// Arguments for one tool after the other, the same ones in every run.
struct Random(u64);

impl Random {
    /// A number below `end` (xorshift64*, Vigna 2016).
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(bits).unwrap() % end
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Values of every type, and texts that some parameter or other wants.
fn any() -> Vec<Value> {
    let texts = [
        "",
        " ",
        "a\u{7}b",
        "chloe",
        "Alice Test",
        "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v",
        "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9w",
        "AJ9ZYkb9yDmNtbU6zA2nuTzEaTNyQ6BBpE",
        "2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP",
        "2weRuDKx9euhHrpEwjAj7jg5VTNayK4S2X2muj76yYUxyYJm7QRG3wrzzsSx7thit2q45RA7HqCBVNCTUKnXcfAh",
        "PAYMENT",
        "register name",
        "website",
        "777",
        "ltc",
        "1.25",
        "1.123456789",
        "-1",
        "2026-11-21 03:00",
        "1795230000",
        "index.html",
        "../admin",
        "TRUE",
        "[\"PAYMENT\"]",
        "{\"limit\":1}",
    ];
    let mut values: Vec<Value> = texts.into_iter().map(Value::from).collect();
    values.extend([
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(-1),
        json!(2.0),
        json!(1.5),
        json!(1e300),
        json!(u64::MAX),
        json!(1_795_230_000_000_i64),
        json!([]),
        json!([1, "2"]),
        json!(["chloe", "Alice Test"]),
        json!(["PAYMENT", "payment"]),
        json!([null]),
        json!({}),
        json!({"limit": 1}),
    ]);
    values
}

/// The bounds of a schema and what is just beyond them, its words in both cases, and its numbers as text.
fn edges(schema: &Map<String, Value>) -> Vec<Value> {
    let number = |key: &str| schema.get(key).and_then(Value::as_i64);
    let mut values: Vec<Value> = ["minimum", "maximum"]
        .into_iter()
        .filter_map(number)
        .flat_map(|it| [it - 1, it, it + 1])
        .flat_map(|it| [json!(it), json!(it.to_string()), json!(format!("{it}.0"))])
        .collect();
    for length in ["minLength", "maxLength"].into_iter().filter_map(number) {
        let lengths = [length - 1, length, length + 1];
        let lengths = lengths
            .into_iter()
            .filter_map(|it| usize::try_from(it).ok());
        values.extend(lengths.flat_map(|it| [json!("é".repeat(it)), json!("1".repeat(it))]));
    }
    for word in schema
        .get("enum")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        values.push(word.clone());
        values.push(word.as_str().unwrap().to_uppercase().into());
    }
    if let Some(items) = schema.get("items").and_then(Value::as_object) {
        let items = edges(items);
        values.extend(items.iter().map(|it| json!([it])));
        let most = usize::try_from(number("maxItems").unwrap()).unwrap();
        for count in [most, most + 1] {
            let item = items.first().cloned().unwrap_or_else(|| json!("chloe"));
            values.push(vec![item; count].into());
        }
        values.extend(items);
    }
    values.extend(schema.get("default").cloned());
    values
}

fn arguments(random: &mut Random, example: &Value, members: &[(Property, Vec<Value>)]) -> Value {
    let mut arguments = example.clone();
    // Mostly one value at a time, so that one does not hide another.
    for _ in 0..=random.below(3) {
        let Some((member, values)) = members.get(random.below(members.len() + 1)) else {
            let unknown = *random.pick(&["limits", "x", ""]);
            arguments[unknown] = 1.into();
            continue;
        };
        match random.below(8) {
            0 => drop(arguments.as_object_mut().unwrap().remove(&member.name)),
            _ => arguments[member.name.as_str()] = random.pick(values).clone(),
        }
    }
    arguments
}

/// Runs one tool; returns which of [`BEYOND_SCHEMAS`] occurred.
fn check(entry: &Entry, random: &mut Random) -> BTreeSet<&'static str> {
    let schema = entry.input_schema();
    let published = validator_for(&schema).unwrap();
    let example: Value = serde_json::from_str(entry.example).unwrap();
    let members: Vec<_> = entry
        .parameters()
        .into_iter()
        .map(|it| {
            let mut values = any();
            values.extend(edges(&it.schema));
            (it, values)
        })
        .collect();
    let mut beyond = BTreeSet::new();
    for _ in 0..60 * (members.len() + 1) {
        let sent = arguments(random, &example, &members);
        let mut read = sent.as_object().unwrap().clone();
        match entry.validate(&mut read) {
            Ok(()) => {
                let read = Value::Object(read);
                let error = published.validate(&read).err().map(|it| it.to_string());
                assert_eq!(error, None, "{} reads {sent} as {read}", entry.name);
            }
            Err(refused) if published.is_valid(&sent) => {
                for problem in refused.problems {
                    let message = problem.invalid.message;
                    let known = BEYOND_SCHEMAS.iter().find(|(it, _)| *it == message);
                    let (known, _) = known.unwrap_or_else(|| {
                        panic!(
                            "{} refuses {sent}, its schema does not: {problem}",
                            entry.name
                        )
                    });
                    if message == "Invalid argument." {
                        let problem = problem.to_string();
                        assert!(
                            problem.contains("control character"),
                            "{}: {problem}",
                            entry.name
                        );
                    }
                    beyond.insert(*known);
                }
            }
            Err(_) => (),
        }
    }
    beyond
}

#[test]
fn schema_and_reader_accept_the_same_arguments() {
    let mut random = Random(0x5EED_2026);
    let beyond: BTreeSet<_> = Catalog::entries()
        .flat_map(|entry| check(entry, &mut random))
        .collect();
    let listed: BTreeSet<_> = BEYOND_SCHEMAS.iter().map(|(message, _)| *message).collect();
    assert_eq!(beyond, listed);
}
