//! The faults of rejected tokens, in the log and for the client.

use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::ChildStderr,
};

use super::{
    Site, claims,
    issuer::{Issuer, Signer, seconds},
    ping,
};
use crate::soon;

/// A server, and the lines of its log.
async fn logged_site(issuer: &Issuer) -> (Site, Lines<BufReader<ChildStderr>>) {
    let line = format!(
        "http --demo=recorded --listen 127.0.0.1:0 --log-level info --oauth-issuer {}",
        issuer.url
    );
    let mut child = crate::program(&line).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut address = None;
    while let Some(line) = soon(log.next_line()).await.unwrap() {
        if let Some((_, rest)) = line.split_once("serves MCP at http://") {
            address = rest.split_once("/mcp").map(|(it, _)| it.to_owned());
        }
        if line.contains("Ctrl-C") {
            break;
        }
    }
    let address = address.unwrap();
    let site = Site {
        _child: child,
        resource: format!("http://{address}/mcp"),
        address,
    };
    (site, log)
}

#[tokio::test]
async fn fault_of_a_token_is_named_in_the_log_and_to_the_client() {
    let signer = Signer::ec("ec");
    let issuer = Issuer::start(&[&signer]).await;
    let head = json!({"alg": "ES256", "kid": "ec", "typ": "at+jwt"});
    for (head, other, reason, is_renewable) in [
        (
            json!({"alg": "HS256", "kid": "ec"}),
            json!({}),
            "its algorithm \"HS256\" is not accepted",
            false,
        ),
        (
            json!({"alg": "ES256", "kid": "ec", "typ": "logout+jwt"}),
            json!({}),
            "its type \"logout+jwt\" is not that of an access token",
            false,
        ),
        (
            head.clone(),
            json!({"aud": "https://other.example/mcp"}),
            "its audience is \"https://other.example/mcp\", not \"http://127.0.0.1",
            false,
        ),
        (
            head.clone(),
            json!({"iss": "https://other.example"}),
            "it was issued by \"https://other.example\"",
            false,
        ),
        (head, json!({"exp": seconds(-120)}), "has expired", true),
    ] {
        let (site, mut log) = logged_site(&issuer).await;
        let token = signer.token_with(&head, &claims(&issuer, &site.resource, other));
        let (status, _, body) = site.ask("/mcp", Some(&token), &ping()).await;
        let message = body["error"]["message"].as_str().unwrap();
        assert_eq!(status, 401, "{message}");
        assert!(message.contains(reason), "{message}");
        assert_eq!(
            message.contains("request a new one"),
            is_renewable,
            "{message}"
        );
        let line = soon(log.next_line()).await.unwrap().unwrap();
        let unescaped = line.replace('\\', "");
        assert!(unescaped.contains(reason), "{line}");
        assert!(!line.contains(&token), "{line}");
    }
}
