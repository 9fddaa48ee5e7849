//! `cargo xtask features`: checks each library with no features, each feature alone, and all of them, so that none
//! needs another that it does not name.

use crate::command::{self, cargo, progress};
use crate::failure::Failure;
use crate::tidy::packages::{Package, published};

/// Checks every published library in every such choice of features; a warning fails.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(argument) = arguments.first() {
        return Err(Failure::Usage(format!("features takes no {argument:?}")));
    }
    for package in published()? {
        for choice in choices(&package) {
            progress(&format!("{}: {}", package.name, choice.join(" ")))?;
            let mut clippy = cargo();
            // Clippy warns of what `cargo check` does, and its flags leave the dependencies as they were built.
            clippy.args(["clippy", "--quiet", "--lib", "--package", &package.name]);
            clippy.args(choice).args(["--", "--deny", "warnings"]);
            command::run(&mut clippy)?;
        }
    }
    Ok(())
}

/// The flags that choose features.
fn choices(package: &Package) -> Vec<Vec<String>> {
    let none = "--no-default-features".to_owned();
    let mut choices = vec![vec![none.clone()]];
    let alone = package.features.iter().filter(|it| *it != "default");
    choices.extend(alone.map(|it| vec![none.clone(), "--features".to_owned(), it.clone()]));
    // With one feature or none, all of them have been checked.
    if choices.len() > 2 {
        choices.push(vec!["--all-features".to_owned()]);
    }
    choices
}

#[cfg(test)]
mod tests {
    use super::choices;
    use crate::tidy::packages::Package;

    #[test]
    fn each_feature_is_chosen_alone_and_with_all() {
        let check = |features: &[&str], expected: &[&str]| {
            let mut package = Package::example("a", "a");
            package.features = features.iter().map(|&it| it.to_owned()).collect();
            let choices: Vec<_> = choices(&package).iter().map(|it| it.join(" ")).collect();
            assert_eq!(choices, expected, "{features:?}");
        };
        let none = "--no-default-features";
        check(&[], &[none]);
        check(
            &["default", "tls"],
            &[none, "--no-default-features --features tls"],
        );
        check(
            &["charts", "default", "mcp"],
            &[
                none,
                "--no-default-features --features charts",
                "--no-default-features --features mcp",
                "--all-features",
            ],
        );
    }
}
