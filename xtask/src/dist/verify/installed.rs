//! The channels that put the program on a machine.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::command::{output, wait_for};
use crate::dist::channel::{archive, deb, installer, libraries, npm, oci, wheel};
use crate::dist::release::PROGRAM;
use crate::dist::target::{TARGETS, Target};
use crate::dist::verify::prefix::found;
use crate::dist::verify::{Found, Trial};
use crate::dist::{corpus, wasm};
use crate::failure::Failure;

/// The static program of this machine's processor.
pub(crate) fn host() -> Option<&'static Target> {
    let triple = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    TARGETS.iter().find(|it| it.triple == triple)
}

/// What is missing if this machine has no program of its own in the release.
fn no_host() -> Result<Found, Failure> {
    Ok(Found::Untried("only on Linux".to_owned()))
}

pub(crate) fn archive(trial: &Trial<'_>) -> Result<Found, Failure> {
    let Some(target) = host() else {
        return no_host();
    };
    let name = archive::name(&trial.release.version, target);
    let file = trial.file(&name)?;
    let mut tar = trial.prefix.command("tar");
    output(tar.args(["xzf"]).arg(&file).arg("--strip-components=1"))?;
    let program = trial.prefix.home.join(PROGRAM);
    trial.answer.ask(&mut trial.prefix.command(&program))?;
    let said = trial.prefix.output(&program, ["--version"])?;
    expect(
        "--version",
        said.trim(),
        &format!("{PROGRAM} {}", trial.release.version),
    )?;
    Found::passed(name)
}

/// `curl … | sh`, with the files of this folder for those of the release.
pub(crate) fn shell(trial: &Trial<'_>) -> Result<Found, Failure> {
    let Some(target) = host() else {
        return no_host();
    };
    let script = trial.file(installer::SHELL)?;
    let url = format!(
        "file://{}",
        fs::canonicalize(trial.folder)
            .map_err(Failure::io("release"))?
            .display()
    );
    let mut sh = trial.prefix.command("sh");
    sh.arg(&script).env("QORTAL_MCP_DOWNLOAD", &url);
    output(&mut sh)?;
    let program = trial.prefix.home.join(".local/bin").join(PROGRAM);
    trial.answer.ask(&mut trial.prefix.command(&program))?;
    // A file that was changed on its way is not installed.
    let tampered = trial.prefix.home.join("tampered");
    fs::create_dir_all(&tampered).map_err(Failure::io(tampered.display()))?;
    let name = archive::name(&trial.release.version, target);
    for file in [&*name, "SHA256SUMS"] {
        fs::copy(trial.file(file)?, tampered.join(file)).map_err(Failure::io(file))?;
    }
    let changed = tampered.join(&name);
    let mut bytes = fs::read(&changed).map_err(Failure::io(&name))?;
    bytes.push(0);
    fs::write(&changed, bytes).map_err(Failure::io(&name))?;
    let mut sh = trial.prefix.command("sh");
    sh.arg(&script)
        .env(
            "QORTAL_MCP_DOWNLOAD",
            format!("file://{}", tampered.display()),
        )
        .env("QORTAL_MCP_BIN", trial.prefix.home.join("never"));
    match output(&mut sh) {
        Err(_) if !trial.prefix.home.join("never").exists() => Found::passed(name),
        _ => Err(Failure::Found(
            "the installer took a changed file".to_owned(),
        )),
    }
}

/// `npx -y qortal-mcp`, with tarballs for the registry.
pub(crate) fn npx(trial: &Trial<'_>) -> Result<Found, Failure> {
    let (Some(npx), Some(target)) = (found("npx"), host()) else {
        return Ok(Found::Untried("needs npx".to_owned()));
    };
    let version = &trial.release.version;
    let platform = npm::name(version, target.platform);
    let mut command = trial.prefix.command(npx);
    command
        .arg("-y")
        .args(["--offline", "--package"])
        .arg(trial.file(&npm::name(version, None))?)
        .arg("--package")
        .arg(trial.file(&platform)?)
        .arg(PROGRAM);
    trial.answer.ask(&mut command)?;
    Found::passed(platform)
}

