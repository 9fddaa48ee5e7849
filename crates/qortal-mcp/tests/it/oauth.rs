//! tokens of an authorization server, and what their scopes allow.

pub(crate) mod issuer;
mod scopes;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStderr},
};

use crate::{
    access::{Secrets, send},
    http::{exchange, start},
    run, run_words, soon,
};
use issuer::{Issuer, Signer, seconds, signed_with_public_key, unsigned};

/// The server, and the URL that tokens are issued for.
struct Site {
    _child: Child,
    address: String,
    resource: String,
}

async fn site(issuer: &Issuer, options: &str) -> Site {
    let line = format!(
        "http --demo=recorded --listen 127.0.0.1:0 --oauth-issuer {} {options}",
        issuer.url
    );
    let (child, address, _) = start(&line).await;
    Site {
        _child: child,
        resource: format!("http://{address}/mcp"),
        address,
    }
}

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

impl Site {
    /// The status, the challenge, and the body of the answer to a message.
    async fn ask(&self, path: &str, token: Option<&str>, message: &Value) -> (u16, String, Value) {
        let answer = send(&self.address, path, token, message).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let challenge = head
            .lines()
            .find_map(|it| it.strip_prefix("www-authenticate: "));
        let challenge = challenge.unwrap_or_default().to_owned();
        (
            status,
            challenge,
            serde_json::from_str(body).unwrap_or_default(),
        )
    }

    async fn status(&self, token: &str) -> u16 {
        self.ask("/mcp", Some(token), &ping()).await.0
    }
}

fn ping() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})
}

/// Claims of a token that is good for ten minutes, with some that are other or missing.
fn claims(issuer: &Issuer, resource: &str, other: Value) -> Value {
    let mut claims = json!({
        "iss": issuer.url,
        "sub": "alice",
        "aud": resource,
        "exp": seconds(600),
        "nbf": seconds(0),
        "scope": "qortal:read",
    });
    for (name, value) in other.as_object().unwrap() {
        match value {
            Value::Null => claims.as_object_mut().unwrap().remove(name),
            value => claims
                .as_object_mut()
                .unwrap()
                .insert(name.clone(), value.clone()),
        };
    }
    claims
}

#[tokio::test]
async fn r076_only_tokens_of_the_issuer_for_this_server_are_accepted() {
    let (rsa, ec, ed) = (Signer::rsa("rsa"), Signer::ec("ec"), Signer::ed("ed"));
    let (pss, ec384) = (Signer::pss("pss"), Signer::ec384("ec384"));
    let issuer = Issuer::start(&[&rsa, &ec, &ed, &pss, &ec384]).await;
    let site = site(&issuer, "").await;
    let claims = |other: Value| claims(&issuer, &site.resource, other);
    let good = claims(json!({}));
    for signer in [&rsa, &ec, &ed, &pss, &ec384] {
        assert_eq!(site.status(&signer.token(&good)).await, 200);
    }
    for (other, status) in [
        (
            json!({"aud": ["https://other.example", site.resource]}),
            200,
        ),
        (json!({"exp": seconds(-30)}), 200),
        (json!({"exp": seconds(-120)}), 401),
        (json!({"exp": "tomorrow"}), 401),
        (json!({"exp": null}), 401),
        (json!({"nbf": seconds(30)}), 200),
        (json!({"nbf": seconds(120)}), 401),
        (json!({"nbf": null}), 200),
        (json!({"aud": "https://other.example/mcp"}), 401),
        (json!({"aud": format!("http://{}", site.address)}), 401),
        (json!({"aud": format!("{}/", site.resource)}), 401),
        (json!({"aud": []}), 401),
        (json!({"aud": null}), 401),
        (json!({"iss": "https://other.example"}), 401),
        (json!({"iss": format!("{}/", issuer.url)}), 401),
        (json!({"iss": [issuer.url, "https://other.example"]}), 401),
        (json!({"iss": null}), 401),
        (json!({"scope": null}), 200),
    ] {
        let token = ec.token(&claims(other.clone()));
        assert_eq!(site.status(&token).await, status, "{other}");
    }
    let forged = Signer::ec("ec").token(&good);
    let as_rsa = ec.token_with(&json!({"alg": "RS256", "kid": "ec"}), &good);
    let as_ec = rsa.token_with(&json!({"alg": "ES256", "kid": "rsa"}), &good);
    let other_key = ec.token_with(&json!({"alg": "ES256", "kid": "ed"}), &good);
    let weaker = rsa.token_with(&json!({"alg": "RS1", "kid": "rsa"}), &good);
    let critical = ec.token_with(
        &json!({"alg": "ES256", "kid": "ec", "crit": ["b64"], "b64": false}),
        &good,
    );
    let typed = |typ: &str| ec.token_with(&json!({"alg": "ES256", "kid": "ec", "typ": typ}), &good);
    assert_eq!(site.status(&typed("JWT")).await, 200);
    let mut altered = ec.token(&good);
    altered.insert(altered.rfind('.').unwrap(), 'A');
    for (token, what) in [
        (forged, "signed by another key of this id"),
        (as_rsa, "another algorithm than its key's"),
        (as_ec, "another algorithm than its key's"),
        (other_key, "the id of another key"),
        (weaker, "an algorithm that is not accepted"),
        (critical, "an unsupported critical extension"),
        (altered, "other claims than were signed"),
        (typed("logout+jwt"), "the type of a logout token"),
        (typed("dpop+jwt"), "the type of a DPoP proof"),
        (unsigned(&good), "no signature"),
        (
            signed_with_public_key(&rsa, &good),
            "a public key as a secret",
        ),
        ("a.b.c".to_owned(), "no token"),
        ("a".repeat(8_000), "no token"),
    ] {
        let (status, challenge, _) = site.ask("/mcp", Some(&token), &ping()).await;
        assert_eq!(status, 401, "{what}");
        assert!(challenge.contains("error=\"invalid_token\""), "{challenge}");
    }
    let huge = ec.token(&claims(json!({"padding": "x".repeat(20_000)})));
    assert_eq!(site.status(&huge).await, 431);
}

