//! Heights of blocks in parameters.

use serde_json::Value;
use tool_schema::{InvalidValue, Numbered, Object, Param};

use crate::declare::Qortal;

/// The Core counts blocks in 31 bits.
const HIGHEST: u32 = i32::MAX.cast_unsigned();

/// The height of a block that there may be, at least `MIN`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeightRef<const MIN: u32 = 1>(Numbered<MIN, HIGHEST>);

impl<const MIN: u32> HeightRef<MIN> {
    pub(crate) const fn value(self) -> u32 {
        self.0.value()
    }
}

impl<const MIN: u32> Param<Qortal> for HeightRef<MIN> {
    fn schema() -> Object {
        <Numbered<MIN, HIGHEST> as Param<Qortal>>::schema()
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let read = <Numbered<MIN, HIGHEST> as Param<Qortal>>::read(value);
        read.map(Self).map_err(|mut invalid| {
            invalid
                .expected
                .push_str(", get_last_block returns the last block");
            invalid
        })
    }

    fn coerce(value: &Value) -> Option<Value> {
        <Numbered<MIN, HIGHEST> as Param<Qortal>>::coerce(value)
    }

    fn to_value(&self) -> Value {
        Param::<Qortal>::to_value(&self.0)
    }
}
