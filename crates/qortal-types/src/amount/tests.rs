//! Tables and properties of `amount`.

use super::{Amount, AmountError};
use crate::tests::{Numbers, SEED};

#[test]
fn every_form_that_the_core_prints_is_read() {
    const VECTORS: &[(&str, i64)] = &[
        ("1.00000000", 100_000_000),
        ("1000000664.49951417", 100_000_066_449_951_417),
        ("0.00000100", 100),
        // BigDecimal.toString() of a small number.
        ("0E-8", 0),
        ("5E-8", 5),
        ("9.9E-7", 99),
        // Amounts.prettyAmount() of a negative one.
        ("-1.-50000000", -150_000_000),
        ("0.-50000000", -50_000_000),
        ("0.-5000000", -5_000_000),
        ("0.-0000005", -5),
        ("-1.00000000", -100_000_000),
        ("-92233720368.-54775808", i64::MIN),
        ("92233720368.54775807", i64::MAX),
        // Written by people.
        ("1", 100_000_000),
        ("1.5", 150_000_000),
        ("1e3", 100_000_000_000),
        ("1E+3", 100_000_000_000),
        ("0.1e-7", 1),
        ("1.230000000000", 123_000_000),
        ("000.5", 50_000_000),
        ("-0", 0),
        ("0e999999999", 0),
    ];
    for (text, units) in VECTORS {
        assert_eq!(text.parse(), Ok(Amount::from_units(*units)), "{text}");
    }
}

#[test]
fn what_is_no_amount_is_refused_with_its_reason() {
    use AmountError::{Malformed, OutOfRange, TooPrecise};
    const VECTORS: &[(&str, AmountError)] = &[
        ("", Malformed),
        ("-", Malformed),
        (".", Malformed),
        (".5", Malformed),
        ("5.", Malformed),
        ("+1", Malformed),
        ("--1", Malformed),
        ("1,5", Malformed),
        ("1 ", Malformed),
        ("1.2.3", Malformed),
        ("1e", Malformed),
        ("1e1.5", Malformed),
        ("1e99999999999", Malformed),
        ("0x10", Malformed),
        ("NaN", Malformed),
        ("١٢", Malformed),
        ("1.-50000000", Malformed),
        (".-50000000", Malformed),
        ("-.-50000000", Malformed),
        ("-a.-50000000", Malformed),
        ("-1.-5000000a", Malformed),
        ("0.-+5000000", Malformed),
        ("-1.-5", Malformed),
        ("-1.-500000000", Malformed),
        ("0.--500000", Malformed),
        ("0.000000001", TooPrecise),
        ("1e-9", TooPrecise),
        ("92233720368.54775808", OutOfRange),
        ("-92233720368.54775809", OutOfRange),
        ("-92233720368.-54775809", OutOfRange),
        ("-99999999999999999999.-50000000", OutOfRange),
        ("1e11", OutOfRange),
        ("1e999999999", OutOfRange),
        ("1e-999999999", TooPrecise),
    ];
    for (text, error) in VECTORS {
        assert_eq!(text.parse::<Amount>(), Err(*error), "{text:?}");
    }
    // As long as a text may be, and one character longer.
    let zeros = |count: usize| format!("{}1", "0".repeat(count - 1)).parse::<Amount>();
    assert_eq!(zeros(64), Ok(Amount::from_units(100_000_000)));
    assert_eq!(zeros(65), Err(Malformed));
}

#[test]
fn it_is_printed_with_eight_places() {
    const VECTORS: &[(i64, &str)] = &[
        (0, "0.00000000"),
        (5, "0.00000005"),
        (-5, "-0.00000005"),
        (-150_000_000, "-1.50000000"),
        (i64::MAX, "92233720368.54775807"),
        (i64::MIN, "-92233720368.54775808"),
    ];
    for (units, text) in VECTORS {
        assert_eq!(Amount::from_units(*units).to_string(), *text);
    }
    assert_eq!(format!("{:>12}", Amount::from_units(1)), "  0.00000001");
    assert_eq!(format!("{:?}", Amount::from_units(1)), "Amount(0.00000001)");
}

#[test]
fn json_strings_and_numbers_are_read_without_loss() {
    const VECTORS: &[(&str, i64)] = &[
        ("\"-1.-50000000\"", -150_000_000),
        ("1018.00000000", 101_800_000_000),
        ("67108863.99999999", 6_710_886_399_999_999),
        ("0.1", 10_000_000),
        ("5E-8", 5),
        ("3", 300_000_000),
        ("-3", -300_000_000),
        ("92233720368", 9_223_372_036_800_000_000),
    ];
    for (json, units) in VECTORS {
        assert_eq!(
            serde_json::from_str::<Amount>(json).unwrap(),
            Amount::from_units(*units),
            "{json}"
        );
    }
    assert_eq!(
        serde_json::to_string(&Amount::from_units(-5)).unwrap(),
        "\"-0.00000005\""
    );
}

