//! Access tokens that a source gives, and gives anew.

use std::{
    error::Error,
    sync::{Arc, Mutex},
    time::Duration,
};

use mcp_client::{
    Challenge, Client, ClientConfig, ClientError, Endpoint, TokenSource,
    mcp_protocol::{Object, Revision},
};
use serde_json::json;

use crate::http_faults::{Server, config, opening, response, result, serve};

/// Gives each of its tokens until it is rejected, and keeps the challenges.
#[derive(Clone, Default)]
struct Tokens {
    left: Arc<Mutex<Vec<&'static str>>>,
    challenges: Arc<Mutex<Vec<Challenge>>>,
}

impl TokenSource for Tokens {
    async fn token(
        &self,
        challenge: Option<&Challenge>,
    ) -> Result<Option<String>, Box<dyn Error + Send + Sync>> {
        let mut left = self.left.lock().unwrap();
        if let Some(challenge) = challenge {
            self.challenges.lock().unwrap().push(challenge.clone());
            left.pop();
        }
        match left.last() {
            Some(&"broken") => Err("no issuer".into()),
            token => Ok(token.map(|it| (*it).to_owned())),
        }
    }
}

/// A server that knows a token with too few scopes for a call, and one with all of them.
async fn server() -> Server {
    serve(|head, request| {
        let has = |token: &str| head.contains(&format!("authorization: bearer {token}\r\n"));
        if has("all") || (has("few") && request["method"] != "tools/call") {
            return opening(request).unwrap_or_else(|| result(request, json!({"content": []})));
        }
        let (status, challenge) = match has("few") {
            true => (
                "403 Forbidden",
                "error=\"insufficient_scope\", scope=\"a b\"",
            ),
            false => ("401 Unauthorized", "resource_metadata=\"https://a/b\""),
        };
        let status = format!("{status}\r\nWWW-Authenticate: Bearer {challenge}");
        response(&status, "text/plain", "")
    })
    .await
}

async fn call(tokens: &[&'static str]) -> (Tokens, Result<(), ClientError>) {
    let server = server().await;
    let source = Tokens::default();
    *source.left.lock().unwrap() = tokens.iter().rev().copied().collect();
    let endpoint = Endpoint::new(&server.url).unwrap();
    let endpoint = endpoint.with_token_source(source.clone());
    let called = async {
        let client = Client::connect(endpoint, config(Revision::V2026_07_28)).await?;
        let called = client.call_tool("any", Object::new()).await;
        client.close().await;
        called.map(drop)
    };
    (source, called.await)
}

#[tokio::test]
async fn a_source_is_asked_again_with_each_challenge() {
    let (source, called) = call(&["old", "few", "all"]).await;
    called.unwrap();
    let challenges = source.challenges.lock().unwrap();
    let said: Vec<_> = challenges
        .iter()
        .map(|it| {
            (
                it.status,
                it.resource_metadata.as_deref(),
                it.scopes.join(" "),
            )
        })
        .collect();
    assert_eq!(
        said,
        [
            (401, Some("https://a/b"), String::new()),
            (403, None, "a b".to_owned())
        ]
    );
}

#[tokio::test]
async fn a_request_ends_with_the_challenge_when_there_is_no_new_token() {
    // No token, the same one again, and more tokens than one request asks for.
    for (tokens, expect, asked) in [
        (&["few"][..], 403, 1),
        (&["few", "few"], 403, 1),
        (&["1", "2", "3", "4"], 401, 2),
        (&[], 401, 1),
    ] {
        let (source, called) = call(tokens).await;
        let Err(ClientError::Status {
            status, challenge, ..
        }) = called
        else {
            panic!("{tokens:?}: {called:?}");
        };
        assert_eq!(
            (status, challenge.unwrap().status),
            (expect, expect),
            "{tokens:?}"
        );
        assert_eq!(source.challenges.lock().unwrap().len(), asked, "{tokens:?}");
    }
}

#[tokio::test]
async fn a_source_that_fails_ends_the_request() {
    for tokens in [&["broken"][..], &["old", "broken"], &["a\nb"]] {
        let (_, called) = call(tokens).await;
        assert!(
            matches!(called, Err(ClientError::Token(_))),
            "{tokens:?}: {called:?}"
        );
    }
}

/// A person who takes half a minute to sign in.
struct Person;

impl TokenSource for Person {
    async fn token(
        &self,
        challenge: Option<&Challenge>,
    ) -> Result<Option<String>, Box<dyn Error + Send + Sync>> {
        if challenge.is_some() {
            tokio::time::sleep(Duration::from_secs(30)).await;
        }
        Ok(challenge.map(|_| "all".to_owned()))
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_sign_in_is_not_taken_for_an_old_server() {
    let server = server().await;
    let endpoint = Endpoint::new(&server.url).unwrap();
    let config = ClientConfig::new("test", "0");
    let client = Client::connect(endpoint.with_token_source(Person), config);
    let client = client.await.unwrap();
    assert_eq!(client.revision(), Revision::V2026_07_28);
    client.close().await;
}
