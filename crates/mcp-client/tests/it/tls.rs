//! Servers at https: which certificates are trusted, and what is said of others.

use std::{env, sync::Arc};

use mcp_client::{
    Client, ClientConfig, Endpoint,
    mcp_protocol::{Object, ServerInfo, ToolAnnotations},
};
use mcp_server::{Server, ShutdownToken, ToolRouter};
use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use tokio::{net::TcpListener, process::Command};

use crate::served::soon;

/// The certificates of the transport's own tests, for `localhost` and `127.0.0.1`; the folder says how they were made.
const CERTIFICATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../mcp-http/tests/tls/");
/// What tells the process that asks which URL, and where its answer begins.
const ASKS: &str = "MCP_CLIENT_TEST_ASKS";

fn config() -> ServerConfig {
    let file = |name| format!("{CERTIFICATES}{name}");
    let certificate = CertificateDer::from_pem_file(file("first.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(file("first.key")).unwrap();
    ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap()
}

/// What a program says that asks the server.
async fn ask(url: &str) -> String {
    let endpoint = Endpoint::new(url).unwrap();
    let client = match Client::connect(endpoint, ClientConfig::new("test", "0")).await {
        Ok(client) => client,
        Err(why) => return why.to_string(),
    };
    let answer = client.call_tool("now", Object::new()).await.unwrap();
    client.close().await;
    format!("{:?}", answer.content)
}

/// What the program says, in a process that trusts the certificates of this file alone.
async fn ask_trusting(file: &str, url: &str) -> String {
    let name = "tls::a_server_is_asked_if_its_certificate_is_trusted_and_has_its_name";
    let mut command = Command::new(env::current_exe().unwrap());
    let command = command.args([name, "--exact", "--nocapture"]);
    let command = command.env("SSL_CERT_FILE", file).env(ASKS, url);
    let command = command.env_remove("SSL_CERT_DIR");
    let output = soon(command.kill_on_drop(true).output()).await.unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let answer = printed.lines().find_map(|it| it.split_once(ASKS));
    let (_, answer) = answer.unwrap_or_else(|| panic!("{printed}"));
    answer.to_owned()
}

/// Which certificates are trusted is said to a process: the test starts itself once more.
#[tokio::test]
async fn a_server_is_asked_if_its_certificate_is_trusted_and_has_its_name() {
    #[expect(clippy::disallowed_methods, reason = "it tells two processes apart")]
    let asks = env::var(ASKS);
    if let Ok(url) = asks {
        println!("{ASKS}{}", ask(&url).await);
        return;
    }
    let now = ToolRouter::new().tool("now", "Noon.", ToolAnnotations::PURE, async || "noon");
    let server = Server::builder(ServerInfo::new("clock", "1")).tools(now);
    let server = Arc::new(server.build().unwrap());
    let (mut ports, mut serving) = (Vec::new(), Vec::new());
    let stop = ShutdownToken::new();
    for tls in [Some(mcp_http::Tls::from_config(config())), None] {
        let mut config = mcp_http::HttpConfig::new(Arc::clone(&server));
        config.tls = tls;
        let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
        ports.push(listener.local_addr().unwrap().port());
        serving.push(tokio::spawn(mcp_http::serve(
            listener,
            config,
            stop.clone(),
        )));
    }
    let [first, second] = ["first.pem", "second.pem"].map(|it| format!("{CERTIFICATES}{it}"));
    let [first, second, none] = [&*first, &*second, "/dev/null"];
    for (trusted, server, expected) in [
        (first, "https://127.0.0.1", "noon"),
        (first, "https://localhost", "noon"),
        // The same server by a name that is not in its certificate.
        (
            first,
            "https://127.0.0.2",
            "not valid for name \"127.0.0.2\"",
        ),
        (
            second,
            "https://localhost",
            "peer certificate: UnknownIssuer",
        ),
        (none, "https://localhost", "No CA certificates were loaded"),
        // Where nothing is encrypted none is needed.
        (none, "http://127.0.0.1", "noon"),
    ] {
        let port = ports[usize::from(server.starts_with("http:"))];
        let said = ask_trusting(trusted, &format!("{server}:{port}/mcp")).await;
        assert!(said.contains(expected), "{server}, {trusted}: {said}");
        let is_refused = said.starts_with("the server cannot be reached: ");
        assert_eq!(is_refused, expected != "noon", "{said}");
    }
    stop.start_draining();
    for served in serving {
        soon(served).await.unwrap().unwrap();
    }
}
