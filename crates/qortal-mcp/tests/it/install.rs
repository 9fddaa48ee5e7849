//! `install`: what it prints, and what it does to the files of a home directory.

use std::{fs, path::Path};

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{Ended, ended, program, run};

/// Runs `install` for a user with this home directory.
async fn at_home(home: &Path, line: &str) -> Ended {
    let mut command = program(line);
    for name in ["HOME", "USERPROFILE"] {
        command.env(name, home);
    }
    ended(command.stdin(std::process::Stdio::null()).spawn().unwrap()).await
}

fn home() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[tokio::test]
async fn it_prints_what_the_host_reads() {
    let home = home();
    let ended = at_home(home.path(), "install vscode --demo --surface core").await;
    let text: String = ended
        .output
        .lines()
        .filter(|it| !it.starts_with('#'))
        .collect();
    let config: Value = serde_json::from_str(&text).unwrap();
    let server = &config["servers"]["qortal"];
    assert_eq!(server["command"], env!("CARGO_BIN_EXE_qortal-mcp"));
    assert_eq!(server["args"], json!(["--demo", "--surface", "core"]));
    let ended = run("install gemini").await;
    let plugin = "# or, to add the skills too, run in the folder that contains a release's plugin: gemini extensions install \"$PWD/qortal-mcp-plugin\"\n";
    assert!(ended.output.contains(plugin), "{}", ended.output);
    let ended = run("install claude-code --http http://127.0.0.1:8000/mcp").await;
    assert_snapshot!(ended.output.trim_end(), @r#"
    # ~/.claude.json
    # or .mcp.json in a project
    # or run: claude mcp add --transport http --scope user qortal http://127.0.0.1:8000/mcp
    # if the server uses --oauth-issuer, Claude Code opens the sign-in page
    # if the server uses --token-file, add your token: "headers": {"Authorization": "Bearer TOKEN"}
    # pass `--write` to add it to the file
    {
      "mcpServers": {
        "qortal": {
          "type": "http",
          "url": "http://127.0.0.1:8000/mcp"
        }
      }
    }
    "#);
}

#[tokio::test]
async fn results_are_text_alone_where_a_host_passes_both_contents() {
    for (line, expected) in [
        ("install cline", json!(["--output-schemas=off"])),
        (
            "install cline --output-schemas lean",
            json!(["--output-schemas", "lean"]),
        ),
        ("install vscode", json!([])),
    ] {
        let ended = run(line).await;
        let lines = ended.output.lines();
        let text: String = lines.filter(|it| !it.starts_with('#')).collect();
        let config: Value = serde_json::from_str(&text).unwrap();
        let servers = config.get("mcpServers").or(config.get("servers"));
        let args = servers.and_then(|it| it.pointer("/qortal/args"));
        assert_eq!(args, Some(&expected), "{line}");
    }
}

#[tokio::test]
async fn it_writes_once_and_keeps_what_was_there() {
    let home = home();
    let file = home.path().join(".cursor/mcp.json");
    fs::create_dir(home.path().join(".cursor")).unwrap();
    let before = "{\n  // mine\n  \"mcpServers\": {}\n}\n";
    fs::write(&file, before).unwrap();

    let line = "install cursor --demo --write";
    for tried in [
        &format!("{line} --dry-run"),
        "install cursor --demo --dry-run",
    ] {
        let tried = at_home(home.path(), tried).await;
        assert_eq!(tried.code, Some(0), "{}", tried.errors);
        assert!(
            tried.output.contains("\n+    \"qortal\": {"),
            "{}",
            tried.output
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), before);
    }

    let written = at_home(home.path(), line).await;
    assert_eq!(written.code, Some(0), "{}", written.errors);
    let after = fs::read_to_string(&file).unwrap();
    assert!(
        after.contains("// mine") && after.contains("--demo"),
        "{after}"
    );
    assert_eq!(
        fs::read_to_string(home.path().join(".cursor/mcp.json.qortal-mcp.bak")).unwrap(),
        before
    );

    let again = at_home(home.path(), line).await;
    assert_eq!(again.code, Some(0), "{}", again.errors);
    assert!(
        again.output.contains("already has this configuration"),
        "{}",
        again.output
    );

    let other = at_home(home.path(), "install cursor --surface core --write").await;
    assert_eq!(other.code, Some(0), "{}", other.errors);
    let removed = at_home(home.path(), "install --remove cursor").await;
    assert_eq!(removed.code, Some(0), "{}", removed.errors);
    let after = fs::read_to_string(&file).unwrap();
    assert!(
        after.contains("// mine") && !after.contains("qortal"),
        "{after}"
    );
    let again = at_home(home.path(), "install --remove cursor").await;
    assert_eq!(again.code, Some(0), "{}", again.errors);
    assert!(
        again.output.contains("has no entry for qortal"),
        "{}",
        again.output
    );
    let names = fs::read_dir(home.path().join(".cursor")).unwrap();
    assert_eq!(names.count(), 2, "the file and one backup");
}

