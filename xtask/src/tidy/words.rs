//! A crate speaks of its own domain, and only the binary and the stdio transport touch the process.

use crate::tree::File;

/// Words that the files of some crates do not contain, in lower case.
struct Foreign {
    folders: &'static [&'static str],
    words: &'static [&'static str],
}

/// How packages are named, which says nothing of what is in them.
const PACKAGE_PREFIXES: [&str; 4] = [
    "qortal-mcp-",
    "qortal_mcp_",
    "qortal-message-buffer",
    "qortal-tool-schema",
];

/// A page made from the test cases, some of which are outputs of the tools.
const CASES: &str = "crates/mcp-convert/docs/conversion.md";

const FOREIGN: &[Foreign] = &[
    Foreign {
        folders: &[
            "crates/mcp-convert/",
            "crates/mcp-hosts/",
            "crates/mcp-http/",
            "crates/mcp-operate/",
            "crates/mcp-protocol/",
            "crates/mcp-server/",
            "crates/mcp-stdio/",
        ],
        words: &["qortal"],
    },
    Foreign {
        folders: &[
            "crates/qortal-apps/",
            "crates/qortal-charts/",
            "crates/qortal-client/",
            "crates/qortal-types/",
        ],
        words: &["mcp", "model context protocol"],
    },
    Foreign {
        folders: &["crates/message-buffer/", "crates/tool-schema/"],
        words: &["qortal", "mcp", "model context protocol"],
    },
];

/// Code that only some crates may contain.
struct Reserved {
    code: &'static [&'static str],
    folders: &'static [&'static str],
}

const RESERVED: &[Reserved] = &[
    Reserved {
        code: &["std::env", "env::var", "env::args"],
        folders: &["crates/qortal-mcp/"],
    },
    Reserved {
        code: &["stdout()", "print!(", "println!("],
        folders: &[
            "crates/mcp-convert/",
            "crates/mcp-stdio/",
            "crates/qortal-mcp/",
        ],
    },
    Reserved {
        code: &["tokio::signal", "signal::ctrl_c"],
        folders: &["crates/mcp-operate/"],
    },
];

pub(super) fn violations(files: &[File]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        found.extend(foreign(file));
        // A program of its own prints, and reads its arguments; so does a build script, to cargo.
        let is_program = file.path.contains("/examples/")
            || file.path.contains("/generate/")
            || file.path.ends_with("/build.rs");
        let is_ours = file.path.starts_with("crates/") && file.has_extension("rs");
        if is_ours && !is_program && !file.is_test() {
            found.extend(reserved(file));
        }
    }
    found
}

fn foreign(file: &File) -> Vec<String> {
    let mut found = Vec::new();
    for Foreign { folders, words } in FOREIGN {
        if file.path == CASES || !folders.iter().any(|folder| file.path.starts_with(folder)) {
            continue;
        }
        for (line, at) in file.text.to_lowercase().lines().zip(1..) {
            let line = PACKAGE_PREFIXES
                .iter()
                .fold(line.to_owned(), |line, name| line.replace(name, ""));
            for word in words.iter().filter(|word| line.contains(*word)) {
                found.push(format!("{}:{at} says {word:?}", file.path));
            }
        }
    }
    found
}

fn reserved(file: &File) -> Vec<String> {
    let mut found = Vec::new();
    for Reserved { code, folders } in RESERVED {
        if folders.iter().any(|folder| file.path.starts_with(folder)) {
            continue;
        }
        for (at, line) in file.code() {
            for code in code.iter().filter(|code| contains(line, code)) {
                found.push(format!("{}:{at} uses {code}", file.path));
            }
        }
    }
    found
}

/// Whether `line` contains `code`, and not as the end of a longer name such as `eprintln!(`.
fn contains(line: &str, code: &str) -> bool {
    line.match_indices(code).any(|(at, _)| {
        let before = line.get(..at).unwrap_or_default();
        !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::violations;
    use crate::tree::File;

    fn check(path: &str, text: &str, expected: &[&str]) {
        let file = File::new(path, text);
        assert_eq!(violations(&[file]), expected, "{path}: {text}");
    }

    #[test]
    fn foreign_words_are_found_in_any_file_of_a_crate() {
        check(
            "crates/mcp-http/README.md",
            "# qortal-mcp-http\nAs in Qortal.\n",
            &["crates/mcp-http/README.md:2 says \"qortal\""],
        );
        check(
            "crates/qortal-types/src/name.rs",
            "//! For MCP.\n",
            &["crates/qortal-types/src/name.rs:1 says \"mcp\""],
        );
        check(
            "crates/qortal-tools/src/lib.rs",
            "//! Qortal and MCP.\n",
            &[],
        );
    }

    #[test]
    fn the_process_is_the_binarys() {
        let line = "//! A.\nfn a() { std::env::args(); }\n";
        check("crates/qortal-mcp/src/args.rs", line, &[]);
        check(
            "crates/qortal-tools/src/a.rs",
            "//! A.\nlet key = env!(\"CARGO_PKG_VERSION\");\neprintln!(\"\");\n",
            &[],
        );
        check(
            "crates/qortal-tools/src/a.rs",
            "//! A.\nprintln!(\"\");\n",
            &["crates/qortal-tools/src/a.rs:2 uses println!("],
        );
        check("crates/qortal-tools/tests/it/main.rs", line, &[]);
    }
}
