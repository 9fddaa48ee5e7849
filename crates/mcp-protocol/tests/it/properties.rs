//! What holds for every input: generated from a seed that a failure prints.

use mcp_protocol::{
    CallToolResult, ContentBlock, Object, Revision,
    content::{Annotations, ResourceContents, ResourceLink, Role},
    parse::Reading,
    render::{self, Projection},
};
use serde_json::{Value, json};

use crate::cases::run::everywhere;

const ROUNDS: u64 = 2_000;

/// SplitMix64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        it ^ (it >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end).unwrap()).unwrap()
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.coin().then(|| make(self))
    }

    fn text(&mut self) -> String {
        self.of(&[
            "",
            " ",
            "x",
            "aGVsbG8=",
            "{\"a\":1}",
            "[1,2]",
            "null",
            "é🙂\u{7}",
            "data:image/png;base64,aGk=",
            "https://x.test/i.png",
            "file:///a.pdf",
            "user",
            "assistant",
            "\n\n",
        ])
        .to_owned()
    }

    fn mime_type(&mut self) -> String {
        self.of(&[
            "image/png",
            "image/svg+xml",
            "audio/wav",
            "text/plain",
            "application/pdf",
            "",
            "x",
        ])
        .to_owned()
    }

    /// Any JSON, with the members of results in it.
    fn json(&mut self, depth: usize) -> Value {
        let names = [
            "type",
            "text",
            "data",
            "mimeType",
            "resource",
            "uri",
            "name",
            "blob",
            "annotations",
            "_meta",
            "audience",
            "priority",
            "content",
            "structuredContent",
            "isError",
            "resultType",
            "result",
            "task",
            "size",
            "icons",
            "error",
            "other",
        ];
        match self.below(if depth == 0 { 6 } else { 9 }) {
            0 => Value::Null,
            1 => json!(self.coin()),
            2 => json!(self.next()),
            3 => json!(0.7),
            4 => json!(self.text()),
            5 => json!(self.of(&[
                "text",
                "image",
                "audio",
                "resource",
                "resource_link",
                "video"
            ])),
            6 => (0..self.below(4)).map(|_| self.json(depth - 1)).collect(),
            _ => {
                let mut object = Object::new();
                for _ in 0..self.below(6) {
                    let name = self.of(&names).to_owned();
                    object.insert(name, self.json(depth - 1));
                }
                Value::Object(object)
            }
        }
    }

    /// JSON that looks like a result.
    fn result_json(&mut self) -> Value {
        let mut object = Object::new();
        let content = (0..self.below(4)).map(|_| {
            let mut block = self.json(2);
            if let Value::Object(block) = &mut block {
                let kind = self.of(&[
                    "text",
                    "image",
                    "audio",
                    "resource",
                    "resource_link",
                    "video",
                ]);
                block.insert("type".to_owned(), kind.into());
                block.insert("text".to_owned(), self.text().into());
                if self.coin() {
                    block.insert("data".to_owned(), self.text().into());
                    block.insert("mimeType".to_owned(), self.mime_type().into());
                    block.insert("uri".to_owned(), self.text().into());
                    block.insert("name".to_owned(), self.text().into());
                }
            }
            block
        });
        object.insert("content".to_owned(), content.collect());
        for name in ["structuredContent", "_meta", "zeta"] {
            if self.coin() {
                object.insert(name.to_owned(), self.json(2));
            }
        }
        if self.coin() {
            object.insert("isError".to_owned(), self.coin().into());
        }
        Value::Object(object)
    }

    fn object(&mut self) -> Object {
        json!({"k": self.below(9)}).as_object().unwrap().clone()
    }

    fn annotations(&mut self) -> Annotations {
        let mut annotations = Annotations::default();
        annotations.audience = self.maybe(|it| vec![it.of(&[Role::User, Role::Assistant])]);
        annotations.priority = self.maybe(|_| 1.into());
        annotations.last_modified = self.maybe(Self::text);
        annotations
    }

    fn bare_block(&mut self) -> ContentBlock {
        match self.below(5) {
            0 => ContentBlock::text(self.text()),
            1 => ContentBlock::image(self.text(), self.mime_type()),
            2 => ContentBlock::audio(self.text(), self.mime_type()),
            3 => {
                let mut link = ResourceLink::new(self.text(), self.text());
                link.title = self.maybe(Self::text);
                link.description = self.maybe(Self::text);
                link.mime_type = self.maybe(Self::mime_type);
                link.size = self.maybe(Self::next);
                link.icons = self.maybe(|_| vec![json!({"src": "https://x.test/i.png"})]);
                link.into()
            }
            _ => {
                let mut contents = ResourceContents::default();
                contents.uri = self.text();
                contents.mime_type = self.maybe(Self::mime_type);
                contents.text = self.maybe(Self::text);
                contents.blob = self.maybe(Self::text);
                contents.meta = self.maybe(Self::object);
                ContentBlock::resource(contents)
            }
        }
    }

    fn block(&mut self) -> ContentBlock {
        let mut block = self.bare_block();
        if let Some(annotations) = self.maybe(Self::annotations) {
            block = block.with_annotations(annotations);
        }
        match self.maybe(Self::object) {
            Some(meta) => block.with_meta(meta),
            None => block,
        }
    }

    fn result(&mut self) -> CallToolResult {
        let mut result = CallToolResult::default();
        result.content = (0..self.below(4)).map(|_| self.block()).collect();
        result.structured_content = self.maybe(|it| it.json(2));
        result.is_error = self.coin();
        result.meta = self.maybe(Self::object).unwrap_or_default();
        result
    }
}

