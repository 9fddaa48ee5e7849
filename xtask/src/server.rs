//! A server of this repository that listens on the loopback while other programs talk to it.

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use crate::command::{self, wait_for};
use crate::failure::Failure;

/// How long a server may take to listen.
const STARTED: Duration = Duration::from_secs(30);
/// How long a server may take to end.
const STOPPED: Duration = Duration::from_secs(10);

/// A server that listens; ended when dropped.
#[derive(Debug)]
pub struct Server {
    child: Child,
    address: SocketAddr,
    url: String,
}

impl Server {
    /// Starts `program` with `arguments`, where `ADDRESS` is the address to listen on; what it writes to
    /// stderr goes to `log`.
    pub fn start(program: &Path, arguments: &[&str], log: &Path) -> Result<Self, Failure> {
        let address = free_address()?;
        let text = address.to_string();
        let arguments = arguments.iter().map(|argument| match *argument {
            "ADDRESS" => text.as_str(),
            other => other,
        });
        let arguments: Vec<_> = arguments.collect();
        Self::start_at(address, program, &arguments, log)
    }

    /// Starts `program`, which `arguments` tell to listen at `address`.
    pub fn start_at(
        address: SocketAddr,
        program: &Path,
        arguments: &[&str],
        log: &Path,
    ) -> Result<Self, Failure> {
        let stderr = File::create(log).map_err(Failure::io(log.display()))?;
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn()
            .map_err(Failure::io(program.display()))?;
        let mut server = Self {
            child,
            address,
            url: format!("http://{address}/mcp"),
        };
        server.wait_until_it_listens(address, log)?;
        Ok(server)
    }

    /// Where it speaks MCP.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends it with a signal, as a service manager does.
    pub fn stop(mut self) -> Result<(), Failure> {
        let id = self.child.id().to_string();
        command::run(Command::new("kill").args(["-TERM", &id]))?;
        let ended = wait_for(STOPPED, || {
            self.child.try_wait().map_err(Failure::io("the server"))
        })?;
        match ended {
            Some(_) => Ok(()),
            None => Err(Failure::Found(
                "the server does not end when it is asked to".to_owned(),
            )),
        }
    }

    fn wait_until_it_listens(&mut self, address: SocketAddr, log: &Path) -> Result<(), Failure> {
        let listens = wait_for(STARTED, || {
            if TcpStream::connect(address).is_ok() {
                return Ok(Some(true));
            }
            let ended = self.child.try_wait().map_err(Failure::io(log.display()))?;
            Ok(ended.map(|_| false))
        })?;
        if listens == Some(true) {
            return Ok(());
        }
        let said = fs::read_to_string(log).map_err(Failure::io(log.display()))?;
        Err(Failure::Found(format!(
            "the server does not listen\n{said}"
        )))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already; either way it is waited for.
        let _killed = self.child.kill();
        let _status = self.child.wait();
    }
}

/// A port of the loopback that is free now. Not one that the system hands out to who asks for any: the program that is
/// started may ask for one itself before it listens.
pub fn free_address() -> Result<SocketAddr, Failure> {
    /// Below the ranges of Linux (32768 on) and macOS (49152 on).
    const PORTS: std::ops::Range<u16> = 20_000..32_000;
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Two runs at a time begin elsewhere.
    let begin = u16::try_from(std::process::id() % 12_000).unwrap_or_default();
    let mut last = None;
    for _ in PORTS {
        let step = begin.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        let port = PORTS.start + step % (PORTS.end - PORTS.start);
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).and_then(|it| it.local_addr()) {
            Ok(address) => return Ok(address),
            Err(why) => last = Some(why),
        }
    }
    let why = last.unwrap_or_else(|| std::io::ErrorKind::AddrInUse.into());
    Err(Failure::io("a free port")(why))
}
