//! The contents of QDN resources: text, images, ciphertext.

use qortal_client::{Node, NodeConfig};
use qortal_tools::{Attachment, Catalog, Selection};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::Chain;

/// The longest identifier has 64 bytes.
#[tokio::test]
async fn an_identifier_has_1_to_64_bytes() {
    let chain = Chain::recorded().await;
    for (identifier, is_accepted) in [
        ("a\u{0}", false),
        ("a\nb", false),
        (&"é".repeat(33), false),
        ("default", true),
        ("a.b", true),
        ("100%", true),
        ("日本語", true),
        (&"x".repeat(64), true),
    ] {
        let arguments = json!({"service": "JSON", "name": "victor", "identifier": identifier});
        let said = chain.call("get_qdn_resource_status", arguments).await;
        let is_refused = said.is_err_and(|it| it.starts_with("Invalid identifier."));
        assert_eq!(!is_refused, is_accepted, "{identifier:?}");
    }
    chain.stop().await;
}

/// What is said of a resource with these bytes, which a node sends with this media type.
async fn content(media_type: Option<&str>, bytes: &[u8], most: u32) -> (Vec<Attachment>, Value) {
    let arguments = json!({
        "service": "IMAGE", "name": "Alice Test", "identifier": "a?b", "filepath": "img/ä.png", "max_bytes": most,
    });
    answer("get_qdn_resource", arguments, media_type, bytes).await
}

/// The answer of a tool over a node that has these bytes under each path.
pub(crate) async fn answer(
    tool: &str,
    arguments: Value,
    media_type: Option<&str>,
    bytes: &[u8],
) -> (Vec<Attachment>, Value) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let media_type = media_type.map_or_else(String::new, |it| format!("Content-Type: {it}\r\n"));
    let status = br#"{"status":"READY"}"#;
    let node = async {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = [0; 4_096];
            let read = stream.read(&mut request).await.unwrap();
            let is_status = request[..read].starts_with(b"GET /arbitrary/resource/status/");
            let (head, body) = match is_status {
                true => ("Content-Type: application/json\r\n", &status[..]),
                false => (media_type.as_str(), bytes),
            };
            let length = body.len();
            let head = format!(
                "HTTP/1.1 200 OK\r\n{head}Content-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).await.unwrap();
            // Who reads a part goes away before the end.
            drop(stream.write_all(body).await);
        }
    };
    let client = Node::new(NodeConfig::new(url)).unwrap();
    let catalog = Catalog::new(client, &Selection::default()).unwrap();
    let entry = catalog.entry(tool).unwrap();
    let call = catalog.call(entry, arguments.as_object().unwrap().clone());
    tokio::select! {
        outcome = call => {
            let outcome = outcome.unwrap();
            (outcome.attachments.clone(), outcome.structure().into())
        }
        () = node => panic!("it serves on"),
    }
}

const WHOLE: u32 = 8 << 20;

#[tokio::test]
async fn text_is_what_says_so_and_is() {
    let text = async |media_type: Option<&str>, bytes: &[u8]| {
        let (_, answer) = content(media_type, bytes, WHOLE).await;
        answer.get("text").cloned()
    };
    for media_type in [
        None,
        Some("application/octet-stream"),
        Some("text/html; charset=utf-8"),
        Some("application/ld+json"),
        Some("image/svg+xml"),
    ] {
        assert_eq!(text(media_type, "für".as_bytes()).await, Some(json!("für")));
        assert_eq!(text(media_type, b"\xFF\xFE").await, None, "{media_type:?}");
        assert_eq!(text(media_type, b"a\0b").await, None, "{media_type:?}");
    }
    for media_type in ["image/png", "application/zip", "video/mp4"] {
        assert_eq!(text(Some(media_type), b"text").await, None, "{media_type}");
    }
    // The beginning of a text, cut within a character.
    let (_, part) = content(Some("text/plain"), "für".as_bytes(), 2).await;
    assert_eq!(part["text"], "f");
    assert_eq!(part["isComplete"], false);
    assert!(part.get("sha256").is_none(), "{part}");
    let whole = text(Some("text/plain"), "für".as_bytes().get(..2).unwrap());
    assert_eq!(whole.await, None);
    assert_eq!(
        part["link"],
        "qortal://IMAGE/Alice%20Test/img/%C3%A4.png?identifier=a%3Fb"
    );
}

#[tokio::test]
async fn ciphertext_is_recognized_by_its_beginning() {
    for (bytes, is_encrypted) in [
        ("qortalEncryptedDataAAAA", true),
        ("qortalGroupEncryptedDataAAAA", true),
        ("about qortalEncryptedData", false),
    ] {
        let (_, answer) = content(Some("text/plain"), bytes.as_bytes(), WHOLE).await;
        assert_eq!(answer["isEncrypted"], is_encrypted, "{answer}");
        assert_eq!(answer.get("text").is_none(), is_encrypted, "{answer}");
    }
}

#[tokio::test]
async fn a_picture_is_shown_by_its_first_bytes_if_it_is_whole_and_not_too_large() {
    let png = |bytes: usize| {
        let mut png = b"\x89PNG\r\n\x1A\n".to_vec();
        png.resize(bytes, 0);
        png
    };
    for (bytes, most, expected) in [
        (png(20), WHOLE, Some("image/png")),
        (
            b"\xFF\xD8\xFF\xE0\0\x10JFIF".to_vec(),
            WHOLE,
            Some("image/jpeg"),
        ),
        (b"GIF87a\0".to_vec(), WHOLE, Some("image/gif")),
        (b"GIF89a\x01\0".to_vec(), WHOLE, Some("image/gif")),
        (
            b"RIFF\x24\0\0\0WEBPVP8 ".to_vec(),
            WHOLE,
            Some("image/webp"),
        ),
        (b"RIFF\x24\0\0\0WAVEfmt ".to_vec(), WHOLE, None),
        (b"RIFF\0".to_vec(), WHOLE, None),
        (b"\x89PNG".to_vec(), WHOLE, None),
        (
            b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec(),
            WHOLE,
            None,
        ),
        (b"BM\x46\0".to_vec(), WHOLE, None),
        (png(700_000), WHOLE, Some("image/png")),
        (png(700_001), WHOLE, None),
        (png(100), 99, None),
    ] {
        let (attachments, answer) = content(Some("text/plain"), &bytes, most).await;
        let shown: Vec<_> = attachments.iter().map(|it| it.mime_type.as_str()).collect();
        assert_eq!(shown, expected.as_slice(), "{answer}");
    }
}
