//! Every snippet of the documentation works: commands succeed over a simulated node, consoles print what they show,
//! configurations are accepted. What cannot run here is listed with its reason.

mod block;
mod messages;
mod names;
mod shell;
mod snippet;

use std::path::{Path, PathBuf};

use qortal_testnode::{Scenario, TestNode};

use block::{Block, blocks};
use shell::Shell;

/// Blocks that do not run here: the page, the first line, and why.
const NOT_RUN: &[(&str, &str, &str)] = &[
    (README, "cargo run --release -- http --demo", BUILDS),
    (README, "cargo test --workspace", BUILDS),
    (README, "cargo install --path crates/qortal-mcp", BUILDS),
    ("docs/authors/index.md", "mdbook build docs", BUILDS),
    (RELEASING, "rustup target add", BUILDS),
    (
        RELEASING,
        "CARGO_PROFILE_DIST_STRIP=none cargo build",
        BUILDS,
    ),
    (
        "docs/monitor.md",
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "needs a program with another feature",
    ),
    (FILES, "duckdb -c \"SELECT", "needs DuckDB"),
    ("docs/taxes.md", "duckdb -c \"COPY", "needs DuckDB"),
    (FILES, "before=", "needs PostgreSQL"),
    (FILES, "tail -c", "needs ClickHouse"),
    (
        WATCH,
        "qortal-mcp watch account rita-trades --exec",
        "needs jq and a server for notifications",
    ),
    (
        WATCH,
        "qortal-mcp watch account rita-trades --format json",
        "needs jq, and waits for a payment",
    ),
    (
        "docs/rust.md",
        "cargo run -p oauth-client",
        "tests/interop/sign-in.test.mjs runs it",
    ),
    ("docs/node.md", "[[nodes]]", "needs the reader's files"),
    (INSTALL, "cargo install --path crates/qortal-mcp", BUILDS),
    (INSTALL, "echo \"alice $(openssl", "needs Docker"),
    (INSTALL, "sha256sum --check", "needs the files of a release"),
    (
        CONVERT,
        "from qortal_mcp_convert",
        "tests/interop/hosts/wheel.py is run",
    ),
    (
        CONVERT,
        "import { convert }",
        "needs the package of a release",
    ),
    (
        CONVERT,
        "mcp-convert --to anthropic",
        "needs the reader's files",
    ),
    (
        CONVERT,
        "$ echo",
        "tests/it/program.rs of mcp-convert runs it",
    ),
    (FRAMEWORKS, "answer = convert", JUDGED),
    (FRAMEWORKS, "messages.append", JUDGED),
    (FRAMEWORKS, "const tools", JUDGED),
    (FRAMEWORKS, "def held", JUDGED),
    (FRAMEWORKS, "ChatMessage", JUDGED),
    (
        FRAMEWORKS,
        "def decoded",
        "tests/interop/hosts/bedrock_bytes.py is run",
    ),
    (
        FRAMEWORKS,
        "const decoded",
        "tests/interop/hosts/bedrock_bytes.mjs is run",
    ),
    (CORPUS, "python3 run.py", "needs the reader's converter"),
    (
        CORPUS,
        "@pytest.mark",
        "test_corpus.py of the corpus is run",
    ),
    (WASM, "wasm, err", "tests/interop/hosts/wazero is run"),
    (
        WASM,
        "converter = Converter",
        "tests/interop/hosts/wasmtime_host.py is run",
    ),
    (
        WASM,
        "import module from",
        "tests/interop/hosts/worker.mjs is run",
    ),
    (
        WASM,
        "using var engine",
        "the page says that no test runs it",
    ),
    (
        WASM,
        "var instance = Instance",
        "the page says that no test runs it",
    ),
];
const README: &str = "README.md";
const FILES: &str = "docs/files.md";
const WATCH: &str = "docs/watch.md";
const INSTALL: &str = "docs/install.md";
const RELEASING: &str = "docs/authors/releasing.md";
const CONVERT: &str = "docs/convert/index.md";
const FRAMEWORKS: &str = "docs/convert/frameworks.md";
const CORPUS: &str = "docs/convert/corpus.md";
const WASM: &str = "docs/convert/wasm.md";
const JUDGED: &str = "tests/interop/providers does it with the framework's packages";
const BUILDS: &str = "builds the workspace, as the continuous integration does";

