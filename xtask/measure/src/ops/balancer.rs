//! HAProxy and nginx, each with a file of `deploy/` whose addresses are replaced by those of the loopback.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::command::output;
use xtask::failure::Failure;
use xtask::server::{Server, free_address};
use xtask::tree::root;

/// A file of `deploy/`, and how it is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Balancer {
    HaProxy,
    HaProxyWithSessions,
    Nginx,
    NginxByAddress,
    /// Before nodes instead of replicas.
    HaProxyNodes,
    /// Before the first of the addresses, a node.
    NginxNodeCache,
}

/// What runs nginx in the foreground, with all of its files in one folder.
pub(super) const NGINX: &str = "daemon off;\npid nginx.pid;\nerror_log stderr warn;\nevents { worker_connections 1024; }\n\
                     http {\n    access_log off;\n    client_body_temp_path body;\n    proxy_temp_path proxy;\n    \
                     fastcgi_temp_path fastcgi;\n    uwsgi_temp_path uwsgi;\n    scgi_temp_path scgi;\n    include site.conf;\n}\n";

impl Balancer {
    pub(super) const ALL: [Self; 6] = [
        Self::HaProxy,
        Self::HaProxyWithSessions,
        Self::Nginx,
        Self::NginxByAddress,
        Self::HaProxyNodes,
        Self::NginxNodeCache,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::HaProxy | Self::HaProxyWithSessions | Self::HaProxyNodes => "HAProxy",
            Self::Nginx | Self::NginxByAddress | Self::NginxNodeCache => "nginx",
        }
    }

    pub(super) const fn file(self) -> &'static str {
        match self {
            Self::HaProxy => "deploy/haproxy/haproxy.cfg",
            Self::HaProxyWithSessions => "deploy/haproxy/sessions.cfg",
            Self::Nginx | Self::NginxByAddress => "deploy/nginx/mcp.conf",
            Self::HaProxyNodes => "deploy/haproxy/nodes.cfg",
            Self::NginxNodeCache => "deploy/nginx/node-cache.conf",
        }
    }

    /// Starts it before these replicas.
    pub(super) fn start(self, replicas: [SocketAddr; 2], folder: &Path) -> Result<Server, Failure> {
        let own = free_address()?;
        let (folder, arguments) = self.configure(own, replicas, folder)?;
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        Server::start_at(own, self.program(), &arguments, &folder.join("log"))
    }

    /// Has the program itself check its file.
    pub(super) fn check(self, replicas: [SocketAddr; 2], folder: &Path) -> Result<(), Failure> {
        let (_, arguments) = self.configure(free_address()?, replicas, folder)?;
        let mut command = Command::new(self.program());
        command.args(arguments);
        match self {
            Self::HaProxy | Self::HaProxyWithSessions | Self::HaProxyNodes => command.arg("-c"),
            Self::Nginx | Self::NginxByAddress | Self::NginxNodeCache => command.arg("-t"),
        };
        output(&mut command).map(|_| ())
    }

    fn program(self) -> &'static Path {
        Path::new(match self {
            Self::HaProxy | Self::HaProxyWithSessions | Self::HaProxyNodes => "haproxy",
            Self::Nginx | Self::NginxByAddress | Self::NginxNodeCache => "nginx",
        })
    }

    /// Writes its file with these addresses; its folder, and the arguments that make the program read it.
    fn configure(
        self,
        own: SocketAddr,
        replicas: [SocketAddr; 2],
        folder: &Path,
    ) -> Result<(PathBuf, Vec<String>), Failure> {
        let bind = format!("bind {own}");
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
            Self::NginxNodeCache => vec![
                ("10.0.0.1:12391", first.as_str()),
                ("listen 127.0.0.1:12390", &listen),
                ("/var/cache/nginx/qortal-node", &place),
            ],
        };
        let text = changed(self.file(), &changes)?;
        let folder = folder.join(self.name().to_lowercase());
        fs::create_dir_all(&folder).map_err(Failure::io(folder.display()))?;
        write(&folder.join("site.conf"), &text)?;
        let arguments = match self {
            Self::HaProxy | Self::HaProxyWithSessions | Self::HaProxyNodes => {
                let site = folder.join("site.conf").display().to_string();
                vec!["-db".to_owned(), "-f".to_owned(), site]
            }
            Self::Nginx | Self::NginxByAddress | Self::NginxNodeCache => {
                write(&folder.join("nginx.conf"), NGINX)?;
                let folder = folder.display().to_string();
                ["-p", &folder, "-c", "nginx.conf"]
                    .map(str::to_owned)
                    .into()
            }
        };
        Ok((folder, arguments))
    }
}

pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(Failure::io(path.display()))
}

/// The text of a file with replacements, each of which must have something to replace.
pub(super) fn changed(file: &str, changes: &[(&str, &str)]) -> Result<String, Failure> {
    let mut text = fs::read_to_string(root().join(file)).map_err(Failure::io(file))?;
    for (from, to) in changes {
        if !text.contains(from) {
            return Err(Failure::unreadable(file, format!("it has no {from:?}")));
        }
        text = text.replace(from, to);
    }
    Ok(text)
}
