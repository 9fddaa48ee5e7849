//! What `cargo xtask` writes or counts with the product.

mod codegen;
mod compatibility;
mod concepts;
mod evals;
mod markdown;
mod pages;
mod questions;
mod tokens;

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::dispatch(&[
        ("codegen", codegen::run),
        ("pages", pages::run),
        ("tokens", tokens::run),
    ])
}
