//! R-076: a request without a token is answered with where to get one, and each token is verified.

use std::sync::Arc;

use hyper::header::WWW_AUTHENTICATE;
use mcp_http::{
    AuthInfo, Authorization, ConfigError, ProtectedResource, Service, TokenVerifier, VerifyError,
};
use mcp_protocol::Revision;
use mcp_server::BoxFuture;
use serde_json::{Value, json};

use crate::{
    client::{Answer, Client},
    post::Post,
    site::{self, Site},
};

const RESOURCE: &str = "https://mcp.example.org/mcp";
const METADATA: &str =
    r#"resource_metadata="https://mcp.example.org/.well-known/oauth-protected-resource/mcp""#;

/// The verifier of these tests: a token's name selects its grant.
#[derive(Debug)]
struct Issuer;

impl TokenVerifier for Issuer {
    fn verify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<AuthInfo, VerifyError>> {
        let grant = |audience: &str, scopes: &[&str]| {
            let grant = AuthInfo::for_audience("https://other.example.org").with_audience(audience);
            scopes
                .iter()
                .fold(grant, |grant, scope| grant.with_scope(*scope))
        };
        Box::pin(async move {
            match token {
                "good" => Ok(grant(RESOURCE, &["more", "mcp:read"])),
                "narrow" => Ok(grant(RESOURCE, &["more"])),
                "elsewhere" => Ok(grant("https://mcp.example.org/", &["mcp:read"])),
                "unreachable" => Err(VerifyError::Unavailable(
                    "the issuer does not answer".into(),
                )),
                "expired" => Err(VerifyError::Expired),
                "opaque" => Err(VerifyError::Unsuitable("it is not a JWT".into())),
                "hanging" => std::future::pending().await,
                _ => Err(VerifyError::unknown_token()),
            }
        })
    }
}

pub(crate) fn authorization() -> Authorization {
    let server = "https://auth.example.org/tenant";
    Authorization::new("https://mcp.example.org/", server, Arc::new(Issuer)).with_scope("mcp:read")
}

async fn start() -> Site {
    Site::start_with(|config| config.authorization = Some(authorization())).await
}

async fn ask(client: &mut Client, revision: Revision, tokens: &[&str]) -> Answer {
    let mut post = Post::call(revision, "echo", json!({}));
    for token in tokens {
        post = post.with("Authorization", token);
    }
    client.ask(post.to_bytes()).await
}

#[tokio::test]
async fn r076_every_request_needs_a_token_for_this_server() {
    let site = start().await;
    let mut client = site.client().await;
    for (tokens, status, error) in [
        (&["Bearer good"][..], 200, None),
        (&["bearer   good"], 200, None),
        (&[], 401, None),
        (&["Basic Z29vZA=="], 401, None),
        (&["Bearer forged"], 401, Some("invalid_token")),
        (&["Bearer expired"], 401, Some("invalid_token")),
        (&["Bearer opaque"], 401, Some("invalid_token")),
        (&["Bearer elsewhere"], 401, Some("invalid_token")),
        (&["Bearer narrow"], 403, Some("insufficient_scope")),
        (&["Bearer"], 400, Some("invalid_request")),
        (&["Bearer go od"], 400, Some("invalid_request")),
        (&["Bearer \"good\""], 400, Some("invalid_request")),
        (
            &["Bearer good", "Bearer good"],
            400,
            Some("invalid_request"),
        ),
    ] {
        for &revision in Revision::ALL {
            let answer = ask(&mut client, revision, tokens).await;
            assert_eq!(answer.status, status, "{tokens:?}");
            let challenge = answer.header("www-authenticate");
            if status == 200 {
                assert_eq!(challenge, None);
                continue;
            }
            let error = error.map_or_else(String::new, |it| format!("error=\"{it}\", "));
            let expected = format!("Bearer {error}{METADATA}, scope=\"mcp:read\"");
            assert_eq!(challenge, Some(expected.as_str()), "{tokens:?}");
            let body: Value = serde_json::from_slice(&answer.body).unwrap();
            assert_eq!(body["error"]["code"], -32600, "{tokens:?}");
        }
    }
    site.end().await;
}

