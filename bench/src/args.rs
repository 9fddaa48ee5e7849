//! The command lines of the bench's programs: `--name value` pairs and a command after `--`.

use std::str::FromStr;

/// A command line this program cannot act on; the text says which option and why.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(String);

impl UsageError {
    /// A problem with the command line, in words.
    #[must_use]
    pub fn new(problem: String) -> Self {
        Self(problem)
    }
}

/// The arguments not yet taken.
#[derive(Debug)]
pub struct Args {
    options: Vec<String>,
    command: Vec<String>,
}

impl Args {
    /// The arguments of this process, without its name.
    #[must_use]
    pub fn of_process() -> Self {
        Self::new(std::env::args().skip(1))
    }

    /// Splits `arguments` at the first `--`.
    pub fn new(arguments: impl IntoIterator<Item = String>) -> Self {
        let mut options: Vec<String> = arguments.into_iter().collect();
        let command = match options.iter().position(|argument| argument == "--") {
            Some(at) => options.split_off(at).into_iter().skip(1).collect(),
            None => Vec::new(),
        };
        Self { options, command }
    }

    /// Takes the first argument that is not an option: the name of a subcommand.
    pub fn subcommand(&mut self) -> Option<String> {
        let first = self.options.first()?;
        (!first.starts_with("--")).then(|| self.options.remove(0))
    }

    /// Whether `name` is there, still to be taken.
    #[must_use]
    pub fn holds(&self, name: &str) -> bool {
        self.options.iter().any(|option| option == name)
    }

    /// Takes a switch without value.
    pub fn switch(&mut self, name: &str) -> bool {
        match self.options.iter().position(|option| option == name) {
            Some(at) => {
                self.options.remove(at);
                true
            }
            None => false,
        }
    }

    /// Takes `name` and its value, if `name` is there.
    ///
    /// # Errors
    /// When the value is missing or is not a `T`.
    pub fn optional<T: FromStr>(&mut self, name: &str) -> Result<Option<T>, UsageError> {
        let Some(at) = self.options.iter().position(|option| option == name) else {
            return Ok(None);
        };
        if at + 1 == self.options.len() {
            return Err(UsageError::new(format!("{name} wants a value")));
        }
        let value = self.options.drain(at..at + 2).nth(1).unwrap_or_default();
        match value.parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(UsageError::new(format!("{name} cannot be {value:?}"))),
        }
    }

    /// As [`Args::optional`], for an option that must be there.
    ///
    /// # Errors
    /// When `name` or its value is missing or the value is not a `T`.
    pub fn required<T: FromStr>(&mut self, name: &str) -> Result<T, UsageError> {
        self.optional(name)?
            .ok_or_else(|| UsageError::new(format!("{name} is missing")))
    }

    /// The command after `--`, once nothing else is left.
    ///
    /// # Errors
    /// When an option was not taken, that is, is unknown.
    pub fn finish(self) -> Result<Vec<String>, UsageError> {
        match self.options.first() {
            Some(option) => Err(UsageError::new(format!("{option:?} is not understood"))),
            None => Ok(self.command),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Args;

    fn args(text: &str) -> Args {
        Args::new(text.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_are_taken_and_the_command_is_left() {
        let mut args = args("http --connections 16 --quick -- server --connections 2");
        assert_eq!(args.subcommand().as_deref(), Some("http"));
        assert_eq!(args.required::<usize>("--connections").unwrap(), 16);
        assert!(args.switch("--quick"));
        assert_eq!(args.finish().unwrap(), ["server", "--connections", "2"]);
    }

    #[test]
    fn what_is_missing_wrong_or_unknown_is_named() {
        let check = |text: &str, expected: &str| {
            let mut args = args(text);
            let problem = args
                .required::<u16>("--port")
                .map_err(|problem| problem.to_string())
                .and_then(|_| args.finish().map_err(|problem| problem.to_string()));
            assert_eq!(problem.unwrap_err(), expected, "{text}");
        };
        check("", "--port is missing");
        check("--port", "--port wants a value");
        check("--port x", "--port cannot be \"x\"");
        check("--port 1 --porf 2", "\"--porf\" is not understood");
    }
}
