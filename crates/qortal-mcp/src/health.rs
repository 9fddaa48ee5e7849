//! `qortal-mcp health`: checks the server of these settings.

use std::{
    ffi::OsString,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    str::FromStr,
};

use mcp_operate::{ListenAddr, check_health, check_health_tls_unverified};

use crate::{
    args::{Arguments, Command},
    config::Values,
    env,
    exit::{Exit, Failure},
};

/// The address of a server, and the scheme if it is written before the address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HealthTarget {
    address: ListenAddr,
    is_tls: Option<bool>,
}

impl FromStr for HealthTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (is_tls, text) = match text.split_once("://") {
            Some(("https", rest)) => (Some(true), rest.trim_end_matches('/')),
            Some(("http", rest)) => (Some(false), rest.trim_end_matches('/')),
            Some(_) | None => (None, text),
        };
        let port = text.strip_prefix("localhost:").map(str::parse);
        let address = match port {
            Some(Ok(port)) => ListenAddr::Tcp((Ipv4Addr::LOCALHOST, port).into()),
            Some(Err(_)) | None => text.parse()?,
        };
        Ok(Self { address, is_tls })
    }
}

/// Checks the server at this address, or the server of the settings.
pub(crate) fn check(target: Option<&HealthTarget>, own: &Arguments) -> Result<Exit, Failure> {
    let running = running();
    let settings = Values::read(running.as_ref().unwrap_or(own), &env::read)?;
    let target = resolve(target, &settings)?;
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().map_err(Failure::io)?;
    let checked = runtime.block_on(async {
        match target.is_tls {
            Some(true) => check_health_tls_unverified(&target.address).await,
            Some(false) | None => check_health(&target.address).await,
        }
    });
    checked.map_err(|err| Failure::from(err).ends(Exit::Failed))?;
    Ok(Exit::Success)
}

/// Returns the address to connect to, and whether the server there serves TLS.
fn resolve(target: Option<&HealthTarget>, settings: &Values) -> Result<HealthTarget, Failure> {
    let serves_tls = settings.tls_cert.is_some();
    let listened = reachable(&settings.listen);
    let (address, is_tls) = match target {
        None => (listened, serves_tls),
        Some(HealthTarget { address, is_tls }) => {
            let address = reachable(address);
            let is_tls = is_tls.unwrap_or(serves_tls && address == listened);
            (address, is_tls)
        }
    };
    if matches!(&address, ListenAddr::Tcp(address) if address.port() == 0) {
        return Err(Failure::new(
            "the port of the server is unknown, because the setting listen has port 0 and the server picks a free one\nhint: pass the address of the server: qortal-mcp health ADDR:PORT",
        ));
    }
    let is_tls = Some(is_tls);
    Ok(HealthTarget { address, is_tls })
}

/// Returns the address by which this machine connects to a server that listens there.
fn reachable(listen: &ListenAddr) -> ListenAddr {
    match listen {
        ListenAddr::Tcp(address) if address.ip().is_unspecified() => {
            let ip = match address.ip() {
                IpAddr::V4(_) => IpAddr::from(Ipv4Addr::LOCALHOST),
                IpAddr::V6(_) => IpAddr::from(Ipv6Addr::LOCALHOST),
            };
            ListenAddr::Tcp(SocketAddr::new(ip, address.port()))
        }
        other => other.clone(),
    }
}

/// Returns the arguments of the server that is process 1, as it is in a container: the check of an image has no others.
#[cfg(target_os = "linux")]
fn running() -> Option<Arguments> {
    use std::os::unix::ffi::OsStringExt;

    let line = std::fs::read("/proc/1/cmdline").ok()?;
    let words = line.split(|it| *it == 0);
    of_server(words.map(|it| OsString::from_vec(it.to_vec())))
}

#[cfg(not(target_os = "linux"))]
fn running() -> Option<Arguments> {
    None
}

/// Returns the arguments of a command line that starts this program as a server, also by way of an init program.
#[cfg_attr(
    not(target_os = "linux"),
    expect(dead_code, reason = "only Linux shows command lines")
)]
fn of_server(words: impl Iterator<Item = OsString>) -> Option<Arguments> {
    let words: Vec<_> = words.filter(|it| !it.is_empty()).collect();
    let is_program = |it: &OsString| {
        let path = std::path::Path::new(it);
        path.file_name() == Some("qortal-mcp".as_ref())
    };
    let start = words.iter().position(is_program)?;
    let arguments = Arguments::read(words.into_iter().skip(start)).ok()?;
    matches!(arguments.command, Some(Command::Http(_))).then_some(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(options: &str) -> Values {
        let line = format!("qortal-mcp http {options}");
        let arguments = Arguments::read(line.trim().split(' ')).unwrap();
        Values::read(&arguments, &|_| None).unwrap()
    }

    #[test]
    fn target_is_that_of_the_settings_unless_it_is_named() {
        const TLS: &str = "--listen 0.0.0.0:8443 --tls-cert a --tls-key b";
        for (options, target, address, is_tls) in [
            ("", None, "127.0.0.1:8000", false),
            ("--listen 0.0.0.0:9000", None, "127.0.0.1:9000", false),
            ("--listen [::]:9000", None, "[::1]:9000", false),
            ("--listen 10.0.0.1:9000", None, "10.0.0.1:9000", false),
            ("--listen unix:/run/s", None, "unix:/run/s", false),
            (TLS, None, "127.0.0.1:8443", true),
            (TLS, Some("127.0.0.1:8443"), "127.0.0.1:8443", true),
            (TLS, Some("127.0.0.1:9464"), "127.0.0.1:9464", false),
            ("", Some("localhost:8000"), "127.0.0.1:8000", false),
            ("", Some("unix:/run/s"), "unix:/run/s", false),
            ("", Some("https://127.0.0.1:8443"), "127.0.0.1:8443", true),
            (TLS, Some("http://localhost:8443/"), "127.0.0.1:8443", false),
        ] {
            let target = target.map(|it| it.parse::<HealthTarget>().unwrap());
            let found = resolve(target.as_ref(), &settings(options)).unwrap();
            let place = format!("{options} {target:?}");
            assert_eq!(found.address.to_string(), address, "{place}");
            assert_eq!(found.is_tls, Some(is_tls), "{place}");
        }
        let failure = resolve(None, &settings("--listen 127.0.0.1:0")).unwrap_err();
        assert!(failure.error.to_string().contains("has port 0"));
    }

    #[test]
    fn text_that_is_no_address_is_rejected() {
        for text in [
            "",
            "localhost",
            "localhost:http",
            "unix:",
            "ftp://127.0.0.1:1",
        ] {
            assert!(text.parse::<HealthTarget>().is_err(), "{text}");
        }
    }

    #[test]
    fn command_line_of_the_server_is_found_behind_an_init_program() {
        for (line, listen) in [
            ("/qortal-mcp http --listen 0.0.0.0:1", Some("0.0.0.0:1")),
            (
                "/sbin/docker-init -- /qortal-mcp http --listen unix:/s",
                Some("unix:/s"),
            ),
            ("/sbin/init splash", None),
            ("/qortal-mcp", None),
            ("/qortal-mcp http --nonsense", None),
            ("sh -c /qortal-mcp-other http", None),
        ] {
            let found = of_server(line.split(' ').map(OsString::from));
            let found = found.map(|it| Values::read(&it, &|_| None).unwrap().listen.to_string());
            assert_eq!(found.as_deref(), listen, "{line}");
        }
    }
}
