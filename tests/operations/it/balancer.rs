//! HAProxy and nginx, each with a file of `deploy/` whose addresses are replaced by those of the loopback.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::command::output;
use xtask::server::{Server, free_address};

use crate::site::{need, path};

/// A file of `deploy/`, and how it is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Balancer {
    HaProxy,
    HaProxyWithSessions,
    Nginx,
    NginxByAddress,
    /// Before nodes instead of replicas.
    HaProxyNodes,
    /// Before the first of the addresses, a node that replicas share.
    HaProxyNode,
    /// Before the first of the addresses, a node.
    NginxNodeCache,
}

/// What runs nginx in the foreground, with all of its files in one folder.
pub(crate) const NGINX: &str = "daemon off;\npid nginx.pid;\nerror_log stderr warn;\nevents { worker_connections 1024; }\n\
                     http {\n    access_log off;\n    client_body_temp_path body;\n    proxy_temp_path proxy;\n    \
                     fastcgi_temp_path fastcgi;\n    uwsgi_temp_path uwsgi;\n    scgi_temp_path scgi;\n    include site.conf;\n}\n";

impl Balancer {
    pub(crate) const ALL: [Self; 7] = [
        Self::HaProxy,
        Self::HaProxyWithSessions,
        Self::Nginx,
        Self::NginxByAddress,
        Self::HaProxyNodes,
        Self::HaProxyNode,
        Self::NginxNodeCache,
    ];

    pub(crate) const fn name(self) -> &'static str {
        if self.is_nginx() { "nginx" } else { "HAProxy" }
    }

    pub(crate) const fn file(self) -> &'static str {
        match self {
            Self::HaProxy => "deploy/haproxy/haproxy.cfg",
            Self::HaProxyWithSessions => "deploy/haproxy/sessions.cfg",
            Self::Nginx | Self::NginxByAddress => "deploy/nginx/mcp.conf",
            Self::HaProxyNodes => "deploy/haproxy/nodes.cfg",
            Self::HaProxyNode => "deploy/haproxy/node.cfg",
            Self::NginxNodeCache => "deploy/nginx/node-cache.conf",
        }
    }

    /// Starts it before these replicas.
    pub(crate) fn start(self, replicas: [SocketAddr; 2], folder: &Path) -> Server {
        let own = free_address().unwrap();
        let (folder, arguments) = self.configure(own, replicas, folder);
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        Server::start_at(own, self.program(), &arguments, &folder.join("log")).unwrap()
    }

    /// Has the program itself check its file.
    pub(crate) fn check(self, folder: &Path) {
        let [own, first, second] = [(); 3].map(|()| free_address().unwrap());
        let (_, mut arguments) = self.configure(own, [first, second], folder);
        arguments.push(if self.is_nginx() { "-t" } else { "-c" }.to_owned());
        output(Command::new(self.program()).args(arguments)).unwrap();
    }

    const fn is_nginx(self) -> bool {
        match self {
            Self::HaProxy | Self::HaProxyWithSessions | Self::HaProxyNodes | Self::HaProxyNode => {
                false
            }
            Self::Nginx | Self::NginxByAddress | Self::NginxNodeCache => true,
        }
    }

    fn program(self) -> &'static Path {
        need(if self.is_nginx() { "nginx" } else { "haproxy" })
    }

    /// Writes its file with these addresses; its folder, and the arguments that make the program read it.
    fn configure(
        self,
        own: SocketAddr,
        replicas: [SocketAddr; 2],
        folder: &Path,
    ) -> (PathBuf, Vec<String>) {
        let (own, bind) = (own.to_string(), format!("bind {own}"));
        let listen = format!("listen {own}");
        let place = folder.join("node-cache").display().to_string();
        let [first, second] = replicas.map(|it| it.to_string());
        let replicas = [
            ("10.0.0.1:8000", first.as_str()),
            ("10.0.0.2:8000", second.as_str()),
        ];
        let changes = match self {
            Self::HaProxy | Self::HaProxyWithSessions => {
                [&replicas[..], &[("bind :8080", &bind)]].concat()
            }
            Self::Nginx => [&replicas[..], &[("listen 8080", &listen)]].concat(),
            Self::NginxByAddress => {
                let others = [
                    ("listen 8080", listen.as_str()),
                    ("    least_conn;", "    ip_hash;"),
                ];
                [replicas, others].concat()
            }
            Self::HaProxyNodes => vec![
                ("10.0.0.1:12391", first.as_str()),
                ("10.0.0.2:12391", second.as_str()),
                ("bind 127.0.0.1:12390", &bind),
            ],
            Self::HaProxyNode => vec![
                ("10.0.0.10:12391", first.as_str()),
                ("127.0.0.1:12390", own.as_str()),
            ],
            Self::NginxNodeCache => vec![
                ("10.0.0.1:12391", first.as_str()),
                ("listen 127.0.0.1:12390", &listen),
                ("/var/cache/nginx/qortal-node", &place),
            ],
        };
        let text = changed(self.file(), &changes);
        let folder = folder.join(self.name().to_lowercase());
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("site.conf"), text).unwrap();
        let place = folder.display().to_string();
        let arguments = if self.is_nginx() {
            fs::write(folder.join("nginx.conf"), NGINX).unwrap();
            ["-p", &place, "-c", "nginx.conf"]
                .map(str::to_owned)
                .to_vec()
        } else {
            ["-db", "-C", &place, "-f", "site.conf"]
                .map(str::to_owned)
                .to_vec()
        };
        (folder, arguments)
    }
}

/// The text of a file with replacements, each of which must have something to replace.
pub(crate) fn changed(file: &str, changes: &[(&str, &str)]) -> String {
    let mut text = fs::read_to_string(path(file)).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{file} has no {from:?}");
        text = text.replace(from, to);
    }
    text
}
