//! The workspace's automation: `cargo xtask SUBCOMMAND`. One file a subcommand.

mod bench;
mod codegen;
mod command;
mod compatibility;
mod conformance;
mod failure;
mod fuzz;
mod goldens;
mod interop;
mod markdown;
mod metadata;
mod metrics;
mod npm;
mod ops;
mod pages;
mod part;
mod python;
mod questions;
mod release;
mod requirements;
mod server;
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
        name: "pages",
        summary: "write the manual pages and completions that come with the program: FOLDER",
        run: pages::run,
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