#[tokio::test]
async fn r076_a_client_without_a_token_is_led_to_the_issuer() {
    let signer = Signer::ed("ed");
    let issuer = Issuer::start(&[&signer]).await;
    let site = site(&issuer, "--oauth-scopes qortal:read,qortal:trade=trade").await;
    let address = &site.address;
    for path in ["/mcp", "/mcp/x/core"] {
        let (status, challenge, _) = site.ask(path, None, &ping()).await;
        assert_eq!(status, 401);
        let metadata = format!("http://{address}/.well-known/oauth-protected-resource{path}");
        let expected = format!("Bearer resource_metadata=\"{metadata}\", scope=\"qortal:read\"");
        assert_eq!(challenge, expected);
        let request = format!(
            "GET /.well-known/oauth-protected-resource{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
        );
        let answer = exchange(address, &request).await;
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let expected = json!({
            "resource": format!("http://{address}{path}"),
            "authorization_servers": [issuer.url],
            "bearer_methods_supported": ["header"],
            "scopes_supported": ["qortal:read", "qortal:trade"],
        });
        assert_eq!(serde_json::from_str::<Value>(body).unwrap(), expected);
    }
    // A token for /mcp is good at its surfaces; one for a surface is for that alone.
    for (audience, at_mcp, at_core) in [("/mcp", 200, 200), ("/mcp/x/core", 401, 200)] {
        let audience = format!("http://{address}{audience}");
        let token = signer.token(&claims(&issuer, &audience, json!({})));
        let found = [
            site.ask("/mcp", Some(&token), &ping()).await.0,
            site.ask("/mcp/x/core", Some(&token), &ping()).await.0,
        ];
        assert_eq!(found, [at_mcp, at_core], "{audience}");
    }
}

#[tokio::test]
async fn tokens_can_be_for_an_audience_that_the_operator_names() {
    let signer = Signer::ed("ed");
    let issuer = Issuer::start(&[&signer]).await;
    let site = site(&issuer, "--oauth-audiences api://qortal").await;
    for (audience, status) in [
        ("api://qortal", 200),
        (site.resource.as_str(), 200),
        ("api://other", 401),
    ] {
        let token = signer.token(&claims(&issuer, audience, json!({})));
        assert_eq!(site.status(&token).await, status, "{audience}");
    }
}

/// Clients of Entra ID request `api://ID/qortal:read`, and the token has the short name.
#[tokio::test]
async fn short_scope_of_entra_grants_the_long_one_that_is_advertised() {
    let signer = Signer::rsa("rsa");
    let issuer = Issuer::start(&[&signer]).await;
    let long = "api://11111111-2222-3333-4444-555555555555/qortal:read";
    let site = site(&issuer, &format!("--oauth-scopes {long}")).await;
    let (_, challenge, _) = site.ask("/mcp", None, &ping()).await;
    assert!(
        challenge.ends_with(&format!("scope=\"{long}\"")),
        "{challenge}"
    );
    for (scp, status) in [("qortal:read", 200), (long, 200), ("read", 403)] {
        let claims = claims(&issuer, &site.resource, json!({"scope": null, "scp": scp}));
        assert_eq!(site.status(&signer.token(&claims)).await, status, "{scp}");
    }
}

