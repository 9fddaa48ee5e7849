//! `qortal-mcp health`: it finds the server by the server's own settings.

use qortal_testnode::{Scenario, TestNode};

use crate::{
    Ended, ended,
    http::start,
    program, run, soon,
    tls::{copy, start as start_tls},
};

/// The check with these settings in the environment.
async fn check(settings: &[(&str, &str)], target: &str) -> Ended {
    let mut command = program(&format!("health {target}"));
    command.envs(settings.iter().copied());
    ended(command.spawn().unwrap()).await
}

#[tokio::test]
async fn health_tells_a_server_from_none_and_from_another_program() {
    let (mut child, address, _) = start("http --demo --listen 127.0.0.1:0").await;
    let ended = run(&format!("health {address}")).await;
    assert_eq!((ended.code, &*ended.errors), (Some(0), ""));
    soon(child.kill()).await.unwrap();
    let ended = run(&format!("health {address}")).await;
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.errors.contains("no server responds at"),
        "{}",
        ended.errors
    );
    // The simulated node knows no /health.
    let node = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
    let address = node
        .url()
        .trim_start_matches("http://")
        .trim_end_matches('/');
    let ended = run(&format!("health {address}")).await;
    assert_eq!(ended.code, Some(1));
    assert!(ended.errors.contains("is not healthy"), "{}", ended.errors);
}

#[tokio::test]
async fn health_reads_the_address_in_the_settings_of_the_server() {
    let (_child, address, _) = start("http --demo --listen 127.0.0.1:0").await;
    let ended = check(&[("QORTAL_MCP_LISTEN", &address)], "").await;
    assert_eq!((ended.code, &*ended.errors), (Some(0), ""));
    let port = address.rsplit(':').next().unwrap();
    let ended = check(&[], &format!("localhost:{port}")).await;
    assert_eq!((ended.code, &*ended.errors), (Some(0), ""));
    let ended = check(&[("QORTAL_MCP_LISTEN", "127.0.0.1:0")], "").await;
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.errors.contains("health ADDR:PORT"),
        "{}",
        ended.errors
    );
}

#[cfg(unix)]
#[tokio::test]
async fn health_connects_to_a_unix_socket() {
    use tokio::io::{AsyncBufReadExt, BufReader};

    let folder = tempfile::tempdir().unwrap();
    let listen = format!("unix:{}", folder.path().join("socket").display());
    let mut server = program(&format!("http --demo --listen {listen}"));
    let mut child = server.spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
    while let Some(line) = soon(log.next_line()).await.unwrap() {
        if line.contains("Ctrl-C") {
            break;
        }
    }
    for ended in [
        check(&[("QORTAL_MCP_LISTEN", &listen)], "").await,
        check(&[], &listen).await,
    ] {
        assert_eq!((ended.code, &*ended.errors), (Some(0), ""));
    }
}

#[tokio::test]
async fn health_speaks_tls_to_a_server_with_a_certificate() {
    let (certificate, key) = (copy("h.pem", "first.pem"), copy("h.key", "first.key"));
    let (_child, url) = start_tls(&certificate, &key).await;
    let (_, port) = url.trim_end_matches("/mcp").rsplit_once(':').unwrap();
    let address = format!("127.0.0.1:{port}");
    let [certificate, key] = [certificate, key].map(|it| it.0.to_string_lossy().into_owned());
    let settings = [
        ("QORTAL_MCP_LISTEN", &*address),
        ("QORTAL_MCP_TLS_CERT", &*certificate),
        ("QORTAL_MCP_TLS_KEY", &*key),
    ];
    for (settings, target, code) in [
        (&settings[..], String::new(), Some(0)),
        (&settings, address.clone(), Some(0)),
        (&[], format!("https://{address}"), Some(0)),
        (&[], address.clone(), Some(1)),
    ] {
        let ended = check(settings, &target).await;
        assert_eq!(ended.code, code, "{target}: {}", ended.errors);
        if code == Some(1) {
            let why = "the server uses TLS, check https://ADDR:PORT";
            assert!(ended.errors.contains(why), "{}", ended.errors);
        }
    }
}
