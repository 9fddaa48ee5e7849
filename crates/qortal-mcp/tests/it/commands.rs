//! The commands that print an answer and exit.

use insta::assert_snapshot;
use serde_json::Value;

use crate::{ended, program, run};

#[tokio::test]
async fn call_prints_the_answer_as_json() {
    let ended = run("call get_balance address=chloe --demo=recorded").await;
    assert_eq!((ended.code, ended.errors.as_str()), (Some(0), ""));
    assert_snapshot!(ended.output, @r#"
    {
      "address": "QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL",
      "resolvedFrom": "chloe",
      "assetId": 0,
      "balance": "999956.13999452"
    }
    "#);
}

#[tokio::test]
async fn the_demo_says_that_it_is_invented_and_the_recorded_chain_stays_as_it_is() {
    for (line, sentence) in [
        ("--demo", "of its chain are invented"),
        ("--demo=invented", "of its chain are invented"),
        ("--demo=recorded", "recorded from a small private network"),
    ] {
        let ended = run(&format!("call get_server_config {line}")).await;
        let answer: Value = serde_json::from_str(&ended.output).unwrap();
        let note = answer["notes"][0].as_str().unwrap();
        assert!(note.contains(sentence), "{line}: {note}");
    }
    let height = async |line: &str| -> u64 {
        let ended = run(&format!("call get_block_height {line}")).await;
        let answer: Value = serde_json::from_str(&ended.output).unwrap();
        answer["height"].as_u64().unwrap()
    };
    assert!(height("--demo").await >= 2_814_207);
    assert_eq!(height("--demo=recorded").await, 468);
    let ended = run("call get_block_height --demo=other").await;
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.errors.contains("invented, frozen, recorded"),
        "{}",
        ended.errors
    );
}

/// As a JSON number the amount would be a float, which loses its last digits.
#[tokio::test]
async fn call_keeps_the_digits_of_a_string() {
    let ended = run("call inspect_identifier text=1000000664.49951417 --demo=recorded").await;
    assert_eq!((ended.code, ended.errors.as_str()), (Some(0), ""));
    assert!(
        ended.output.contains("100000066449951417"),
        "{}",
        ended.output
    );
    assert!(!ended.output.contains("was sent as"), "{}", ended.output);
}

