//! Who may call over HTTP.

use std::{fs, path::PathBuf};

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::{
    http::{exchange, start},
    run, run_words,
};

pub(crate) const TOKEN: &str = "correct-horse-battery-staple-1";

/// A file with secrets that only its owner can read, removed at the end of a test.
pub(crate) struct Secrets(pub(crate) PathBuf);

impl Secrets {
    pub(crate) fn new(name: &str, text: &str) -> Self {
        let name = format!("qortal-mcp-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, text).unwrap();
        let secrets = Self(path);
        secrets.set_mode(0o600);
        secrets
    }

    #[cfg(unix)]
    pub(crate) fn set_mode(&self, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&self.0, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[cfg(not(unix))]
    pub(crate) fn set_mode(&self, _: u32) {}
}

impl Drop for Secrets {
    fn drop(&mut self) {
        fs::remove_file(&self.0).unwrap();
    }
}

pub(crate) async fn post(address: &str, path: &str, token: Option<&str>, method: &str) -> String {
    send(
        address,
        path,
        token,
        &json!({"jsonrpc": "2.0", "id": 1, "method": method}),
    )
    .await
}

async fn post_with(address: &str, token: Option<&str>, method: &str, params: Value) -> String {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    send(address, "/mcp", token, &message).await
}

pub(crate) async fn send(
    address: &str,
    path: &str,
    token: Option<&str>,
    message: &Value,
) -> String {
    let body = message.to_string();
    let token = token.map_or_else(String::new, |it| format!("Authorization: Bearer {it}\r\n"));
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n{token}\
         Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    exchange(address, &request).await
}

#[tokio::test]
async fn r070_it_listens_beyond_loopback_only_with_tokens_or_an_explicit_word() {
    let ended = run("http --demo --listen 0.0.0.0:0").await;
    assert_eq!(ended.code, Some(2), "{}", ended.errors);
    assert!(
        ended.errors.contains(
            "hint: pass --token-file PATH to admit clients by token, --oauth-issuer URL to let them sign in"
        ),
        "{}",
        ended.errors
    );
    assert!(!ended.errors.contains("serves MCP"), "{}", ended.errors);
    let ended = run("http --demo --listen 0.0.0.0:0 --auth none --token-file tokens").await;
    assert_eq!(ended.code, Some(2), "{}", ended.errors);
    assert!(
        ended.errors.contains("auth is none, and token_file is set"),
        "{}",
        ended.errors
    );
}

#[tokio::test]
async fn a_client_without_a_known_token_learns_nothing() {
    let file = Secrets::new(
        "tokens",
        &format!("alice {TOKEN}\nbob {TOKEN}-2 surface=core\n"),
    );
    let path = file.0.display();
    let (child, address, printed) = start(&format!(
        "http --demo --listen 127.0.0.1:0 --token-file {path}"
    ))
    .await;
    assert!(!printed.contains(TOKEN), "{printed}");
    let header = r#"-H "Authorization: Bearer $TOKEN""#;
    assert!(printed.contains(header), "{printed}");
    for token in [None, Some("wrong"), Some("correct-horse-battery-staple-")] {
        let answer = post(&address, "/mcp", token, "tools/list").await;
        assert!(answer.starts_with("HTTP/1.1 401 "), "{token:?} {answer}");
        assert!(answer.contains("www-authenticate: Bearer"), "{answer}");
        assert!(!answer.contains("inputSchema"), "{answer}");
    }
    let listed = async |path: &str, token: &str| {
        let answer = post(&address, path, Some(token), "tools/list").await;
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let body: Value = serde_json::from_str(body).unwrap();
        body["result"]["tools"].as_array().unwrap().len()
    };
    let bob = format!("{TOKEN}-2");
    let (alice_sees, bob_sees) = (listed("/mcp", TOKEN).await, listed("/mcp", &bob).await);
    assert!(bob_sees < alice_sees, "a token names its surface");
    assert_eq!(listed("/mcp/x/core", TOKEN).await, bob_sees);
    assert_eq!(
        listed("/mcp/x/standard", &bob).await,
        alice_sees,
        "a path is an explicit choice"
    );
    drop(child);
}

#[tokio::test]
async fn tokens_are_rotated_without_a_restart() {
    let file = Secrets::new("rotated", &format!("alice {TOKEN}-old\n"));
    let path = file.0.display();
    let (child, address, _) = start(&format!(
        "http --demo --listen 127.0.0.1:0 --token-file {path}"
    ))
    .await;
    let (old, new) = (format!("{TOKEN}-old"), format!("{TOKEN}-newer"));
    let is_admitted = async |token: &str| {
        post(&address, "/mcp", Some(token), "ping")
            .await
            .contains("200 OK")
    };
    assert!(is_admitted(&old).await);
    fs::write(&file.0, format!("alice {new}\n")).unwrap();
    crate::soon(async { while !is_admitted(&new).await {} }).await;
    assert!(!is_admitted(&old).await);
    drop(child);
}

#[tokio::test]
async fn a_token_has_a_rate_of_its_own_which_a_change_of_the_file_changes() {
    let line = |rate: &str| format!("alice {TOKEN} {rate}\n");
    let file = Secrets::new("rates", &line("rate=1"));
    let (child, address, _) = start(&format!(
        "http --demo --listen 127.0.0.1:0 --token-file {}",
        file.0.display()
    ))
    .await;
    let is_answered = async || {
        let params = json!({"name": "convert_units", "arguments": {"value": "1", "from": "units"}});
        let answer = post_with(&address, Some(TOKEN), "tools/call", params).await;
        !answer.contains("this server allows 1 a second from one client")
    };
    // With the default rate, a thousand a second, all of these would be answered.
    crate::soon(async { while is_answered().await {} }).await;
    fs::write(&file.0, line("rate=100000")).unwrap();
    // It need not wait until it looks at the file again.
    #[cfg(unix)]
    crate::signal(&child, "HUP").await;
    // From then on a hundred calls in a row are answered, far more than one a second.
    crate::soon(async {
        let mut in_a_row = 0;
        while in_a_row < 100 {
            in_a_row = if is_answered().await { in_a_row + 1 } else { 0 };
        }
    })
    .await;
    drop(child);
}

#[tokio::test]
async fn a_wrong_token_file_is_refused_at_the_start_without_showing_a_token() {
    for (name, text, mode, expected) in [
        ("open", format!("alice {TOKEN}"), 0o644, "hint: chmod 600"),
        (
            "line",
            format!("# a\n{TOKEN}"),
            0o600,
            "line 2 of the token file: expected NAME TOKEN",
        ),
        (
            "option",
            format!("alice {TOKEN} {TOKEN}"),
            0o600,
            "expected surface=, rate= or expires=",
        ),
        (
            "empty",
            String::new(),
            0o600,
            "the token file has no tokens",
        ),
    ] {
        if cfg!(not(unix)) && mode != 0o600 {
            continue;
        }
        let file = Secrets::new(name, &text);
        file.set_mode(mode);
        let path = file.0.to_string_lossy().into_owned();
        let ended = run_words([
            "http",
            "--demo",
            "--listen",
            "127.0.0.1:0",
            "--token-file",
            &path,
        ])
        .await;
        assert_eq!(ended.code, Some(2), "{}", ended.errors);
        assert!(ended.errors.contains(expected), "{}", ended.errors);
        assert!(!ended.errors.contains(TOKEN), "{}", ended.errors);
    }
    let ended = run(&format!("http --demo --token-file {TOKEN}")).await;
    assert_eq!(ended.code, Some(2), "{}", ended.errors);
    assert!(!ended.errors.contains(TOKEN), "{}", ended.errors);
}

#[tokio::test]
async fn a_wrong_host_is_refused_before_the_greeting() {
    let ended = run("http --demo --listen 127.0.0.1:0 --allowed-hosts *").await;
    assert_eq!(ended.code, Some(2), "{}", ended.errors);
    assert!(!ended.errors.contains("serves MCP"), "{}", ended.errors);
    assert!(
        ended.errors.contains("invalid host \"*\""),
        "{}",
        ended.errors
    );
}

/// A path for a socket, which a test removes if the program does not.
#[cfg(unix)]
fn socket(name: &str) -> PathBuf {
    let name = format!("qortal-mcp-{}-{name}.sock", std::process::id());
    std::env::temp_dir().join(name)
}

#[cfg(unix)]
async fn listening_at(path: &std::path::Path) -> tokio::process::Child {
    use tokio::io::{AsyncBufReadExt, BufReader};

    let line = format!("http --demo --listen unix:{}", path.display());
    let mut child = crate::program(&line).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
    while let Some(line) = crate::soon(log.next_line()).await.unwrap() {
        if line.contains("Ctrl-C") {
            return child;
        }
    }
    panic!("it does not listen at {path:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_unix_socket_needs_no_token_and_only_its_user_can_connect() {
    use std::os::unix::fs::PermissionsExt;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::UnixStream,
    };

    let path = socket("listen");
    // One that was left behind is replaced.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    let mut child = listening_at(&path).await;
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut client = crate::soon(UnixStream::connect(&path)).await.unwrap();
    crate::soon(client.write_all(request.as_bytes()))
        .await
        .unwrap();
    let mut answer = String::new();
    crate::soon(client.read_to_string(&mut answer))
        .await
        .unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");

    // One that is in use is not replaced.
    let line = format!("http --demo --listen unix:{}", path.display());
    let second = run(&line).await;
    assert_eq!(second.code, Some(4), "{}", second.errors);
    assert!(path.exists());
    crate::terminate(&child).await;
    assert_eq!(crate::soon(child.wait()).await.unwrap().code(), Some(0));
    assert!(!path.exists(), "it is removed at the end");
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_is_not_a_socket_is_not_replaced() {
    let file = Secrets::new("not-a-socket", "precious");
    let line = format!("http --demo --listen unix:{}", file.0.display());
    let ended = run(&line).await;
    assert_eq!(ended.code, Some(4), "{}", ended.errors);
    assert_eq!(fs::read_to_string(&file.0).unwrap(), "precious");
}

/// A descriptor for every connection is not there: those of silent clients are given to others.
#[cfg(unix)]
#[tokio::test]
async fn silent_clients_do_not_use_up_the_descriptors() {
    use tokio::{
        io::{AsyncBufReadExt, BufReader},
        net::TcpStream,
        process::Command,
    };

    // More than there are descriptors, of which connections get half.
    const SILENT: usize = 80;
    let cases = [
        ("-n 64", "", true),
        ("-n 64", "--max-connections 512", true),
        // As many as are asked for fit once the limit is raised.
        ("-S -n 128", "--max-connections 512", false),
    ];
    join_all(cases.map(async |(limit, options, is_low)| {
        let program = env!("CARGO_BIN_EXE_qortal-mcp");
        let line =
            format!("ulimit {limit}; exec {program} http --demo --listen 127.0.0.1:0 {options}");
        let mut child = Command::new("sh")
            .args(["-c", &line])
            .stderr(std::process::Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
        let (mut address, mut warned) = (None, false);
        while address.is_none() {
            let line = crate::soon(log.next_line()).await.unwrap().unwrap();
            warned |= line.contains("the limit of file descriptors is low");
            let url = line.split_once("serves MCP at http://");
            address = url.and_then(|(_, rest)| Some(rest.split_once("/mcp")?.0.to_owned()));
        }
        assert_eq!(warned, is_low, "{limit} {options}");
        let address = address.unwrap();
        let mut silent = Vec::new();
        for _ in 0..SILENT {
            silent.push(crate::soon(TcpStream::connect(&address)).await.unwrap());
        }
        for _ in 0..3 {
            let answer = post(&address, "/mcp", None, "ping").await;
            assert!(answer.contains("200 OK"), "{answer}");
        }
        drop(child);
    }))
    .await;
}