/// A client that requests a new token of the same kind for ever helps nobody.
#[tokio::test]
async fn client_is_asked_for_a_new_token_only_where_that_helps() {
    let site = start().await;
    let mut client = site.client().await;
    for (token, expected) in [
        (
            "forged",
            "the token is not valid for this resource, request a new one",
        ),
        ("expired", "the token has expired, request a new one"),
        (
            "opaque",
            "the token is not suitable for this resource, and neither is a new one of the same kind: it is not a JWT",
        ),
        (
            "elsewhere",
            "the token is not suitable for this resource, and neither is a new one of the same kind: the audience does not include https://mcp.example.org/mcp",
        ),
    ] {
        let tokens = [format!("Bearer {token}")];
        let tokens: Vec<_> = tokens.iter().map(String::as_str).collect();
        let answer = ask(&mut client, Revision::ALL[0], &tokens).await;
        let body: Value = serde_json::from_slice(&answer.body).unwrap();
        let message = body["error"]["message"].as_str().unwrap();
        assert!(message.ends_with(expected), "{message}");
    }
    site.end().await;
}

#[tokio::test]
async fn r076_a_token_in_the_query_is_not_accepted() {
    let site = start().await;
    let mut client = site.client().await;
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for (query, status) in [
        ("access_token=good", 400),
        ("x=1&access_token", 400),
        ("my_access_token=good", 200),
    ] {
        let request = format!(
            "POST /mcp?{query} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        assert_eq!(client.ask(request).await.status, status, "{query}");
    }
    site.end().await;
}

#[tokio::test]
async fn r076_the_metadata_name_the_issuers_and_need_no_token() {
    let site = start().await;
    let mut client = site.client().await;
    let mut get = async |path: &str| {
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        client.ask(request).await
    };
    for path in [
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-protected-resource",
    ] {
        let answer = get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("content-type"), Some("application/json"));
        let document: Value = serde_json::from_slice(&answer.body).unwrap();
        let expected = json!({
            "resource": RESOURCE,
            "authorization_servers": ["https://auth.example.org/tenant"],
            "bearer_methods_supported": ["header"],
            "scopes_supported": ["mcp:read"],
        });
        assert_eq!(document, expected, "{path}");
    }
    for path in [
        "/.well-known/oauth-protected-resource/other",
        "/.well-known/oauth-protected-resource/mcp/",
        "/.well-known/oauth-authorization-server",
        "/mcp/.well-known/oauth-protected-resource",
    ] {
        assert_eq!(get(path).await.status, 404, "{path}");
    }
    assert_eq!(get("/health").await.status, 200);
    site.end().await;
}

/// A paused clock advances by itself when every task waits, so that the timeout takes no time.
#[tokio::test(start_paused = true)]
async fn a_token_that_cannot_be_verified_is_answered_with_503() {
    let (service, _waits) = site::service(|config| config.authorization = Some(authorization()));
    for token in ["unreachable", "hanging"] {
        let request = hyper::Request::post("/mcp")
            .header("host", "localhost")
            .header("authorization", format!("Bearer {token}"))
            .body(String::new())
            .unwrap();
        let response = service.answer(request).await;
        assert_eq!(response.status(), 503, "{token}");
        assert!(!response.headers().contains_key(WWW_AUTHENTICATE));
    }
}

