//! What a person sees who calls a tool in a terminal.

use std::{fs::File, io::Read, process::Stdio};

use futures_util::future::join_all;
use insta::assert_snapshot;
use rustix::{
    fs::{Mode, OFlags, open},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
};
use tokio::task::spawn_blocking;

use crate::{ended, program, soon};

/// What the program writes to standard output in a terminal.
async fn shown(line: &str, environment: &[(&str, &str)]) -> String {
    shown_with(line, environment, false).await
}

/// The same, with what it writes to standard error if that is the terminal too.
async fn shown_with(line: &str, environment: &[(&str, &str)], has_errors: bool) -> String {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap();
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let terminal = open(name, flags, Mode::empty()).unwrap();
    let errors = match has_errors {
        true => Stdio::from(terminal.try_clone().unwrap()),
        false => Stdio::piped(),
    };
    let child = program(line)
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::from(terminal))
        .stderr(errors)
        .spawn()
        .unwrap();
    let shown = spawn_blocking(move || {
        let mut shown = Vec::new();
        // Some systems report as an error that no program has the terminal any more.
        drop(File::from(ours).read_to_end(&mut shown));
        String::from_utf8(shown).unwrap().replace("\r\n", "\n")
    });
    let ended = ended(child).await;
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    soon(shown).await.unwrap()
}

#[tokio::test]
async fn an_answer_in_a_terminal_is_a_table_unless_a_format_is_asked_for() {
    let (as_table, as_json, as_csv) = tokio::join!(
        shown("call get_balance address=chloe --demo=recorded", &[]),
        shown(
            "call get_balance address=chloe --demo=recorded --format json",
            &[]
        ),
        // Rows that were asked for by the tool's own parameter are rows here too.
        shown("call list_names limit=1 format=csv --demo=recorded", &[]),
    );
    assert_snapshot!(as_table, @r"
    address       QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL
    resolvedFrom  chloe
    assetId       0
    balance       999956.13999452
    ");
    assert!(as_json.starts_with("{\n"), "{as_json}");
    assert!(as_csv.starts_with("name,"), "{as_csv}");
}

#[tokio::test]
async fn a_terminal_has_colors_unless_it_cannot_or_its_user_wants_none() {
    let (term, none) = (("TERM", "xterm"), ("NO_COLOR", "1"));
    let cases = [
        ("", &[][..], false),
        ("", &[("TERM", "dumb")], false),
        ("", &[term], true),
        ("", &[term, none], false),
        ("--color never", &[term], false),
        ("--color always", &[term, none], true),
    ];
    join_all(cases.map(async |(options, environment, has_color)| {
        let line = format!("call get_balance address=chloe --demo=recorded {options}");
        let shown = shown(&line, environment).await;
        let found = shown.contains("\u{1b}[35maddress");
        assert_eq!(found, has_color, "{options} {environment:?}:\n{shown:?}");
    }))
    .await;
}

#[tokio::test]
async fn how_far_a_list_is_written_is_shown_where_no_rows_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("names.csv");
    let line = "call list_names limit=5 --all --format csv --demo=recorded";
    let status = "\r\u{1b}[K5 rows";
    let with_rows = shown_with(line, &[], true).await;
    assert!(with_rows.starts_with("name,"), "{with_rows:?}");
    assert!(!with_rows.contains('\u{1b}'), "{with_rows:?}");
    let line = format!("{line} --output {}", file.display());
    let beside = shown_with(&line, &[], true).await;
    assert!(beside.contains(status), "{beside:?}");
    assert!(
        beside.contains("\r\u{1b}[K17 rows written to "),
        "{beside:?}"
    );
}
