//! `cargo xtask views`: shows every view in a browser, in the official Inspector and in a host that is as strict as the
//! specification, with the data of the recorded chain. What is wrong there fails; the pictures are for people, in `target/views`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use crate::command::{self, cargo, progress, wait_for};
use crate::failure::Failure;
use crate::npm;
use crate::server::Server;
use crate::tree::{root, target};

/// How long the browser may take for everything.
const DEADLINE: Duration = Duration::from_secs(180);
/// What Chromium is called.
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// Checks the types of the scripts, builds the servers, and shows the views of `arguments`, which are files of
/// `tests/views/pages`, or all.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(option) = arguments.iter().find(|it| it.starts_with('-')) {
        return Err(Failure::Usage(format!("views takes no {option:?}")));
    }
    let folder = root().join("tests/views");
    npm::install(&folder)?;
    let node = npm::node(&folder)?;
    progress("checking the types of the scripts")?;
    let scripts = root().join("crates/qortal-views/web");
    let mut check = Command::new(&node);
    check.arg(folder.join("node_modules/typescript/bin/tsc"));
    command::run(check.arg("-p").arg(scripts))?;
    let browser = browser()?;
    for package in ["qortal-mcp", "everything-server"] {
        command::run(cargo().args(["build", "--quiet", "--package", package]))?;
    }
    let pictures = target().join("views");
    fs::create_dir_all(&pictures).map_err(Failure::io(pictures.display()))?;
    let built = target().join("debug");
    let demo = [
        "http",
        "--demo=recorded",
        "--surface",
        "full",
        "--listen",
        "ADDRESS",
    ];
    let demo = Server::start(&built.join("qortal-mcp"), &demo, &pictures.join("demo.log"))?;
    let log = pictures.join("everything.log");
    let everything = Server::start(&built.join("everything-server"), &["ADDRESS"], &log)?;
    let mut show = Command::new(&node);
    show.arg(folder.join("run.mjs"))
        .args([demo.url(), everything.url()])
        .args([&pictures, &browser])
        .args(arguments);
    show_all(&mut show)?;
    demo.stop()?;
    everything.stop()?;
    progress(&format!("pictures are in {}", pictures.display()))
}

/// Where Chromium is.
fn browser() -> Result<PathBuf, Failure> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<_> = std::env::split_paths(&path).collect();
    let mut places = BROWSERS
        .iter()
        .flat_map(|name| folders.iter().map(move |it| it.join(name)));
    places.find(|it| it.is_file()).ok_or_else(|| {
        let hint = "there is no Chromium on the path; apt-get install chromium brings it";
        Failure::Found(hint.to_owned())
    })
}

/// Runs the browser, and ends it when it takes too long.
fn show_all(show: &mut Command) -> Result<(), Failure> {
    let program = Path::new(show.get_program()).display().to_string();
    let child = show.spawn().map_err(Failure::io(program.clone()))?;
    let mut running = Running(child);
    let ended = wait_for(DEADLINE, || {
        running.0.try_wait().map_err(Failure::io(program.clone()))
    })?;
    match ended {
        Some(status) if status.success() => Ok(()),
        Some(_) => Err(Failure::Found("some views are not right".to_owned())),
        None => {
            let why = format!("the views are not done in {} s", DEADLINE.as_secs());
            Err(Failure::Found(why))
        }
    }
}

/// A program that is ended when dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already; either way it is waited for.
        let _killed = self.0.kill();
        let _status = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::root;

    #[test]
    fn every_view_has_a_page_of_checks() {
        for name in ["market", "trade", "account", "node", "inspector", "all"] {
            let path = root().join(format!("tests/views/pages/{name}.mjs"));
            assert!(path.is_file(), "{}", path.display());
        }
    }
}
