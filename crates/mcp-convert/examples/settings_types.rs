//! Prints the settings as TypeScript, from the flags of the program: `cargo xtask codegen` keeps the npm package by it.

#![expect(clippy::print_stdout, reason = "this is what the program is for")]

use std::any::TypeId;

use clap::{Arg, ArgAction, Args, Command};
use mcp_convert::settings::Settings;

fn main() {
    println!("// Made from the flags of mcp-convert by `cargo xtask codegen`.\n");
    println!("/** For whom a value is converted, and how. */");
    println!("export interface Settings {{");
    let command = Settings::augment_args(Command::new("mcp-convert"));
    for argument in command.get_arguments() {
        member(argument);
    }
    println!("}}\n");
    println!("/** A host, an SDK or an API. */");
    println!("export type Target = Settings[\"to\"];");
}

fn member(argument: &Arg) {
    let Some(flag) = argument.get_long() else {
        return;
    };
    let help = argument.get_help().map(ToString::to_string);
    let values = argument.get_possible_values();
    // Those of a switch are not worth a line.
    let is_switch = matches!(argument.get_action(), ArgAction::SetTrue);
    println!("  /**\n   * {}.", help.unwrap_or_default());
    let defaults = argument.get_default_values().iter();
    let defaults: Vec<_> = defaults.filter_map(|it| it.to_str()).collect();
    for value in values.iter().filter(|_| !is_switch) {
        let help = value.get_help().map(ToString::to_string);
        println!(
            "   * - `{}`: {}",
            value.get_name(),
            help.unwrap_or_default()
        );
    }
    if let ([default], false) = (defaults.as_slice(), is_switch) {
        println!("   * @default {default:?}");
    }
    println!("   */");
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
    println!("  {}{optional}: {kind};", camel(flag));
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