#[test]
fn parse_then_print_is_the_identity() {
    for seed in 0..ROUNDS {
        let mut random = Random(seed);
        let value = if random.coin() {
            random.json(4)
        } else {
            random.result_json()
        };
        if let Ok(parsed) = CallToolResult::parse(&value, Reading::default()) {
            assert_eq!(parsed.to_value(), value, "seed {seed}");
        }
    }
}

#[test]
fn no_json_makes_a_conversion_panic() {
    let mut converted = 0;
    for seed in 0..ROUNDS / 4 {
        let mut random = Random(seed);
        let value = if random.coin() {
            random.json(4)
        } else {
            random.result_json()
        };
        for preset in ["rich", "compat"] {
            let outcomes = everywhere(&value, preset);
            converted += outcomes.iter().filter(|(_, it)| it.value.is_ok()).count();
        }
    }
    assert!(
        converted > 2_500,
        "only {converted} conversions had a result to convert"
    );
}

#[test]
fn rendered_results_are_read_without_diagnostics() {
    for seed in 0..ROUNDS {
        for &revision in Revision::ALL {
            let result = Random(seed).result();
            let printed = render::project(result, revision.rules(), &Projection::default());
            let printed = Value::Object(printed.unwrap().value);
            let reading = Reading::default().with_rules(revision.rules());
            let parsed = CallToolResult::parse(&printed, reading).unwrap();
            let odd = parsed.diagnostics.iter().filter(|it| {
                // A resource without contents can be built, and is then printed.
                it.problem != mcp_protocol::parse::Problem::NoContents
            });
            assert_eq!(odd.count(), 0, "seed {seed}: {printed}");
            assert_eq!(parsed.to_value(), printed, "seed {seed}");
        }
    }
}

#[test]
fn the_newest_revision_loses_nothing() {
    for seed in 0..ROUNDS {
        let rules = Revision::V2026_07_28.rules();
        let built = Random(seed).result();
        let printed = render::project(built.clone(), rules, &Projection::default()).unwrap();
        assert!(printed.losses.is_empty(), "seed {seed}: {}", printed.losses);
        let printed = Value::Object(printed.value);
        let mut read = CallToolResult::parse(&printed, Reading::default())
            .unwrap()
            .result;
        // A value that is no object is said in text as well.
        read.content.truncate(built.content.len());
        assert_eq!(read, built, "seed {seed}");
    }
}

/// The members of each type in `schema.ts` of the revisions, oldest first: since which they are there.
const MEMBERS: &[(&str, &[(&str, usize)])] = &[
    (
        "result",
        &[
            ("_meta", 0),
            ("content", 0),
            ("isError", 0),
            ("structuredContent", 2),
            ("resultType", 4),
        ],
    ),
    (
        "text",
        &[("type", 0), ("text", 0), ("annotations", 0), ("_meta", 2)],
    ),
    (
        "image",
        &[
            ("type", 0),
            ("data", 0),
            ("mimeType", 0),
            ("annotations", 0),
            ("_meta", 2),
        ],
    ),
    (
        "audio",
        &[
            ("type", 1),
            ("data", 1),
            ("mimeType", 1),
            ("annotations", 1),
            ("_meta", 2),
        ],
    ),
    (
        "resource",
        &[
            ("type", 0),
            ("resource", 0),
            ("annotations", 0),
            ("_meta", 2),
        ],
    ),
    (
        "contents",
        &[
            ("uri", 0),
            ("mimeType", 0),
            ("text", 0),
            ("blob", 0),
            ("_meta", 2),
        ],
    ),
    (
        "resource_link",
        &[
            ("type", 2),
            ("uri", 2),
            ("name", 2),
            ("title", 2),
            ("description", 2),
            ("mimeType", 2),
            ("size", 2),
            ("annotations", 2),
            ("_meta", 2),
            ("icons", 3),
        ],
    ),
    (
        "annotations",
        &[("audience", 0), ("priority", 0), ("lastModified", 2)],
    ),
];

fn only_members(of: &str, revision: Revision, value: &Value, seed: u64) {
    let (_, members) = MEMBERS.iter().find(|(name, _)| *name == of).unwrap();
    for name in value.as_object().unwrap().keys() {
        let is_known = members
            .iter()
            .any(|(it, since)| it == name && *since <= revision.index());
        assert!(
            is_known,
            "seed {seed}: {of} of {} has {name}: {value}",
            revision.name()
        );
    }
}

#[test]
fn built_results_have_no_member_outside_their_schema() {
    for seed in 0..ROUNDS {
        for &revision in Revision::ALL {
            let result = Random(seed).result();
            let printed = render::project(result, revision.rules(), &Projection::default());
            let printed = Value::Object(printed.unwrap().value);
            only_members("result", revision, &printed, seed);
            for block in printed["content"].as_array().unwrap() {
                only_members(block["type"].as_str().unwrap(), revision, block, seed);
                for (name, of) in [("annotations", "annotations"), ("resource", "contents")] {
                    if let Some(value) = block.get(name) {
                        only_members(of, revision, value, seed);
                    }
                }
            }
            let structured = printed.get("structuredContent");
            let wants_object = (2..4).contains(&revision.index());
            assert!(
                structured.is_none_or(|it| it.is_object() || !wants_object),
                "seed {seed}"
            );
        }
    }
}
