//! What is told of two lists of offers.

use super::*;

#[test]
fn offers_that_come_and_go_are_told_if_they_are_below() {
    let offers = |rows: &[(&str, &str)]| -> HashMap<String, Value> {
        let rows = rows.iter().map(|(at, price)| {
            let row = json!({AT: at, "pricePerQort": price, "foreignBlockchain": "LITECOIN", "creationTimestampIso": at});
            ((*at).to_owned(), row)
        });
        rows.collect()
    };
    let before = offers(&[("A1", "0.01"), ("A2", "0.03"), ("A3", "0.02")]);
    let now = offers(&[("A1", "0.01"), ("A4", "0.019"), ("A5", "0.02")]);
    for (below, expected) in [
        (
            None,
            vec!["offer_gone A2", "offer_gone A3", "offer A4", "offer A5"],
        ),
        (Some("0.02"), vec!["offer A4"]),
        (Some("0.01"), vec![]),
    ] {
        let below = below.map(|it| it.parse().unwrap());
        let told = changes(&before, &now, below);
        let told: Vec<_> = told
            .iter()
            .map(|it| format!("{} {}", it.what, it.facts[AT].as_str().unwrap()))
            .collect();
        assert_eq!(told, expected, "{below:?}");
        assert!(changes(&now, &now, below).is_empty());
    }
}
