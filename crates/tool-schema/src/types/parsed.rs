//! Types of other crates that are represented as strings.

use std::{any::type_name, fmt::Display, ops::Deref, str::FromStr};

use serde_json::Value;

use crate::{InvalidValue, JsonWriter, Object, Output, Param, excerpt, schema_with_type, text};

/// A value represented as a string. The inner type can be any type with [`FromStr`] and [`Display`], such as a UUID, a
/// URL, a time or an IP address. `DisplayFromStr` works in parameters and results.
///
/// ```
/// use std::net::IpAddr;
///
/// use tool_schema::{Params, DisplayFromStr, params};
///
/// params! {
///     struct LookupParams {
///         /// The address to look up.
///         address: DisplayFromStr<IpAddr>,
///     }
/// }
///
/// let mut arguments = serde_json::json!({"address": "192.0.2.1"}).as_object().cloned().unwrap_or_default();
/// let (params, _) = LookupParams::from_arguments(&mut arguments)?;
/// assert!(params.address.is_ipv4());
/// # Ok::<(), tool_schema::InvalidArguments>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[expect(clippy::exhaustive_structs, reason = "it is its value")]
pub struct DisplayFromStr<T>(pub T);

impl<T> Deref for DisplayFromStr<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for DisplayFromStr<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<M, T> Param<M> for DisplayFromStr<T>
where
    T: FromStr<Err: Display> + Display,
{
    fn read(value: &Value) -> Result<Self, InvalidValue> {
        // `uuid::Uuid` is a Uuid.
        let name = type_name::<T>().split('<').next().unwrap_or_default();
        let name = name.rsplit("::").next().unwrap_or_default();
        let expected = format!("a text of the type {name}");
        let sent = text(value, &expected)?;
        sent.trim().parse().map(Self).map_err(|why| {
            let problem = format!("is {}, which cannot be read: {why}", excerpt(value));
            InvalidValue::new("Invalid argument.", problem, expected)
        })
    }

    fn to_value(&self) -> Value {
        self.to_string().into()
    }
}

impl<M, T: Display> Output<M> for DisplayFromStr<T> {
    fn schema() -> Object {
        schema_with_type("string")
    }

    fn write(&self, _: &str, json: &mut JsonWriter) {
        json.string(&self.to_string());
    }
}
