//! Settings of OAuth that are rejected before the server starts.

use crate::{access::Secrets, run, run_words, soon};

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
            "oauth_scopes is set, and oauth_issuer is not",
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
        (format!("{issuer} --listen 0.0.0.0:0"), "hint: --public-url"),
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
