//! Numbers of blocks and assets.

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
    /// A block height. The genesis block has height 1, and a node that is still starting reports 0.
    Height(u32):
    /// Creates a height without checking that the block exists.
}

number! {
    /// The number of an asset.
    AssetId(u64):
    /// Creates an asset ID without checking that the asset exists.
}

impl Height {
    /// The genesis block.
    pub const GENESIS: Self = Self(1);
}

impl AssetId {
    /// The native coin.
    pub const QORT: Self = Self(0);
}
