//! Nothing that the program prints or logs holds a secret, however wrong its settings are.

use std::{collections::BTreeSet, env, path::Path, process::Stdio, sync::Arc};

use tokio::{io::AsyncReadExt, process::Command, sync::Semaphore, task::JoinSet};

use crate::{access::Secrets, program_of, soon};

/// Of the length and the alphabet of the Core's keys.
const KEY: &str = "YTL3yD9Nk272iZ25QbXkEm";
const HTTP: &str = "http --listen 127.0.0.1:0 --log-level debug";
/// Where nothing listens.
const NODE: &str = "http://127.0.0.1:9";

/// A setting, by its row in the manual.
#[derive(Debug)]
struct Row {
    key: String,
    variable: String,
    flag: Option<String>,
}

fn rows() -> Vec<Row> {
    let page = qortal_mcp::configuration_reference();
    let row = |line: &str| {
        let (key, rest) = line.strip_prefix("| `")?.split_once('`')?;
        let (_, names) = rest.strip_suffix(" |")?.rsplit_once(" | ")?;
        let names: Vec<_> = names.split(' ').map(|it| it.trim_matches('`')).collect();
        let named = |start| names.iter().find(|it| it.starts_with(start));
        Some(Row {
            key: key.to_owned(),
            variable: (*named("QORTAL_")?).to_owned(),
            flag: named("--").map(|it| (*it).to_owned()),
        })
    };
    page.lines().filter_map(row).collect()
}

/// One run of the program: what shows which it is, and how it is started.
struct Run {
    shown: String,
    command: Command,
    /// Its file, which is removed afterwards.
    file: Option<Secrets>,
}

fn run(line: &str, words: &[&str], environment: &[(&str, &str)], file: Option<Secrets>) -> Run {
    let words = line.split_whitespace().chain(words.iter().copied());
    let mut command = program_of(words.clone());
    command
        .envs(environment.iter().copied())
        .stdin(Stdio::null());
    Run {
        shown: format!("{:?} {environment:?}", words.collect::<Vec<_>>()),
        command,
        file,
    }
}

/// What a run printed until it ended, or until it served. Whether it ended because of its settings.
async fn printed(mut run: Run) -> (String, bool) {
    let mut child = run.command.spawn().unwrap();
    let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let mut printed = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let read = soon(err.read(&mut chunk)).await.unwrap();
        printed.extend_from_slice(&chunk[..read]);
        if String::from_utf8_lossy(&printed).contains("Stop with Ctrl-C") {
            child.start_kill().unwrap();
        }
        if read == 0 {
            break;
        }
    }
    soon(out.read_to_end(&mut printed)).await.unwrap();
    let status = soon(child.wait()).await.unwrap();
    drop(run.file);
    let printed = String::from_utf8(printed).unwrap();
    (
        format!("{}\n{printed}", run.shown),
        status.code() == Some(2),
    )
}

/// Runs all of them, some at once; how many were refused for their settings.
async fn check(runs: Vec<Run>) -> usize {
    const AT_ONCE: usize = 4;
    let room = Arc::new(Semaphore::new(AT_ONCE));
    let mut all = JoinSet::new();
    for run in runs {
        let room = Arc::clone(&room);
        all.spawn(async move {
            let _place = room.acquire().await.unwrap();
            printed(run).await
        });
    }
    let mut refused = 0;
    while let Some(ended) = all.join_next().await {
        let (printed, is_refused) = ended.unwrap();
        refused += usize::from(is_refused);
        let (shown, said) = printed.split_once('\n').unwrap();
        assert!(!said.contains(KEY), "{shown}: {said}");
    }
    refused
}

/// A secret in the place of each setting, from each source. Without `CI`, of each fifth setting.
#[tokio::test(flavor = "multi_thread")]
async fn r087_no_wrong_setting_is_shown_if_it_could_be_a_secret() {
    let rows = rows();
    let keys: BTreeSet<_> = rows.iter().map(|it| &*it.key).collect();
    for key in [
        "node",
        "api_key_file",
        "public_nodes",
        "token_file",
        "listen",
    ] {
        assert!(keys.contains(key), "{keys:?}");
    }
    let with_password = format!("http://user:{KEY}@127.0.0.1:9");
    let with_user = format!("http://{KEY}@127.0.0.1:9/");
    let with_query = format!("http://127.0.0.1:9/?apiKey={KEY}");
    let values = [KEY, &with_password, &with_user, &with_query];
    let each = if env::var_os("CI").is_some() { 1 } else { 5 };
    let mut runs = Vec::new();
    for Row {
        key,
        variable,
        flag,
    } in rows.iter().step_by(each)
    {
        // Public nodes are read where they may be asked.
        let public = ("QORTAL_MCP_PUBLIC", "true");
        for value in values {
            let environment = [public, (variable, value)];
            runs.push(run("doctor --log-level debug", &[], &environment, None));
            let flag = flag.as_deref();
            runs.extend(
                flag.map(|it| run("http --log-level debug", &[it, value], &[public], None)),
            );
        }
        for (n, text) in [
            format!("{key} = \"{KEY}\""),
            format!("{key} = [\"{KEY}\", 1]"),
            format!("{key} = [\"{with_password}\"]\npublic = true"),
            format!("{key} = {{ {KEY} = \"{KEY}\" }}"),
        ]
        .iter()
        .enumerate()
        {
            let file = Secrets::new(&format!("wrong-{key}-{n}.toml"), text);
            let path = file.0.to_string_lossy().into_owned();
            runs.push(run(HTTP, &["--config", &path], &[], Some(file)));
        }
    }
    let all = runs.len();
    let refused = check(runs).await;
    // What has any text as its value, such as a path or a node of another name, is wrong only later.
    assert!(refused * 3 > all * 2, "{refused} of {all}");
}

