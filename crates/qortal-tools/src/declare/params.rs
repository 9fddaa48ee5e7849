//! Parameters that carry their own schema: what is published is what is read.

use serde_json::{Value, json};

use crate::{
    Object,
    declare::{Member, Reader},
};

/// A type that a tool can take as a parameter.
pub(crate) trait Param: Sized {
    /// Its JSON Schema, in the keywords every client understands.
    fn schema() -> Object;

    /// Reads a value, or says what is wrong with it.
    fn read(value: &Value) -> Result<Self, Wrong>;

    /// What a value that [`Param::schema`] refuses plainly means, if it does: `"10"` is 10.
    fn mend(_: &Value) -> Option<Value> {
        None
    }

    /// The published form of a default.
    fn to_value(&self) -> Value;

    /// What an omitted parameter means; `None` makes it required.
    fn absent() -> Option<Self> {
        None
    }

    /// Whether an omitted parameter has a value worth publishing as `default`.
    const HAS_DEFAULT: bool = true;
}

/// What is wrong with one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// The plain message, a sentence: `Invalid Qortal address.`
    pub(crate) plain: &'static str,
    /// What is wrong, to be read after the parameter's name: `has 12 characters`.
    pub(crate) what: String,
    /// What would be accepted, to be read after `Expected`.
    pub(crate) accepted: String,
}

impl Wrong {
    pub(crate) fn new(
        plain: &'static str,
        what: impl Into<String>,
        accepted: impl Into<String>,
    ) -> Self {
        Self {
            plain,
            what: what.into(),
            accepted: accepted.into(),
        }
    }
}

/// A tool's parameters: a closed JSON object.
pub(crate) trait Params: Sized + Send {
    /// The parameters in the order they are published.
    fn parameters() -> Vec<Parameter>;

    /// Takes the parameters out of the arguments of a call; `None` if the reader has noted what is wrong.
    fn read(reader: &mut Reader<'_>) -> Option<Self>;
}

/// One parameter: what is published of it, and how its values are mended.
pub(crate) struct Parameter {
    pub(crate) member: Member,
    pub(crate) mend: fn(&Value) -> Option<Value>,
}

impl<T: Param> Param for Option<T> {
    fn schema() -> Object {
        T::schema()
    }

    fn mend(value: &Value) -> Option<Value> {
        T::mend(value)
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        T::read(value).map(Some)
    }

    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, Param::to_value)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    const HAS_DEFAULT: bool = false;
}

/// One parameter as [`params!`] declares it.
pub(crate) fn parameter<T: Param>(
    name: &'static str,
    doc: &'static str,
    absent: Option<&T>,
) -> Parameter {
    let mut schema = T::schema();
    if let Some(absent) = absent
        && T::HAS_DEFAULT
    {
        schema.insert("default".to_owned(), absent.to_value());
    }
    Parameter {
        member: Member {
            name: name.to_owned(),
            doc: doc.trim().to_owned(),
            schema,
            required: absent.is_none(),
        },
        mend: T::mend,
    }
}

/// The published schema of a tool's arguments.
pub(crate) fn input_schema(parameters: &[Parameter]) -> Value {
    let properties: Object = parameters
        .iter()
        .map(|Parameter { member, .. }| {
            let mut schema = Object::new();
            for (key, value) in &member.schema {
                schema.insert(key.clone(), value.clone());
                if key == "type" {
                    schema.insert("description".to_owned(), member.doc.as_str().into());
                }
            }
            (member.name.clone(), Value::Object(schema))
        })
        .collect();
    let required = parameters.iter().filter(|it| it.member.required);
    json!({
        "type": "object",
        "properties": properties,
        "required": required.map(|it| it.member.name.as_str()).collect::<Vec<_>>(),
        "additionalProperties": false,
    })
}

/// Declares a tool's parameters: the struct, the schema and the reader. Every parameter needs a doc
/// comment; `Option<T>` and `= default` make it optional.
macro_rules! params {
    (
        $vis:vis struct $Name:ident {
            $(
                $(#[doc = $doc:literal])+
                $field:ident: $Ty:ty $(= $default:expr)?
            ),* $(,)?
        }
    ) => {
        #[derive(Debug, Clone)]
        $vis struct $Name {
            $( $(#[doc = $doc])+ $field: $Ty ),*
        }

        impl $crate::declare::Params for $Name {
            fn parameters() -> Vec<$crate::declare::Parameter> {
                vec![
                    $(
                        $crate::declare::parameter::<$Ty>(
                            stringify!($field),
                            concat!($($doc),+),
                            params!(@absent $Ty $(, $default)?).as_ref(),
                        )
                    ),*
                ]
            }

            fn read(reader: &mut $crate::declare::Reader<'_>) -> Option<Self> {
                $(
                    let $field = reader.take::<$Ty>(
                        stringify!($field),
                        params!(@absent $Ty $(, $default)?),
                    );
                )*
                // Only after all of them were taken, so that all problems are told at once.
                Some(Self { $( $field: $field? ),* })
            }
        }
    };
    (@absent $Ty:ty) => { <$Ty as $crate::declare::Param>::absent() };
    (@absent $Ty:ty, $default:expr) => { Some::<$Ty>($default) };
}

/// No parameters at all.
#[derive(Debug, Clone)]
pub(crate) struct NoParams;

impl Params for NoParams {
    fn parameters() -> Vec<Parameter> {
        Vec::new()
    }

    fn read(_: &mut Reader<'_>) -> Option<Self> {
        Some(Self)
    }
}