/// Where the Rust of a page is compiled and run.
const COMPILED: &[(&str, &str)] = &[
    ("docs/embedding.md", "tests/interop/embedding/src/lib.rs"),
    (CONVERT, "crates/mcp-convert/src/lib.rs"),
    ("docs/convert/types.md", "crates/mcp-convert/src/lib.rs"),
    ("docs/serve-views.md", "tests/src/lib.rs"),
    ("docs/rust.md", "crates/mcp-client/src/lib.rs"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    let file = root().join(path);
    std::fs::read_to_string(&file).unwrap_or_else(|err| panic!("{path}: {err}"))
}

/// The README, the skills and the pages below docs.
fn pages() -> Vec<String> {
    let mut pages = vec![README.to_owned()];
    let mut folders = vec!["docs".to_owned(), "crates/qortal-mcp/skills".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if path.ends_with(".md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

fn is_listed(page: &str, block: &Block) -> bool {
    NOT_RUN
        .iter()
        .any(|(listed, line, _)| *listed == page && block.text.starts_with(line))
}

#[tokio::test]
async fn every_snippet_of_the_documents_works() {
    let node = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
    let mut wrong = Vec::new();
    for page in pages() {
        let text = read(&page);
        let mut shell = Shell::new(&page, node.url());
        let mut corrected = text.clone();
        for block in blocks(&text) {
            if is_listed(&page, &block) {
                continue;
            }
            if let Err(why) = snippet::run(&page, &block, &mut shell).await {
                wrong.push(format!("{page}:{} {why}", block.line));
                if let Some(printed) = why.printed() {
                    corrected = corrected.replace(&block.text, printed);
                }
            }
        }
        if let Err(why) = shell.stop().await {
            wrong.push(format!("{page}: {why}"));
        }
        #[expect(
            clippy::disallowed_methods,
            reason = "pages are updated as snapshots are, and by the same word"
        )]
        let is_update = std::env::var("INSTA_UPDATE").is_ok_and(|it| it == "always");
        if corrected != text && is_update {
            std::fs::write(root().join(&page), corrected).unwrap();
        }
    }
    node.stop().await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_does_not_run_is_there_once() {
    for (page, line, why) in NOT_RUN {
        let count = blocks(&read(page))
            .iter()
            .filter(|block| block.text.starts_with(line))
            .count();
        assert_eq!(count, 1, "{page}: {line} ({why})");
    }
}

#[test]
fn rust_is_compiled_where_it_is_said_to_be() {
    for (page, by) in COMPILED {
        let text = read(by);
        let includes = text.lines().any(|line| {
            line.contains("doc = include_str!") && line.contains(&format!("{page}\")"))
        });
        assert!(includes, "{by} does not include {page}");
    }
}

/// A check that finds nothing wrong with anything would pass as well.
#[tokio::test]
async fn a_wrong_snippet_is_found() {
    let node = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
    let mut shell = Shell::new("wrong", node.url());
    let wrong = [
        "```sh\nqortal-mcp call get_balanc --demo\n```",
        "```sh\nqortal-mcp http --config missing.toml\n```",
        "```console\n$ qortal-mcp call get_balance address=chloe --demo\n{\n…\n  \"balance\": \"1.00000000\"\n}\n```",
        "```json\n{\"mcpServers\": {\"qortal\": {\"command\": \"qortal-mcp\", \"args\": [\"--dem\"]}}}\n```",
        "```json\n{\"url\": \"http://127.0.0.1:8000/mpc\"}\n```",
        "```toml\nnodes = 1\n```",
        "```toml\nqortal-client = { package = \"qortal-clients\", version = \"0.1\" }\n```",
        "```text\nqortal-mcp tools\n```",
        "```rust\nfn main() {}\n```",
        "```cobol\n```",
    ];
    for text in wrong {
        let block = blocks(text).remove(0);
        let outcome = snippet::run("wrong", &block, &mut shell).await;
        assert!(outcome.is_err(), "{text}");
    }
    shell.stop().await.unwrap();
    node.stop().await;
}
