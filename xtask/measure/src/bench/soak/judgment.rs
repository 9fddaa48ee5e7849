//! Which promises hold.

/// What does not hold.
#[derive(Debug, Default)]
pub(super) struct Judgment(Vec<String>);

impl Judgment {
    /// Takes down what is broken somewhere; the cell of a table that says so.
    pub(super) fn note(&mut self, place: &str, broken: Vec<String>) -> String {
        if broken.is_empty() {
            return "met".to_owned();
        }
        let cell = format!("NOT MET: {}", broken.join("; ")).replace('|', "\\|");
        self.0
            .extend(broken.iter().map(|it| format!("{place}: {it}")));
        cell
    }

    /// What does not hold, a line each.
    pub(super) fn broken(&self) -> &[String] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Judgment;

    #[test]
    fn what_is_broken_is_said_in_its_row_and_in_the_end() {
        let mut judgment = Judgment::default();
        assert_eq!(judgment.note("here", Vec::new()), "met");
        assert!(judgment.broken().is_empty());
        let cell = judgment.note("there", vec!["one".to_owned(), "a|b".to_owned()]);
        assert_eq!(cell, "NOT MET: one; a\\|b");
        assert_eq!(judgment.broken(), ["there: one", "there: a|b"]);
    }
}