/// Words that are no settings at all, and files that cannot be read.
#[tokio::test(flavor = "multi_thread")]
async fn r087_no_unknown_word_and_no_unreadable_file_is_shown_if_it_could_be_a_secret() {
    let missing = env::temp_dir().join(KEY);
    let missing = missing.to_string_lossy();
    let directory = env::temp_dir();
    let directory = directory.to_string_lossy();
    let with_key = format!("--api-key={KEY}");
    let as_flag = format!("--{KEY}");
    let mut runs = vec![
        run("doctor", &[KEY], &[], None),
        run("doctor", &[&with_key], &[], None),
        run("doctor", &["--api-key", KEY], &[], None),
        run("doctor", &[&as_flag], &[], None),
        run("", &[KEY], &[], None),
        run("", &["--config", KEY], &[], None),
        run("", &[], &[("QORTAL_MCP_CONFIG", KEY)], None),
        run(
            "doctor",
            &[],
            &[("QORTAL_MCP_API_KEY", &format!("{KEY} {KEY}"))],
            None,
        ),
    ];
    // What is no TOML, or no setting, is refused before any setting is looked at.
    for (n, text) in [
        format!("listen = {KEY}"),
        format!("listen = \"{KEY}"),
        format!("listen = 1\n{KEY}"),
        format!("{KEY} = \"listen\""),
        format!("[{KEY}]\nlisten = 1"),
    ]
    .iter()
    .enumerate()
    {
        let file = Secrets::new(&format!("no-setting-{n}.toml"), text);
        let path = file.0.to_string_lossy().into_owned();
        runs.push(run(HTTP, &["--config", &path], &[], Some(file)));
    }
    let refused = runs.len();
    for flag in ["--config", "--api-key-file", "--token-file"] {
        runs.push(run(HTTP, &[flag, KEY], &[], None));
        runs.push(run(HTTP, &[flag, &directory], &[], None));
        // A path in a directory that exists is a path.
        assert!(!Path::new(&*missing).exists());
    }
    assert_eq!(check(runs).await, refused + 6);
}

/// What a host would start in vain is not put into its configuration.
#[tokio::test(flavor = "multi_thread")]
async fn r087_no_host_is_configured_with_a_secret_in_the_wrong_place() {
    let with_password = format!("http://user:{KEY}@127.0.0.1:9");
    let with_query = format!("http://127.0.0.1:9/?apiKey={KEY}");
    let mut runs = Vec::new();
    for host in ["install claude-code", "install codex", "install vscode"] {
        for (flag, value) in [
            ("--node", KEY),
            ("--node", &with_password),
            ("--node", &with_query),
            ("--api-key-file", KEY),
            ("--config", KEY),
        ] {
            runs.push(run(host, &[flag, value], &[], None));
        }
    }
    let all = runs.len();
    assert_eq!(check(runs).await, all);
}

/// Right and wrong contents of the files that hold secrets.
#[tokio::test(flavor = "multi_thread")]
async fn r087_no_content_of_a_file_with_secrets_is_shown() {
    let api_keys = [
        KEY.to_owned(),
        format!("{KEY}\n"),
        format!("{KEY} {KEY}"),
        format!("key = \"{KEY}\""),
        format!("{KEY}\u{e9}"),
        format!("{KEY}\n").repeat(100),
    ];
    let tokens = [
        format!("alice {KEY}"),
        KEY.to_owned(),
        format!("alice {KEY} {KEY}"),
        format!("alice {KEY} surface={KEY}"),
        format!("alice {KEY} rate={KEY}"),
        format!("alice {KEY} expires={KEY}"),
        format!("alice sha256:{KEY}"),
        format!("alice {KEY}\n{KEY}"),
        format!("alice = {KEY}\u{0}"),
    ];
    let mut runs = Vec::new();
    for (n, text) in api_keys.iter().enumerate() {
        for (command, node) in [("doctor --log-level debug", NODE), (HTTP, NODE)] {
            let name = format!("key-{n}-{}", command.len());
            let file = Secrets::new(&name, text);
            let path = file.0.to_string_lossy().into_owned();
            let words = ["--node", node, "--api-key-file", &path];
            runs.push(run(command, &words, &[], Some(file)));
        }
    }
    for (n, text) in tokens.iter().enumerate() {
        let file = Secrets::new(&format!("tokens-{n}"), text);
        let path = file.0.to_string_lossy().into_owned();
        runs.push(run(
            HTTP,
            &["--node", NODE, "--token-file", &path],
            &[],
            Some(file),
        ));
    }
    // The first two API keys and the first token file are right.
    assert_eq!(check(runs).await, 2 * 4 + 8);
}
