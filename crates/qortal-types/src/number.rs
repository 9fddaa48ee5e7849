//! Blocks and assets by their numbers.

use std::{fmt, num::ParseIntError, str::FromStr};

use serde::{Deserialize, Serialize};

/// Declares a number with a meaning of its own.
macro_rules! number {
    ($(#[$doc:meta])+ $Name:ident($Number:ty): $(#[$new:meta])+) => {
        $(#[$doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $Name($Number);

        impl $Name {
            $(#[$new])+
            #[must_use]
            pub const fn new(number: $Number) -> Self {
                Self(number)
            }

            /// Returns the number.
            #[must_use]
            pub const fn number(self) -> $Number {
                self.0
            }
        }

        impl FromStr for $Name {
            type Err = ParseIntError;

            fn from_str(text: &str) -> Result<Self, ParseIntError> {
                text.parse().map(Self)
            }
        }

        impl fmt::Display for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl fmt::Debug for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($Name), "({})"), self.0)
            }
        }
    };
}

number! {
    /// A block height; the genesis block has 1, and a node that has not started yet reports 0.
    Height(u32):
    /// Takes a height, whether there is a block or not.
}

number! {
    /// The number under which an asset was issued.
    AssetId(u64):
    /// Takes the number of an asset, whether it exists or not.
}

impl Height {
    /// The genesis block.
    pub const GENESIS: Self = Self(1);
}

impl AssetId {
    /// The native coin.
    pub const QORT: Self = Self(0);
}