/// Files in which a person set something, hosts, options of a further run, and what the entry has then.
#[tokio::test]
async fn a_further_run_keeps_what_a_person_set() {
    let entry = |value: &Value| json!({"command": "/old/qortal-mcp", "args": value});
    let node = json!(["--node", "http://10.0.0.5:12391", "--api-key-file", "/k"]);
    let (cursor, zed) = (".cursor/mcp.json", ".config/zed/settings.json");
    let mut with_env = entry(&json!([]));
    with_env["env"] = json!({"QORTAL_MCP_API_KEY_FILE": "/k"});
    let mut off = entry(&node);
    off["disabled"] = true.into();
    let mut on = entry(&node);
    on["disabled"] = false.into();
    let mut other_surface = entry(&json!(["--surface", "core", "--demo"]));
    other_surface["timeout"] = 5.into();
    for (host, file, servers, before, options, expected) in [
        (
            "cursor",
            cursor,
            "mcpServers",
            entry(&node),
            "",
            entry(&node),
        ),
        (
            "cursor",
            cursor,
            "mcpServers",
            entry(&node),
            "--node http://10.0.0.6:12391",
            entry(&json!([
                "--node",
                "http://10.0.0.6:12391",
                "--api-key-file",
                "/k"
            ])),
        ),
        ("cursor", cursor, "mcpServers", off, "", on),
        (
            "zed",
            zed,
            "context_servers",
            with_env.clone(),
            "",
            with_env,
        ),
        (
            "cursor",
            cursor,
            "mcpServers",
            other_surface,
            "--surface extended",
            json!({"command": "", "args": ["--surface", "extended", "--demo"], "timeout": 5}),
        ),
        // Arguments that no version of the program has are replaced, which is shown.
        (
            "cursor",
            cursor,
            "mcpServers",
            entry(&json!(["--old-flag"])),
            "",
            entry(&json!([])),
        ),
    ] {
        let home = home();
        let file = home.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let text = json!({servers: {"qortal": before}});
        fs::write(&file, format!("{text:#}\n")).unwrap();
        let ended = at_home(home.path(), &format!("install {host} {options} --write")).await;
        assert_eq!(ended.code, Some(0), "{}", ended.errors);
        let after: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        let mut after = after[servers]["qortal"].clone();
        let command = after["command"].as_str().unwrap();
        assert!(command.ends_with("qortal-mcp"), "{command}");
        after["command"] = expected["command"].clone();
        assert_eq!(after, expected, "{host} {options}");
        let changed = [
            "replaced qortal: ",
            "-      \"command\": \"/old/qortal-mcp\"",
        ];
        assert!(
            changed.iter().all(|it| ended.output.contains(it)),
            "{}",
            ended.output
        );
    }
}

