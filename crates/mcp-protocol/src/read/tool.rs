//! Tools. Lists of them are long, so they are read in one pass, without an intermediate list of fields.

use serde::{Deserialize, Deserializer, de::MapAccess};
use serde_json::Value;

use super::{
    entry::{EXACT_NUMBER, Entry, Name, exact_number},
    members::{FromMembers, FromWire, Members, list, object},
    unreadable::DecodeError,
};
use crate::{
    TaskSupport,
    tool::{Tool, ToolAnnotations},
};

/// The fields of a tool that have been read.
#[derive(Default)]
struct Parts {
    name: Option<Value>,
    title: Option<String>,
    description: Option<String>,
    input_schema: Option<Value>,
    output_schema: Option<Value>,
    hints: Hints,
    icons: Option<Value>,
    meta: Option<Value>,
}

/// The fields of its annotations that have been read.
#[derive(Default)]
struct Hints {
    title: Option<String>,
    known: ToolAnnotations,
}

impl FromMembers for Tool {
    fn from_members(members: Members<'_>) -> Result<Self, DecodeError> {
        let mut parts = Parts::default();
        for (name, value) in members.all() {
            parts.take(&name, value);
        }
        parts.tool()
    }

    fn from_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<Result<Self, DecodeError>, A::Error> {
        let mut parts = Parts::default();
        while let Some(Name(name)) = map.next_key()? {
            match name.as_ref() {
                "annotations" => parts.hints = map.next_value()?,
                EXACT_NUMBER => {
                    let mut members = Members::default();
                    members.push(name, map.next_value()?);
                    if let Some(number) = exact_number(&members) {
                        return Ok(Self::from_wire(number));
                    }
                }
                other => parts.take(other, map.next_value()?),
            }
        }
        Ok(parts.tool())
    }
}

impl Parts {
    fn take(&mut self, name: &str, value: Value) {
        match name {
            "name" => self.name = Some(value),
            "title" => self.title = String::from_wire(value).ok(),
            "description" => self.description = String::from_wire(value).ok(),
            "inputSchema" => self.input_schema = Some(value),
            "outputSchema" => self.output_schema = Some(value).filter(Value::is_object),
            "annotations" => self.hints = Hints::from_value(value),
            "icons" => self.icons = Some(value),
            "_meta" => self.meta = Some(value),
            _ => (),
        }
    }

    fn tool(self) -> Result<Tool, DecodeError> {
        let name = match self.name {
            Some(Value::String(name)) => name,
            other => return Err(DecodeError::new("name", "a string", other.as_ref())),
        };
        let input_schema = match self.input_schema {
            Some(schema @ Value::Object(_)) => schema,
            other => return Err(DecodeError::new("inputSchema", "an object", other.as_ref())),
        };
        Ok(Tool {
            name,
            // Before 2025-06-18, only the annotations have a title.
            title: self.title.or(self.hints.title),
            description: self.description.unwrap_or_default(),
            input_schema,
            output_schema: self.output_schema,
            annotations: self.hints.known,
            icons: self.icons.map(list).unwrap_or_default(),
            meta: self.meta.map(object).unwrap_or_default(),
            // Another server's task support does not carry over.
            task_support: TaskSupport::Forbidden,
        })
    }
}

impl Hints {
    fn take(&mut self, name: &str, value: Value) {
        let worst = ToolAnnotations::default();
        let or = |worst: bool| value.as_bool().unwrap_or(worst);
        match name {
            "title" => self.title = String::from_wire(value).ok(),
            "readOnlyHint" => self.known.read_only = or(worst.read_only),
            "destructiveHint" => self.known.destructive = or(worst.destructive),
            "idempotentHint" => self.known.idempotent = or(worst.idempotent),
            "openWorldHint" => self.known.open_world = or(worst.open_world),
            _ => (),
        }
    }
}

impl Entry for Hints {
    fn from_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut hints = Self::default();
        while let Some(Name(name)) = map.next_key()? {
            hints.take(&name, map.next_value()?);
        }
        Ok(hints)
    }

    fn from_value(value: Value) -> Self {
        let mut hints = Self::default();
        for (name, value) in object(value) {
            hints.take(&name, value);
        }
        hints
    }
}

impl<'de> Deserialize<'de> for Hints {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(deserializer)
    }
}

impl FromWire for ToolAnnotations {
    fn from_wire(value: Value) -> Result<Self, DecodeError> {
        if value.is_object() {
            Ok(Hints::from_value(value).known)
        } else {
            Err(DecodeError::new("annotations", "an object", Some(&value)))
        }
    }
}
