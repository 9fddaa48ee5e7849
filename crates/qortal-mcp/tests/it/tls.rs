//! HTTPS, and proxies that end it.

use std::{fs, path::PathBuf};

use reqwest::Certificate;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::Child,
};

use crate::{
    access::Secrets,
    http,
    operate::{free_address, probe, value},
    program_of, run_words, soon,
};

/// A certificate, or its key.
fn file(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/keys/");
    fs::read(PathBuf::from(folder).join(name)).unwrap()
}

pub(crate) fn copy(name: &str, of: &str) -> Secrets {
    let copy = Secrets::new(name, "");
    fs::write(&copy.0, file(of)).unwrap();
    copy
}

/// Starts the server with these files; the process, and where it listens.
pub(crate) async fn start(certificate: &Secrets, key: &Secrets) -> (Child, String) {
    start_with(certificate, key, &[]).await
}

/// The same with further arguments.
async fn start_with(certificate: &Secrets, key: &Secrets, more: &[&str]) -> (Child, String) {
    let [certificate, key] = [certificate, key].map(|it| it.0.to_string_lossy().into_owned());
    let words = [
        "http",
        "--demo=recorded",
        "--listen",
        "127.0.0.1:0",
        "--tls-cert",
        &certificate,
        "--tls-key",
        &key,
    ];
    let words = words.into_iter().chain(more.iter().copied());
    let mut child = program_of(words).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut url = None;
    while let Some(line) = soon(log.next_line()).await.unwrap() {
        if let Some((_, found)) = line.split_once("serves MCP at https://127.0.0.1:") {
            url = Some(format!("https://localhost:{found}"));
        }
        if line.contains("Ctrl-C") {
            break;
        }
    }
    // The rest of the log is read, so that the server can go on writing it.
    tokio::spawn(async move { while let Ok(Some(_)) = log.next_line().await {} });
    (child, url.unwrap())
}

