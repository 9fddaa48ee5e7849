//! From bytes to messages.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    Object, RequestId,
    jsonrpc::{
        InvalidMessage, MAX_BATCH, MAX_VALUES, Message, MessageOrBatch, ReadLimits, notification,
        parse, parse_with_limits, request,
    },
};

fn shown(result: &Result<Message, InvalidMessage>) -> String {
    match result {
        Ok(Message::Request(it)) => format!("request {} {:?}", it.method, it.id),
        Ok(Message::Notification(it)) => format!("notification {}", it.method),
        Ok(Message::Response(it)) => format!("response to {:?}", it.id),
        Err(InvalidMessage { id, error }) => format!("{} {:?} {}", error.code, id, error.message),
    }
}

fn check(text: &str) -> String {
    match parse(text.as_bytes()) {
        Ok(MessageOrBatch::Single(message)) => shown(&Ok(message)),
        Ok(MessageOrBatch::Batch(items)) => items.iter().map(shown).collect::<Vec<_>>().join(" | "),
        Err(invalid) => shown(&Err(invalid)),
    }
}

#[test]
fn an_id_is_made_of_numbers_and_texts_and_never_null() {
    for (id, wire) in [
        (RequestId::from(-1_i64), json!(-1)),
        (RequestId::from(u64::MAX), json!(u64::MAX)),
        (RequestId::from("a"), json!("a")),
        (RequestId::from("a".to_owned()), json!("a")),
        (RequestId::Integer(1 << 64), json!("18446744073709551616")),
    ] {
        assert_eq!(id.to_value(), wire);
    }
}

#[test]
fn what_is_invalid_is_an_error_with_its_text() {
    let invalid: Box<dyn std::error::Error> = parse(b"[]").unwrap_err().into();
    assert_eq!(
        invalid.to_string(),
        "Invalid request: a batch must not be empty"
    );
}

#[test]
fn the_limits_of_reading_are_the_callers() {
    let batch = br#"[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]"#;
    let limits = ReadLimits::default();
    assert!(parse_with_limits(batch, limits.with_batch(2)).is_ok());
    assert!(parse_with_limits(batch, limits.with_batch(1)).is_err());
    let many = format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":[{}1]}}"#,
        "1,".repeat(MAX_VALUES)
    );
    assert!(parse_with_limits(many.as_bytes(), limits).is_err());
    assert!(parse_with_limits(many.as_bytes(), limits.with_values(2 * MAX_VALUES)).is_ok());
}

