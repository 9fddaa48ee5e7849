//! Compresses the recorded chain. Its half a megabyte of text is part of every program that can simulate a node.

use std::{
    env,
    error::Error,
    fs::{self, File},
    path::PathBuf,
};

use flate2::{Compression, write::DeflateEncoder};

fn main() -> Result<(), Box<dyn Error>> {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo runs this")?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo runs this")?);
    for entry in fs::read_dir(package.join("data"))? {
        let path = entry?.path();
        if path.extension().is_none_or(|it| it != "json") {
            continue;
        }
        let name = path.file_name().ok_or("a file has a name")?;
        let file = File::create(out.join(name))?;
        let mut compressed = DeflateEncoder::new(file, Compression::best());
        std::io::copy(&mut File::open(&path)?, &mut compressed)?;
        compressed.finish()?;
    }
    println!("cargo::rerun-if-changed=data");
    Ok(())
}