#[test]
fn json_that_would_lose_digits_is_refused() {
    const VECTORS: &[(&str, &str)] = &[
        (
            "1000000664.49951417",
            "an amount this large must be a string to be read exactly",
        ),
        (
            "92233720369",
            "outside the range of amounts, which is about ±92 billion",
        ),
        (
            "18446744073709551615",
            "outside the range of amounts, which is about ±92 billion",
        ),
        (
            "0.000000001",
            "an amount expected: more than 8 decimal places",
        ),
        ("true", "invalid type: boolean `true`, expected an amount"),
    ];
    for (json, reason) in VECTORS {
        let error = serde_json::from_str::<Amount>(json)
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(reason), "{json}: {error}");
    }
}

#[test]
fn arithmetic_is_checked() {
    let one = Amount::from_coins(1).unwrap();
    assert_eq!(
        one.checked_add(Amount::from_units(1)),
        Some(Amount::from_units(100_000_001))
    );
    assert_eq!(Amount::MAX.checked_add(Amount::from_units(1)), None);
    assert_eq!(Amount::MIN.checked_sub(Amount::from_units(1)), None);
    assert_eq!(Amount::MAX.checked_mul(2), None);
    for (factor, product) in [
        (0, Some(Amount::ZERO)),
        (1, Some(Amount::MIN)),
        (-1, None),
        (2, None),
    ] {
        assert_eq!(Amount::MIN.checked_mul(factor), product, "{factor}");
    }
    assert_eq!(
        Amount::from_units(7).checked_mul(-3),
        Some(Amount::from_units(-21))
    );
    assert_eq!(Amount::from_coins(i64::MAX), None);
}

#[test]
fn prices_follow_from_amounts_and_back() {
    let (qort, litecoin): (Amount, Amount) =
        ("80.402".parse().unwrap(), "0.008642".parse().unwrap());
    // The Core's own /crosschain/price for this trade: 9303.63341819 QORT for one LTC.
    let price = qort.checked_price_of(litecoin).unwrap();
    assert_eq!(price.to_string(), "9303.63341819");
    assert_eq!(
        litecoin.checked_at_price(price).unwrap().to_string(),
        "80.40199999"
    );
    // Rounded towards zero, at the smallest and the largest.
    let unit = Amount::from_units(1);
    assert_eq!(unit.checked_at_price(unit), Some(Amount::ZERO));
    assert_eq!(
        Amount::ZERO.checked_at_price(Amount::MAX),
        Some(Amount::ZERO)
    );
    assert_eq!(
        Amount::MAX.checked_at_price(Amount::from_coins(1).unwrap()),
        Some(Amount::MAX)
    );
    assert_eq!(
        Amount::MIN.checked_at_price(Amount::from_coins(1).unwrap()),
        Some(Amount::MIN)
    );
    assert_eq!(
        Amount::MAX.checked_at_price(Amount::from_units(100_000_001)),
        None
    );
    assert_eq!(qort.checked_price_of(Amount::ZERO), None);
    assert_eq!(Amount::MAX.checked_at_price(Amount::MAX), None);
    assert_eq!(Amount::MIN.checked_price_of(Amount::from_units(-1)), None);
}

#[test]
fn every_amount_survives_printing() {
    let mut numbers = Numbers::new();
    for case in 0..20_000 {
        // All magnitudes, not only the large ones.
        let units = (numbers.next() >> numbers.below(64)).cast_signed();
        for amount in [
            Amount::from_units(units),
            Amount::from_units(units.wrapping_neg()),
        ] {
            assert_eq!(
                amount.to_string().parse(),
                Ok(amount),
                "seed {SEED}, case {case}: {units}"
            );
            let (coins, rest) = (amount.units() / 100_000_000, amount.units() % 100_000_000);
            let as_the_core_prints = format!("{coins}.{rest:08}");
            assert_eq!(
                as_the_core_prints.parse(),
                Ok(amount),
                "seed {SEED}, case {case}: {as_the_core_prints}"
            );
        }
    }
}

#[test]
fn no_text_makes_it_panic() {
    let alphabet: Vec<char> = "0123456789.-eE+".chars().collect();
    let mut numbers = Numbers::new();
    let mut accepted = 0;
    for case in 0..20_000 {
        let text = numbers.text(12, &alphabet);
        if let Ok(amount) = text.parse::<Amount>() {
            assert_eq!(
                amount.to_string().parse(),
                Ok(amount),
                "seed {SEED}, case {case}: {text:?}"
            );
            accepted += 1;
        }
    }
    assert!(
        accepted > 100,
        "the texts are too strange to test anything: {accepted}"
    );
}

#[test]
fn cost_at_a_price_is_rounded_up() {
    for (quantity, price, cost) in [
        (1_000_000_001, 33_333_333, 333_333_331),
        (400_000_001, 33_333_333, 133_333_333),
        (200_000_000, 50_000_000, 100_000_000),
        (0, 50_000_000, 0),
    ] {
        let quantity = Amount::from_units(quantity);
        let found = quantity.checked_cost_at(Amount::from_units(price));
        assert_eq!(found, Some(Amount::from_units(cost)), "{quantity}");
    }
    assert_eq!(Amount::MAX.checked_cost_at(Amount::MAX), None);
}
