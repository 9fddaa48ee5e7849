//! Lists and maps.

use std::{collections::BTreeMap, ops::Deref};

use serde_json::Value;

use crate::{InvalidValue, Object, Param, ValueReport, object::read_parts, schema_with_type};

/// A list of `MIN` to `MAX` values. `MIN` is 1 by default.
///
/// ```
/// use tool_schema::{BoundedVec, Params, params};
///
/// params! {
///     struct TagParams {
///         /// The tags.
///         tags: BoundedVec<String, 10, 0> = BoundedVec::default(),
///     }
/// }
///
/// let mut arguments = serde_json::json!({"tags": ["a", "b"]}).as_object().cloned().unwrap_or_default();
/// let (params, _) = TagParams::from_arguments(&mut arguments)?;
/// assert_eq!(params.tags.len(), 2);
/// assert_eq!(params.tags.iter().map(String::len).sum::<usize>(), 2);
/// # Ok::<(), tool_schema::InvalidArguments>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundedVec<T, const MAX: usize, const MIN: usize = 1>(Vec<T>);

impl<T, const MAX: usize, const MIN: usize> BoundedVec<T, MAX, MIN> {
    /// Returns the values in their order.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T, const MAX: usize> Default for BoundedVec<T, MAX, 0> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T, const MAX: usize, const MIN: usize> Deref for BoundedVec<T, MAX, MIN> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T, const MAX: usize, const MIN: usize> IntoIterator for BoundedVec<T, MAX, MIN> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T, const MAX: usize, const MIN: usize> IntoIterator for &'a BoundedVec<T, MAX, MIN> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

macro_rules! lists {
    ($(#[$meta:meta])* [$($bounds:tt)*] $Ty:ty, $least:expr, $most:expr, $from:expr) => {
        $(#[$meta])*
        impl<M, T: Param<M> $($bounds)*> Param<M> for $Ty {
            fn schema() -> Object {
                let mut schema = schema_with_type("array");
                schema.insert("items".to_owned(), Value::Object(T::schema()));
                if $least != 0 {
                    schema.insert("minItems".to_owned(), $least.into());
                }
                if $most != usize::MAX {
                    schema.insert("maxItems".to_owned(), $most.into());
                }
                schema
            }

            fn read(value: &Value) -> Result<Self, InvalidValue> {
                read_parts::<Self, M>(value)
            }

            fn description_hint() -> &'static str {
                T::description_hint()
            }

            fn coerce_json(value: &Value) -> Option<Value> {
                listed::<T, M>(value)
            }

            fn coerce_and_read(value: &mut Value, report: &mut ValueReport) -> Option<Self> {
                report.coerce_with(value, listed::<T, M>);
                take_items::<T, M>(value, report, $least, $most).map($from)
            }

            fn to_value(&self) -> Value {
                self.iter().map(Param::to_value).collect()
            }
        }
    };
}

lists!([, const MAX: usize, const MIN: usize] BoundedVec<T, MAX, MIN>, MIN, MAX, BoundedVec);
lists!(
    /// A list of any length. For a bounded list, use [`BoundedVec`].
    [] Vec<T>, 0_usize, usize::MAX, |items| items
);

/// An object whose fields have arbitrary names and the same type.
impl<M, T: Param<M>> Param<M> for BTreeMap<String, T> {
    fn schema() -> Object {
        let mut schema = schema_with_type("object");
        schema.insert("additionalProperties".to_owned(), T::schema().into());
        schema
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        read_parts::<Self, M>(value)
    }

    fn description_hint() -> &'static str {
        T::description_hint()
    }

    fn coerce_json(value: &Value) -> Option<Value> {
        object_in_text(value)
    }

    fn coerce_and_read(value: &mut Value, report: &mut ValueReport) -> Option<Self> {
        report.coerce_with(value, object_in_text);
        let Value::Object(members) = value else {
            return report.ok_or_report(Err(InvalidValue::unexpected(value, "an object")));
        };
        let all = members.len();
        let mut read = Self::new();
        for (name, member) in members {
            read.extend(take_part::<T, M>(name, member, report).map(|it| (name.clone(), it)));
            if report.is_full() {
                return None;
            }
        }
        (read.len() == all).then_some(read)
    }

    fn to_value(&self) -> Value {
        let members = self.iter().map(|(name, it)| (name.clone(), it.to_value()));
        Value::Object(members.collect())
    }
}

/// Coerces the items of a list.
fn listed<T: Param<M>, M>(value: &Value) -> Option<Value> {
    let items = in_list(value)?;
    let items = items
        .iter()
        .map(|it| T::coerce_json(it).unwrap_or_else(|| it.clone()));
    Some(Value::Array(items.collect())).filter(|coerced| coerced != value)
}

/// Returns the items of a list, of a string that contains a JSON list, or of a single value that stands for a list.
pub(crate) fn in_list(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Array(items)) => Some(items),
            _ => Some(vec![value.clone()]),
        },
        Value::Number(_) => Some(vec![value.clone()]),
        Value::Array(items) => Some(items.clone()),
        Value::Null | Value::Bool(_) | Value::Object(_) => None,
    }
}

/// Parses a string that contains a JSON object.
pub(crate) fn object_in_text(value: &Value) -> Option<Value> {
    let object = serde_json::from_str(value.as_str()?).ok()?;
    Some(object).filter(Value::is_object)
}

fn take_items<T: Param<M>, M>(
    value: &mut Value,
    report: &mut ValueReport,
    least: usize,
    most: usize,
) -> Option<Vec<T>> {
    let expected = match most {
        usize::MAX => "a list".to_owned(),
        most => format!("a list of {least} to {most} values"),
    };
    let items = match value {
        Value::Array(items) if (least..=most).contains(&items.len()) => items,
        Value::Array(items) => {
            let problem = format!("has {} values", items.len());
            let invalid = InvalidValue::new("Invalid argument.", problem, expected);
            return report.ok_or_report(Err(invalid));
        }
        other => return report.ok_or_report(Err(InvalidValue::unexpected(other, expected))),
    };
    let mut read = Vec::with_capacity(items.len());
    for (index, item) in items.iter_mut().enumerate() {
        read.extend(take_part::<T, M>(&format_args!("[{index}]"), item, report));
        if report.is_full() {
            return None;
        }
    }
    (read.len() == items.len()).then_some(read)
}

fn take_part<T: Param<M>, M>(
    part: &impl std::fmt::Display,
    value: &mut Value,
    report: &mut ValueReport,
) -> Option<T> {
    let mut of_part = ValueReport::default();
    let read = T::coerce_and_read(value, &mut of_part);
    report.merge_nested(part, of_part);
    read
}
