//! Views: pages that hosts show beside answers, in every revision, and to no client that is known not to show them.

use mcp_protocol::{
    CallToolResult, ReadResourceResult, Resource, Revision, ServerInfo, Tool, lifecycle,
    ui::{self, Csp, Permission, View, ViewSupport, Visibility},
};
use mcp_server::{
    BoxFuture, CallContext, ListVariant, ReadResourceError, RequestContext, ResourceSet, Server,
    ToolRouter,
};
use serde_json::{Value, json};

use crate::{ask, ask_over, request, session_of, tool};

const PAGE: &str = "<!DOCTYPE html><title>a</title>";
const URI: &str = "ui://test/a-8274a028.html";

fn view() -> View {
    View::versioned("ui://test/a.html", "a", PAGE)
        .with_title("A")
        .with_description("For tests.")
        .with_border(true)
}

fn linked() -> Tool {
    let meta = json!({"example.org/own": 1}).as_object().cloned();
    tool("linked")
        .with_meta(meta.unwrap())
        .with_view(&view())
        .with_visibility(&[Visibility::Model, Visibility::App])
}

/// Says what the context knows of the client.
fn server() -> Server {
    let tools = ToolRouter::new()
        .raw_tool_with_context(linked(), |_, cx| {
            let known = format!("{:?}", cx.view_support());
            Box::pin(async move { Ok(CallToolResult::text(known)) })
        })
        .raw_tool(tool("plain"), |_| async { CallToolResult::text("") });
    Server::builder(ServerInfo::new("test", "1"))
        .tools(tools)
        .resources(One)
        .view(view())
        .build()
        .unwrap()
}

/// A set with one resource of its own.
struct One;

impl ResourceSet for One {
    fn resources(&self, _: &ListVariant) -> Vec<Resource> {
        vec![Resource::new("test://one", "one", "For tests.")]
    }

    fn read<'a>(
        &'a self,
        uri: &'a str,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadResourceError>> {
        Box::pin(async move {
            match uri {
                "test://one" => Ok(ReadResourceResult::text(uri, "text/plain", "1")),
                _ => Err(ReadResourceError::NotFound),
            }
        })
    }
}

fn declaring(types: &Value) -> Value {
    json!({"extensions": {ui::EXTENSION: {"mimeTypes": types}}})
}

/// `_meta` of the listed tool.
async fn meta(revision: Revision, capabilities: &Value) -> (Value, Value) {
    let server = server();
    let listed = if revision.has_handshake() {
        let (cx, _outgoing, _session) = session_of(revision, capabilities);
        ask_over(&server, revision, "tools/list", json!({}), &cx).await
    } else {
        let params = json!({"_meta": {lifecycle::CLIENT_CAPABILITIES: capabilities}});
        ask(&server, revision, "tools/list", params).await
    };
    let result = &listed["result"];
    assert_eq!(result["tools"][1].get("_meta"), None);
    (
        result["tools"][0]["_meta"].clone(),
        result["cacheScope"].clone(),
    )
}

#[tokio::test]
async fn every_revision_has_the_extension_and_the_page() {
    let server = server();
    for &revision in Revision::ALL {
        let has_meta = revision.features().meta;
        let method = match revision.has_handshake() {
            true => "initialize",
            false => "server/discover",
        };
        let opened = ask(&server, revision, method, json!({})).await;
        let capabilities = &opened["result"]["capabilities"];
        assert_eq!(capabilities["extensions"], json!({ui::EXTENSION: {}}));

        let listed = ask(&server, revision, "tools/list", json!({})).await;
        let mut expected = json!({
            "ui": {"resourceUri": URI, "visibility": ["model", "app"]},
            "ui/resourceUri": URI,
        });
        if has_meta {
            expected["example.org/own"] = 1.into();
        }
        assert_eq!(listed["result"]["tools"][0]["_meta"], expected);

        let listed = ask(&server, revision, "resources/list", json!({})).await;
        let resources = listed["result"]["resources"].as_array().unwrap();
        assert_eq!(resources.len(), 2);
        let meta = json!({"ui": {"csp": {}, "prefersBorder": true}});
        let mut expected = json!({
            "uri": URI, "name": "a", "description": "For tests.", "mimeType": ui::MIME_TYPE, "size": 31,
            "_meta": meta,
        });
        if revision.features().titles {
            expected["title"] = "A".into();
        }
        assert_eq!(resources[1], expected);

        for uri in [URI, "ui://test/a.html", "ui://test/a-00000000.html"] {
            let read = ask(&server, revision, "resources/read", json!({"uri": uri})).await;
            let contents =
                json!([{"uri": uri, "mimeType": ui::MIME_TYPE, "text": PAGE, "_meta": meta}]);
            assert_eq!(read["result"]["contents"], contents);
            if revision.features().cache_hints {
                assert_eq!(read["result"]["cacheScope"], "public");
            }
        }
        for uri in [
            "ui://test/b.html",
            "ui://test/a-1.html",
            "ui://test/a-0000000g.html",
            "ui://test/a-00000000.htm",
        ] {
            let read = ask(&server, revision, "resources/read", json!({"uri": uri})).await;
            assert_eq!(
                read["error"]["code"],
                revision.features().resource_not_found,
                "{uri}"
            );
        }
        let own = json!({"uri": "test://one"});
        let read = ask(&server, revision, "resources/read", own).await;
        assert_eq!(read["result"]["contents"][0]["text"], "1");
    }
}

