//! Results of tools: records that carry their own schema, and notes on the entire result.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{
    JsonWriter, NoMarker, Object, OutputDetail, Property, integer, object_schema, schema_with_type,
    types::digits, with_definitions,
};

/// A type that a result can contain. `M` is a marker, as in [`Param`](crate::Param).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of answers",
    note = "with the feature `schemars`, `Json<{Self}>` is, if serde writes the type and schemars describes it",
    note = "or implement `Output` for it, or declare it by `record!`, or by `choice!` without fields",
    note = "`params!` and `choice!` with fields declare parameters only: a type for parameters and answers is one of serde, in `Json`"
)]
pub trait Output<M = NoMarker>: Sized {
    /// Returns the JSON Schema of the type.
    fn schema() -> Object;

    /// Returns the fields of the object, or of the contained objects. A plain value has none.
    #[must_use]
    fn nested_properties() -> Vec<Property> {
        Vec::new()
    }

    /// Writes the value as JSON. `member` is the name of the field it is written to.
    fn write(&self, member: &str, json: &mut JsonWriter);

    /// Writes the value as a field of an object. Some types write no field, or several.
    fn write_field(&self, name: &str, json: &mut JsonWriter) {
        json.begin_field(name);
        self.write(name, json);
    }

    /// Adds the declarations of the fields written by [`Output::write_field`].
    fn add_properties(name: &str, doc: &'static str, members: &mut Vec<Property>) {
        members.push(
            Property::new(name, doc.trim(), Self::schema())
                .with_properties(Self::nested_properties()),
        );
    }
}

/// A JSON object with named fields: the result of a tool, or a part of it. Declare one with [`record!`](crate::record).
pub trait OutputRecord: Sized {
    /// Returns the fields in their written order.
    fn properties() -> Vec<Property>;

    /// Writes the fields of a value.
    fn write(&self, json: &mut JsonWriter);

    /// Returns the published schema.
    #[must_use]
    fn output_schema() -> Value {
        Value::Object(with_definitions(|| object_schema(Self::properties())))
    }

    /// Returns the object as JSON text, with the notes on it.
    #[doc(hidden)]
    fn to_json(&self, extent: OutputDetail) -> (String, ResultNotes) {
        let mut json = JsonWriter::new(extent);
        json.object(|json| self.write(json));
        json.finish()
    }

    /// Returns the object as a JSON value, with the notes on it.
    fn to_object(&self) -> (Object, ResultNotes) {
        let (text, notes) = self.to_json(OutputDetail::Full);
        let object = serde_json::from_str(&text);
        (
            object.expect("a writer writes JSON that is not too deep"),
            notes,
        )
    }
}

impl<M, T: Output<M>> Output<M> for Option<T> {
    fn schema() -> Object {
        T::schema()
    }

    fn nested_properties() -> Vec<Property> {
        T::nested_properties()
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        match self {
            Some(it) => it.write(member, json),
            None => json.null(),
        }
    }

    fn write_field(&self, name: &str, json: &mut JsonWriter) {
        if let Some(it) = self {
            it.write_field(name, json);
        }
    }

    fn add_properties(name: &str, doc: &'static str, members: &mut Vec<Property>) {
        let first = members.len();
        T::add_properties(name, doc, members);
        for member in members.iter_mut().skip(first) {
            member.required = false;
        }
    }
}

/// Lets types contain themselves.
impl<M, T: Output<M>> Output<M> for Box<T> {
    fn schema() -> Object {
        T::schema()
    }

    fn nested_properties() -> Vec<Property> {
        T::nested_properties()
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        T::write(self, member, json);
    }
}

impl<M, T: Output<M>> Output<M> for Vec<T> {
    fn schema() -> Object {
        let mut schema = schema_with_type("array");
        schema.insert("items".to_owned(), Value::Object(T::schema()));
        schema
    }

    fn nested_properties() -> Vec<Property> {
        T::nested_properties()
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        json.array(|json| {
            for it in self {
                json.begin_item();
                it.write(member, json);
            }
        });
    }
}

macro_rules! plain_values {
    (@$Ty:ty, [$($M:ident)?], $Marker:ty, $kind:literal, |$it:ident, $member:ident, $json:ident| $write:expr) => {
            impl$(<$M>)? Output<$Marker> for $Ty {
                fn schema() -> Object {
                    schema_with_type($kind)
                }

                fn write(&self, $member: &str, $json: &mut JsonWriter) {
                    let ($it, _) = (self, $member);
                    $write;
                }
            }
    };
    (in $Marker:ty; $($Ty:ty => $kind:literal, |$it:ident, $member:ident, $json:ident| $write:expr;)+) => {
        $( plain_values!(@$Ty, [], $Marker, $kind, |$it, $member, $json| $write); )+
    };
    ($($Ty:ty => $kind:literal, |$it:ident, $member:ident, $json:ident| $write:expr;)+) => {
        $( plain_values!(@$Ty, [M], M, $kind, |$it, $member, $json| $write); )+
    };
}

