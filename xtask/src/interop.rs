//! `cargo xtask interop`: lets real clients use the servers, over both transports and in every era they know.
//! Each client plays a script and says what it got; what is right is decided here, by one judge for all.

mod cell;
mod clients;
mod corpus;
mod judge;
mod matrix;
mod packages;
mod play;
mod script;
mod witness;

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use serde_json::Value;

use crate::command::{self, cargo, output, progress};
use crate::failure::Failure;
use crate::server::Server;
use crate::tree::{root, target};

use self::cell::{Cell, Outcome};
use self::clients::{CLIENTS, Client, Programs};

/// Every tool is listed, so that clients validate the outcome of every tool.
const SURFACE: &[&str] = &["--surface", "full"];

/// The part without clients: the packages for authors of converters.
const CONVERSION: &str = "conversion";

/// What all cells share.
#[derive(Debug)]
struct Setting {
    programs: Programs,
    /// The program of the data server, and where it serves all clients.
    data: PathBuf,
    url: String,
    /// Its tools, from itself.
    catalog: Vec<Value>,
    /// The program of the other server.
    everything: PathBuf,
    /// For scripts, and for what clients and servers say.
    folder: PathBuf,
}

struct Options {
    server: Option<PathBuf>,
    only: Option<String>,
}

/// Installs the clients if need be, builds the servers, and prints what each client could do with them.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options(arguments)?;
    if options.only.as_deref() == Some(CONVERSION) {
        return conversion();
    }
    let wanted: Vec<&Client> = CLIENTS
        .iter()
        .filter(|it| options.only.as_ref().is_none_or(|only| it.id == only))
        .collect();
    let programs = Programs::install(&wanted)?;
    command::run(cargo().args(["build", "--quiet", "--package", "qortal-mcp"]))?;
    command::run(cargo().args(["build", "--quiet", "--package", "everything-server"]))?;
    let built = target().join("debug");
    let data = options.server.unwrap_or_else(|| built.join("qortal-mcp"));
    let folder = target().join("interop/runs");
    fs::create_dir_all(&folder).map_err(Failure::io(folder.display()))?;
    let listed = output(Command::new(&data).args(["tools", "--json"]).args(SURFACE))?;
    let catalog: Vec<Value> =
        serde_json::from_str(&listed).map_err(|why| Failure::unreadable("the catalog", why))?;
    let http = [&["http", "--demo=recorded", "--listen", "ADDRESS"], SURFACE].concat();
    // One process for all clients of all eras at once, as in use.
    let shared = Server::start(&data, &http, &folder.join("qortal-mcp.log"))?;
    let setting = Setting {
        programs,
        everything: built.join("everything-server"),
        url: shared.url().to_owned(),
        data,
        catalog,
        folder,
    };
    let cells: Vec<Cell> = wanted.into_iter().flat_map(Cell::of).collect();
    let outcomes = play_all(&cells, &setting)?;
    shared.stop()?;
    if options.only.is_none() {
        embed()?;
        conversion()?;
    }
    matrix::print(&cells, &outcomes, setting.catalog.len())
}

/// Measures the conversion by its corpus, from three languages.
fn conversion() -> Result<(), Failure> {
    corpus::run()?;
    packages::run()
}

/// Compiles and runs the examples of docs/embedding.md, among them the server inside an rmcp client over a pipe in memory.
fn embed() -> Result<(), Failure> {
    progress("docs/embedding.md")?;
    let manifest = root().join("tests/interop/embedding/Cargo.toml");
    let mut test = cargo();
    test.args(["test", "--locked", "--quiet", "--manifest-path"]);
    command::run(test.arg(manifest).arg("--target-dir").arg(target()))
}

/// What may be run alone.
fn known() -> impl Iterator<Item = &'static str> {
    CLIENTS.iter().map(|it| it.id).chain([CONVERSION])
}

fn options(arguments: &[String]) -> Result<Options, Failure> {
    let mut options = Options {
        server: None,
        only: None,
    };
    for pair in arguments.chunks(2) {
        match pair {
            [name, value] if name == "--server" => options.server = Some(PathBuf::from(value)),
            [name, value] if name == "--only" && known().any(|it| it == value) => {
                options.only = Some(value.clone());
            }
            _ => {
                let known = known().collect::<Vec<_>>().join(", ");
                let usage = format!("interop takes --server PATH and --only PART, one of {known}");
                return Err(Failure::Usage(usage));
            }
        }
    }
    // The clients are started in a folder of their own.
    options.server = options.server.map(|path| root().join(path));
    Ok(options)
}

/// Plays all cells, as many at a time as the machine has cores; the outcomes are in the order of the cells.
fn play_all(cells: &[Cell], setting: &Setting) -> Result<Vec<Outcome>, Failure> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut played = Vec::new();
        while let Some((index, cell)) = take(&next, cells) {
            let begun = Instant::now();
            let outcome = cell.play(setting)?;
            let seconds = begun.elapsed().as_secs_f32();
            let word = outcome.word();
            progress(&format!("{:<28} {word} ({seconds:.1} s)", cell.name()))?;
            played.push((index, outcome));
        }
        Ok::<_, Failure>(played)
    };
    let mut outcomes = thread::scope(|scope| {
        let count = thread::available_parallelism().map_or(2, Into::into);
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(worker)).collect();
        let mut all = Vec::new();
        for worker in workers {
            let played = worker
                .join()
                .map_err(|_| Failure::Found("a worker has panicked".to_owned()))?;
            all.extend(played?);
        }
        Ok::<_, Failure>(all)
    })?;
    outcomes.sort_by_key(|(index, _)| *index);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}

fn take<'a>(next: &AtomicUsize, cells: &'a [Cell]) -> Option<(usize, &'a Cell)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    cells.get(index).map(|cell| (index, cell))
}
