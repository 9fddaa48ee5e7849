//! The command line of `cargo xtask dist`.

use crate::dist::target::Target;
use crate::dist::wasm;
use crate::failure::Failure;

/// What is asked for.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// Targets to build; none packs what is finished.
    pub(crate) targets: Vec<&'static Target>,
    /// Whether the conversion is built as a WebAssembly module.
    pub(crate) wasm: bool,
    /// Whether to build a second time elsewhere and compare.
    pub(crate) twice: bool,
    /// Whether nothing is packed: what a machine does that builds one of several programs.
    pub(crate) build_only: bool,
    /// Whether what is packed already is verified as it is.
    pub(crate) no_pack: bool,
    pub(crate) verify: bool,
    /// Whether what `verify` measured is kept in the page about releases.
    pub(crate) writes: bool,
}

impl Options {
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, Failure> {
        let mut options = Self::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut value = || {
                let missing = || Failure::Usage(format!("{argument} needs a value"));
                arguments.next().ok_or_else(missing)
            };
            match argument.as_str() {
                "--target" => {
                    let triple = value()?;
                    if triple == wasm::TRIPLE {
                        options.wasm = true;
                        continue;
                    }
                    let unknown =
                        || Failure::Usage(format!("{triple} is not a target of releases"));
                    let target = Target::named(triple).ok_or_else(unknown)?;
                    options.targets.push(target);
                }
                "--build-only" => options.build_only = true,
                "--twice" => options.twice = true,
                "--no-pack" => options.no_pack = true,
                "--verify" => options.verify = true,
                "--write" => options.writes = true,
                other => return Err(Failure::Usage(format!("dist takes no {other:?}"))),
            }
        }
        for (given, flag) in [
            (options.twice && options.targets.is_empty(), "--twice"),
            (
                options.build_only && options.targets.is_empty() && !options.wasm,
                "--build-only",
            ),
        ] {
            if given {
                return Err(Failure::Usage(format!("{flag} needs a --target")));
            }
        }
        match options.writes && !options.verify {
            true => Err(Failure::Usage("--write needs --verify".to_owned())),
            false => Ok(options),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    fn parse(line: &str) -> Result<Options, String> {
        let words: Vec<_> = line.split_whitespace().map(str::to_owned).collect();
        Options::parse(&words).map_err(|why| why.to_string())
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let check = |line, expected: &str| assert_eq!(parse(line).unwrap_err(), expected);
        check("--target amiga", "amiga is not a target of releases");
        check("--target", "--target needs a value");
        check("--fast", "dist takes no \"--fast\"");
        check("--twice", "--twice needs a --target");
        check("--write", "--write needs --verify");
        check("--build-only", "--build-only needs a --target");
    }

    #[test]
    fn targets_add_up() {
        let line = "--target x86_64-unknown-linux-musl --target x86_64-pc-windows-gnu";
        let options = parse(line).unwrap();
        assert_eq!(options.targets.len(), 2);
        assert!(!options.verify && !options.wasm);
        let options = parse("--build-only --target wasm32-unknown-unknown").unwrap();
        assert!(options.wasm && options.targets.is_empty());
    }
}
