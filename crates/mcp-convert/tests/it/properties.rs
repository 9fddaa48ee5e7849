//! Conversions of generated inputs, from a seed that a failure prints.

use crate::{cases::run::everywhere, random::Random, rounds};

const ROUNDS: u64 = 500;

#[test]
fn no_json_makes_a_conversion_panic() {
    let mut converted = 0;
    for seed in rounds(ROUNDS) {
        let mut random = Random(seed);
        let value = if random.coin() {
            random.json(4)
        } else {
            random.result_json()
        };
        for preset in ["rich", "compat"] {
            let outcomes = everywhere(&value, preset);
            converted += outcomes.iter().filter(|(_, it)| it.value.is_ok()).count();
        }
    }
    assert!(
        converted as u64 > 5 * rounds(ROUNDS).end,
        "only {converted} conversions had a result to convert"
    );
}
