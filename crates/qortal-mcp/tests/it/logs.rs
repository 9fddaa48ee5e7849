//! The log: it stops nothing, and programs can read it.

use serde_json::json;

use crate::{program, soon, stdio::Talk};

/// Refused lines, each of which is logged: many times what a pipe holds.
const REFUSED: usize = 5_000;

#[tokio::test]
async fn a_log_that_is_not_read_does_not_stop_the_server() {
    // The pipe stays open, and is not read.
    let mut talk = Talk::of(program("--demo").spawn().unwrap());
    talk.initialize().await;
    for _ in 0..REFUSED {
        talk.send("nonsense").await;
        assert_eq!(talk.receive().await.unwrap()["error"]["code"], -32700);
    }
    let answer = talk.request("ping", json!({})).await;
    assert_eq!(answer["result"], json!({}));
    #[cfg(unix)]
    crate::terminate(&talk.child).await;
    drop(talk.input.take());
    assert_eq!(soon(talk.child.wait()).await.unwrap().code(), Some(0));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_under_the_log_stops_nothing_and_one_under_the_output_ends_it() {
    use std::fs::File;

    use tokio::io::AsyncWriteExt;

    let full = || File::options().write(true).open("/dev/full").unwrap();
    let mut talk = Talk::of(program("--demo").stderr(full()).spawn().unwrap());
    talk.initialize().await;
    talk.send("nonsense").await;
    assert_eq!(talk.receive().await.unwrap()["error"]["code"], -32700);
    drop(talk.input.take());
    assert_eq!(soon(talk.child.wait()).await.unwrap().code(), Some(0));

    for line in [
        "call get_block_height --demo=recorded",
        "call list_names --all --demo=recorded",
        "doctor --demo",
        "doctor --demo --json",
        "tools",
        "completions bash",
        "install cursor",
    ] {
        let ended = crate::ended(program(line).stdout(full()).spawn().unwrap()).await;
        assert_eq!(ended.code, Some(4), "{line}: {}", ended.errors);
        let expected = "error: cannot write to standard output\n  caused by: No space left";
        assert!(
            ended.errors.starts_with(expected),
            "{line}: {}",
            ended.errors
        );
    }

    let mut child = program("--demo").stdout(full()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let ping = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    soon(input.write_all(ping)).await.unwrap();
    let ended = crate::ended(child).await;
    assert_eq!(ended.code, Some(4), "{}", ended.errors);
    assert!(ended.errors.contains("error: "), "{}", ended.errors);
}