/// Whether a client that trusts this certificate alone is answered.
async fn is_answered(url: &str, certificate: &str) -> bool {
    // The provider is that of the process, and a second installation changes nothing.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let trusted = Certificate::from_pem(&file(certificate)).unwrap();
    let client = reqwest::Client::builder()
        .tls_certs_only([trusted])
        .no_proxy()
        .build()
        .unwrap();
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_block_height"}});
    let request = client
        .post(url)
        .header("Content-Type", "application/json")
        .body(call.to_string());
    match soon(request.send()).await {
        Ok(response) => {
            let body: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
            let text = &body["result"]["content"][0]["text"];
            assert_eq!(text, r#"{"height":468}"#, "{body}");
            true
        }
        Err(_) => false,
    }
}

#[tokio::test]
async fn a_certificate_is_served_with_and_a_change_of_its_files_is_noticed() {
    let (certificate, key) = (copy("a.pem", "first.pem"), copy("a.key", "first.key"));
    let (child, url) = start(&certificate, &key).await;
    assert!(is_answered(&url, "first.pem").await);
    assert!(!is_answered(&url, "second.pem").await);
    // Between the two the files do not fit, and the earlier ones stay.
    fs::write(&certificate.0, file("second.pem")).unwrap();
    assert!(is_answered(&url, "first.pem").await);
    fs::write(&key.0, file("second.key")).unwrap();
    soon(async { while !is_answered(&url, "second.pem").await {} }).await;
    assert!(!is_answered(&url, "first.pem").await);
    drop(child);
}

#[tokio::test]
async fn metrics_report_when_the_certificate_expires_and_that_nothing_was_rejected() {
    let (certificate, key) = (copy("m.pem", "first.pem"), copy("m.key", "first.key"));
    let management = free_address();
    let more = ["--management-listen", &management];
    let (child, _) = start_with(&certificate, &key, &more).await;
    let (_, text) = probe(&management, "/metrics").await;
    let expiry = "qortal_mcp_tls_certificate_expiry_timestamp_seconds";
    // openssl x509 -enddate: Oct 29 22:25:21 2126 GMT.
    assert_eq!(value(&text, expiry), Some(4_948_986_321.0), "{text}");
    for series in [
        "qortal_mcp_refused_requests_total{cause=\"host_or_origin\"}",
        "qortal_mcp_refused_requests_total{cause=\"token\"}",
        "qortal_mcp_refused_calls_total{limit=\"calls_in_flight\"}",
    ] {
        assert_eq!(value(&text, series), Some(0.0), "{series} in {text}");
    }
    drop(child);
}

#[cfg(unix)]
#[tokio::test]
async fn a_hang_up_reads_the_certificate_again() {
    let (certificate, key) = (copy("b.pem", "first.pem"), copy("b.key", "first.key"));
    let (child, url) = start(&certificate, &key).await;
    assert!(is_answered(&url, "first.pem").await);
    fs::write(&certificate.0, file("second.pem")).unwrap();
    fs::write(&key.0, file("second.key")).unwrap();
    crate::signal(&child, "HUP").await;
    soon(async { while !is_answered(&url, "second.pem").await {} }).await;
    drop(child);
}

#[tokio::test]
async fn a_certificate_that_cannot_be_used_is_refused_at_the_start() {
    const GARBAGE: &str = "YTL3yD9Nk272iZ25QbXkEm";
    let (certificate, key) = (copy("c.pem", "first.pem"), copy("c.key", "first.key"));
    let open = copy("e.key", "first.key");
    open.set_mode(0o644);
    let other = copy("d.key", "second.key");
    let garbage = Secrets::new("garbage", GARBAGE);
    let binary = Secrets::new("binary", "");
    fs::write(&binary.0, [0xff, 0xfe, 0x00]).unwrap();
    let missing = PathBuf::from("/no/such/file");
    for (certificate, key, expected) in [
        (&certificate.0, &other.0, "does not match the certificate"),
        (&key.0, &key.0, "there is no certificate in"),
        (&certificate.0, &certificate.0, "there is no private key in"),
        (
            &garbage.0,
            &key.0,
            "hint: a certificate begins with -----BEGIN CERTIFICATE-----",
        ),
        (&binary.0, &key.0, "there is no certificate in"),
        (&certificate.0, &garbage.0, "and has no passphrase"),
        #[cfg(unix)]
        (
            &certificate.0,
            &open.0,
            "other users of this machine can read the key of the certificate",
        ),
        (&missing, &key.0, "cannot read the certificate"),
        (
            &certificate.0,
            &missing,
            "cannot read the key of the certificate",
        ),
    ] {
        let [certificate, key] = [certificate, key].map(|it| it.to_string_lossy().into_owned());
        let words = [
            "http",
            "--demo",
            "--tls-cert",
            &certificate,
            "--tls-key",
            &key,
        ];
        let ended = run_words(words).await;
        assert_eq!(ended.code, Some(2), "{}", ended.errors);
        assert!(
            ended.errors.contains(expected),
            "{expected}: {}",
            ended.errors
        );
        assert!(!ended.errors.contains(GARBAGE), "{}", ended.errors);
    }
    let certificate = certificate.0.to_string_lossy().into_owned();
    let ended = run_words(["http", "--demo", "--tls-cert", &certificate]).await;
    assert_eq!(ended.code, Some(2), "{}", ended.errors);
    assert!(
        ended.errors.contains("tls_cert is set, but tls_key is not"),
        "{}",
        ended.errors
    );
}

/// With one call a second of each client, those behind a proxy are told apart.
#[tokio::test]
async fn clients_behind_a_trusted_proxy_have_rates_of_their_own() {
    let line =
        "http --demo --listen 127.0.0.1:0 --client-rate-limit 1 --trusted-proxies 127.0.0.0/8";
    let (child, address, _) = http::start(line).await;
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_block_height"}}).to_string();
    for n in 1..20 {
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {address}\r\nX-Forwarded-For: 192.0.2.{n}\r\nContent-Type: application/json\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let answer = http::exchange(&address, &request).await;
        assert!(answer.contains("\"isError\":false"), "{answer}");
    }
    drop(child);
}