/// `npm install qortal-mcp-convert qortal-mcp-corpus`, and an input of the one converted by the other.
pub(crate) fn conversion(trial: &Trial<'_>) -> Result<Found, Failure> {
    let version = &trial.release.version;
    let name = libraries::name(wasm::PACKAGE, version);
    let (Some(npm), Some(node)) = (found("npm"), found("node")) else {
        return Ok(Found::Untried("needs npm".to_owned()));
    };
    if !trial.folder.join(&name).is_file() {
        return Ok(Found::Untried(format!("{} is not built", wasm::TRIPLE)));
    }
    let mut install = trial.prefix.command(npm);
    install.args(["install", "--offline", "--no-audit", "--no-fund"]);
    install.arg(trial.file(&name)?);
    install.arg(trial.file(&libraries::name(corpus::PACKAGE, version))?);
    output(&mut install)?;
    let script = "import { convert } from 'qortal-mcp-convert'; import { readFileSync } from 'node:fs'; \
        const { inputs } = JSON.parse(readFileSync('node_modules/qortal-mcp-corpus/inputs.json')); \
        console.log(JSON.stringify(convert(inputs.err_text.result, { to: 'openai-chat' }).output.content))";
    let said = trial
        .prefix
        .output(&node, ["--input-type=module", "--eval", script])?;
    expect("a converted failure", said.trim(), "\"Error: boom\"")?;
    Found::passed(name)
}

/// `uvx qortal-mcp`, with a folder of wheels for the registry.
pub(crate) fn uvx(trial: &Trial<'_>) -> Result<Found, Failure> {
    let (Some(uvx), Some(target)) = (found("uvx"), host()) else {
        return Ok(Found::Untried("needs uvx".to_owned()));
    };
    let mut command = trial.prefix.command(uvx);
    command
        .args(["--offline", "--no-index", "--find-links"])
        .arg(fs::canonicalize(trial.folder).map_err(Failure::io("release"))?)
        .arg(PROGRAM)
        // The Python of the system, not one that is downloaded.
        .env("UV_PYTHON_DOWNLOADS", "never");
    if let Some(python) = found("python3").and_then(|it| fs::canonicalize(it).ok()) {
        command.env("UV_PYTHON", resolved(&python));
    }
    trial.answer.ask(&mut command)?;
    Found::passed(wheel::name(&trial.release.version, target))
}

/// The interpreter itself, where the one on the path only chooses among several.
fn resolved(python: &Path) -> String {
    let printed = output(Command::new(python).args(["-c", "import sys; print(sys.executable)"]));
    printed.map_or_else(|_| python.display().to_string(), |it| it.trim().to_owned())
}

/// Unpacked as dpkg would, and run from where it lies.
pub(crate) fn deb(trial: &Trial<'_>) -> Result<Found, Failure> {
    let Some(processor) = host().and_then(|it| it.linux) else {
        return no_host();
    };
    let name = deb::name(&trial.release.version, processor);
    let mut dpkg = trial.prefix.command("dpkg-deb");
    output(
        dpkg.arg("-x")
            .arg(trial.file(&name)?)
            .arg(&trial.prefix.home),
    )?;
    let program = trial.prefix.home.join("usr/bin").join(PROGRAM);
    trial.answer.ask(&mut trial.prefix.command(&program))?;
    // The service's command line starts: it stops at the token file that an operator has to write.
    let config = trial.prefix.home.join("etc/qortal-mcp/config.toml");
    let mut tools = trial.prefix.command(&program);
    output(tools.arg("tools").arg("--config").arg(config))?;
    Found::passed(name)
}

/// The root of an image, as the runtime of a container lays it out.
fn unpacked(trial: &Trial<'_>, tag: &str) -> Result<Result<std::path::PathBuf, Found>, Failure> {
    let untried = |why: &str| Ok(Err(Found::Untried(why.to_owned())));
    let (Some(umoci), Some(skopeo)) = (found("umoci"), found("skopeo")) else {
        return untried("needs skopeo and umoci");
    };
    let archive = trial.file(&oci::name(&trial.release.version))?;
    let layout = trial.prefix.home.join("layout");
    let mut copy = trial.prefix.command(skopeo);
    copy.args(["copy", "--quiet"])
        .arg(format!("oci-archive:{}:{tag}", archive.display()))
        .arg(format!("oci:{}:{tag}", layout.display()));
    output(&mut copy)?;
    let bundle = trial.prefix.home.join("bundle");
    let mut unpack = trial.prefix.command(umoci);
    unpack
        .args(["unpack", "--rootless", "--image"])
        .arg(format!("{}:{tag}", layout.display()))
        .arg(&bundle);
    output(&mut unpack)?;
    Ok(Ok(bundle))
}

