//! Whether a text is the JSON of a value: a walk along both that ends where they first differ, so that the time
//! depends on the text alone, and prose costs one look.

use serde_json::{Number, Value};

/// Deeper values are compared after parsing, which has a limit of its own.
const MAX_DEPTH: usize = 100;
/// Integers below this are exact as floating point.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;
/// Longer numbers are compared by their digits.
const MAX_DIGITS: usize = 17;

/// Why a walk ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// The text is not the value's.
    Different,
    /// The members of an object are in another order, or it is very deep.
    Unordered,
}

/// Whether `text` is JSON equal to `value`, however it is laid out and its numbers are spelled.
pub(crate) fn text_equals(text: &str, value: &Value) -> bool {
    let mut walk = Walk {
        rest: text.as_bytes(),
    };
    match walk.value(value, 0) {
        Ok(()) => {
            walk.blanks();
            walk.rest.is_empty()
        }
        Err(Stop::Different) => false,
        Err(Stop::Unordered) => {
            serde_json::from_str::<Value>(text).is_ok_and(|it| is_alike(&it, value))
        }
    }
}

/// Equal, but for the spelling of numbers.
fn is_alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_alike(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(name, a)| b.get(name).is_some_and(|b| is_alike(a, b)))
        }
        (Value::Number(a), Value::Number(b)) => a == b || is_number(&a.to_string(), b),
        _ => a == b,
    }
}

/// Whether the digits are a spelling of the number: `21.0` of 21, `1e2` of 100.
fn is_number(digits: &str, number: &Number) -> bool {
    let is_same = match (number.as_u64(), number.as_i64()) {
        (Some(number), _) => digits.parse() == Ok(number),
        (None, Some(number)) => digits.parse() == Ok(number),
        (None, None) => false,
    };
    if is_same {
        return true;
    }
    if digits.len() > MAX_DIGITS {
        return digits == number.to_string();
    }
    let (Ok(a), Some(b)) = (digits.parse::<f64>(), number.as_f64()) else {
        return false;
    };
    let is_exact = number.is_f64() || b.abs() < MAX_EXACT;
    is_exact && a.total_cmp(&b).is_eq()
}

struct Walk<'t> {
    rest: &'t [u8],
}