// Of an integer that JavaScript cannot hold exactly, a note has the digits.
plain_values! {
    bool => "boolean", |it, member, json| json.boolean(*it);
    u8 => "integer", |it, member, json| json.unsigned((*it).into());
    u16 => "integer", |it, member, json| json.unsigned((*it).into());
    u32 => "integer", |it, member, json| json.unsigned(u64::from(*it));
    u64 => "integer", |it, member, json| { json.unsigned(*it); json.note_integer(&(*it).into(), member) };
    usize => "integer", |it, member, json| { json.value(&(*it).into()); json.note_integer(&(*it).into(), member) };
    i8 => "integer", |it, member, json| json.integer((*it).into());
    i16 => "integer", |it, member, json| json.integer((*it).into());
    i32 => "integer", |it, member, json| json.integer((*it).into());
    i64 => "integer", |it, member, json| { json.integer(*it); json.note_integer(&(*it).into(), member) };
    isize => "integer", |it, member, json| { json.value(&(*it).into()); json.note_integer(&(*it).into(), member) };
    // 3 rather than 3.0: hosts in JavaScript write it so, and a text that says otherwise would differ.
    f64 => "number", |it, member, json| { let it = Value::from(*it); json.value(&integer(&it).unwrap_or(it)) };
    f32 => "number", |it, member, json| Output::<M>::write(&digits(*it), "", json);
    &'static str => "string", |it, member, json| json.string(it);
}

// What may hold text of others: where that has to be checked, a marker of its own does it.
plain_values! {
    in NoMarker;
    String => "string", |it, member, json| json.string(it);
    Object => "object", |it, member, json| json.object_value(it);
}

/// An object whose fields have arbitrary names and the same type.
impl<T: Output> Output for BTreeMap<String, T> {
    fn schema() -> Object {
        let mut schema = schema_with_type("object");
        schema.insert("additionalProperties".to_owned(), T::schema().into());
        schema
    }

    fn nested_properties() -> Vec<Property> {
        T::nested_properties()
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        json.object(|json| {
            for (name, it) in self {
                json.begin_field(name);
                it.write(member, json);
            }
        });
    }
}

