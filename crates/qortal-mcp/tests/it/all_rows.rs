//! `call TOOL --all`: lists that are written to files, in one run or several.

use qortal_testnode::{Event, Fault, Scenario, TestNode};
use serde_json::Value;

use crate::run;

#[tokio::test]
async fn call_goes_on_where_it_was_interrupted() {
    let node = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let [rows, state] = ["names.csv", "state"].map(|it| folder.path().join(it));
    let line = format!(
        "call list_names limit=5 --all --format csv --node {} --output {} --resume {}",
        node.url(),
        rows.display(),
        state.display()
    );
    // Two pages are answered, and the third is not.
    node.fault("/names", Fault::Status(400, "no".to_owned()));
    let row = |it: u32| serde_json::json!({"name": format!("n{it:02}"), "owner": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v", "data": "", "registered": 1, "isForSale": false});
    let page = |rows: u32| Value::from((0..rows).map(row).collect::<Vec<_>>());
    // The second page is asked for with those beside it.
    for rows in [21, 6] {
        node.fault_times("/names", Fault::Status(200, page(rows).to_string()), 1);
    }
    let ended = run(&line).await;
    assert_eq!(ended.code, Some(1), "{}", ended.errors);
    assert!(
        ended.errors.contains("10 rows were written"),
        "{}",
        ended.errors
    );
    let written = std::fs::read_to_string(&rows).unwrap();
    assert_eq!(written.lines().count(), 1 + 10);
    node.clear_faults();
    // What was half written when the program was killed.
    std::fs::write(&rows, format!("{written}half a li")).unwrap();
    let ended = run(&line).await;
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    assert!(
        ended.errors.contains("8 rows written to"),
        "{}",
        ended.errors
    );
    let whole = run("call list_names --all --format csv --demo=recorded").await;
    // Those after the last name that was written.
    let rest = whole.output.lines().skip(1).filter(|it| *it > "n09");
    let rest: Vec<_> = rest.collect();
    let all = std::fs::read_to_string(&rows).unwrap();
    assert_eq!(
        all.strip_prefix(&written)
            .unwrap()
            .lines()
            .collect::<Vec<_>>(),
        rest
    );
    // The list is complete.
    let ended = run(&line).await;
    assert!(
        ended.errors.contains("0 rows written to"),
        "{}",
        ended.errors
    );
    assert_eq!(std::fs::read_to_string(&rows).unwrap(), all);
    let other = line.replace("limit=5", "limit=6");
    let ended = run(&other).await;
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.errors.contains("holds the progress of another call"),
        "{}",
        ended.errors
    );
    std::fs::write(&rows, "short").unwrap();
    let ended = run(&line).await;
    assert_eq!(ended.code, Some(4));
    assert!(
        ended.errors.contains("shorter than the recorded progress"),
        "{}",
        ended.errors
    );
    std::fs::write(&state, "no state").unwrap();
    let ended = run(&line).await;
    assert!(
        ended.errors.contains("was not written by --resume\nhint: "),
        "{}",
        ended.errors
    );
    node.stop().await;
}

/// A file that was complete up to the last block, after a reorganization and more blocks.
#[tokio::test]
async fn call_goes_back_to_where_the_chain_forks() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let pay = |units| {
        let to = "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2".to_owned();
        node.apply(&Event::Payments {
            to,
            units,
            count: 2,
        });
    };
    pay(1);
    pay(2);
    let list = "call find_payments sender='Alice Test' order=oldest --all --format csv";
    let list = list.replace("'Alice Test'", "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v");
    let [rows, state] = ["rows.csv", "state"].map(|it| folder.path().join(it));
    let resumed = format!(
        "{list} --node {} --output {} --resume {}",
        node.url(),
        rows.display(),
        state.display()
    );
    let ended = run(&resumed).await;
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    let before = std::fs::read_to_string(&rows).unwrap();
    node.apply(&Event::Orphaned);
    node.apply(&Event::Orphaned);
    pay(3);
    node.apply(&Event::Confirmed);
    node.apply(&Event::Block);
    let ended = run(&resumed).await;
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    let replaced = "the chain replaced its newest blocks: 4 of their rows were removed";
    assert!(ended.errors.contains(replaced), "{}", ended.errors);
    let fresh = run(&format!("{list} --node {}", node.url())).await;
    let columns = |text: &str| -> Vec<String> {
        // Without the confirmations, which each block changes.
        let rows = text.lines().map(|it| it.split(',').collect::<Vec<_>>());
        rows.map(|it| format!("{} {}", it[0], it[it.len() - 1]))
            .collect()
    };
    let written = std::fs::read_to_string(&rows).unwrap();
    assert_ne!(columns(&written), columns(&before));
    assert_eq!(columns(&written), columns(&fresh.output));
    node.stop().await;
}

#[tokio::test]
async fn call_names_only_limits_that_were_sent_and_what_a_list_cannot_promise() {
    let folder = tempfile::tempdir().unwrap();
    let [rows, state] = ["rows", "state"].map(|it| folder.path().join(it));
    let kept = format!("--output {} --resume {}", rows.display(), state.display());
    for (line, is_said, note) in [
        // The Core takes twenty rows where nothing narrows a search.
        ("search_transactions --all".to_owned(), false, "limit"),
        (
            "search_transactions limit=30 --all".to_owned(),
            true,
            "limit was sent as 30",
        ),
        (
            "list_block_signers --all".to_owned(),
            true,
            "can come twice or be left out",
        ),
        (
            "find_payments sender=chloe order=oldest --all".to_owned(),
            false,
            "can come twice",
        ),
        (format!("list_names --all {kept}"), false, "fresh run"),
        (
            format!("list_names --all {kept}"),
            true,
            "the list was already complete",
        ),
        (
            format!("list_names --all {kept}"),
            true,
            "such as a new name, is found by a fresh run only",
        ),
    ] {
        let ended = run(&format!("call {line} --demo=recorded")).await;
        assert_eq!(ended.code, Some(0), "{}", ended.errors);
        assert_eq!(
            ended.errors.contains(note),
            is_said,
            "{line}: {}",
            ended.errors
        );
    }
}

#[tokio::test]
async fn file_name_decides_the_format_unless_it_is_given() {
    let folder = tempfile::tempdir().unwrap();
    for (name, format, begins) in [
        ("rows.csv", "", "name,"),
        ("rows.CSV", "", "name,"),
        ("rows.jsonl", "", "{"),
        ("rows", "", "{"),
        ("given.csv", " --format json", "{"),
        ("given.jsonl", " --format csv", "name,"),
    ] {
        let rows = folder.path().join(name);
        let list = "call list_names --all --demo=recorded";
        let ended = run(&format!("{list}{format} --output {}", rows.display())).await;
        assert_eq!(ended.code, Some(0), "{name}: {}", ended.errors);
        let written = std::fs::read_to_string(&rows).unwrap();
        assert!(written.starts_with(begins), "{name}{format}: {written}");
    }
}
