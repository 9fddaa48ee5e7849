//! The blockchains whose coins QORT is traded for.

use std::str::FromStr;

use crate::{UnknownValue, open_enum};

#[derive(Debug, Clone, Copy)]
struct Facts {
    symbol: &'static str,
    path: &'static str,
}

const fn facts(symbol: &'static str, path: &'static str) -> Facts {
    Facts { symbol, path }
}

open_enum! {
    /// A foreign blockchain (class `SupportedBlockchain`).
    ///
    /// Parsing accepts the Core's name and the coin's symbol in any case. This matters because the Core treats names unknown to it,
    /// such as `litecoin` or `LTC`, as "all blockchains".
    ///
    /// ```
    /// use qortal_types::Blockchain;
    ///
    /// assert_eq!("ltc".parse(), Ok(Blockchain::Litecoin));
    /// assert_eq!(Blockchain::Litecoin.as_str(), "LITECOIN");
    /// ```
    Blockchain: Facts, "blockchain", "A blockchain that this crate does not know.";
    Bitcoin = "BITCOIN", facts("BTC", "btc");
    Litecoin = "LITECOIN", facts("LTC", "ltc");
    Dogecoin = "DOGECOIN", facts("DOGE", "doge");
    Digibyte = "DIGIBYTE", facts("DGB", "dgb");
    Ravencoin = "RAVENCOIN", facts("RVN", "rvn");
    Piratechain = "PIRATECHAIN", facts("ARRR", "arrr");
}

impl Blockchain {
    /// Returns the symbol of the coin, such as `LTC`, or `None` for an unknown blockchain.
    #[must_use]
    pub fn symbol(&self) -> Option<&'static str> {
        self.facts().map(|facts| facts.symbol)
    }

    /// Returns the path segment of the blockchain's endpoints, such as `ltc`, or `None` for an unknown blockchain.
    #[must_use]
    pub fn path_segment(&self) -> Option<&'static str> {
        self.facts().map(|facts| facts.path)
    }

    fn symbols() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().filter_map(Self::symbol)
    }
}

impl FromStr for Blockchain {
    type Err = UnknownValue;

    /// Accepts the known names and symbols in any case.
    fn from_str(text: &str) -> Result<Self, UnknownValue> {
        let upper = text.to_ascii_uppercase();
        Self::known(&upper)
            .or_else(|| {
                Self::ALL
                    .iter()
                    .find(|chain| chain.symbol() == Some(upper.as_str()))
                    .cloned()
            })
            .ok_or_else(|| {
                UnknownValue::new(
                    "coin that QORT is traded for",
                    text,
                    Self::names().chain(Self::symbols()),
                )
            })
    }
}

#[cfg(test)]
mod tests;