#[test]
fn r020_an_id_is_a_string_or_an_integer() {
    let with_id = |id: &str| check(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#));
    for (id, read) in [
        ("1", RequestId::Integer(1)),
        ("-1", RequestId::Integer(-1)),
        ("1.0", RequestId::Integer(1)),
        ("-0.0", RequestId::Integer(0)),
        ("1e2", RequestId::Integer(100)),
        ("1125899906842623.0", RequestId::Integer((1 << 50) - 1)),
        ("-1125899906842623.0", RequestId::Integer(1 - (1 << 50))),
        ("9223372036854775807", RequestId::Integer(i64::MAX.into())),
        ("18446744073709551615", RequestId::Integer(u64::MAX.into())),
        ("\"\"", RequestId::String(String::new())),
        ("\"1\"", RequestId::String("1".to_owned())),
    ] {
        assert_eq!(with_id(id), format!("request ping {read:?}"));
    }
    for id in [
        "null",
        "1.5",
        "1125899906842624.0",
        "-1125899906842624.0",
        "9007199254740991.0",
        "1e300",
        "true",
        "[1]",
        "{}",
        "18446744073709551616",
    ] {
        assert_eq!(
            with_id(id),
            "-32600 None Invalid request: the id must be a string or an integer",
            "{id}"
        );
    }
}

#[test]
fn messages_are_written_with_the_members_they_need() {
    let message = |text: String| serde_json::from_str::<Value>(&text).unwrap();
    let params = json!({"a": 1});
    let params = params.as_object().unwrap();
    for (text, expect) in [
        (
            notification("n", Object::new()),
            json!({"jsonrpc": "2.0", "method": "n"}),
        ),
        (
            notification("n", params.clone()),
            json!({"jsonrpc": "2.0", "method": "n", "params": {"a": 1}}),
        ),
        (
            request(&RequestId::Integer(7), "r", params.clone()),
            json!({"jsonrpc": "2.0", "id": 7, "method": "r", "params": {"a": 1}}),
        ),
    ] {
        assert_eq!(message(text), expect);
    }
}

#[test]
fn ids_are_written_as_they_were_read() {
    for value in [i64::MIN.into(), u64::MAX.into(), 0.into(), "☃".into()] {
        let id = RequestId::read(&value).unwrap();
        assert_eq!(id.to_value(), value);
    }
}

#[test]
fn r028_invalid_messages_are_refused_with_the_reason() {
    assert_snapshot!(check("42"), @"-32600 None Invalid request: a message must be an object");
    assert_snapshot!(check("[]"), @"-32600 None Invalid request: a batch must not be empty");
    assert_snapshot!(check("{}"), @r#"-32600 None Invalid request: jsonrpc must be "2.0""#);
    assert_snapshot!(check(r#"{"jsonrpc":"2.0","id":null}"#), @"-32600 None Invalid request: the id must be a string or an integer");
    assert_snapshot!(check(r#"{"jsonrpc":"2.0","id":null,"method":"x","result":{}}"#), @"-32600 None Invalid request: the id must be a string or an integer");
    assert_snapshot!(check(r#"{"jsonrpc":"2.0","id":1}"#), @"-32600 Some(Integer(1)) Invalid request: the method is missing");
    assert_snapshot!(check(r#"{"jsonrpc":"2.0","id":1,"method":[]}"#), @"-32600 Some(Integer(1)) Invalid request: the method must be a string");
    assert_snapshot!(check(r#"{"jsonrpc":"2.0","id":1,"method":"x","params":[]}"#), @"-32600 Some(Integer(1)) Invalid request: params must be an object");
    assert_snapshot!(check(r#"{"jsonrpc":2.0,"id":1,"method":"x"}"#), @r#"-32600 Some(Integer(1)) Invalid request: jsonrpc must be "2.0""#);
}

#[test]
fn a_batch_has_an_end() {
    let batch = |len: usize| format!("[{}]", vec!["1"; len].join(","));
    assert!(
        matches!(parse(batch(MAX_BATCH).as_bytes()), Ok(MessageOrBatch::Batch(items)) if items.len() == MAX_BATCH)
    );
    assert_snapshot!(check(&batch(MAX_BATCH + 1)), @"-32600 None Invalid request: a batch may contain at most 1000 messages");
}

#[test]
fn a_message_has_an_end() {
    let message = |params: &str| {
        check(&format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"a":{params}}}}}"#
        ))
    };
    let list = |len: usize| format!("[{}]", vec!["10"; len].join(","));
    // Besides the items: the message, its other members, the params and the list.
    assert_snapshot!(message(&list(MAX_VALUES - 5)), @"request x Integer(1)");
    assert_snapshot!(message(&list(MAX_VALUES - 4)), @"-32600 Some(Integer(1)) Invalid request: a message may contain at most 100000 values");
    assert_snapshot!(message(&list(MAX_VALUES - 10)), @"request x Integer(1)");
    assert_snapshot!(message(&list(MAX_VALUES)), @"-32600 Some(Integer(1)) Invalid request: a message may contain at most 100000 values");
    let objects = vec![r#"{"b":[]}"#; MAX_VALUES / 2].join(",");
    assert_snapshot!(message(&format!("[{objects}]")), @"-32600 Some(Integer(1)) Invalid request: a message may contain at most 100000 values");
    // Commas and brackets within a text are not counted.
    let text = format!(
        r#""{}\"{}""#,
        ",[{".repeat(MAX_VALUES),
        "\\\\,".repeat(MAX_VALUES)
    );
    assert_snapshot!(message(&text), @"request x Integer(1)");
}

#[test]
fn invalid_json_is_reported_with_its_position() {
    assert_snapshot!(check(""), @"-32700 None Parse error: EOF while parsing a value at line 1 column 0");
    assert_snapshot!(check("{\"a\":}"), @"-32700 None Parse error: expected value at line 1 column 6");
    assert_snapshot!(check("{} x"), @"-32700 None Parse error: trailing characters at line 1 column 4");
    assert_snapshot!(check(&"[".repeat(200)), @"-32700 None Parse error: recursion limit exceeded at line 1 column 128");
    assert!(matches!(parse(b"\"\xff\""), Err(it) if it.error.code == -32700));
}

#[test]
fn r020_unreadable_requests_have_their_id() {
    let check = |params: &str| {
        check(&format!(
            r#"{{"method":"x","params":{params},"jsonrpc":"2.0","id":7}}"#
        ))
    };
    for (params, why) in [
        (r#"{"a":"\ud83d"}"#, "unexpected end of hex escape"),
        ("{]", "key must be a string"),
    ] {
        let shown = check(params);
        let expect = format!("-32700 Some(Integer(7)) Parse error: {why}");
        assert!(shown.starts_with(&expect), "{shown}");
    }
}

#[test]
fn odd_but_valid_messages_are_read() {
    assert_snapshot!(check(r#" {"method":"x","jsonrpc":"2.0","id":"a","params":null,"more":1} "#), @r#"request x String("a")"#);
    assert_snapshot!(check(r#"{"jsonrpc":"2.0","method":"x"}"#), @"notification x");
    assert_snapshot!(check(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), @"response to Some(Integer(1))");
    assert_snapshot!(check(r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#), @"response to None");
    assert_snapshot!(check(r#"[{"jsonrpc":"2.0","method":"x"},1]"#), @"notification x | -32600 None Invalid request: a message must be an object");
}

/// A generator that needs no library: xorshift64*, seeded so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).unwrap() % most
    }
}

#[test]
fn any_bytes_are_read_or_refused() {
    let seeds: [&[u8]; 4] = [
        br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":[1,null,"\ud83d\ude00"]}}}"#,
        br#"[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}},{"jsonrpc":"2.0","id":"","method":""}]"#,
        br#"{"jsonrpc":"2.0","id":-9223372036854775808,"result":{"content":[]}}"#,
        b"\xef\xbb\xbf{}",
    ];
    let mut random = Random(0x51_0A_7E_D5);
    for round in 0..20_000 {
        let mut bytes = seeds[random.below(seeds.len())].to_vec();
        for _ in 0..=random.below(6) {
            let at = random.below(bytes.len() + 1);
            match random.below(4) {
                0 => bytes.insert(at, u8::try_from(random.below(256)).unwrap()),
                1 if at < bytes.len() => drop(bytes.remove(at)),
                2 => bytes.truncate(at.max(1)),
                _ if at < bytes.len() => bytes[at] = b"{}[]\",:0n\\\xff\0"[random.below(12)],
                _ => (),
            }
        }
        match parse(&bytes) {
            Ok(_) => (),
            Err(invalid) => {
                let code = invalid.error.code;
                assert!(code == -32700 || code == -32600, "round {round}: {code}");
            }
        }
    }
}

#[test]
fn a_response_has_the_outcome_of_its_request() {
    for (text, expect) in [
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{"a":1}}"#,
            "Ok(Object {\"a\": Number(1)})",
        ),
        (r#"{"jsonrpc":"2.0","id":1,"result":null}"#, "Ok(Null)"),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}"#,
            "Err(ErrorObject { code: -1, message: \"no\", data: None })",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":"odd"}"#,
            "Err(ErrorObject { code: -32603, message: \"no message\", data: None })",
        ),
    ] {
        match parse(text.as_bytes()) {
            Ok(MessageOrBatch::Single(Message::Response(it))) => {
                assert_eq!(format!("{:?}", it.outcome), expect, "{text}");
            }
            other => panic!("{other:?}"),
        }
    }
}
