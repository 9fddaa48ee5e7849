//! Programs of other platforms, run by what imitates those.

use crate::command::output;
use crate::dist::channel::archive;
use crate::dist::release::PROGRAM;
use crate::dist::target::Target;
use crate::dist::verify::installed::expect;
use crate::dist::verify::prefix::found;
use crate::dist::verify::{Found, Trial};
use crate::failure::Failure;

/// With QEMU's user mode, which needs nothing of the other system for a static program.
pub(crate) fn arm64(trial: &Trial<'_>) -> Result<Found, Failure> {
    let Some(target) = Target::named("aarch64-unknown-linux-musl") else {
        return Ok(Found::Untried("no such target".to_owned()));
    };
    let name = archive::name(&trial.release.version, target);
    if !trial.folder.join(&name).exists() {
        return Ok(Found::Untried("not built".to_owned()));
    }
    let Some(qemu) = found("qemu-aarch64-static") else {
        return Ok(Found::Untried("needs qemu-aarch64-static".to_owned()));
    };
    let mut tar = trial.prefix.command("tar");
    output(
        tar.args(["xzf"])
            .arg(trial.file(&name)?)
            .arg("--strip-components=1"),
    )?;
    let mut command = trial.prefix.command(qemu);
    trial
        .answer
        .ask(command.arg(trial.prefix.home.join(PROGRAM)))?;
    Found::passed(name)
}

/// With Wine. A program of MSVC is preferred, as in the packages.
pub(crate) fn windows(trial: &Trial<'_>) -> Result<Found, Failure> {
    let triples = ["x86_64-pc-windows-msvc", "x86_64-pc-windows-gnu"];
    let names = triples.iter().filter_map(|it| Target::named(it));
    let names = names.map(|it| archive::name(&trial.release.version, it));
    let Some(name) = names.into_iter().find(|it| trial.folder.join(it).exists()) else {
        return Ok(Found::Untried("not built".to_owned()));
    };
    let (Some(wine), Some(unzip)) = (found("wine64").or_else(|| found("wine")), found("unzip"))
    else {
        return Ok(Found::Untried("needs wine and unzip".to_owned()));
    };
    output(
        trial
            .prefix
            .command(unzip)
            .arg("-q")
            .arg(trial.file(&name)?),
    )?;
    let stem = name.trim_end_matches(".zip");
    let program = trial.prefix.home.join(stem).join("qortal-mcp.exe");
    let wine = |words: &[&str]| {
        let mut command = trial.prefix.command(&wine);
        command.env("WINEDEBUG", "-all").arg(&program).args(words);
        // Where it finds libraries that it lacks itself.
        if let Some(path) = std::env::var_os("WINEPATH") {
            command.env("WINEPATH", path);
        }
        command
    };
    let said = output(&mut wine(&["--version"]))?;
    expect(
        "--version",
        said.trim(),
        &format!("{PROGRAM} {}", trial.release.version),
    )?;
    trial.answer.ask(&mut wine(&[]))?;
    Found::passed(name)
}