#[tokio::test]
async fn an_invalid_authorization_is_refused_at_start() {
    type Adapt = fn(&mut Authorization);
    fn issuers(authorization: &mut Authorization) -> &mut ProtectedResource {
        authorization.protected_resource.as_mut().unwrap()
    }
    let cases: [(&str, Adapt); 12] = [
        ("mcp.example.org", |it| {
            issuers(it).public_url = "mcp.example.org".to_owned();
        }),
        ("https://a.example.org/b", |it| {
            issuers(it).public_url = "https://a.example.org/b".to_owned();
        }),
        ("ftp://a.example.org", |it| {
            issuers(it).public_url = "ftp://a.example.org".to_owned();
        }),
        ("https://a.example.org?b", |it| {
            issuers(it).public_url = "https://a.example.org?b".to_owned();
        }),
        ("https://a.example.org/b/?c", |it| {
            issuers(it).public_url = "https://a.example.org/b/?c".to_owned();
        }),
        ("https://auth/?a", |it| {
            issuers(it)
                .authorization_servers
                .push("https://auth/?a".to_owned());
        }),
        ("https://auth/\"", |it| {
            issuers(it)
                .authorization_servers
                .push("https://auth/\"".to_owned());
        }),
        ("", |it| issuers(it).authorization_servers.clear()),
        ("auth", |it| {
            issuers(it).authorization_servers.push("auth".to_owned());
        }),
        ("two words", |it| it.scopes.push("two words".to_owned())),
        ("a\"b", |it| it.scopes.push("a\"b".to_owned())),
        ("", |it| it.alternative_scopes.push(String::new())),
    ];
    for (wrong, adapt) in cases {
        let (mut config, _waits) = site::config();
        let mut refused = authorization();
        adapt(&mut refused);
        config.authorization = Some(refused);
        let refused = Service::new(config).err();
        assert_eq!(refused, Some(ConfigError::Authorization(wrong.to_owned())));
    }
}

/// Hosts that find metadata start an authorization flow, which no server would answer.
#[tokio::test]
async fn tokens_that_the_operator_hands_out_need_no_metadata_and_no_audience() {
    let site = Site::start_with(|config| {
        config.authorization = Some(Authorization::preshared_tokens(Arc::new(Issuer)));
    })
    .await;
    let mut client = site.client().await;
    let refused = ask(&mut client, Revision::V2026_07_28, &[]).await;
    assert_eq!(refused.status, 401);
    let challenge = refused.header("www-authenticate");
    assert_eq!(challenge, Some("Bearer realm=\"mcp\""));
    for path in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
    ] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert_eq!(client.ask(request).await.status, 404, "{path}");
    }
    for (token, status) in [("Bearer elsewhere", 200), ("Bearer forged", 401)] {
        let answer = ask(&mut client, Revision::V2026_07_28, &[token]).await;
        assert_eq!(answer.status, status, "{token}");
    }
    site.end().await;
}

#[tokio::test]
async fn r094_a_token_needs_one_of_the_scopes_that_are_for_parts_of_the_server() {
    let site = Site::start_with(|config| {
        let mut authorization = authorization();
        authorization.scopes.clear();
        let authorization = authorization
            .with_any_of_scope("mcp:read")
            .with_any_of_scope("mcp:write");
        config.authorization = Some(authorization);
    })
    .await;
    let mut client = site.client().await;
    for (token, status, error) in [
        ("Bearer good", 200, None),
        ("Bearer forged", 401, Some("invalid_token")),
        ("Bearer narrow", 403, Some("insufficient_scope")),
    ] {
        let answer = ask(&mut client, Revision::V2026_07_28, &[token]).await;
        assert_eq!(answer.status, status, "{token}");
        // It is told to ask for the first.
        let expected =
            error.map(|it| format!("Bearer error=\"{it}\", {METADATA}, scope=\"mcp:read\""));
        assert_eq!(answer.header("www-authenticate"), expected.as_deref());
    }
    let request = "GET /.well-known/oauth-protected-resource HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let document = client.ask(request).await.json();
    let supported = json!(["mcp:read", "mcp:write"]);
    assert_eq!(document["scopes_supported"], supported);
    site.end().await;
}
