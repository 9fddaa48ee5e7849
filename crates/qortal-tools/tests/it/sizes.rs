//! No answer is longer than hosts show their models, whatever was asked for; the rest comes with `next`.

use qortal_testnode::{Fault, Scenario};
use qortal_tools::Entry;
use serde_json::{Value, json};

use crate::{Chain, walk};

/// Some hosts show nothing of a longer answer.
const MOST: usize = 40_000;

/// The arguments of the example, and the same with all that makes an answer longer.
fn arguments(entry: &Entry) -> [Value; 2] {
    let example: Value = serde_json::from_str(entry.example).unwrap();
    let mut longest = example.clone();
    for parameter in entry.parameters() {
        let name = parameter.name.as_str();
        let value = match name {
            // Very large limits are not published.
            "limit" | "count" => match parameter.schema.get("maximum") {
                Some(most) => most.clone(),
                None => json!(1_000_000),
            },
            "detail" => json!("full"),
            _ => continue,
        };
        longest[name] = value;
    }
    [example, longest]
}

/// The tools whose answers are too long, of those that answer.
async fn too_long(chain: &Chain) -> (Vec<String>, usize) {
    let (mut long, mut answered) = (Vec::new(), 0);
    for entry in walk::entries() {
        for arguments in arguments(entry) {
            let shown = format!("{} {arguments}", entry.name);
            let arguments = arguments.as_object().unwrap().clone();
            let Ok(outcome) = chain.catalog.call(entry, arguments).await else {
                continue;
            };
            answered += 1;
            let bytes = outcome.json().len();
            if bytes > MOST {
                long.push(format!("{shown}: {bytes}"));
            }
        }
    }
    (long, answered)
}

#[tokio::test]
async fn no_answer_about_a_large_chain_is_longer_than_hosts_show() {
    let chain = Chain::of(Scenario::large()).await;
    let (long, answered) = too_long(&chain).await;
    assert!(long.is_empty(), "{long:#?}");
    assert!(answered > walk::entries().count(), "{answered}");
    chain.stop().await;
}

/// What people write is longer in life than in the recordings.
#[tokio::test]
async fn no_answer_with_long_texts_is_longer_than_hosts_show() {
    let chain = Chain::recorded().await;
    for member in ["data", "description", "name", "optionName"] {
        let text = " and so on".repeat(100);
        let member = Some(member.to_owned());
        chain.node.clear_faults();
        chain.node.fault(
            "/*",
            Fault::Inject {
                member: member.clone(),
                text,
            },
        );
        let (long, answered) = too_long(&chain).await;
        assert!(long.is_empty(), "{member:?}: {long:#?}");
        assert!(answered > walk::entries().count(), "{answered}");
    }
    chain.stop().await;
}

/// Three lists with one limit, none of which is cut by itself. They are cut out of what the node sent: it is asked once.
#[tokio::test]
async fn lists_that_are_too_long_together_have_fewer_rows_and_go_on() {
    let chain = Chain::recorded().await;
    let names: Vec<String> = (0..500)
        .map(|it| format!("{it:>40}").replace(' ', "x"))
        .collect();
    let body = json!(names).to_string();
    chain.node.fault("/lists/*", Fault::Status(200, body));
    let (mut arguments, mut read) = (json!({"limit": 500}), Vec::new());
    loop {
        let asked = chain.node.request_count();
        let page = chain.call("get_node_lists", arguments).await.unwrap();
        assert_eq!(chain.node.request_count() - asked, 3, "one for each list");
        assert!(page.to_string().len() <= MOST);
        for list in ["blockedNames", "blockedAddresses"] {
            assert_eq!(page[list], page["followedNames"]);
        }
        read.extend(page["followedNames"].as_array().unwrap().iter().cloned());
        let Some(next) = page.get("next") else { break };
        arguments = next["arguments"].clone();
    }
    assert_eq!(json!(read), json!(names));
    chain.stop().await;
}

/// Hosts cut longer answers, or show their model nothing of them.
#[tokio::test]
async fn a_long_list_is_cut_and_goes_on_where_it_was_cut() {
    let chain = Chain::recorded().await;
    for (start, reverse) in [(100, false), (300, true)] {
        let mut arguments = json!({"height": start, "count": 100, "reverse": reverse});
        let mut heights = Vec::new();
        let mut cut = 0;
        while heights.len() < 150 {
            let page = chain.call("list_block_range", arguments).await.unwrap();
            let size = page.to_string().len();
            assert!(size <= MOST, "{size}");
            let blocks = page["blocks"].as_array().unwrap();
            cut += usize::from(blocks.len() < 100);
            heights.extend(blocks.iter().map(|it| it["height"].as_u64().unwrap()));
            assert_eq!(page["truncated"], true);
            arguments = page["next"]["arguments"].clone();
            assert_eq!(arguments["count"], 100);
        }
        assert!(cut > 0);
        let expected = (0..heights.len() as u64).map(|it| match reverse {
            true => start - it,
            false => start + it,
        });
        assert_eq!(heights, expected.collect::<Vec<_>>());
    }
    chain.stop().await;
}
