//! Access to the rows of a table, which have the form of the Core's responses.

use serde_json::Value;

/// Accessors for a JSON object. A missing field reads as the empty value of its type.
pub(crate) trait Row {
    /// Returns a field, or null if it is missing.
    fn at(&self, name: &str) -> &Value;
    /// Returns a string field.
    fn text(&self, name: &str) -> &str;
    /// Returns an integer field.
    fn number(&self, name: &str) -> i64;
    /// Returns a boolean field.
    fn flag(&self, name: &str) -> bool;
    /// Returns a list field.
    fn rows(&self, name: &str) -> &[Value];
    /// Returns a field with an eight-decimal amount, in units of 10⁻⁸.
    fn amount(&self, name: &str) -> i64;
    /// Returns a copy without one field.
    fn without(&self, name: &str) -> Value;
    /// Returns a copy with one field added or replaced.
    fn with(&self, name: &str, value: impl Into<Value>) -> Value;
    /// Returns a copy with only these fields, whose names are separated by spaces.
    fn pick(&self, names: &str) -> Value;
    /// Returns a copy with all fields of another object added.
    fn extended(&self, others: &Value) -> Value;
    /// Returns a copy with one field added or replaced, if `value` is present.
    fn with_some(&self, name: &str, value: Option<impl Into<Value>>) -> Value;
}

impl Row for Value {
    fn at(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&Value::Null)
    }

    fn text(&self, name: &str) -> &str {
        self.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn number(&self, name: &str) -> i64 {
        self.get(name).and_then(Value::as_i64).unwrap_or_default()
    }

    fn flag(&self, name: &str) -> bool {
        self.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    fn rows(&self, name: &str) -> &[Value] {
        self.at(name).as_array().map_or(&[], Vec::as_slice)
    }

    fn amount(&self, name: &str) -> i64 {
        units(self.text(name)).unwrap_or_default()
    }

    fn without(&self, name: &str) -> Value {
        let mut copy = self.clone();
        if let Some(members) = copy.as_object_mut() {
            members.shift_remove(name);
        }
        copy
    }

    fn with(&self, name: &str, value: impl Into<Value>) -> Value {
        let mut copy = self.clone();
        if let Some(members) = copy.as_object_mut() {
            members.insert(name.to_owned(), value.into());
        }
        copy
    }

    fn pick(&self, names: &str) -> Value {
        let members = names.split_whitespace();
        let members = members.map(|name| (name.to_owned(), self.at(name).clone()));
        Value::Object(members.collect())
    }

    fn extended(&self, others: &Value) -> Value {
        let others = others.as_object().into_iter().flatten();
        others.fold(self.clone(), |all, (name, value)| {
            all.with(name, value.clone())
        })
    }

    fn with_some(&self, name: &str, value: Option<impl Into<Value>>) -> Value {
        match value {
            Some(value) => self.with(name, value),
            None => self.clone(),
        }
    }
}

/// Queries of a table's rows.
pub(crate) trait Table {
    /// Returns the first row with this string in a field.
    fn row(&self, name: &str, text: &str) -> Option<&Value>;
    /// Returns the matching rows, in table order.
    fn matching(&self, fits: impl Fn(&Value) -> bool) -> Vec<&Value>;
}

impl Table for [Value] {
    fn row(&self, name: &str, text: &str) -> Option<&Value> {
        self.iter().find(|row| row.text(name) == text)
    }

    fn matching(&self, fits: impl Fn(&Value) -> bool) -> Vec<&Value> {
        self.iter().filter(|row| fits(row)).collect()
    }
}

/// Parses a decimal with at most eight places, in units of 10⁻⁸.
pub(crate) fn units(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty()
        || fraction.len() > 8
        || !fraction.bytes().all(|digit| digit.is_ascii_digit())
    {
        return None;
    }
    let whole: i64 = whole.parse().ok()?;
    let fraction: i64 = format!("{fraction:0<8}").parse().ok()?;
    whole
        .checked_mul(100_000_000)?
        .checked_add(if text.starts_with('-') {
            -fraction
        } else {
            fraction
        })
}

/// Formats units of 10⁻⁸ as an amount with eight decimals.
pub(crate) fn amount_text(units: i64) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let units = units.unsigned_abs();
    format!("{sign}{}.{:08}", units / 100_000_000, units % 100_000_000)
}

/// Formats units of 10⁻⁸ like Java's `BigDecimal.toString()` for a value of scale 8, which uses an exponent below 0.000001.
pub(crate) fn plain_decimal(units: i64) -> String {
    let digits = units.unsigned_abs().to_string();
    if units.unsigned_abs() >= 100 {
        return amount_text(units);
    }
    let sign = if units < 0 { "-" } else { "" };
    match digits.split_at_checked(1) {
        Some((first, "")) => format!("{sign}{first}E-8"),
        Some((first, rest)) => format!("{sign}{first}.{rest}E-7"),
        None => amount_text(units),
    }
}

#[cfg(test)]
mod tests {
    use super::{amount_text, plain_decimal, units};

    #[test]
    fn amounts_are_fixed_point_numbers() {
        for (text, expected) in [
            ("0.00000005", 5),
            ("1000000664.49951417", 100_000_066_449_951_417),
            ("42", 4_200_000_000),
            ("-1.5", -150_000_000),
        ] {
            assert_eq!(units(text), Some(expected), "{text}");
        }
        assert_eq!(units("1.123456789"), None);
        assert_eq!(units("x"), None);
        assert_eq!(amount_text(-5_000_000), "-0.05000000");
    }

    #[test]
    fn small_decimals_have_an_exponent() {
        for (value, text) in [
            (0, "0E-8"),
            (5, "5E-8"),
            (12, "1.2E-7"),
            (99, "9.9E-7"),
            (100, "0.00000100"),
            (8_009_999_959, "80.09999959"),
        ] {
            assert_eq!(plain_decimal(value), text);
        }
    }
}
