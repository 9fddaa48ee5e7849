//! `cargo xtask ops tls`: the server behind each proxy of `deploy/` that ends TLS, and with a certificate of its own.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command;

use reqwest::{Certificate, Client};
use tokio::runtime::{Builder, Runtime};

use crate::ops::balancer::{NGINX, changed, write};
use crate::ops::client::{NAME, invents_addresses};
use xtask::command::{output, progress, say};
use xtask::failure::Failure;
use xtask::server::{Server, free_address};
use xtask::tree::root;

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

/// Fails with what is wrong.
pub(super) fn check(program: &Path, folder: &Path) -> Result<(), Failure> {
    // The client has the provider of the process; a second installation changes nothing.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Failure::io("runtime"))?;
    for front in [Front::Caddy, Front::Nginx, Front::HaProxy, Front::Own] {
        let name = front.name();
        progress(&format!("TLS by {name}"))?;
        let folder = folder.join("tls").join(name);
        fs::create_dir_all(&folder).map_err(Failure::io(folder.display()))?;
        let (_server, address, _front) = front.start(program, &folder)?;
        ask(&runtime, front, address)?;
        say(&format!(
            "TLS by {name}: answered, and clients are told apart"
        ))?;
    }
    Ok(())
}

/// Has each program check its file.
pub(super) fn validate(folder: &Path) -> Result<(), Failure> {
    let [certificate, key] = [CERTIFICATE, KEY].map(|it| root().join(it).display().to_string());
    for (front, file) in [
        (Front::Caddy, "deploy/caddy/Caddyfile"),
        (Front::Nginx, "deploy/nginx/tls.conf"),
        (Front::HaProxy, "deploy/haproxy/tls.cfg"),
    ] {
        let name = front.name();
        let folder = folder.join("tls").join(name);
        fs::create_dir_all(&folder).map_err(Failure::io(folder.display()))?;
        let (own, server) = (free_address()?, free_address()?);
        let mut arguments = front.configure(own, server, [&certificate, &key], &folder)?;
        match front {
            Front::Caddy => arguments
                .iter_mut()
                .filter(|it| *it == "run")
                .for_each(|it| "validate".clone_into(it)),
            Front::Nginx => arguments.push("-t".to_owned()),
            Front::HaProxy => arguments.push("-c".to_owned()),
            Front::Own => (),
        }
        output(Command::new(name).args(arguments))?;
        say(&format!("{file}: valid for {name}"))?;
    }
    Ok(())
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
    fn start(
        self,
        program: &Path,
        folder: &Path,
    ) -> Result<(Server, SocketAddr, Option<Server>), Failure> {
        let (certificate, key) = (root().join(CERTIFICATE), root().join(KEY));
        let [certificate, key] = [certificate, key].map(|it| it.display().to_string());
        let mut arguments = vec![
            "http",
            "--demo",
            "--listen",
            "ADDRESS",
            "--allow-host",
            NAME,
        ];
        arguments.extend(["--client-rate-limit", "1", "--trusted-proxy", "127.0.0.1"]);
        if self == Self::Own {
            arguments.extend(["--tls-cert", &certificate, "--tls-key", &key]);
        }
        let server = Server::start(program, &arguments, &folder.join("server.log"))?;
        if self == Self::Own {
            let address = server.address();
            return Ok((server, address, None));
        }
        let own = free_address()?;
        let arguments = self.configure(own, server.address(), [&certificate, &key], folder)?;
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let log = folder.join("log");
        let front = Server::start_at(own, Path::new(self.name()), &arguments, &log)?;
        Ok((server, own, Some(front)))
    }

    /// Writes its file with these addresses; the arguments that make the program read it.
    fn configure(
        self,
        own: SocketAddr,
        server: SocketAddr,
        [certificate, key]: [&str; 2],
        folder: &Path,
    ) -> Result<Vec<String>, Failure> {
        let server = server.to_string();
        let server = server.as_str();
        let site = folder.join("site.conf");
        let path = |it: &PathBuf| it.display().to_string();
        match self {
            Self::Caddy => {
                let begin = format!(
                    "https://{NAME}:{} {{\n\ttls {certificate} {key}\n",
                    own.port()
                );
                let changes = [("mcp.example.org {\n", &*begin), ("127.0.0.1:8000", server)];
                let text = changed("deploy/caddy/Caddyfile", &changes)?;
                let global = "{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n}\n";
                write(&site, &format!("{global}{text}"))?;
                let adapter = ["run", "--adapter", "caddyfile", "--config"];
                let words = adapter.map(str::to_owned).into_iter();
                Ok(words.chain([path(&site)]).collect())
            }
            Self::Nginx => {
                let listen = format!("listen {own} ssl");
                let changes = [
                    ("listen 443 ssl", &*listen),
                    ("/etc/nginx/mcp.example.org.pem", certificate),
                    ("/etc/nginx/mcp.example.org.key", key),
                    ("127.0.0.1:8000", server),
                ];
                write(&site, &changed("deploy/nginx/tls.conf", &changes)?)?;
                write(&folder.join("nginx.conf"), NGINX)?;
                let folder = folder.display().to_string();
                Ok(["-p", &folder, "-c", "nginx.conf"]
                    .map(str::to_owned)
                    .into())
            }
            Self::HaProxy => {
                let both = folder.join("both.pem");
                let read = |it: &str| fs::read_to_string(it).map_err(Failure::io(it));
                write(&both, &(read(certificate)? + &read(key)?))?;
                let (bind, both) = (format!("bind {own}"), path(&both));
                let changes = [
                    ("bind :443", &*bind),
                    ("/etc/haproxy/mcp.example.org.pem", &*both),
                    ("127.0.0.1:8000", server),
                ];
                write(&site, &changed("deploy/haproxy/tls.cfg", &changes)?)?;
                Ok(["-db", "-f", &path(&site)].map(str::to_owned).into())
            }
            Self::Own => Ok(Vec::new()),
        }
    }
}

/// Asks as two clients, the first of which claims another address with each call.
fn ask(runtime: &Runtime, front: Front, address: SocketAddr) -> Result<(), Failure> {
    let first = client(address, Ipv4Addr::new(127, 0, 0, 2))?;
    let second = client(address, Ipv4Addr::new(127, 0, 0, 3))?;
    let url = format!("https://{NAME}:{}/mcp", address.port());
    invents_addresses(runtime, [&first, &second], &url)
        .map_err(|why| Failure::Found(format!("TLS by {}: {why}", front.name())))
}

/// A client at an address of this machine that trusts the certificate alone.
fn client(address: SocketAddr, own: Ipv4Addr) -> Result<Client, Failure> {
    let pem = fs::read(root().join(CERTIFICATE)).map_err(Failure::io(CERTIFICATE))?;
    let unreadable = |why| Failure::unreadable(CERTIFICATE, why);
    let certificate = Certificate::from_pem(&pem).map_err(unreadable)?;
    Client::builder()
        .tls_certs_only([certificate])
        .resolve(NAME, address)
        .local_address(IpAddr::V4(own))
        .no_proxy()
        .build()
        .map_err(|why| Failure::unreadable("a client", why))
}
