//! Conversions of generated inputs, from a seed that a failure prints.

use crate::{cases::run::everywhere, random::Random};

const ROUNDS: u64 = 500;

#[test]
fn no_json_makes_a_conversion_panic() {
    let mut converted = 0;
    for seed in 0..ROUNDS {
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
        converted > 2_500,
        "only {converted} conversions had a result to convert"
    );
}