#[tokio::test]
async fn links_are_left_out_only_where_the_client_is_known_to_show_no_views() {
    for &revision in Revision::ALL {
        for (capabilities, linked) in [
            (json!({}), true),
            (json!({"extensions": {"org.example/x": {}}}), true),
            (json!({"extensions": {ui::EXTENSION: {}}}), true),
            (declaring(&json!("text/html")), true),
            (declaring(&json!([ui::MIME_TYPE])), true),
            (
                declaring(&json!(["a/b", "Text/HTML; Profile=mcp-app"])),
                true,
            ),
            (declaring(&json!([])), false),
            (declaring(&json!(["text/html", 7])), false),
        ] {
            let (meta, cache_scope) = meta(revision, &capabilities).await;
            assert_eq!(meta.get("ui").is_some(), linked, "{capabilities}");
            assert_eq!(
                meta.get("ui/resourceUri").is_some(),
                linked,
                "{capabilities}"
            );
            if revision.features().meta {
                assert_eq!(meta["example.org/own"], 1);
            }
            // A shared cache must not keep the list of the few for everyone.
            if revision.features().cache_hints {
                let expected = if linked { "public" } else { "private" };
                assert_eq!(cache_scope, expected, "{capabilities}");
            }
        }
    }
}

#[tokio::test]
async fn a_tool_knows_whether_its_client_shows_views() {
    let server = server();
    let call = json!({"name": "linked"});
    for &revision in Revision::ALL {
        for (capabilities, expected) in [
            (json!({}), ViewSupport::Unknown),
            (declaring(&json!([ui::MIME_TYPE])), ViewSupport::Supported),
            (declaring(&json!([])), ViewSupport::Unsupported),
        ] {
            let answer = if revision.has_handshake() {
                let (cx, _outgoing, _session) = session_of(revision, &capabilities);
                ask_over(&server, revision, "tools/call", call.clone(), &cx).await
            } else {
                let mut params = call.clone();
                params["_meta"] = json!({lifecycle::CLIENT_CAPABILITIES: capabilities});
                ask(&server, revision, "tools/call", params).await
            };
            let known = &answer["result"]["content"][0]["text"];
            assert_eq!(known, &format!("{expected:?}"));
        }
    }
}

#[tokio::test]
async fn a_session_is_known_without_a_channel() {
    let revision = Revision::V2025_11_25;
    let params = json!({"capabilities": declaring(&json!([]))});
    let initialize = request(revision, "initialize", params);
    let session = mcp_server::transport::Session::open(revision, &initialize);
    let cx = RequestContext::default().in_session(std::sync::Arc::new(session));
    let listed = ask_over(&server(), revision, "tools/list", json!({}), &cx).await;
    let meta = &listed["result"]["tools"][0]["_meta"];
    assert_eq!(meta, &json!({"example.org/own": 1}));
}

#[tokio::test]
async fn views_need_no_other_resources() {
    let server = Server::builder(ServerInfo::new("test", "1"))
        .view(view())
        .build()
        .unwrap();
    for &revision in Revision::ALL {
        let listed = ask(&server, revision, "resources/list", json!({})).await;
        assert_eq!(listed["result"]["resources"][0]["uri"], URI);
        let listed = ask(&server, revision, "resources/templates/list", json!({})).await;
        assert_eq!(listed["result"]["resourceTemplates"], json!([]));
        let read = ask(&server, revision, "resources/read", json!({"uri": URI})).await;
        assert_eq!(read["result"]["contents"][0]["text"], PAGE);
        let read = json!({"uri": "test://one"});
        let read = ask(&server, revision, "resources/read", read).await;
        let code = revision.features().resource_not_found;
        assert_eq!(read["error"]["code"], code);
    }
}

#[test]
fn a_view_states_all_that_it_uses() {
    let origins = Csp::default()
        .with_connect_domain("https://api.example.org")
        .with_resource_domain("https://cdn.example.org")
        .with_frame_domain("https://frame.example.org")
        .with_base_uri_domain("https://base.example.org");
    let view = View::versioned("ui://test/plain", "plain", PAGE)
        .with_csp(origins)
        .with_permission(Permission::ClipboardWrite)
        .with_permission(Permission::Camera)
        .with_domain("a.example.org")
        .with_border(false);
    assert_eq!(view.uri(), "ui://test/plain-8274a028");
    let expected = json!({"ui": {
        "csp": {
            "connectDomains": ["https://api.example.org"],
            "resourceDomains": ["https://cdn.example.org"],
            "frameDomains": ["https://frame.example.org"],
            "baseUriDomains": ["https://base.example.org"],
        },
        "permissions": {"clipboardWrite": {}, "camera": {}},
        "domain": "a.example.org",
        "prefersBorder": false,
    }});
    assert_eq!(Value::Object(view.to_resource().meta), expected);
}

#[test]
fn addresses_are_checked_when_the_server_is_built() {
    let build = |views: [View; 2]| {
        let [first, second] = views;
        let builder = Server::builder(ServerInfo::new("test", "1"));
        builder.view(first).view(second).build().map(|_| ())
    };
    let other = || View::versioned("ui://test/b.html", "b", PAGE);
    assert!(build([view(), other()]).is_ok());
    // Another page at the same address.
    let same = View::versioned("ui://test/a.html", "b", "<!DOCTYPE html>");
    assert!(build([view(), same]).is_err());
    let wrong = View::versioned("https://test/b.html", "b", PAGE);
    assert!(build([view(), wrong]).is_err());
}
