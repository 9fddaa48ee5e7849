//! Serialization that says where a value is no JSON.

use std::cell::{RefCell, RefMut};

use serde::{
    Serialize, Serializer,
    ser::{
        Error, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
        SerializeTupleStruct, SerializeTupleVariant,
    },
};
use serde_json::Value;

/// A value that cannot be JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path} cannot be JSON: {reason}")]
pub struct NotJson {
    /// Where in the value, as `offers[2].price`; `value` for the value itself.
    pub path: String,
    /// Why.
    pub reason: String,
}

/// As `serde_json::to_value`, which does not say where it failed: that is found by a second pass, which
/// only failures pay for.
pub(super) fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value, NotJson> {
    serde_json::to_value(value).map_err(|error| {
        let place = RefCell::new(Vec::new());
        // The outcome is known; what counts is where the pass stops.
        let path = match value.serialize(Tracker { place: &place }) {
            Ok(()) => Vec::new(),
            Err(_) => place.into_inner(),
        };
        let mut shown = String::new();
        for step in path {
            match step {
                Step::Member(name) if shown.is_empty() => shown = name,
                Step::Member(name) => shown = format!("{shown}.{name}"),
                Step::Element(index) => shown = format!("{shown}[{index}]"),
            }
        }
        NotJson {
            path: if shown.is_empty() {
                "value".to_owned()
            } else {
                shown
            },
            reason: error.to_string(),
        }
    })
}

enum Step {
    Member(String),
    Element(usize),
}

/// Walks a value as `serde_json` does, with a trail that is left standing where it fails.
#[derive(Clone, Copy)]
struct Tracker<'a> {
    place: &'a RefCell<Vec<Step>>,
}

/// A compound value; counts its elements.
struct Compound<'a> {
    tracker: Tracker<'a>,
    next: usize,
    key: Option<String>,
    /// It is an enum's, whose name is on the trail until its end.
    is_variant: bool,
}

type Failure = serde_json::Error;

impl<'a> Tracker<'a> {
    fn compound(self) -> Compound<'a> {
        Compound {
            tracker: self,
            next: 0,
            key: None,
            is_variant: false,
        }
    }

    fn variant(self, name: &str) -> Compound<'a> {
        self.place.borrow_mut().push(Step::Member(name.to_owned()));
        Compound {
            is_variant: true,
            ..self.compound()
        }
    }

    fn within<T: Serialize + ?Sized>(self, step: Step, value: &T) -> Result<(), Failure> {
        self.place.borrow_mut().push(step);
        value.serialize(self)?;
        self.place.borrow_mut().pop();
        Ok(())
    }
}

impl Compound<'_> {
    fn leave(&self) {
        if self.is_variant {
            self.place().pop();
        }
    }

    fn place(&self) -> RefMut<'_, Vec<Step>> {
        self.tracker.place.borrow_mut()
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        let index = self.next;
        self.next += 1;
        self.tracker.within(Step::Element(index), value)
    }

    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Failure> {
        self.tracker.within(Step::Member(name.to_owned()), value)
    }
}

/// Scalars, which are JSON except for integers beyond 64 bits.
macro_rules! scalars {
    ($($method:ident: $type:ty),+) => {$(
        fn $method(self, _: $type) -> Result<(), Failure> {
            Ok(())
        }
    )+};
}

impl<'a> Serializer for Tracker<'a> {
    type Ok = ();
    type Error = Failure;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Compound<'a>;
    type SerializeStruct = Compound<'a>;
    type SerializeStructVariant = Compound<'a>;

    scalars!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32,
        serialize_i64: i64, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32,
        serialize_u64: u64, serialize_f32: f32, serialize_f64: f64, serialize_char: char,
        serialize_str: &str, serialize_bytes: &[u8], serialize_unit_struct: &'static str
    );

    fn serialize_i128(self, value: i128) -> Result<(), Failure> {
        serde_json::to_value(value).map(drop)
    }

    fn serialize_u128(self, value: u128) -> Result<(), Failure> {
        serde_json::to_value(value).map(drop)
    }

    fn serialize_none(self) -> Result<(), Failure> {
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), Failure> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Failure> {
        value.serialize(self)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
    ) -> Result<(), Failure> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Failure> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Failure> {
        self.within(Step::Member(variant.to_owned()), value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'a>, Failure> {
        Ok(self.compound())
    }

    fn serialize_tuple(self, _: usize) -> Result<Compound<'a>, Failure> {
        Ok(self.compound())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'a>, Failure> {
        Ok(self.compound())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'a>, Failure> {
        Ok(self.variant(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'a>, Failure> {
        Ok(self.compound())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound<'a>, Failure> {
        Ok(self.compound())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'a>, Failure> {
        Ok(self.variant(variant))
    }
}

/// The sequence-like compounds differ in name only.
macro_rules! sequences {
    ($($trait:ident::$method:ident),+) => {$(
        impl $trait for Compound<'_> {
            type Ok = ();
            type Error = Failure;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
                self.element(value)
            }

            fn end(self) -> Result<(), Failure> {
                self.leave();
                Ok(())
            }
        }
    )+};
}

sequences!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
);

/// And so do the struct-like ones.
macro_rules! structs {
    ($($trait:ident),+) => {$(
        impl $trait for Compound<'_> {
            type Ok = ();
            type Error = Failure;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Failure> {
                self.member(name, value)
            }

            fn end(self) -> Result<(), Failure> {
                self.leave();
                Ok(())
            }
        }
    )+};
}

structs!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = Failure;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Failure> {
        // `serde_json` decides what a key may be: its map of one entry is either JSON or the same failure.
        let map = serde_json::to_value(OneEntry(key))?;
        let name = map.as_object().and_then(|it| it.keys().next().cloned());
        self.key = Some(name.ok_or_else(|| Failure::custom("a map without its key"))?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        let key = self.key.take().unwrap_or_default();
        self.member(&key, value)
    }

    fn end(self) -> Result<(), Failure> {
        Ok(())
    }
}

struct OneEntry<'a, T: ?Sized>(&'a T);

impl<T: Serialize + ?Sized> Serialize for OneEntry<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(self.0, &())?;
        map.end()
    }
}
