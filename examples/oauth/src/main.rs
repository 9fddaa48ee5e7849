//! `oauth-client https://mcp.example.org/mcp` signs in to a server, and lists its tools.

use std::time::Duration;

use mcp_client::{Client, ClientConfig, ClientLimits, Endpoint, mcp_protocol::Tool};
use oauth_client::{AnyError, App, Browser, SignIn, oauth2::url::Url};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpListener,
};

/// The time that a person has to sign in.
const SIGN_IN: Duration = Duration::from_secs(300);
/// The longest line of a redirect.
const LINE_BYTES: u64 = 16 << 10;
const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nYou can close this page.\n";

/// Prints the URL to open, and waits for the browser on the loopback (RFC 8252 §7.3).
struct Terminal(TcpListener);

impl Browser for Terminal {
    #[expect(clippy::print_stderr, reason = "it is for the person")]
    async fn visit(&self, page: Url) -> Result<Url, AnyError> {
        eprintln!("Open this page to sign in: {page}");
        loop {
            let (mut stream, _) = self.0.accept().await?;
            let (read, mut write) = stream.split();
            let mut line = String::new();
            BufReader::new(read.take(LINE_BYTES))
                .read_line(&mut line)
                .await?;
            // Browsers also ask for an icon.
            let target = line
                .split(' ')
                .nth(1)
                .filter(|it| it.starts_with("/callback?"));
            if let Some(target) = target {
                write.write_all(PAGE.as_bytes()).await?;
                return Ok(Url::parse("http://127.0.0.1")?.join(target)?);
            }
        }
    }
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "it is a program for the command line")]
async fn main() -> Result<(), AnyError> {
    let url = std::env::args()
        .nth(1)
        .ok_or("expected the URL of a server")?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let app = App {
        name: "oauth-client".to_owned(),
        redirect: format!("http://{}/callback", listener.local_addr()?),
        metadata_url: None,
        registered: None,
    };
    let source = SignIn::new(&url, app, Terminal(listener))?;
    let config = ClientConfig::new("oauth-client", env!("CARGO_PKG_VERSION"));
    // The time that the person takes is part of a request.
    let config = config.with_limits(ClientLimits::default().with_request_timeout(SIGN_IN));
    let endpoint = Endpoint::new(&url)?.with_token_source(source);
    let client = Client::connect(endpoint, config).await?;
    for tool in client.list_all::<Tool>().await? {
        println!("{}: {}", tool.name, tool.description);
    }
    client.close().await;
    Ok(())
}
