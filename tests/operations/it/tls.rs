//! The server behind each proxy of `deploy/` that ends TLS, and with a certificate of its own.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command;

use reqwest::{Certificate, Client};

use xtask::command::output;
use xtask::server::{Server, free_address};

use crate::balancer::{NGINX, changed};
use crate::client::{NAME, invents_addresses};
use crate::site::{Site, folder, need, path, secret};

/// A certificate for the name, made for tests, and its key.
const CERTIFICATE: &str = "crates/mcp-http/tests/tls/first.pem";
const KEY: &str = "crates/mcp-http/tests/tls/first.key";

/// What ends TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Front {
    Caddy,
    Nginx,
    HaProxy,
    /// The server itself.
    Own,
}

#[tokio::test]
async fn clients_are_told_apart_through_each_proxy() {
    let site = Site::begin("tls").await;
    for front in [Front::Caddy, Front::Nginx, Front::HaProxy, Front::Own] {
        let name = front.name();
        let folder = folder(&format!("tls/{name}"));
        let (_server, address, _front) = front.start(&site, &folder);
        let first = client(address, Ipv4Addr::new(127, 0, 0, 2));
        let second = client(address, Ipv4Addr::new(127, 0, 0, 3));
        let url = format!("https://{NAME}:{}/mcp", address.port());
        let place = format!("TLS by {name}");
        invents_addresses(&place, [&first, &second], &url).await;
    }
}

#[test]
fn proxies_know_their_files() {
    let keys = [CERTIFICATE, KEY].map(path);
    for (front, check) in [
        (Front::Caddy, "validate"),
        (Front::Nginx, "-t"),
        (Front::HaProxy, "-c"),
    ] {
        let folder = folder(&format!("tls-files/{}", front.name()));
        let [own, server] = [(); 2].map(|()| free_address().unwrap());
        let mut arguments = front.configure(own, server, [&keys[0], &keys[1]], &folder);
        match front {
            Front::Caddy => check.clone_into(&mut arguments[0]),
            Front::Nginx | Front::HaProxy | Front::Own => arguments.push(check.to_owned()),
        }
        output(Command::new(need(front.name())).args(arguments)).unwrap();
    }
}

impl Front {
    const fn name(self) -> &'static str {
        match self {
            Self::Caddy => "caddy",
            Self::Nginx => "nginx",
            Self::HaProxy => "haproxy",
            Self::Own => "qortal-mcp",
        }
    }

    /// The server, where clients find it, and what is before it.
    fn start(self, site: &Site, folder: &Path) -> (Server, SocketAddr, Option<Server>) {
        let [certificate, key] = &[CERTIFICATE, KEY].map(|it| secret(folder, it));
        let mut arguments = vec!["http", "--demo", "--listen", "ADDRESS"];
        arguments.extend(["--allowed-hosts", NAME, "--client-rate-limit", "1"]);
        arguments.extend(["--trusted-proxies", "127.0.0.1"]);
        if self == Self::Own {
            arguments.extend(["--tls-cert", certificate, "--tls-key", key]);
        }
        let server = site.server(&arguments);
        if self == Self::Own {
            let address = server.address();
            return (server, address, None);
        }
        let own = free_address().unwrap();
        let arguments = self.configure(own, server.address(), [certificate, key], folder);
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let log = folder.join("log");
        let front = Server::start_at(own, need(self.name()), &arguments, &log).unwrap();
        (server, own, Some(front))
    }

    /// Writes its file with these addresses; the arguments that make the program read it.
    fn configure(
        self,
        own: SocketAddr,
        server: SocketAddr,
        [certificate, key]: [&str; 2],
        folder: &Path,
    ) -> Vec<String> {
        let server = server.to_string();
        let server = server.as_str();
        let site = folder.join("site.conf");
        let shown = |it: &PathBuf| it.display().to_string();
        match self {
            Self::Caddy => {
                let begin = format!(
                    "https://{NAME}:{} {{\n\ttls {certificate} {key}\n",
                    own.port()
                );
                let changes = [("mcp.example.org {\n", &*begin), ("127.0.0.1:8000", server)];
                let text = changed("deploy/caddy/Caddyfile", &changes);
                let global = "{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n}\n";
                fs::write(&site, format!("{global}{text}")).unwrap();
                let adapter = ["run", "--adapter", "caddyfile", "--config"];
                let words = adapter.map(str::to_owned).into_iter();
                words.chain([shown(&site)]).collect()
            }
            Self::Nginx => {
                let listen = format!("listen {own} ssl");
                let changes = [
                    ("listen 443 ssl", &*listen),
                    ("/etc/nginx/mcp.example.org.pem", certificate),
                    ("/etc/nginx/mcp.example.org.key", key),
                    ("127.0.0.1:8000", server),
                ];
                fs::write(&site, changed("deploy/nginx/tls.conf", &changes)).unwrap();
                fs::write(folder.join("nginx.conf"), NGINX).unwrap();
                let folder = folder.display().to_string();
                ["-p", &folder, "-c", "nginx.conf"]
                    .map(str::to_owned)
                    .into()
            }
            Self::HaProxy => {
                let both = folder.join("both.pem");
                let read = |it: &str| fs::read_to_string(it).unwrap();
                fs::write(&both, read(certificate) + &read(key)).unwrap();
                let (bind, both) = (format!("bind {own}"), shown(&both));
                let changes = [
                    ("bind :443", &*bind),
                    ("/etc/haproxy/mcp.example.org.pem", &*both),
                    ("127.0.0.1:8000", server),
                ];
                fs::write(&site, changed("deploy/haproxy/tls.cfg", &changes)).unwrap();
                ["-db", "-f", &shown(&site)].map(str::to_owned).into()
            }
            Self::Own => Vec::new(),
        }
    }
}

/// A client at an address of this machine that trusts the certificate alone.
fn client(address: SocketAddr, own: Ipv4Addr) -> Client {
    let pem = fs::read(path(CERTIFICATE)).unwrap();
    Client::builder()
        .tls_certs_only([Certificate::from_pem(&pem).unwrap()])
        .resolve(NAME, address)
        .local_address(IpAddr::V4(own))
        .no_proxy()
        .build()
        .unwrap()
}
