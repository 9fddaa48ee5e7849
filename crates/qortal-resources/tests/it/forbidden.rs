//! Tests that resources, prompts, completions and subscriptions never request anything that acts, reveals secrets or leads out of the API.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use qortal_resources::{Completions, Prompt, Source, Subscriptions, read, sources};
use qortal_testnode::{API_KEY, Scenario};
use serde_json::json;
use test_chain::{
    Chain,
    forbidden::{TRAPS, end, texts, violation},
    walk,
};
use tokio::{task::yield_now, time::timeout};

async fn guarded() -> Chain {
    Chain::keyed(Scenario::recorded(), Some(API_KEY)).await
}

/// Returns a template with one text for all its variables.
fn filled(template: &str, text: &str) -> String {
    let mut pieces = template.split('{');
    let mut uri = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let (_, rest) = piece.split_once('}').unwrap();
        uri.push_str(text);
        uri.push_str(rest);
    }
    uri
}

#[tokio::test]
async fn no_resource_reaches_a_forbidden_endpoint() {
    let chain = guarded().await;
    let all = sources(&chain.catalog).map(|(it, _)| it.template);
    let templates: Vec<_> = all.filter(|it| walk::tries(it)).collect();
    let links = [
        "qortal://WEBSITE/victor/{path}",
        "qortal://DOCUMENT/victor/doc1/{path}",
        "qortal://{service}/victor",
        "qortal://{anything}",
    ];
    for template in templates.into_iter().chain(links) {
        for text in texts() {
            let encoded = utf8_percent_encode(&text, NON_ALPHANUMERIC).to_string();
            let twice = utf8_percent_encode(&encoded, NON_ALPHANUMERIC).to_string();
            for text in [text, encoded, twice] {
                drop(read(&chain.catalog, &filled(template, &text)).await);
            }
        }
    }
    assert!(end(chain, "resources").await > 0);
}

#[tokio::test]
async fn no_prompt_and_no_completion_reaches_a_forbidden_endpoint() {
    let chain = guarded().await;
    let prompts: Vec<_> = Prompt::offered(&chain.catalog).collect();
    let mut names: Vec<&str> = Vec::new();
    for prompt in prompts {
        for text in texts() {
            let arguments = prompt.arguments.iter();
            let arguments = arguments.map(|it| (it.name.to_owned(), json!(text)));
            drop(prompt.render(&chain.catalog, &arguments.collect()).await);
        }
        names.extend(prompt.arguments.iter().map(|it| it.name));
    }
    assert!(end(chain, "prompts").await > 0);
    let Chain { node, catalog } = guarded().await;
    let completions = Completions::new(Arc::new(catalog));
    for argument in names {
        for text in texts() {
            let resolved = json!({"service": "DOCUMENT", "name": text});
            let resolved = resolved.as_object().unwrap();
            drop(completions.complete(argument, &text, resolved).await);
        }
    }
    let found: Vec<_> = node
        .journal()
        .iter()
        .filter_map(|it| violation(&it.method, &it.target))
        .collect();
    assert!(found.is_empty(), "{found:#?}");
    node.stop().await;
}

/// Returns URIs of every resource, subscribable or not, with each trap in each position.
fn trapped_uris() -> Vec<String> {
    let mut all = vec!["qortal://chat/direct/victor/chloe".to_owned()];
    for source in Source::all() {
        let words = ["3", "victor", "LITECOIN", "WEBSITE"]
            .into_iter()
            .chain(TRAPS);
        for word in words {
            let encoded = utf8_percent_encode(word, NON_ALPHANUMERIC).to_string();
            for value in [word, &encoded] {
                let mut uri = source.template.replace("{+", "{");
                for variable in source.variables() {
                    uri = uri.replace(&format!("{{{variable}}}"), value);
                }
                all.push(uri);
            }
        }
    }
    all
}

#[tokio::test]
async fn no_subscription_reaches_a_forbidden_endpoint() {
    let chain = Chain::keyed(Scenario::recorded(), Some(API_KEY)).await;
    let (node, catalog) = (chain.node, Arc::new(chain.catalog));
    let subscriptions = Subscriptions::new(catalog, |_| ());
    let mut kept = Vec::new();
    for uri in trapped_uris() {
        // Most of these fail. The test checks the requests made in the meantime.
        kept.extend(subscriptions.subscribe(&uri).await.ok());
    }
    let sockets = || {
        let journal = node.journal().into_iter();
        let targets = journal.map(|it| it.target);
        let sockets = targets.filter(|it| it.starts_with("/websockets/"));
        sockets.collect::<BTreeSet<_>>()
    };
    // The status, the tip, the offers of a coin, and the chats of a group and of two accounts.
    let opened = async {
        while sockets().len() < 5 {
            yield_now().await;
        }
    };
    let opened = timeout(Duration::from_secs(20), opened).await;
    assert!(opened.is_ok(), "{:#?}", sockets());
    subscriptions.stop().await;
    let journal = node.journal();
    let found = journal
        .iter()
        .filter_map(|it| violation(&it.method, &it.target));
    let found: Vec<_> = found.collect();
    assert!(found.is_empty(), "{found:#?}");
    let mut sockets = journal
        .iter()
        .filter(|it| it.target.starts_with("/websockets"));
    assert!(sockets.all(|it| !it.has_api_key));
    node.stop().await;
}
