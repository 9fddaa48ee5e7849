//! The address of a listener: a TCP address, or the path of a Unix socket.

use std::{fmt, io, net::SocketAddr, path::PathBuf, str::FromStr};

use mcp_http::Listener;
use tokio::net::{TcpListener, TcpSocket};

/// How many connections the system keeps until they are accepted, if it may. Of those that come at once, what is beyond it
/// waits for a second or longer.
const BACKLOG: u32 = 1_024;

/// What begins the path of a Unix socket.
const UNIX: &str = "unix:";

/// The address of a listener. Its text form is an address and a port, such as `127.0.0.1:8000`, or `unix:` and a path.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third way")]
pub enum ListenAddr {
    /// A TCP address. Port 0 selects a free port.
    Tcp(SocketAddr),
    /// The path of a Unix socket. Only the current user can connect to it.
    Unix(PathBuf),
}

impl ListenAddr {
    /// Returns `true` if only this machine, or only this user, can connect.
    #[must_use]
    pub fn is_local(&self) -> bool {
        match self {
            Self::Tcp(address) => address.ip().is_loopback(),
            Self::Unix(_) => true,
        }
    }

    /// Returns the origin for clients, such as `http://127.0.0.1:8000`. `host` is the host name that clients use, with the port if
    /// it differs from the one of the listener.
    #[must_use]
    pub fn origin(&self, scheme: &str, host: Option<&str>) -> String {
        let Self::Tcp(address) = self else {
            return "http://localhost".to_owned();
        };
        let port = address.port();
        match host {
            Some(host) if !address.ip().is_loopback() => {
                if host.contains(':') {
                    format!("{scheme}://{host}")
                } else {
                    format!("{scheme}://{host}:{port}")
                }
            }
            // From this machine.
            None if address.ip().is_unspecified() => format!("{scheme}://127.0.0.1:{port}"),
            _ => format!("{scheme}://{address}"),
        }
    }

    /// Binds the address. The returned address holds the port that the system chose for port 0.
    ///
    /// # Errors
    /// Returns an error if the system does not allow it or the address is in use.
    pub async fn bind(&self) -> io::Result<(Listener, Self, SocketFile)> {
        match self {
            Self::Tcp(address) => {
                let listener = bind_tcp(*address)?;
                let address = listener.local_addr()?;
                Ok((listener.into(), Self::Tcp(address), SocketFile(None)))
            }
            Self::Unix(path) => {
                let (listener, file) = bind_unix(path)?;
                Ok((listener, self.clone(), file))
            }
        }
    }
}

fn bind_tcp(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // On Windows it would let another program listen on the same address.
    socket.set_reuseaddr(cfg!(unix))?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// The file of a Unix socket. Dropping it removes the file.
#[derive(Debug)]
pub struct SocketFile(Option<PathBuf>);

impl Drop for SocketFile {
    fn drop(&mut self) {
        if let Some(path) = self.0.take()
            && let Err(err) = std::fs::remove_file(&path)
        {
            tracing::warn!(%err, ?path, "the socket file could not be removed");
        }
    }
}

/// Binds the socket beside its place and moves it there once it has its permissions, so that no one connects before.
#[cfg(unix)]
fn bind_unix(path: &std::path::Path) -> io::Result<(Listener, SocketFile)> {
    use std::{
        fs,
        os::unix::{
            fs::{FileTypeExt, PermissionsExt},
            net::UnixStream,
        },
    };

    match fs::symlink_metadata(path) {
        Ok(found) if !found.file_type().is_socket() => {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "the path exists and is not a socket",
            ));
        }
        // One that no one listens on was left behind, and is replaced.
        Ok(_) if UnixStream::connect(path).is_ok() => {
            return Err(io::ErrorKind::AddrInUse.into());
        }
        Ok(_) | Err(_) => (),
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}", std::process::id()));
    let beside = PathBuf::from(beside);
    let listener = tokio::net::UnixListener::bind(&beside)?;
    let mut file = SocketFile(Some(beside.clone()));
    fs::set_permissions(&beside, fs::Permissions::from_mode(0o600))?;
    fs::rename(&beside, path)?;
    file.0 = Some(path.to_owned());
    Ok((listener.into(), file))
}

#[cfg(not(unix))]
fn bind_unix(_: &std::path::Path) -> io::Result<(Listener, SocketFile)> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "this system does not support Unix sockets",
    ))
}

impl FromStr for ListenAddr {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix(UNIX) {
            Some("") => Err("expected a path after unix:".to_owned()),
            Some(path) => Ok(Self::Unix(PathBuf::from(path))),
            None => text.parse().map(Self::Tcp).map_err(|_| {
                "expected an IP address and a port such as 127.0.0.1:8000, or unix:PATH".to_owned()
            }),
        }
    }
}

impl fmt::Display for ListenAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => write!(f, "{address}"),
            Self::Unix(path) => write!(f, "{UNIX}{}", path.display()),
        }
    }
}
