//! The workspace's automation: `cargo xtask SUBCOMMAND`. One file a subcommand.

mod bench;
mod codegen;
mod command;
mod compatibility;
mod conformance;
mod dist;
mod failure;
mod features;
mod fuzz;
mod goldens;
mod interop;
mod markdown;
mod metadata;
mod metrics;
mod msrv;
mod mutants;
mod npm;
mod ops;
mod package;
mod part;
mod python;
mod questions;
mod release;
mod requirements;
mod server;
mod site;
mod tidy;
mod tokens;
mod tree;
mod views;

use std::io::Write;
use std::process::ExitCode;

use crate::failure::Failure;

struct Subcommand {
    name: &'static str,
    summary: &'static str,
    run: fn(&[String]) -> Result<(), Failure>,
}

const SUBCOMMANDS: &[Subcommand] = &[
    Subcommand {
        name: "bench",
        summary: "measure the server beside its peers: [--quick] [--rounds N] [--seconds S] [--only PART] [--server PATH]; or let nodes fail and clients misbehave: --soak [--faults | --abuses | --seconds S | --minutes M] [--debug] [--write]",
        run: bench::run,
    },
    Subcommand {
        name: "codegen",
        summary: "write the documents that are made from the code: [--check]",
        run: codegen::run,
    },
    Subcommand {
        name: "conformance",
        summary: "run the official conformance suite against the servers: [--only PACKAGE]",
        run: conformance::run,
    },
    Subcommand {
        name: "dist",
        summary: "pack finished programs for every channel: [--target TRIPLE]… [--twice] [--build-only] builds them; [--verify] [--no-pack] [--write] tries each, and keeps the table",
        run: dist::run,
    },
    Subcommand {
        name: "features",
        summary: "check each library with no features, each feature alone, and all",
        run: features::run,
    },
    Subcommand {
        name: "fuzz-conversion",
        summary: "convert generated results for every target, and judge what comes out: [--inputs N] [--seconds S]",
        run: fuzz::run,
    },
    Subcommand {
        name: "goldens",
        summary: "run the vendors' newest converters on the corpus of mcp-protocol: [--write]",
        run: goldens::run,
    },
    Subcommand {
        name: "interop",
        summary: "drive the servers with real clients, and try the packages of the conversion: [--server PATH] [--only PART]",
        run: interop::run,
    },
    Subcommand {
        name: "msrv",
        summary: "check each library with the oldest Rust it states: [--install] installs it where rustup can",
        run: msrv::run,
    },
    Subcommand {
        name: "mutants",
        summary: "break what guards the protocol crates, and fail for what no test notices (needs cargo-mutants): [--only PART-OF-A-PATH] [--in-place]",
        run: mutants::run,
    },
    Subcommand {
        name: "metrics",
        summary: "check the figures, the alerts and the dashboard against a running server (needs promtool): [--server PATH]",
        run: metrics::run,
    },
    Subcommand {
        name: "ops",
        summary: "run what deploy/ has for operators with the programs it is made for: files, or cache, capacity, nodes, oauth, replicas or tls [--server PATH] [--write] (needs HAProxy, nginx, Caddy and npm)",
        run: ops::run,
    },
    Subcommand {
        name: "package",
        summary: "make the packages for a registry and build each from its own files; nothing is published",
        run: package::run,
    },
    Subcommand {
        name: "site",
        summary: "build the documentation as a site, and fail on a broken link",
        run: site::run,
    },
    Subcommand {
        name: "release",
        summary: "run everything of a release up to the upload: --dry-run; or only what must be said: --tag TAG",
        run: release::run,
    },
    Subcommand {
        name: "tidy",
        summary: "check the rules of the repository",
        run: tidy::run,
    },
    Subcommand {
        name: "tokens",
        summary: "count the tokens of each surface, and fail beyond its budget",
        run: tokens::run,
    },
    Subcommand {
        name: "views",
        summary: "show every view in a browser, and fail for what is wrong there: [PAGE]… (needs npm and Chromium)",
        run: views::run,
    },
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let arguments: Vec<String> = arguments.collect();
    let outcome = match SUBCOMMANDS.iter().find(|known| known.name == name) {
        Some(subcommand) => (subcommand.run)(&arguments),
        None => Err(Failure::Usage(usage())),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // When stderr is gone too, the exit code is all that is left to say.
            let _written = writeln!(std::io::stderr(), "error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    let mut text = "cargo xtask takes one of".to_owned();
    for Subcommand { name, summary, .. } in SUBCOMMANDS {
        text.push_str(&format!("\n  {name:<16} {summary}"));
    }
    text
}
