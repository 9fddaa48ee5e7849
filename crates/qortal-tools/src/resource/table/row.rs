//! The parts that the rows of the table are made of.

use crate::resource::source::{Argument, Freshness, Listing, Part, Signal, Source};

/// A row whose contents are the tool's structure, listed once.
pub(super) const fn source(
    template: &'static str,
    name: &'static str,
    freshness: Freshness,
) -> Source {
    Source {
        template,
        name,
        title: "",
        description: "",
        tool: "",
        freshness,
        arguments: &[],
        part: Part::Structure,
        listing: Listing::Once,
        signal: None,
    }
}

/// The parameter with the name of a URI variable.
pub(super) const fn variable(name: &'static str) -> (&'static str, Argument) {
    (name, Argument::Variable(name))
}

/// The same for an integer.
pub(super) const fn integer(name: &'static str) -> (&'static str, Argument) {
    (name, Argument::IntegerVariable(name))
}

impl Source {
    pub(super) const fn titled(mut self, title: &'static str, description: &'static str) -> Self {
        self.title = title;
        self.description = description;
        self
    }

    pub(super) const fn calls(
        mut self,
        tool: &'static str,
        arguments: &'static [(&'static str, Argument)],
    ) -> Self {
        self.tool = tool;
        self.arguments = arguments;
        self
    }

    pub(super) const fn part(mut self, part: Part) -> Self {
        self.part = part;
        self
    }

    pub(super) const fn listed_each(mut self) -> Self {
        self.listing = Listing::Each;
        self
    }

    pub(super) const fn signal(mut self, signal: Signal) -> Self {
        self.signal = Some(signal);
        self
    }
}
