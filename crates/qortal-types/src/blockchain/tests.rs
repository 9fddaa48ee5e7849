//! Tables and properties of `blockchain`.

use super::Blockchain;

#[test]
fn name_and_symbol_are_accepted_in_any_case() {
    for chain in Blockchain::ALL {
        let symbol = chain.symbol().unwrap();
        for text in [
            chain.as_str().to_owned(),
            chain.as_str().to_lowercase(),
            symbol.to_owned(),
            symbol.to_lowercase(),
        ] {
            assert_eq!(text.parse().as_ref(), Ok(chain), "{text}");
        }
        assert_eq!(chain.path_segment(), Some(symbol.to_lowercase().as_str()));
    }
}

#[test]
fn an_unknown_coin_is_refused_with_a_suggestion() {
    const VECTORS: &[(&str, &str)] = &[
        (
            "LTCC",
            "\"LTCC\" is not a coin that QORT is traded for, did you mean LTC?",
        ),
        (
            "lite coin",
            "\"lite coin\" is not a coin that QORT is traded for, did you mean LITECOIN?",
        ),
        (
            "ETHEREUM",
            "\"ETHEREUM\" is not a coin that QORT is traded for",
        ),
        ("", "\"\" is not a coin that QORT is traded for"),
    ];
    for (text, reason) in VECTORS {
        assert_eq!(text.parse::<Blockchain>().unwrap_err().to_string(), *reason);
    }
}

#[test]
fn a_blockchain_of_a_newer_node_is_kept() {
    let chain: Blockchain = serde_json::from_str("\"MONERO\"").unwrap();
    assert_eq!(chain, Blockchain::Other("MONERO".into()));
    assert_eq!(chain.symbol(), None);
    // Symbols are for people: the node writes names.
    assert_eq!(
        Blockchain::from_node("LTC"),
        Blockchain::Other("LTC".into())
    );
}
