//! Lists in pages, and the cursors between them.

use std::{
    num::NonZeroUsize,
    sync::atomic::{AtomicUsize, Ordering},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use mcp_protocol::{CacheHint, Object, ReadResourceResult, Resource, Revision, ServerInfo, Tool};
use mcp_server::{
    BoxFuture, CallContext, ChangeNotifier, ListKinds, ListVariant, ReadResourceError, ResourceSet,
    Server, SigningKey, ToolReply, ToolSet,
};
use serde_json::{Value, json};

use crate::{ask, tool};

/// As many tools and resources as it says, in pages of three.
struct Many(&'static AtomicUsize);

impl ToolSet for Many {
    fn tools(&self, _: &ListVariant) -> Vec<Tool> {
        let count = self.0.load(Ordering::Relaxed);
        (0..count).map(|n| tool(&format!("tool_{n}"))).collect()
    }

    fn call<'a>(
        &'a self,
        _: &str,
        _: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        None
    }

    fn page_size(&self) -> Option<NonZeroUsize> {
        NonZeroUsize::new(3)
    }

    fn list_cache_hint(&self) -> Option<CacheHint> {
        Some(HINT)
    }
}

/// What the tools of [`Many`] say of their list.
const HINT: CacheHint = CacheHint::private(7);

impl ResourceSet for Many {
    fn resources(&self, _: &ListVariant) -> Vec<Resource> {
        let count = self.0.load(Ordering::Relaxed);
        let resource = |n| Resource::new(format!("test://{n}"), format!("{n}"), "For tests.");
        (0..count).map(resource).collect()
    }

    fn read<'a>(
        &'a self,
        _: &'a str,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadResourceError>> {
        Box::pin(async { Err(ReadResourceError::NotFound) })
    }

    fn page_size(&self) -> Option<NonZeroUsize> {
        NonZeroUsize::new(3)
    }
}

fn server(count: &'static AtomicUsize, key: [u8; 32]) -> Server {
    Server::builder(ServerInfo::new("test", "0"))
        .tools(Many(count))
        .resources(Many(count))
        .signing_key(SigningKey::new(key))
        .build()
        .unwrap()
}

const LISTS: [(&str, &str, &str); 2] = [
    ("tools/list", "tools", "name"),
    ("resources/list", "resources", "uri"),
];

#[tokio::test]
async fn r038_following_the_cursors_yields_everything_once() {
    for count in [0, 1, 3, 4, 9, 10] {
        let count: &'static AtomicUsize = Box::leak(Box::new(AtomicUsize::new(count)));
        let server = server(count, [1; 32]);
        let count = count.load(Ordering::Relaxed);
        for &revision in Revision::ALL {
            for (method, member, name) in LISTS {
                let mut seen = Vec::new();
                let mut params = json!({});
                let mut pages = 0;
                loop {
                    let listed = ask(&server, revision, method, params.clone()).await;
                    let result = &listed["result"];
                    let page = result[member].as_array().unwrap();
                    assert!(page.len() <= 3);
                    seen.extend(page.iter().map(|it| it[name].clone()));
                    pages += 1;
                    let is_hinted = result.get("ttlMs").is_some();
                    assert_eq!(is_hinted, revision.features().cache_hints);
                    match result.get("nextCursor") {
                        Some(cursor) => params["cursor"] = cursor.clone(),
                        None => break,
                    }
                }
                assert_eq!(pages, count.div_ceil(3).max(1));
                assert_eq!(seen.len(), count);
                seen.dedup();
                assert_eq!(seen.len(), count);
            }
        }
    }
}

#[tokio::test]
async fn r038_a_cursor_that_was_changed_or_is_of_another_list_is_refused() {
    static COUNT: AtomicUsize = AtomicUsize::new(10);
    for &revision in Revision::ALL {
        check_cursors(revision, &COUNT).await;
    }
}