impl Walk<'_> {
    fn blanks(&mut self) {
        let is_blank = |it: &&u8| matches!(it, b' ' | b'\t' | b'\r' | b'\n');
        let blanks = self.rest.iter().take_while(is_blank).count();
        self.rest = self.rest.get(blanks..).unwrap_or_default();
    }

    fn token(&mut self, token: &[u8]) -> Result<(), Stop> {
        self.rest = self.rest.strip_prefix(token).ok_or(Stop::Different)?;
        Ok(())
    }

    fn value(&mut self, value: &Value, depth: usize) -> Result<(), Stop> {
        self.blanks();
        if depth > MAX_DEPTH {
            return Err(Stop::Unordered);
        }
        match value {
            Value::Null => self.token(b"null"),
            Value::Bool(true) => self.token(b"true"),
            Value::Bool(false) => self.token(b"false"),
            Value::Number(number) => self.number(number),
            Value::String(text) => self.string(text),
            Value::Array(items) => {
                self.token(b"[")?;
                for (position, item) in items.iter().enumerate() {
                    self.comma(position)?;
                    self.value(item, depth + 1)?;
                }
                self.blanks();
                self.token(b"]")
            }
            Value::Object(members) => {
                self.token(b"{")?;
                for (position, (name, value)) in members.iter().enumerate() {
                    self.comma(position)?;
                    self.blanks();
                    if self.rest.first() != Some(&b'"') {
                        return Err(Stop::Different);
                    }
                    self.string(name).map_err(|_| Stop::Unordered)?;
                    self.blanks();
                    self.token(b":")?;
                    self.value(value, depth + 1)?;
                }
                self.blanks();
                self.token(b"}")
            }
        }
    }

    fn comma(&mut self, position: usize) -> Result<(), Stop> {
        if position == 0 {
            return Ok(());
        }
        self.blanks();
        self.token(b",")
    }

    fn number(&mut self, number: &Number) -> Result<(), Stop> {
        let is_digit = |it: &&u8| matches!(it, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        let digits = self.rest.iter().take_while(is_digit).count();
        let (digits, rest) = self.rest.split_at_checked(digits).unwrap_or_default();
        let digits = std::str::from_utf8(digits).map_err(|_| Stop::Different)?;
        // Rust reads more spellings than JSON has, but all of them mean the same number.
        if digits.is_empty() || !is_number(digits, number) {
            return Err(Stop::Different);
        }
        self.rest = rest;
        Ok(())
    }

    fn string(&mut self, text: &str) -> Result<(), Stop> {
        self.token(b"\"")?;
        let mut text = text.as_bytes();
        loop {
            // What needs no escape is compared at once.
            let plain = self.rest.iter().zip(text);
            let plain = plain
                .take_while(|(theirs, ours)| theirs == ours && !matches!(theirs, b'"' | b'\\'))
                .count();
            self.rest = self.rest.get(plain..).unwrap_or_default();
            text = text.get(plain..).unwrap_or_default();
            match self.rest {
                [b'"', rest @ ..] => {
                    self.rest = rest;
                    return if text.is_empty() {
                        Ok(())
                    } else {
                        Err(Stop::Different)
                    };
                }
                [b'\\', ..] => {
                    let mut buffer = [0; 4];
                    let letter = self.escape()?.encode_utf8(&mut buffer);
                    text = text
                        .strip_prefix(letter.as_bytes())
                        .ok_or(Stop::Different)?;
                }
                _ => return Err(Stop::Different),
            }
        }
    }

    /// The character that an escape stands for (RFC 8259 §7).
    fn escape(&mut self) -> Result<char, Stop> {
        let [b'\\', kind, rest @ ..] = self.rest else {
            return Err(Stop::Different);
        };
        self.rest = rest;
        Ok(match kind {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let mut units = vec![self.unit()?];
                if (0xD800..0xDC00).contains(&units.iter().copied().next().unwrap_or(0)) {
                    self.token(b"\\u")?;
                    units.push(self.unit()?);
                }
                let mut letters = char::decode_utf16(units);
                match letters.next() {
                    Some(Ok(letter)) => letter,
                    Some(Err(_)) | None => return Err(Stop::Different),
                }
            }
            _ => return Err(Stop::Different),
        })
    }

    fn unit(&mut self) -> Result<u16, Stop> {
        let (digits, rest) = self.rest.split_at_checked(4).ok_or(Stop::Different)?;
        self.rest = rest;
        let digits = std::str::from_utf8(digits).map_err(|_| Stop::Different)?;
        u16::from_str_radix(digits, 16).map_err(|_| Stop::Different)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::text_equals;

    #[test]
    fn a_text_equals_the_value_it_is_the_json_of() {
        let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let nested: Value = serde_json::from_str(&deep(120)).unwrap();
        let huge: Value = serde_json::from_str("123456789012345678").unwrap();
        for (text, value, equal) in [
            ("{\"a\":1}", json!({"a": 1}), true),
            (" {\n \"a\" : 1 }\n", json!({"a": 1}), true),
            ("{\"b\":2,\"a\":1}", json!({"a": 1, "b": 2}), true),
            ("{\"a\":1,\"a\":1}", json!({"a": 1, "b": 1}), false),
            ("{\"a\":1,\"b\":2}", json!({"a": 1}), false),
            ("{\"a\":1}", json!({"a": 1, "b": 2}), false),
            ("{\"a\":1} x", json!({"a": 1}), false),
            ("{\"a\":", json!({"a": 1}), false),
            ("{", json!({"a": 1}), false),
            ("", json!({}), false),
            ("{}", json!({}), true),
            ("[]", json!([]), true),
            ("[1,2]", json!([1, 2]), true),
            ("[1,2,3]", json!([1, 2]), false),
            ("[1 2]", json!([1, 2]), false),
            ("21.0", json!(21), true),
            ("21", json!(21.0), true),
            ("1e2", json!(100), true),
            ("100", json!(1e2), true),
            ("-7", json!(-7), true),
            ("0.1", json!(0.1), true),
            ("0.1", json!(0.2), false),
            ("18446744073709551615", json!(u64::MAX), true),
            ("9007199254740993", json!(9_007_199_254_740_992_u64), false),
            ("123456789012345679", huge, false),
            ("-", json!(1), false),
            ("true", json!(true), true),
            ("false", json!(true), false),
            ("null", json!(null), true),
            (
                "\"q\\u00f6rtal \\ud83d\\ude42\\n\\/\"",
                json!("qörtal 🙂\n/"),
                true,
            ),
            ("\"qörtal\"", json!("qörtal"), true),
            ("\"\\ud83d\"", json!("x"), false),
            ("\"\\x\"", json!("x"), false),
            ("\"abc", json!("abc"), false),
            ("\"ab\"", json!("abc"), false),
            ("\"abcd\"", json!("abc"), false),
            (deep(120).as_str(), nested, true),
        ] {
            assert_eq!(text_equals(text, &value), equal, "{text} {value}");
        }
    }
}
