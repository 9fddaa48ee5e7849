//! The questions that decide what is listed, as data. The program's own tests ask them.

use qortal_tools::{Catalog, Object, Selection, Surface, instructions};

use crate::pin;

#[test]
fn every_question_has_one_or_two_calls_that_are_accepted_and_facts() {
    for question in Catalog::questions() {
        assert!((1..=2).contains(&question.calls.len()), "{}", question.text);
        assert!(question.text.ends_with(['?', '.']), "{}", question.text);
        for call in &question.calls {
            let entry = Catalog::entries().find(|it| it.name == call.tool).unwrap();
            let mut arguments: Object = serde_json::from_str(call.arguments.get()).unwrap();
            entry.validate(&mut arguments).unwrap();
            assert!(question.surface.lists(entry), "{}", call.tool);
        }
        let facts: Object = serde_json::from_str(question.facts.get()).unwrap();
        assert!(!facts.is_empty(), "{}", question.text);
        assert!(
            facts.keys().all(|it| it.starts_with('/')),
            "{}",
            question.text
        );
    }
}

/// Nothing is listed by default that answers no question.
#[test]
fn every_tool_of_the_smaller_surfaces_answers_a_question() {
    for surface in [Surface::Core, Surface::Standard] {
        for entry in Catalog::entries().filter(|it| surface.lists(it)) {
            let mut questions = Catalog::questions().filter(|it| it.surface <= surface);
            let answers = questions.any(|it| it.calls.iter().any(|it| it.tool == entry.name));
            let is_for_others = ["find_tools", "describe_tool", "call_tool"].contains(&entry.name);
            assert!(answers || is_for_others, "{}", entry.name);
        }
    }
}

#[test]
fn instructions_name_listed_tools_alone_and_fit() {
    for surface in Surface::ALL {
        let selection = Selection::of(surface);
        let text = instructions(&selection);
        assert!(text.len() <= 2_048, "{} {}", surface.name(), text.len());
        for entry in Catalog::entries() {
            let mut words = text.split(|it: char| !it.is_ascii_lowercase() && it != '_');
            // Two tools have names that are words too.
            let is_word = ["search", "fetch"].contains(&entry.name);
            if !is_word && words.any(|it| it == entry.name) {
                assert!(surface.lists(entry), "{} {}", surface.name(), entry.name);
            }
        }
    }
    pin("instructions", &instructions(&Selection::default()));
}
