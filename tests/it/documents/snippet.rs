//! What it means that a block works, by its language.

use std::fmt;

use serde_json::{Value, json};

use super::{Block, COMPILED, Shell, read};

/// The language of the blocks that are shown and not run: output, and drawings.
const SHOWN: &str = "text";
/// Between two ways to write the same key.
const OR: &str = "# or\n";
/// How a line begins that someone would type.
const COMMANDS: &[&str] = &["$ ", "cargo ", "qortal-mcp ", "npx ", "uvx "];

/// Why a block does not work.
#[derive(Debug)]
pub(super) struct SnippetError {
    why: String,
    printed: Option<String>,
}

impl SnippetError {
    /// The block as it should be, where that is known.
    pub(super) fn printed(&self) -> Option<&str> {
        self.printed.as_deref()
    }
}

impl From<String> for SnippetError {
    fn from(why: String) -> Self {
        Self { why, printed: None }
    }
}

impl fmt::Display for SnippetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

pub(super) async fn run(page: &str, block: &Block, shell: &mut Shell) -> Result<(), SnippetError> {
    match block.language.as_str() {
        "sh" => Ok(shell.run(&block.text).await?),
        "console" => console(&block.text, shell).await,
        "json" => {
            let value = serde_json::from_str(&block.text).map_err(|err| err.to_string())?;
            Ok(configuration(&value, shell).await?)
        }
        "toml" => {
            for choice in block.text.split(OR) {
                toml(choice, shell).await?;
            }
            Ok(())
        }
        "yaml" => Ok(yaml(&block.text)?),
        // What a vendor or another crate does, beside ours.
        "rs" => Ok(()),
        "rust" => match COMPILED.iter().any(|(compiled, _)| *compiled == page) {
            true => Ok(()),
            false => Err(format!("the Rust of {page} is compiled nowhere").into()),
        },
        SHOWN => {
            let typed = |line: &&str| COMMANDS.iter().any(|it| line.starts_with(it));
            // The help of the program has examples; it is generated.
            let is_help = block.text.contains("\nUsage: ");
            match block.text.lines().find(typed) {
                Some(line) if !is_help => Err(format!("{line:?} is shown and never run").into()),
                Some(_) | None => Ok(()),
            }
        }
        other => Err(format!("no test knows how to run {other:?}").into()),
    }
}

/// Commands after `$`, each followed by what it prints.
async fn console(text: &str, shell: &mut Shell) -> Result<(), SnippetError> {
    let mut printed = String::new();
    let mut differs = None;
    for part in text.split("$ ").skip(1) {
        let (command, expected) = part.split_once('\n').unwrap_or((part, ""));
        let (output, is_same) = if command.starts_with("qortal-mcp call ") {
            // As in a terminal, whose width decides where lines end.
            let output = shell.output(&format!("{command} --format table")).await?;
            let is_same = fits(&words(&output), &words(expected));
            (output, is_same)
        } else {
            let output = shell.output(command).await?;
            let is_same = fits(&output, expected);
            (output, is_same)
        };
        if !is_same {
            differs = Some(format!("prints another text: {command}\n{output}"));
        }
        let shown = if is_same { expected } else { &output };
        printed.push_str(&format!("$ {command}\n{shown}"));
    }
    match differs {
        Some(why) => Err(SnippetError {
            why,
            printed: Some(printed),
        }),
        None => Ok(()),
    }
}

/// Returns the words of a text with one space between them.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether `output` is `expected`, in which an ellipsis on a line of its own stands for any lines and one within a line for any text.
fn fits(output: &str, expected: &str) -> bool {
    let mut rest = output;
    let parts: Vec<&str> = expected.split("…\n").flat_map(|it| it.split('…')).collect();
    for (part, at) in parts.iter().zip(0..) {
        let found = match at {
            0 => rest.starts_with(part).then_some(0),
            _ if at == parts.len() - 1 => rest.ends_with(part).then(|| rest.len() - part.len()),
            _ => rest.find(part),
        };
        let Some(found) = found else {
            return false;
        };
        rest = &rest[found + part.len()..];
    }
    rest.is_empty()
}