/// A fault that a new token would have as well is named to the operator and to the client, which is not asked for a new one.
#[tokio::test]
async fn fault_of_a_token_is_named_in_the_log_and_to_the_client() {
    let signer = Signer::ec("ec");
    let issuer = Issuer::start(&[&signer]).await;
    let head = json!({"alg": "ES256", "kid": "ec", "typ": "at+jwt"});
    for (head, other, reason, is_renewable) in [
        (
            json!({"alg": "HS256", "kid": "ec"}),
            json!({}),
            "the algorithm \"HS256\" is not accepted",
            false,
        ),
        (
            json!({"alg": "ES256", "kid": "ec", "typ": "logout+jwt"}),
            json!({}),
            "the type \"logout+jwt\" is not that of an access token",
            false,
        ),
        (
            head.clone(),
            json!({"aud": "https://other.example/mcp"}),
            "the audience is \"https://other.example/mcp\", not \"http://127.0.0.1",
            false,
        ),
        (
            head.clone(),
            json!({"iss": "https://other.example"}),
            "the token was issued by \"https://other.example\"",
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

#[tokio::test]
async fn a_rotated_key_is_found_and_invented_ones_are_no_flood_for_the_issuer() {
    let (old, new) = (Signer::ed("old"), Signer::ed("new"));
    let issuer = Issuer::start(&[&old]).await;
    let site = site(&issuer, "").await;
    let good = claims(&issuer, &site.resource, json!({}));
    assert_eq!(site.status(&old.token(&good)).await, 200);
    assert_eq!(issuer.fetches(), 1);
    issuer.publish(&[&new]);
    assert_eq!(site.status(&new.token(&good)).await, 200);
    assert_eq!(site.status(&old.token(&good)).await, 401);
    let begun = std::time::Instant::now();
    for n in 0..100 {
        let token = new.token_with(&json!({"alg": "EdDSA", "kid": format!("{n}")}), &good);
        assert_eq!(site.status(&token).await, 401);
    }
    // One each half a minute, however slow the machine is.
    let allowed = 2 + begun.elapsed().as_secs() / 30 + 1;
    assert!(issuer.fetches() as u64 <= allowed, "{}", issuer.fetches());
    // Known keys need no issuer.
    issuer.set_away(true);
    assert_eq!(site.status(&new.token(&good)).await, 200);
}

#[tokio::test]
async fn without_its_issuer_a_server_says_that_it_cannot_tell() {
    let signer = Signer::ed("ed");
    for claims_to_be_another in [false, true] {
        let issuer = Issuer::start(&[&signer]).await;
        match claims_to_be_another {
            true => issuer.claim_to_be("https://other.example"),
            false => issuer.set_away(true),
        }
        let site = site(&issuer, "").await;
        let token = signer.token(&claims(&issuer, &site.resource, json!({})));
        let (status, challenge, _) = site.ask("/mcp", Some(&token), &ping()).await;
        assert_eq!((status, &*challenge), (503, ""));
        // What is no token needs no issuer.
        assert_eq!(site.status("a.b.c").await, 401);
    }
}

#[tokio::test]
async fn what_would_fail_later_is_refused_at_the_start() {
    let tokens = Secrets::new("oauth", "alice correct-horse-battery-staple-1\n");
    let tokens = tokens.0.display();
    let issuer = "--oauth-issuer https://auth.example.org";
    for (options, expected) in [
        (
            "--oauth-issuer http://auth.example.org".to_owned(),
            "must begin with https://, or http:// on this machine",
        ),
        (
            "--oauth-scopes a".to_owned(),
            "oauth_scopes is set, but oauth_issuer is not",
        ),
        (
            format!("{issuer} --oauth-scopes a=nothing"),
            "expected scopes such as",
        ),
        (
            format!("{issuer} --token-file {tokens}"),
            "cannot be used with",
        ),
        (
            format!("{issuer} --auth none"),
            "auth is none, and oauth_issuer is set",
        ),
        (
            format!("{issuer} --listen 0.0.0.0:0"),
            "such as --public-url",
        ),
        (
            format!("{issuer} --listen 127.0.0.1:0 --public-url https://a.example/path"),
            "invalid public URL",
        ),
        (
            "--listen 127.0.0.1:0 --trusted-proxies proxy.example".to_owned(),
            "invalid network",
        ),
    ] {
        let ended = run(&format!("http --demo {options}")).await;
        assert_eq!(ended.code, Some(2), "{options} {}", ended.errors);
        assert!(
            ended.errors.contains(expected),
            "{options} {}",
            ended.errors
        );
        assert!(!ended.errors.contains("serves MCP"), "{}", ended.errors);
    }
    let environment = crate::program(&format!("http --demo {issuer}"))
        .env("QORTAL_MCP_TOKEN_FILE", tokens.to_string())
        .spawn();
    let ended = soon(environment.unwrap().wait_with_output()).await.unwrap();
    let errors = String::from_utf8(ended.stderr).unwrap();
    assert!(
        errors.contains("token_file and oauth_issuer are both set"),
        "{errors}"
    );
    let ended = run_words([
        "http",
        "--oauth-issuer",
        "https://alice:YTL3yD9Nk272iZ25QbXkEm@a.example",
    ])
    .await;
    assert_eq!(ended.code, Some(2));
    assert!(
        !ended.errors.contains("YTL3yD9Nk272iZ25QbXkEm"),
        "{}",
        ended.errors
    );
}
