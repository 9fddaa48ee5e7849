//! The settings as TypeScript, from the flags of the program.

use std::{any::TypeId, fmt::Write as _};

use clap::{Arg, ArgAction, Args, Command};
use mcp_convert::settings::Settings;

/// Returns the settings as a module of TypeScript.
pub(crate) fn types() -> String {
    let mut out = String::from(
        "// Made from the flags of mcp-convert by `cargo xtask codegen`.\n\n\
         /** For whom a value is converted, and how. */\nexport interface Settings {\n",
    );
    let command = Settings::augment_args(Command::new("mcp-convert"));
    for argument in command.get_arguments() {
        if let Some(flag) = argument.get_long() {
            out += &field(flag, argument);
        }
    }
    out + "}\n\n/** A host, an SDK or an API. */\nexport type Target = Settings[\"to\"];\n"
}

fn field(flag: &str, argument: &Arg) -> String {
    let help = |it: Option<String>| it.unwrap_or_default();
    let values = argument.get_possible_values();
    // Those of a switch are not worth a line.
    let is_switch = matches!(argument.get_action(), ArgAction::SetTrue);
    let text = argument.get_help().map(ToString::to_string);
    let mut out = format!("  /**\n   * {}.\n", help(text));
    for value in values.iter().filter(|_| !is_switch) {
        let text = value.get_help().map(ToString::to_string);
        writeln!(out, "   * - `{}`: {}", value.get_name(), help(text)).unwrap();
    }
    let defaults = argument.get_default_values().iter();
    let defaults: Vec<_> = defaults.filter_map(|it| it.to_str()).collect();
    if let ([default], false) = (defaults.as_slice(), is_switch) {
        writeln!(out, "   * @default {default:?}").unwrap();
    }
    let number = TypeId::of::<usize>();
    let kind = if is_switch {
        "boolean".to_owned()
    } else if !values.is_empty() {
        let names = values.iter().map(|it| format!("{:?}", it.get_name()));
        names.collect::<Vec<_>>().join(" | ")
    } else if argument.get_value_parser().type_id() == number {
        "number".to_owned()
    } else {
        "string".to_owned()
    };
    let optional = if argument.is_required_set() { "" } else { "?" };
    out + &format!("   */\n  {}{optional}: {kind};\n", camel(flag))
}

/// `max-bytes` as the settings object has it: `maxBytes`.
fn camel(flag: &str) -> String {
    let mut words = flag.split('-');
    let mut name = words.next().unwrap_or("").to_owned();
    for word in words {
        let (first, rest) = word.split_at(1.min(word.len()));
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(rest);
    }
    name
}