#[tokio::test]
async fn call_errors_state_what_to_change() {
    let ended = run("call get_balance address=chloe asset_id=x --demo=recorded").await;
    assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""));
    assert_snapshot!(ended.errors, @r#"error: Invalid asset. `asset_id` is "x", which is neither the number nor the name of an asset. Expected an asset's number (0 is QORT) or its name, `qortal-mcp call list_assets query=…` finds assets by words."#);
    let ended = run("call get_balanc --demo=recorded").await;
    assert_eq!(ended.code, Some(2));
    assert_snapshot!(ended.errors, @r#"
    error: unknown tool "get_balanc", did you mean get_balance?
    "#);
    let ended = run("call get_balance chloe --demo=recorded").await;
    assert_eq!(ended.code, Some(2));
    assert_snapshot!(ended.errors, @r#"
    error: invalid argument "chloe"
    hint: write name=value, such as qortal-mcp call get_balance address=chloe
    "#);
}

#[tokio::test]
async fn tools_are_listed_with_examples_that_work() {
    let ended = run("tools --json --surface extended --demo=recorded").await;
    let tools: Vec<Value> = serde_json::from_str(&ended.output).unwrap();
    assert!(tools.len() >= 15);
    for tool in tools {
        for member in [
            "name",
            "title",
            "description",
            "inputSchema",
            "annotations",
            "example",
        ] {
            assert!(tool.get(member).is_some(), "{member} of {}", tool["name"]);
        }
        // A tool that may return an image has none.
        let images = ["get_price_chart", "get_chart", "get_qdn_resource"].map(Value::from);
        let has_schema = tool.get("outputSchema").is_some();
        assert_ne!(
            has_schema,
            images.contains(&tool["name"]),
            "{}",
            tool["name"]
        );
    }
}

#[tokio::test]
async fn the_listed_tools_can_be_chosen() {
    let listed = |line: &'static str| async move {
        let ended = run(line).await;
        let tools: Vec<Value> = serde_json::from_str(&ended.output).unwrap_or_default();
        tools
            .iter()
            .map(|it| it["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let core = listed("tools --json --surface core").await;
    assert!(
        core.contains(&"get_node_health".to_owned())
            && !core.contains(&"get_node_uptime".to_owned())
    );
    let one = listed(
        "tools --json --toolsets trade --tools get_node_uptime --exclude-tools list_trade_offers",
    )
    .await;
    assert!(
        one.contains(&"get_node_uptime".to_owned())
            && !one.contains(&"list_trade_offers".to_owned())
    );
    let ended = run("tools --exclude-tools get_balanc").await;
    assert_eq!(ended.code, Some(2));
    assert_snapshot!(ended.errors, @r#"error: unknown tool "get_balanc", did you mean get_balance?"#);
    let ended = run("tools --toolsets coins").await;
    assert_eq!(ended.code, Some(2));
    assert!(
        ended
            .errors
            .starts_with("error: unknown toolset \"coins\", there are node, accounts,"),
        "{}",
        ended.errors
    );
}

#[tokio::test]
async fn an_invalid_configuration_is_rejected_before_anything_starts() {
    for (line, expected) in [
        (
            "--node ftp://127.0.0.1",
            "error: invalid node URL \"ftp://127.0.0.1\"",
        ),
        (
            "--api-key-file /no/such/file",
            "error: cannot read the API key file \"/no/such/file\"",
        ),
        (
            "--config /no/such/file",
            "error: cannot read the configuration file \"/no/such/file\"",
        ),
        (
            "http --listen nowhere",
            "error: invalid value 'nowhere' for '--listen <ADDR:PORT>'",
        ),
        (
            "--surface huge",
            "error: invalid value 'huge' for '--surface <NAME>'",
        ),
        ("https", "error: unrecognized subcommand 'https'"),
    ] {
        let ended = run(line).await;
        assert_eq!((ended.code, ended.output.as_str()), (Some(2), ""), "{line}");
        assert!(
            ended.errors.starts_with(expected),
            "{line}: {}",
            ended.errors
        );
    }
}

#[tokio::test]
async fn help_and_version_go_to_standard_output() {
    let ended = run("--version").await;
    assert_eq!(
        ended.output,
        format!("qortal-mcp {}\n", env!("CARGO_PKG_VERSION"))
    );
    let ended = run("--help").await;
    assert_eq!((ended.code, ended.errors.as_str()), (Some(0), ""));
    assert!(ended.output.contains("Examples:"));
    // Help was asked for, and is no message of a log.
    let with_log = run("--log-format json --help").await;
    assert_eq!((with_log.code, with_log.output), (Some(0), ended.output));
    let ended = run("call --help").await;
    assert_eq!((ended.code, ended.errors.as_str()), (Some(0), ""));
    assert!(
        ended.output.contains("Usage: qortal-mcp call"),
        "{}",
        ended.output
    );
    let ended = run("completions bash").await;
    assert!(ended.output.contains("qortal-mcp"));
}

#[tokio::test]
async fn call_prints_tables_and_csv() {
    let ended =
        run("call list_trade_offers foreign_blockchain=DOGECOIN --format csv --demo=recorded")
            .await;
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    let mut lines = ended.output.lines();
    assert!(
        lines.next().unwrap().starts_with("qortalAtAddress,"),
        "{}",
        ended.output
    );
    assert_eq!(lines.count(), 1, "{}", ended.output);
    let ended = run("call validate_address address=x --format csv --demo=recorded").await;
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.errors.contains("validate_address has no CSV output"),
        "{}",
        ended.errors
    );
    let ended = run("call get_balance address=chloe --format table --demo=recorded").await;
    assert_snapshot!(ended.output, @r"
    address       QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL
    resolvedFrom  chloe
    assetId       0
    balance       999956.13999452
    ");
}

#[tokio::test]
async fn the_command_for_the_next_page_has_the_format_that_was_asked_for() {
    let ended = run("call list_names limit=1 --demo=recorded --format table").await;
    let next = "\nMore: qortal-mcp call list_names limit=1 offset=1 start_after='Alice Test' --demo=recorded --format table\n";
    assert!(ended.output.contains(next), "{}", ended.output);
}

#[tokio::test]
async fn call_writes_the_image_of_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    for (name, start) in [("chart.png", &b"\x89PNG"[..]), ("chart.svg", b"<svg")] {
        let path = folder.path().join(name);
        let line = format!(
            "call get_price_chart blockchain=LTC interval=hour --demo=recorded -o {}",
            path.display()
        );
        let ended = run(&line).await;
        assert_eq!(ended.code, Some(0), "{}", ended.errors);
        assert!(ended.errors.contains(" written to "), "{}", ended.errors);
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.starts_with(start), "{name}: {} bytes", bytes.len());
    }
    let ended = run("call get_price_chart blockchain=LTC --demo=recorded -o chart.bmp").await;
    assert_eq!(ended.code, Some(2), "{}", ended.output);
    assert!(
        ended.errors.contains("does not name a PNG, SVG"),
        "{}",
        ended.errors
    );
    let ended = run("call get_price_chart blockchain=LTC --demo=recorded").await;
    assert!(
        ended.errors.contains("--output FILE.png"),
        "{}",
        ended.errors
    );
    let ended = run("call get_price_chart blockchain=LTC --demo=recorded -o x.gif").await;
    assert_eq!(ended.code, Some(1));
    assert!(
        ended
            .errors
            .contains("hint: pass --output FILE.png or FILE.svg"),
        "{}",
        ended.errors
    );
    let ended = run("call get_node_uptime --demo=recorded -o x.png").await;
    assert_eq!(ended.code, Some(1));
    assert!(ended.errors.contains("no image"), "{}", ended.errors);
}

/// What a program is told as JSON, a person reads by family.
#[tokio::test]
async fn the_listed_tools_are_there_by_family() {
    let as_json = run("tools --json --surface core").await;
    let listed: Vec<Value> = serde_json::from_str(&as_json.output).unwrap();
    let mut listed: Vec<_> = listed.iter().filter_map(|it| it["name"].as_str()).collect();
    let ended = run("tools --surface core").await;
    let rows = ended.output.lines().filter_map(|it| it.strip_prefix("  "));
    let mut shown: Vec<_> = rows.filter_map(|it| it.split(' ').next()).collect();
    shown.retain(|it| !it.is_empty());
    listed.sort_unstable();
    shown.sort_unstable();
    assert_eq!(shown, listed);
    let heading =
        "\n\naccounts: Who is this account, and what does it hold?\n  get_account_report  ";
    assert!(ended.output.contains(heading), "{}", ended.output);
    assert!(ended.output.contains("`qortal-mcp tools NAME`"));
    assert_eq!(ended.code, Some(0));
}

#[tokio::test]
async fn a_tool_is_explained_in_two_ways() {
    let by_list = run("tools validate_address").await;
    let by_call = run("call validate_address --help").await;
    assert_eq!(by_list.output, by_call.output);
    assert!(
        by_list
            .output
            .contains("\nParameters\n  address  string  required"),
        "{}",
        by_list.output
    );
    assert!(
        by_list
            .output
            .contains("qortal-mcp call validate_address address="),
        "{}",
        by_list.output
    );
    let ended = run("tools validate_addres").await;
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.errors.contains("did you mean validate_address?"),
        "{}",
        ended.errors
    );
}

#[tokio::test]
async fn call_writes_all_rows_of_a_list() {
    let ended = run("call list_names limit=5 --all --demo=recorded").await;
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    let rows = ended.output.lines().map(serde_json::from_str::<Value>);
    let rows: Vec<Value> = rows.collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), 17);
    let csv = run("call list_names limit=5 --all --format csv --demo=recorded").await;
    assert_eq!(csv.output.lines().count(), 1 + 17, "{}", csv.output);
    assert!(csv.output.starts_with("name,"), "{}", csv.output);
    for (line, expected) in [
        (
            "call get_balance address=chloe --all",
            "does not return a list",
        ),
        (
            "call list_names --all --format table",
            "--all does not support --format table",
        ),
        ("call list_names --resume x", "--all"),
        (
            "call list_names --all --output nowhere/x --resume nowhere/x",
            "--output and --resume name the same file",
        ),
    ] {
        let ended = run(&format!("{line} --demo=recorded")).await;
        assert_eq!(ended.code, Some(2), "{line}");
        assert!(ended.errors.contains(expected), "{}", ended.errors);
    }
}

/// As with `head`.
#[tokio::test]
async fn a_reader_that_has_enough_of_an_answer_or_a_list_is_no_failure() {
    for line in ["call list_names", "call list_names --all"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = program(&format!("{line} --demo=recorded"));
        let child = command.stdout(writer).spawn().unwrap();
        drop(command);
        let ended = ended(child).await;
        assert_eq!(ended.code, Some(0), "{line}: {}", ended.errors);
    }
}