/// Declares the result of a tool: the struct, its schema and its serialization.
///
/// Every field needs a doc comment. Fields are written in `camelCase`. To use another name, put `#[name("…")]` above
/// the field. An `Option` that is `None` is omitted.
///
/// ```
/// use tool_schema::{OutputRecord, record};
///
/// record! {
///     struct Book {
///         /// Its title.
///         title: String,
///         /// The year of its first edition, if known.
///         first_edition: Option<u16>,
///         /// Where to find it.
///         #[name("URL")]
///         url: Option<String>,
///     }
/// }
///
/// let book = Book { title: "Emma".to_owned(), first_edition: Some(1815), url: None };
/// let (object, _) = book.to_object();
/// assert_eq!(object, *serde_json::json!({"title": "Emma", "firstEdition": 1815}).as_object().unwrap());
/// assert!(Book::output_schema()["properties"]["URL"].is_object());
/// ```
///
/// The compiler rejects a field without a doc comment with a clear message:
///
/// ```compile_fail
/// tool_schema::record! {
///     struct Book {
///         title: String,
///     }
/// }
/// ```
///
/// A record can be created from another value. Its declaration then names that value, and the record gets a function
/// `of`. A field without an expression is copied from the field of the same name.
///
/// ```
/// # use tool_schema::{OutputRecord, record};
/// struct Row {
///     title: String,
///     year: Option<u32>,
/// }
///
/// record! {
///     struct Book from(row: Row, shelf: &str) {
///         /// Its title.
///         title: String,
///         /// The year of its first edition, if known.
///         first_edition: Option<u32> = row.year,
///         /// Where it stands.
///         shelf: String = shelf.to_owned(),
///     }
/// }
///
/// let book = Book::of(Row { title: "Emma".to_owned(), year: None }, "A");
/// let (object, _) = book.to_object();
/// assert_eq!(object["shelf"], "A");
/// ```
#[macro_export]
macro_rules! record {
    (
        in $Marker:ty;
        $(#[$outer:meta])*
        $vis:vis struct $Name:ident {
            $(
                $(#[doc = $doc:literal])*
                $(#[name($name:literal)])?
                $field:ident: $Ty:ty
            ),+ $(,)?
        }
    ) => {
        $(#[$outer])*
        #[derive(Debug)]
        $vis struct $Name {
            $( $(#[doc = $doc])* $vis $field: $Ty ),+
        }

        impl $crate::OutputRecord for $Name {
            fn properties() -> ::std::vec::Vec<$crate::Property> {
                let mut members = ::std::vec::Vec::new();
                $(
                    let describe = <$Ty as $crate::Output<$Marker>>::add_properties;
                    describe(
                        $crate::record!(@name $field $($name)?),
                        $crate::__documented!("member", $field, $($doc)*),
                        &mut members,
                    );
                )+
                members
            }

            fn write(&self, json: &mut $crate::JsonWriter) {
                $(
                    let write_field = <$Ty as $crate::Output<$Marker>>::write_field;
                    write_field(
                        &self.$field,
                        $crate::record!(@name $field $($name)?),
                        json,
                    );
                )+
            }
        }

        impl<M> $crate::Output<M> for $Name {
            fn schema() -> $crate::Object {
                $crate::__private::definition_of::<Self>(|| {
                    $crate::object_schema(<Self as $crate::OutputRecord>::properties())
                })
            }

            fn nested_properties() -> ::std::vec::Vec<$crate::Property> {
                $crate::__private::members_of::<Self>(<Self as $crate::OutputRecord>::properties)
            }

            fn write(&self, _: &str, json: &mut $crate::JsonWriter) {
                json.object(|json| $crate::OutputRecord::write(self, json));
            }
        }
    };

    (
        in $Marker:ty;
        $(#[$outer:meta])*
        $vis:vis struct $Name:ident from($it:ident: $It:ty $(, $arg:ident: $Arg:ty)*) {
            $(
                $(#[doc = $doc:literal])*
                $(#[name($name:literal)])?
                $field:ident: $Ty:ty $(= $value:expr)?
            ),+ $(,)?
        }
    ) => {
        $crate::record! {
            in $Marker;
            $(#[$outer])*
            $vis struct $Name { $( $(#[doc = $doc])* $(#[name($name)])? $field: $Ty ),+ }
        }

        impl $Name {
            /// Creates the record from its source.
            $vis fn of($it: $It $(, $arg: $Arg)*) -> Self {
                Self { $( $field: $crate::record!(@$it.$field $(= $value)?) ),+ }
            }
        }
    };

    (@name $field:ident) => { $crate::__camel_case!($field) };
    (@name $field:ident $name:literal) => { $name };

    (@$it:ident.$field:ident = $value:expr) => { $value };
    (@$it:ident.$field:ident) => { $it.$field };

    ($(#[$outer:meta])* $vis:vis struct $($declaration:tt)+) => {
        $crate::record! { in $crate::NoMarker; $(#[$outer])* $vis struct $($declaration)+ }
    };
}

/// Notes on a result, collected while it is written.
///
/// ```
/// let mut notes = tool_schema::ResultNotes::default();
/// notes.add("The node is synchronizing.");
/// for member in ["title", "text", "title"] {
///     notes.add_field("Written by users: {}.", member);
/// }
/// assert_eq!(
///     notes.into_sentences(),
///     ["The node is synchronizing.", "Written by users: title, text."]
/// );
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResultNotes {
    sentences: Vec<String>,
    /// Sentences, each with the fields that it mentions.
    marks: Vec<(&'static str, Vec<String>)>,
}

impl ResultNotes {
    /// Adds a sentence.
    pub fn add(&mut self, sentence: impl Into<String>) {
        self.sentences.push(sentence.into());
    }

    /// Adds `member` to a sentence, in which `{}` stands for all its fields.
    #[doc(hidden)]
    pub fn add_field(&mut self, sentence: &'static str, member: &str) {
        match self.marks.iter_mut().find(|(known, _)| *known == sentence) {
            Some((_, members)) if members.iter().any(|it| it == member) => (),
            Some((_, members)) => members.push(member.to_owned()),
            None => self.marks.push((sentence, vec![member.to_owned()])),
        }
    }

    /// Returns all sentences: first the ones added directly, then the ones about fields.
    #[must_use]
    pub fn into_sentences(self) -> Vec<String> {
        let mut sentences = self.sentences;
        let marks = self.marks.into_iter();
        sentences
            .extend(marks.map(|(sentence, members)| sentence.replace("{}", &members.join(", "))));
        sentences
    }
}

impl Extend<String> for ResultNotes {
    fn extend<I: IntoIterator<Item = String>>(&mut self, sentences: I) {
        self.sentences.extend(sentences);
    }
}
