//! The Core's expected result for a transaction under consideration.

record! {
    /// Whether the Core accepts a transaction now, by the checks of its class in their order.
    pub(crate) struct Verdict {
        /// Whether the Core accepts it now, if its maker has the fee.
        is_possible: bool,
        /// The Core's validation error. Absent if it is possible.
        error: Option<&'static str>,
        /// The effect or the reason, in a sentence.
        text: String
    }
}

impl Verdict {
    /// Accepts a transaction, with its effect.
    pub(crate) fn possible(text: impl Into<String>) -> Self {
        Self {
            is_possible: true,
            error: None,
            text: text.into(),
        }
    }

    /// Rejects a transaction with an error of the Core's `ValidationResult`.
    pub(crate) fn rejected(error: &'static str, text: impl Into<String>) -> Self {
        Self {
            is_possible: false,
            error: Some(error),
            text: text.into(),
        }
    }
}