/// The program as the image's user in the image's root: there is nothing else in it.
fn contained(trial: &Trial<'_>, bundle: &Path) -> Command {
    let mut chroot = trial.prefix.command("chroot");
    chroot
        .arg("--userspec=65532:65532")
        .arg(bundle.join("rootfs"))
        .arg(format!("/{PROGRAM}"));
    chroot
}

fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_ok_and(|it| it.trim() == "0")
}

pub(crate) fn image(trial: &Trial<'_>) -> Result<Found, Failure> {
    if !is_root() {
        return Ok(Found::Untried("needs root, for chroot".to_owned()));
    }
    let bundle = match unpacked(trial, &trial.release.version)? {
        Ok(bundle) => bundle,
        Err(untried) => return Ok(untried),
    };
    trial.answer.ask(&mut contained(trial, &bundle))?;
    Found::passed(oci::name(&trial.release.version))
}

/// The variant for HTTP with the arguments of its configuration: it listens, and its health check says so.
pub(crate) fn image_http(trial: &Trial<'_>) -> Result<Found, Failure> {
    if !is_root() {
        return Ok(Found::Untried("needs root, for chroot".to_owned()));
    }
    let bundle = match unpacked(trial, &format!("{}-http", trial.release.version))? {
        Ok(bundle) => bundle,
        Err(untried) => return Ok(untried),
    };
    let secrets = bundle.join("rootfs/run/secrets");
    fs::create_dir_all(&secrets).map_err(Failure::io(secrets.display()))?;
    let tokens = secrets.join("tokens");
    // A token as long as the program asks for, that nothing but this trial has.
    fs::write(&tokens, format!("trial {}\n", "0123456789abcdef".repeat(4)))
        .map_err(Failure::io(tokens.display()))?;
    // The program refuses a file that others can read.
    output(Command::new("chmod").arg("600").arg(&tokens))?;
    output(Command::new("chown").arg("65532:65532").arg(&tokens))?;
    let listen = free_address()?;
    let listen = listen.as_str();
    let mut serve = contained(trial, &bundle);
    serve
        .args(["http", "--demo", "--listen", listen])
        .args(["--token-file", "/run/secrets/tokens"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut server = Running(serve.spawn().map_err(Failure::io("chroot"))?);
    let healthy = wait_for(Duration::from_secs(10), || {
        let mut health = contained(trial, &bundle);
        Ok(output(health.args(["health", listen])).ok())
    })?;
    server.stop()?;
    let after = output(contained(trial, &bundle).args(["health", listen]));
    match (healthy, after) {
        (Some(_), Err(_)) => Found::passed(oci::name(&trial.release.version)),
        (None, _) => Err(Failure::Found(
            "its health check never succeeded".to_owned(),
        )),
        (Some(_), Ok(_)) => Err(Failure::Found(
            "its health check succeeds without a server".to_owned(),
        )),
    }
}

/// An address that nothing listens on.
fn free_address() -> Result<String, Failure> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0");
    let address = listener.and_then(|it| it.local_addr());
    let address = address.map_err(Failure::io("a free address"))?;
    Ok(address.to_string())
}

/// A server that ends with the trial.
struct Running(Child);

impl Running {
    fn stop(&mut self) -> Result<(), Failure> {
        let pid = self.0.id().to_string();
        output(Command::new("kill").arg(pid))?;
        self.0.wait().map(drop).map_err(Failure::io("chroot"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended, or a trial failed and it must not outlive it.
        let _killed = self.0.kill();
        let _ended = self.0.wait();
    }
}

/// Fails unless a program said what it should.
pub(crate) fn expect(what: &str, said: &str, expected: &str) -> Result<(), Failure> {
    match said == expected {
        true => Ok(()),
        false => Err(Failure::Found(format!(
            "{what} says {said:?}, expected {expected:?}"
        ))),
    }
}
