//! Tests of `answer`.

use bytes::Bytes;
use qortal_types::Amount;
use serde::{Deserialize, de::DeserializeOwned};

use super::{Answer, LeftOut, MOST_ROWS, Record, Rows, present};
use crate::{ApiError, Endpoint, NodeError, NodeErrorKind, transport::Received};

fn answer(status: u16, body: &str) -> Result<Answer, NodeError> {
    let received = Received {
        status,
        ..Received::good(Bytes::copy_from_slice(body.as_bytes()))
    };
    Answer::new(Endpoint::Name, received)
}

fn refusal(status: u16, body: &str) -> (Option<ApiError>, String) {
    match answer(status, body).unwrap_err().kind() {
        NodeErrorKind::Refused {
            status: found,
            code,
            message,
            key_use: _,
        } => {
            assert_eq!(*found, status);
            (*code, message.clone())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn refusals_are_told_apart_by_number() {
    let page = "\n<html>\n<head>\n<title>Error 500 Internal Server Error</title>\n</head></html>";
    let vectors = [
        (
            404,
            r#"{"error":401,"message":"name unknown"}"#,
            Some(ApiError::NAME_UNKNOWN),
            "name unknown",
        ),
        (
            404,
            r#"{"error":401,"message":"Name unbekannt"}"#,
            Some(ApiError::NAME_UNKNOWN),
            "Name unbekannt",
        ),
        (
            400,
            r#"{"error":125,"message":"Missing query"}"#,
            Some(ApiError::INVALID_CRITERIA),
            "Missing query",
        ),
        (
            500,
            r#"{"error":9999,"message":"new"}"#,
            Some(ApiError::from_code(9999)),
            "new",
        ),
        (404, r#"{"error":501}"#, Some(ApiError::POLL_NO_EXISTS), ""),
        // The servlet container's own.
        (
            404,
            "{\n\"servlet\":\"x\",\n\"message\":\"Not Found\",\n\"status\":\"404\"\n}",
            None,
            "Not Found",
        ),
        (
            400,
            "Bad parameter \"limit\"",
            None,
            "Bad parameter \"limit\"",
        ),
        (500, page, None, ""),
        (403, page, None, ""),
        (302, "", None, ""),
        // Text of strangers.
        (
            404,
            "{\"error\":1401,\"message\":\"a\\n\\u001b[2Jb\"}",
            Some(ApiError::FILE_NOT_FOUND),
            "a\\n\\u{1b}[2Jb",
        ),
    ];
    for (status, body, code, message) in vectors {
        assert_eq!(refusal(status, body), (code, message.to_owned()), "{body}");
    }
}

#[test]
fn a_page_with_403_means_that_the_address_is_not_whitelisted() {
    assert!(
        answer(403, "<html></html>")
            .unwrap_err()
            .is_not_whitelisted()
    );
    assert!(
        !answer(403, r#"{"error":4,"message":"API key invalid"}"#)
            .unwrap_err()
            .is_not_whitelisted()
    );
    assert!(
        !answer(404, "<html></html>")
            .unwrap_err()
            .is_not_whitelisted()
    );
}

#[test]
fn plain_text_is_read_as_a_value() {
    let amount = |text: &str| {
        answer(200, text)
            .unwrap()
            .value::<Amount>("an amount")
            .unwrap()
            .units()
    };
    assert_eq!(amount("0E-8"), 0);
    assert_eq!(amount("5E-8"), 5);
    assert_eq!(amount("1000000664.49951417"), 100_000_066_449_951_417);
    assert_eq!(
        answer(200, "908171652744")
            .unwrap()
            .units()
            .unwrap()
            .to_string(),
        "9081.71652744"
    );
    assert_eq!(
        answer(200, "false")
            .unwrap()
            .value_or_false::<u32>("a number")
            .unwrap(),
        None
    );
    assert_eq!(
        answer(200, "7")
            .unwrap()
            .value_or_false::<u32>("a number")
            .unwrap(),
        Some(7)
    );
}

#[test]
fn nothing_is_an_answer_where_the_core_has_none() {
    assert!(answer(204, "").unwrap().is_nothing());
    assert!(!answer(200, "3").unwrap().is_nothing());
}

#[test]
fn what_is_not_expected_is_quoted_in_short() {
    let long = format!("<html>{}", "x".repeat(10_000));
    for (body, quoted) in [
        ("<html>\n\u{202E}", "<html>\\n\\u{202e}".to_owned()),
        (&long, long[..200].to_owned()),
    ] {
        let answer = answer(200, body).unwrap();
        let error = answer.value::<u32>("a number").unwrap_err();
        let expected = NodeErrorKind::Unreadable {
            what: "a number",
            excerpt: quoted,
        };
        assert_eq!(*error.kind(), expected);
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let received = Received::good(Bytes::from_static(b"\xff\xfe"));
    let error = Answer::new(Endpoint::Block, received)
        .unwrap()
        .text()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "response to GET /blocks/signature/{signature} is not UTF-8 text: \"\u{fffd}\u{fffd}\""
    );
}

fn read<T: DeserializeOwned>(text: &str) -> serde_json::Result<Rows<T>> {
    serde_json::from_str(text)
}

fn check(text: &str, expected: &[u8], odd: usize) {
    let rows = read::<u8>(text).unwrap();
    assert_eq!((&*rows, rows.left_out.odd), (expected, odd), "{text}");
    assert_eq!(rows.left_out.problem.is_some(), odd > 0, "{text}");
    assert!(!rows.left_out.has_more);
}

#[test]
fn an_odd_row_costs_itself_alone() {
    check("[]", &[], 0);
    check("[1, 2]", &[1, 2], 0);
    check("[1, null, 2]", &[1, 2], 0);
    check(r#"[1, "x", {"y": [2]}, 3, 256]"#, &[1, 3], 3);
    check("[\"x\"]", &[], 1);
}

#[test]
fn the_places_of_skipped_rows_are_known() {
    for (text, gaps) in [
        ("[]", vec![]),
        ("[1, 2]", vec![]),
        ("[null, 1, \"x\", 2, 256]", vec![0, 2, 4]),
        ("[null, null]", vec![0, 1]),
    ] {
        assert_eq!(read::<u8>(text).unwrap().gaps(), gaps, "{text}");
    }
}

#[test]
fn what_is_no_list_is_not_read() {
    for text in ["{}", "null", "\"[]\"", "[1", "[1, ]", "[1, {\"x]", "7"] {
        read::<u8>(text).unwrap_err();
    }
}

#[test]
fn rows_have_a_bound() {
    for (more, expected) in [(MOST_ROWS - 1, false), (MOST_ROWS, true)] {
        let rows = read::<u8>(&format!("[1{}]", ",1".repeat(more))).unwrap();
        assert_eq!((rows.len(), rows.left_out.has_more), (MOST_ROWS, expected));
    }
}

#[test]
fn rows_that_cannot_be_read_count_as_well() {
    let rows = read::<u8>(&format!("[1{}, 2]", ",{}".repeat(MOST_ROWS))).unwrap();
    assert_eq!(*rows, [1]);
    assert_eq!(rows.left_out.odd, MOST_ROWS - 1);
    assert!(rows.left_out.has_more);
}

#[derive(Debug, PartialEq, Deserialize)]
struct Loose {
    #[serde(deserialize_with = "present")]
    name: Option<String>,
    title: Option<String>,
}

#[test]
fn a_list_without_a_readable_row_is_no_list_of_such_rows() {
    for text in ["[\"x\", 1000]", "[{}, {}]"] {
        read::<u8>(text).unwrap_err();
    }
    assert!(read::<u8>("[null]").unwrap().is_empty());
}

#[test]
fn a_member_may_be_null_and_yet_has_to_be_there() {
    let rows = read::<Loose>(r#"[{"title": "x"}, {"name": null}, {}, {"name": 1}]"#).unwrap();
    assert_eq!((rows.len(), rows.gaps()), (1, &[0, 2, 3][..]));
}

#[derive(Debug, Deserialize)]
struct WithLists {
    id: u8,
    #[serde(default)]
    names: Rows<String>,
    notes: Option<Rows<String>>,
}

impl Record for WithLists {
    fn left_out(&self) -> LeftOut {
        let notes = self.notes.as_ref();
        let notes = notes.map_or_else(LeftOut::default, |it| it.left_out.clone());
        self.names.left_out.clone().and(notes)
    }
}

fn records(text: &str) -> (Rows<WithLists>, usize) {
    let records = read::<WithLists>(text).unwrap();
    let odd = records.left_out_with(WithLists::left_out).odd;
    (records, odd)
}

#[test]
fn an_odd_row_in_a_record_costs_itself_alone() {
    let text = r#"[{"id": 1, "names": ["a", 2, "b"], "notes": [3]}, {"id": 2, "notes": null}]"#;
    let (records, odd) = records(text);
    assert_eq!((records.len(), odd), (2, 2));
    assert_eq!(
        (records[0].id, &*records[0].names, records[0].names.gaps()),
        (1, &["a".to_owned(), "b".to_owned()][..], &[1][..])
    );
    assert_eq!(records[0].notes.as_deref(), Some(&[][..]));
    assert!(records[1].notes.is_none());
}

#[test]
fn an_odd_record_counts_once() {
    let text = r#"[{"id": 300, "names": ["a", 2, 3]}, {"id": 1, "names": [1, 2]}, {"id": 1}]"#;
    let (records, odd) = records(text);
    assert_eq!((records.len(), odd), (1, 2));
}
