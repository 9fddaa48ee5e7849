//! Which flags each command shows, and how they are written for another command line.

use super::{Arguments, command};
use crate::config::settings::{ROWS, Row};

#[test]
fn a_command_shows_the_flags_that_it_uses() {
    let mut command = command();
    command.build();
    let shown = |command: &clap::Command| {
        let flags = command.get_arguments().filter(|it| !it.is_hide_set());
        let flags: Vec<_> = flags.filter_map(clap::Arg::get_long).collect();
        flags.join(" ")
    };
    let node = "demo node nodes public api-key-file";
    let output = "log-level log-format config color";
    let listed = "surface toolsets tools exclude-tools output-schemas views";
    let serving =
        format!("{node} {listed} drain-timeout access-log memory cache node-requests {output}");
    let cases = [
        (
            "call",
            format!("format output all resume help {node} {output}"),
        ),
        ("watch", format!("format exec once help {node} {output}")),
        ("tools", format!("json help {listed} {output}")),
        ("doctor", format!("json help {node} {output}")),
        ("health", "help".to_owned()),
        (
            "install",
            format!("http write remove dry-run help {serving}"),
        ),
        ("completions", "help".to_owned()),
    ];
    for (name, expected) in cases {
        let command = command.find_subcommand(name).unwrap();
        let sorted = |flags: &str| {
            let mut flags: Vec<_> = flags.split(' ').map(str::to_owned).collect();
            flags.sort_unstable();
            flags
        };
        assert_eq!(sorted(&shown(command)), sorted(&expected), "{name}");
    }
    let flags = ROWS.iter().filter_map(Row::flag);
    let http = command.find_subcommand("http").unwrap();
    for flag in http.get_arguments() {
        let help = flag.get_help().map(ToString::to_string);
        assert!(help.is_some_and(|it| !it.is_empty()), "{flag}");
    }
    let http = shown(http);
    for flag in flags {
        assert!(
            http.split(' ')
                .any(|it| flag.strip_prefix("--") == Some(it)),
            "{flag}"
        );
    }
}

#[test]
fn options_are_written_as_they_were_read() {
    let line =
        "qortal-mcp --demo --toolsets a --toolsets b,c --memory 64 --surface core --log-level warn";
    let arguments = Arguments::read(line.split(' ')).unwrap();
    assert_eq!(
        arguments.options.words().join(" "),
        "--demo --surface core --toolsets a,b,c --memory 64 --log-level warn"
    );
    let line = "qortal-mcp doctor --nodes http://a:1=/k,http://b:2 --public --config x.toml";
    let arguments = Arguments::read(line.split(' ')).unwrap();
    assert_eq!(
        arguments.options.words().join(" "),
        "--nodes http://a:1=/k,http://b:2 --public --config x.toml"
    );
}
