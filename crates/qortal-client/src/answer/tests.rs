//! Tests of `answer`.

use bytes::Bytes;
use qortal_types::Amount;

use super::Answer;
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
fn null_elements_of_a_list_are_left_out() {
    assert_eq!(
        answer(200, "[1,null,2]").unwrap().list::<u32>().unwrap(),
        [1, 2]
    );
    assert!(answer(200, "[]").unwrap().list::<u32>().unwrap().is_empty());
}

#[test]
fn nothing_is_an_answer_where_the_core_has_none() {
    assert_eq!(answer(204, "").unwrap().json_if_any::<u32>().unwrap(), None);
    assert_eq!(
        answer(200, "3").unwrap().json_if_any::<u32>().unwrap(),
        Some(3)
    );
}

#[test]
fn what_is_not_expected_is_quoted_in_short() {
    let long = format!("<html>{}", "x".repeat(10_000));
    for (body, quoted) in [
        ("<html>\n\u{202E}", "<html>\\n\\u{202e}".to_owned()),
        (&long, long[..200].to_owned()),
    ] {
        let error = answer(200, body).unwrap().json::<u32>().unwrap_err();
        let expected = NodeErrorKind::Unreadable {
            what: "the expected JSON",
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
        "answer to GET /blocks/signature/{signature} is not UTF-8 text: \"\u{fffd}\u{fffd}\""
    );
}