async fn check_cursors(revision: Revision, count: &'static AtomicUsize) {
    let ours = server(count, [1; 32]);
    let first = ask(&ours, revision, "tools/list", json!({})).await;
    let cursor = first["result"]["nextCursor"].as_str().unwrap().to_owned();
    let mut wrong = vec![json!(""), json!("x"), json!(1), json!({}), json!([cursor])];
    let bytes = STANDARD.decode(&cursor).unwrap();
    for n in 0..bytes.len() {
        for bit in [1, 0x80] {
            let mut changed = bytes.clone();
            changed[n] ^= bit;
            wrong.push(STANDARD.encode(&changed).into());
        }
        wrong.push(STANDARD.encode(&bytes[..n]).into());
    }
    for cursor in wrong {
        let refused = ask(&ours, revision, "tools/list", json!({"cursor": cursor})).await;
        assert_eq!(refused["error"]["code"], -32602, "{cursor}");
    }
    let refused = ask(&ours, revision, "resources/list", json!({"cursor": cursor})).await;
    assert_eq!(refused["error"]["code"], -32602);
    let params = json!({"cursor": cursor});
    // A replica takes it if it has the key, and refuses it if not.
    let replica = server(count, [1; 32]);
    assert_eq!(
        ask(&replica, revision, "tools/list", params.clone()).await["result"]["tools"][0]["name"],
        "tool_3"
    );
    let stranger = server(count, [2; 32]);
    assert_eq!(
        ask(&stranger, revision, "tools/list", params.clone()).await["error"]["code"],
        -32602
    );
    // Null is no cursor.
    let first_again = ask(&ours, revision, "tools/list", json!({"cursor": null})).await;
    assert_eq!(first_again["result"], first["result"]);
}

#[tokio::test]
async fn a_cursor_of_a_list_that_has_changed_is_refused() {
    static COUNT: AtomicUsize = AtomicUsize::new(10);
    let changes = ChangeNotifier::new();
    let server = Server::builder(ServerInfo::new("test", "0"))
        .tools(Many(&COUNT))
        .list_changed(&changes, ListKinds::ALL)
        .build()
        .unwrap();
    for &revision in Revision::ALL {
        COUNT.store(10, Ordering::Relaxed);
        changes.tools_changed();
        let first = ask(&server, revision, "tools/list", json!({})).await;
        let params = json!({"cursor": first["result"]["nextCursor"]});
        let second = ask(&server, revision, "tools/list", params.clone()).await;
        assert_eq!(second["result"]["tools"][0]["name"], "tool_3");
        // No client was notified yet.
        COUNT.store(2, Ordering::Relaxed);
        let same: Value = ask(&server, revision, "tools/list", json!({})).await;
        assert_eq!(same["result"], first["result"]);
        changes.tools_changed();
        let refused = ask(&server, revision, "tools/list", params).await;
        assert_eq!(refused["error"]["code"], -32602);
        let new = ask(&server, revision, "tools/list", json!({})).await;
        assert_eq!(new["result"]["tools"].as_array().unwrap().len(), 2);
    }
}

#[tokio::test]
async fn r037_a_set_decides_how_long_its_list_may_be_cached() {
    static COUNT: AtomicUsize = AtomicUsize::new(4);
    let revision = Revision::V2026_07_28;
    let fixed = server(&COUNT, [1; 32]);
    let live = Server::builder(ServerInfo::new("test", "0"))
        .resources(Many(&COUNT))
        .list_changed(&ChangeNotifier::new(), ListKinds::ALL)
        .build()
        .unwrap();
    for (server, method, ttl, scope) in [
        (&fixed, "tools/list", 7, "private"),
        (&fixed, "resources/list", 3_600_000, "public"),
        (&live, "resources/list", 0, "public"),
    ] {
        let first = ask(server, revision, method, json!({})).await;
        let params = json!({"cursor": first["result"]["nextCursor"]});
        let second = ask(server, revision, method, params).await;
        for page in [&first["result"], &second["result"]] {
            assert_eq!(page["ttlMs"], ttl, "{method}");
            assert_eq!(page["cacheScope"], scope, "{method}");
        }
    }
}
