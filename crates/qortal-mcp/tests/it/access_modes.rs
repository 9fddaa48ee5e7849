//! Everything that people are shown about access, for each way in which the server admits clients.

use insta::assert_snapshot;

use crate::{
    access::{Secrets, TOKEN},
    http::{exchange, start},
    oauth::issuer::{Issuer, Signer},
    run,
};

/// The `Accept` header of a browser.
const BROWSER: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

/// A response to a visitor, without its head.
async fn visit(address: &str, path: &str) -> String {
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept: {BROWSER}\r\nConnection: close\r\n\r\n"
    );
    let answer = exchange(address, &request).await;
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    body.to_owned()
}

/// The text of a section of a page, with the targets of its links.
fn section(html: &str, id: &str) -> String {
    let (_, rest) = html
        .split_once(&format!("<section aria-labelledby=\"{id}\">"))
        .unwrap();
    let (section, _) = rest.split_once("</section>").unwrap();
    let mut text = String::new();
    for part in section.split('<') {
        let (tag, content) = part.split_once('>').unwrap_or(("", part));
        if let Some((_, link)) = tag.split_once("href=\"") {
            let (scheme, _) = link.split_once(':').unwrap();
            text.push_str(&format!("[{scheme}: link] "));
        }
        if tag == "br" {
            text.push('\n');
        }
        text.push_str(content);
    }
    for (from, to) in [("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
        text = text.replace(from, to);
    }
    let lines = text.lines().filter(|it| !it.trim().is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// The banner, the page, `/llms.txt`, and what `install` says of a server.
async fn texts(options: &str, hidden: &[(&str, &str)]) -> String {
    let (child, address, banner) = start(&format!(
        "http --demo=recorded --listen 127.0.0.1:0 {options}"
    ))
    .await;
    let page = visit(&address, "/").await;
    let (connect, tried) = (section(&page, "connect"), section(&page, "try"));
    let agents = visit(&address, "/llms.txt").await;
    let agents: Vec<_> = agents.lines().skip(4).take(3).collect();
    drop(child);
    let mut text = format!(
        "== banner\n{banner}\n== page\n{connect}\n{tried}\n\n== llms.txt\n{}",
        agents.join("\n")
    );
    for (from, to) in hidden.iter().chain(&[(&*address, "ADDRESS")]) {
        text = text.replace(from, to);
    }
    text
}

#[tokio::test]
async fn texts_of_an_open_server_ask_for_nothing() {
    assert_snapshot!("open", texts("", &[]).await);
}

#[tokio::test]
async fn texts_of_a_server_with_a_token_file_have_a_place_for_the_token() {
    let tokens = Secrets::new("modes", &format!("alice {TOKEN}\n"));
    let options = format!("--token-file {}", tokens.0.display());
    assert_snapshot!("token_file", texts(&options, &[]).await);
}

#[tokio::test]
async fn texts_of_a_server_with_sign_in_lead_to_the_authorization_server() {
    let signer = Signer::ed("ed");
    let issuer = Issuer::start(&[&signer]).await;
    let options = format!("--oauth-issuer {}", issuer.url);
    let hidden = [(&*issuer.url, "https://auth.example.org")];
    let text = texts(&options, &hidden).await;
    assert!(!text.contains("TOKEN"), "{text}");
    assert_snapshot!("oauth", text);
}

#[tokio::test]
async fn install_names_each_way_in() {
    let mut text = String::new();
    for host in ["chatgpt", "claude-ai", "claude-code", "codex", "cursor"] {
        let line = format!("install {host} --http https://mcp.example.org/mcp");
        let ended = run(&line).await;
        assert_eq!(ended.code, Some(0), "{}", ended.errors);
        text.push_str(&format!("$ qortal-mcp {line}\n{}\n", ended.output));
    }
    assert_snapshot!("install", text.trim_end());
}
