//! What holds for every input: generated from a seed that a failure prints.

use mcp_protocol::{
    CallToolResult, Revision,
    read::ToolResultReadOptions,
    render::{self, Projection},
};
use serde_json::Value;

use crate::random::Random;

const ROUNDS: u64 = 2_000;

impl Random {
    pub(crate) fn result(&mut self) -> CallToolResult {
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
        if let Ok(parsed) = CallToolResult::read(value.clone(), ToolResultReadOptions::default()) {
            assert_eq!(parsed.to_value(), value, "seed {seed}");
        }
    }
}

#[test]
fn rendered_results_are_read_without_diagnostics() {
    for seed in 0..ROUNDS {
        for &revision in Revision::ALL {
            let result = Random(seed).result();
            let printed = render::project(result, revision.features(), &Projection::default());
            let printed = Value::Object(printed.unwrap().0);
            let reading = ToolResultReadOptions::default().with_features(revision.features());
            let parsed = CallToolResult::read(printed.clone(), reading).unwrap();
            let odd = parsed.diagnostics.iter().filter(|it| {
                // A resource without contents can be built, and is then printed.
                !it.to_string().ends_with("neither text nor blob")
            });
            assert_eq!(odd.count(), 0, "seed {seed}: {printed}");
            assert_eq!(parsed.to_value(), printed, "seed {seed}");
        }
    }
}

#[test]
fn the_newest_revision_loses_nothing() {
    for seed in 0..ROUNDS {
        let rules = Revision::V2026_07_28.features();
        let built = Random(seed).result();
        let (printed, losses) =
            render::project(built.clone(), rules, &Projection::default()).unwrap();
        assert!(losses.is_empty(), "seed {seed}: {losses}");
        let printed = Value::Object(printed);
        let mut read = CallToolResult::read(printed.clone(), ToolResultReadOptions::default())
            .unwrap()
            .result;
        // A value that is no object is said in text as well.
        read.content.truncate(built.content.len());
        assert_eq!(read, built, "seed {seed}");
    }
}

/// The members of each type in `schema.ts` of the revisions, oldest first: since which they are there.
const MEMBERS: &str = "
result: _meta 0, content 0, isError 0, structuredContent 2, resultType 4
text: type 0, text 0, annotations 0, _meta 2
image: type 0, data 0, mimeType 0, annotations 0, _meta 2
audio: type 1, data 1, mimeType 1, annotations 1, _meta 2
resource: type 0, resource 0, annotations 0, _meta 2
contents: uri 0, mimeType 0, text 0, blob 0, _meta 2
resource_link: type 2, uri 2, name 2, title 2, description 2, mimeType 2, size 2, annotations 2, _meta 2, icons 3
annotations: audience 0, priority 0, lastModified 2
";

fn only_members(of: &str, revision: Revision, value: &Value, seed: u64) {
    let mut rows = MEMBERS.lines().filter_map(|it| it.split_once(": "));
    let (_, members) = rows.find(|(name, _)| *name == of).unwrap();
    for name in value.as_object().unwrap().keys() {
        let mut members = members.split(", ").filter_map(|it| it.split_once(' '));
        let since = members
            .find(|(it, _)| it == name)
            .map(|(_, since)| since.parse::<usize>().unwrap());
        let is_known = since.is_some_and(|it| it <= revision.index());
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
            let printed = render::project(result, revision.features(), &Projection::default());
            let printed = Value::Object(printed.unwrap().0);
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