/// What hosts read: each program in it is started and asked, each URL leads to the endpoint.
async fn configuration(value: &Value, shell: &mut Shell) -> Result<(), String> {
    let mut values = vec![value];
    while let Some(value) = values.pop() {
        match value {
            Value::Object(members) => {
                if let Some(command) = members.get("command").and_then(Value::as_str) {
                    let arguments = members.get("args").and_then(Value::as_array);
                    let arguments = arguments.into_iter().flatten().filter_map(Value::as_str);
                    let words: Vec<&str> = std::iter::once(command).chain(arguments).collect();
                    shell.ask(&words).await?;
                }
                for (name, value) in members {
                    let url = value.as_str().filter(|it| it.starts_with("http"));
                    if let ("url" | "httpUrl", Some(url)) = (name.as_str(), url) {
                        endpoint(url)?;
                    }
                    values.push(value);
                }
            }
            Value::Array(items) => values.extend(items),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
        }
    }
    Ok(())
}

fn endpoint(url: &str) -> Result<(), String> {
    let path = url.strip_prefix("http://127.0.0.1:8000");
    match path.is_some_and(|path| path == "/mcp" || path.starts_with("/mcp/x/")) {
        true => Ok(()),
        false => Err(format!("{url} is not where the server listens")),
    }
}

/// A configuration of a host, dependencies of a crate, or our own configuration file.
async fn toml(text: &str, shell: &mut Shell) -> Result<(), String> {
    let table: toml::Table = text
        .parse()
        .map_err(|err: toml::de::Error| err.to_string())?;
    if table.contains_key("mcp_servers") {
        let value = serde_json::to_value(&table).map_err(|err| err.to_string())?;
        return configuration(&value, shell).await;
    }
    let tables = table.get("dependencies").and_then(toml::Value::as_table);
    let dependencies = tables.unwrap_or(&table);
    let is_dependency = |it: &toml::Value| it.get("version").or(it.get("git")).is_some();
    if dependencies.values().any(is_dependency) {
        return packages(dependencies);
    }
    shell.write("qortal-mcp.toml", text);
    shell.run("qortal-mcp tools --config qortal-mcp.toml").await
}

/// Each is a package of the workspace, of this version.
fn packages(dependencies: &toml::Table) -> Result<(), String> {
    let workspace: toml::Table = read("Cargo.toml").parse().unwrap();
    for (name, ours) in dependencies {
        let known = &workspace["workspace"]["dependencies"].get(name);
        let known = known.ok_or_else(|| format!("{name} is not one of our crates"))?;
        let text =
            |of: &toml::Value, key| of.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        let is_package = text(known, "package") == text(ours, "package");
        let current = text(known, "version").unwrap_or_default();
        let is_current = match text(ours, "version") {
            Some(stated) => current.trim_start_matches('=').starts_with(&stated),
            None => ours.get("git").is_some(),
        };
        if !is_package || !is_current {
            return Err(format!("{name} is {known:?}"));
        }
    }
    Ok(())
}

/// goose's extensions, whose words are quoted as in JSON.
fn yaml(text: &str) -> Result<(), String> {
    let value = |key: &str| {
        let line = text.lines().find_map(|it| it.trim().strip_prefix(key))?;
        serde_json::from_str::<Value>(line).ok()
    };
    match (value("cmd: "), value("args: "), value("uri: ")) {
        (Some(command), Some(arguments), None) => {
            match (command, arguments) == (json!("qortal-mcp"), json!([])) {
                true => Ok(()),
                false => Err("it starts another program".to_owned()),
            }
        }
        (None, None, Some(url)) => endpoint(url.as_str().unwrap_or_default()),
        other => Err(format!("neither a program nor a URL: {other:?}")),
    }
}

#[test]
fn an_ellipsis_stands_for_anything() {
    for (output, expected, is_fit) in [
        ("a\nb\n", "a\nb\n", true),
        ("a\nb\n", "a\n", false),
        ("a\nb\nc\n", "a\n…\nc\n", true),
        ("a\nb\nc\n", "a\n…\nd\n", false),
        ("height 468, 40 s old\n", "height 468, … old\n", true),
        ("height 469, 40 s old\n", "height 468, … old\n", false),
        ("a\nb\n", "a\n…\n", true),
        ("c\na\nb\n", "a\n…\n", false),
    ] {
        assert_eq!(fits(output, expected), is_fit, "{output:?} {expected:?}");
    }
}
