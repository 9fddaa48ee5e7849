//! TLS: who is served, how long a handshake may take, and how a certificate is replaced.

use std::{sync::Arc, time::Duration};

use mcp_http::{HttpLimits, Tls};
use rustls::{
    ClientConfig, RootCertStore, ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, pem::PemObject},
};
use serde_json::json;
use tokio::net::TcpStream;
use tokio_rustls::{TlsConnector, client::TlsStream};

use crate::{
    client::{Client, soon},
    post::{PER_REQUEST, Post},
    site::Site,
};

/// A certificate with its key.
type Pair = [&'static [u8]; 2];

const FIRST: Pair = [
    include_bytes!("../tls/first.pem"),
    include_bytes!("../tls/first.key"),
];
const SECOND: Pair = [
    include_bytes!("../tls/second.pem"),
    include_bytes!("../tls/second.key"),
];
const SHORT: Duration = Duration::from_millis(50);
const NEVER: Duration = Duration::from_secs(3600);

fn config([certificate, key]: Pair) -> ServerConfig {
    ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![CertificateDer::from_pem_slice(certificate).unwrap()],
            PrivateKeyDer::from_pem_slice(key).unwrap(),
        )
        .unwrap()
}

async fn start(limits: HttpLimits) -> (Site, Tls) {
    let tls = Tls::from_config(config(FIRST));
    let site = Site::start_with(|config| {
        config.limits = limits;
        config.tls = Some(tls.clone());
    })
    .await;
    (site, tls)
}

fn patient() -> HttpLimits {
    HttpLimits::default()
        .with_header_timeout(NEVER)
        .with_idle_timeout(NEVER)
        .with_first_request_timeout(NEVER)
}

/// A handshake of a client that trusts this certificate alone.
async fn shake(site: &Site, [certificate, _]: Pair) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    let certificate = CertificateDer::from_pem_slice(certificate).unwrap();
    roots.add(certificate).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let stream = soon(TcpStream::connect(site.addr)).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    soon(TlsConnector::from(Arc::new(config)).connect(name, stream)).await
}

fn call() -> Post {
    Post::call(PER_REQUEST, "echo", json!({"a": 1}))
}

#[tokio::test]
async fn requests_are_answered_within_tls_alone() {
    let (site, _) = start(patient()).await;
    let stream = shake(&site, FIRST).await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
    let mut client = Client::on(stream);
    for _ in 0..3 {
        assert_eq!(client.ask(call().to_bytes()).await.status, 200);
    }
    let mut plain = site.client().await;
    plain.send(call().to_bytes()).await;
    let rest = plain.rest().await;
    assert!(!rest.starts_with(b"HTTP/"), "{rest:?}");
    assert!(shake(&site, SECOND).await.is_err());
    drop(client);
    site.end().await;
}

#[tokio::test]
async fn a_new_certificate_is_for_new_connections_and_open_ones_stay() {
    let (site, tls) = start(patient()).await;
    let mut client = Client::on(shake(&site, FIRST).await.unwrap());
    assert_eq!(client.ask(call().to_bytes()).await.status, 200);
    tls.replace(config(SECOND));
    assert!(shake(&site, FIRST).await.is_err());
    let mut next = Client::on(shake(&site, SECOND).await.unwrap());
    for client in [&mut client, &mut next] {
        assert_eq!(client.ask(call().to_bytes()).await.status, 200);
    }
    drop((client, next));
    site.end().await;
}

#[tokio::test]
async fn a_handshake_that_never_ends_times_out() {
    let (site, _) = start(patient().with_header_timeout(SHORT)).await;
    // A silent client, and one that sends the beginning of a record.
    for sent in [&b""[..], b"\x16\x03\x01\x02\x00"] {
        let mut client = site.client().await;
        client.send(sent).await;
        assert_eq!(client.rest().await, b"");
    }
    site.end().await;
}

#[tokio::test]
async fn a_handshake_counts_as_an_open_connection_and_makes_room() {
    let (site, _) = start(patient().with_connections(1)).await;
    let mut silent = site.client().await;
    let mut client = Client::on(shake(&site, FIRST).await.unwrap());
    assert_eq!(client.ask(call().to_bytes()).await.status, 200);
    assert_eq!(silent.rest().await, b"");
    drop(client);
    site.end().await;
}

#[tokio::test]
async fn a_stop_does_not_wait_for_handshakes() {
    let (site, _) = start(patient()).await;
    let mut silent = site.client().await;
    // Accepted after it.
    let client = Client::on(shake(&site, FIRST).await.unwrap());
    drop(client);
    site.end().await;
    assert_eq!(silent.rest().await, b"");
}

/// What is encrypted waits in a buffer, so that a write succeeds that has not reached its peer.
#[tokio::test]
async fn a_peer_that_does_not_read_what_is_encrypted_loses_its_connection() {
    let limits = patient().with_write_timeout(SHORT).with_connections(1);
    let (site, _) = start(limits).await;
    let mut deaf = Client::on(shake(&site, FIRST).await.unwrap());
    let fill = Post::call(PER_REQUEST, "fill", json!({"bytes": 4_000_000})).to_bytes();
    // More than the buffers of both sides can hold.
    let took_all = deaf.try_send(&fill.repeat(20)).await;
    let mut next = Client::on(shake(&site, FIRST).await.unwrap());
    assert_eq!(next.ask(call().to_bytes()).await.status, 200);
    let rest = deaf.rest().await;
    assert!(rest.len() < 80_000_000, "{took_all}, {}", rest.len());
    drop(next);
    site.end().await;
}
