//! Limits on text, beyond the cases: many lines, token counters, every budget.

use mcp_protocol::convert::{Cut, Limits, Piece, Policy, pieces};
use serde_json::json;

/// What is left of the texts.
fn limited(texts: &[&str], limits: Limits) -> Vec<String> {
    let content: Vec<_> = texts
        .iter()
        .map(|it| json!({"type": "text", "text": it}))
        .collect();
    let result = json!({"content": content});
    let policy = Policy::default().with_limits(limits);
    let converted = pieces(&result, &policy).unwrap();
    let texts = converted.output.iter().map(|it| match &it.piece {
        Piece::Text(text) => text.clone().into_owned(),
        other => panic!("not a text: {other:?}"),
    });
    texts.collect()
}

#[test]
fn three_hundred_lines_become_two_hundred_and_fifty_six() {
    let lines: Vec<String> = (1..=300).map(|it| format!("line {it}")).collect();
    let limits = Limits::default().with_lines(256);
    let left = limited(&[&lines.join("\n")], limits).concat();
    let left: Vec<&str> = left.lines().collect();
    assert_eq!(left.len(), 256);
    assert_eq!(
        left[169..=171],
        ["line 170", "[… 45 lines omitted …]", "line 216"]
    );
}

#[test]
fn a_text_never_exceeds_its_budget_but_for_the_marker() {
    let text = "aé🙂\n".repeat(40);
    let marker = format!("[… {} bytes omitted …]", text.len()).len();
    for cut in [Cut::Middle, Cut::Head, Cut::Tail, Cut::JsonAware] {
        for budget in 0..text.len() + 2 {
            let limits = Limits::bytes(budget).with_cut(cut);
            let left = limited(&[&text], limits).concat();
            assert!(left.len() <= budget.max(marker), "{cut:?} {budget}: {left}");
            assert_eq!(left == text, budget >= text.len());
        }
    }
}

#[test]
fn characters_are_counted_as_such() {
    let left = limited(&[&"é".repeat(100)], Limits::chars(60)).concat();
    assert_eq!(left.chars().count(), 60);
}

#[test]
fn tokens_are_counted_by_the_given_function() {
    let words = |text: &str| text.split_whitespace().count();
    let text =
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen";
    let left = limited(&[text], Limits::tokens(11, words)).concat();
    insta::assert_snapshot!(left, @"one two three four [… 52 bytes omitted …] fourteen fifteen");
    assert!(words(&left) <= 11);
}

#[test]
fn several_texts_share_one_budget() {
    for budget in 0..400 {
        let texts = ["a".repeat(50), "b".repeat(120), "c".repeat(90)];
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let left = limited(&texts, Limits::bytes(budget));
        let total: usize = left.iter().map(String::len).sum();
        assert!(total <= budget.max(80), "{budget}: {left:?}");
    }
}