#[tokio::test]
async fn without_a_host_it_lists_them_with_those_of_this_machine_first() {
    let home = home();
    fs::create_dir(home.path().join(".codex")).unwrap();
    let ended = at_home(home.path(), "install").await;
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    assert!(
        ended
            .output
            .starts_with("Found on this machine:\n  codex           Codex\n\nHosts:\n"),
        "{}",
        ended.output
    );
    assert!(
        ended.output.contains("qortal-mcp install codex --write"),
        "{}",
        ended.output
    );
    let ended = at_home(home.path(), "install --write").await;
    assert_eq!(ended.code, Some(2));
    for name in ["VSCode", "Cursor", "CLAUDE", "copilot-cli", "antigravity"] {
        let ended = at_home(home.path(), &format!("install {name}")).await;
        assert_eq!(ended.code, Some(0), "{name} {}", ended.errors);
    }
}

#[tokio::test]
async fn it_makes_a_file_that_is_missing() {
    let home = home();
    let ended = at_home(home.path(), "install goose --write").await;
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    let place = if cfg!(windows) {
        ""
    } else {
        ".config/goose/config.yaml"
    };
    if !place.is_empty() {
        let text = fs::read_to_string(home.path().join(place)).unwrap();
        assert!(
            text.starts_with("extensions:\n  qortal:\n    name: \"qortal\"\n"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn it_leaves_a_broken_file_alone() {
    let home = home();
    let file = home.path().join(".claude.json");
    fs::write(&file, "{\"mcpServers\": ").unwrap();
    let ended = at_home(home.path(), "install claude --write").await;
    assert_eq!((ended.code, ended.output.as_str()), (Some(2), ""));
    assert!(ended.errors.contains("was not changed"), "{}", ended.errors);
    assert!(
        ended.errors.contains("the file is not valid JSON"),
        "{}",
        ended.errors
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"mcpServers\": ");
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[tokio::test]
async fn it_writes_through_a_link_and_keeps_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let home = home();
    let real = home.path().join("dotfiles.json");
    fs::write(&real, "{}").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    let link = home.path().join(".claude.json");
    symlink(&real, &link).unwrap();
    let ended = at_home(home.path(), "install claude-code --write").await;
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(
        fs::metadata(&real).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(fs::read_to_string(&real).unwrap().contains("mcpServers"));

    // A manager of dotfiles may have made the link first.
    fs::remove_file(&real).unwrap();
    let ended = at_home(home.path(), "install claude-code --write").await;
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("mcpServers"));
}

#[tokio::test]
async fn what_a_host_cannot_do_is_said() {
    let ended = run("install cursr").await;
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.errors.contains("a similar value exists: 'cursor'"),
        "{}",
        ended.errors
    );
    let ended = run("install chatgpt").await;
    assert_eq!(ended.code, Some(2));
    assert_snapshot!(ended.errors, @r"
    error: ChatGPT connects only to URLs
    hint: pass --http URL, the address of a server started with `qortal-mcp http`
    ");
    let refused = [
        ("cursor --http nonsense", "expected a URL such as"),
        (
            "cursor --http ftp://a.example.org",
            "expected a URL such as",
        ),
        (
            "claude-desktop --http http://127.0.0.1:8000/mcp",
            "the URL needs https and a public host name",
        ),
        (
            "chatgpt --http https://10.0.0.1/mcp",
            "the URL needs https and a public host name",
        ),
        (
            "jetbrains --http https://mcp.example.org/mcp",
            "does not support HTTP servers",
        ),
        ("chatgpt --remove", "no configuration file to write"),
    ];
    for (line, reason) in refused {
        let ended = run(&format!("install {line}")).await;
        assert_eq!((ended.code, ended.output.as_str()), (Some(2), ""), "{line}");
        assert!(ended.errors.contains(reason), "{line}: {}", ended.errors);
    }
    let ended = run("install chatgpt --http https://mcp.example.org/mcp").await;
    assert_eq!((ended.code, ended.errors.as_str()), (Some(0), ""));
    assert!(
        ended.output.starts_with("# ")
            && ended
                .output
                .trim_end()
                .ends_with("\nhttps://mcp.example.org/mcp"),
        "{}",
        ended.output
    );
    let ended = run("install claude-desktop --http https://mcp.example.org/mcp --write").await;
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.errors.contains("no configuration file to write"),
        "{}",
        ended.errors
    );
    let ended = run("install cursor --write").await;
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.errors.contains("cannot determine the home directory"),
        "{}",
        ended.errors
    );
}
