//! The recorded chain with rows that show the odd rules of the Core, and without those that hide one.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Chain, Row, embedded, part::Part};

impl Chain {
    /// The chain with more names, polls and QDN resources.
    pub(crate) fn with_odd_rows(mut self) -> Self {
        let names: Vec<Value> = embedded!("odd_names.json");
        let polls: Vec<Value> = embedded!("odd_polls.json");
        let resources: Vec<Value> = embedded!("odd_resources.json");
        let content: Vec<Value> = embedded!("odd_content.json");
        self.names.own().extend(names);
        self.polls.own().extend(polls);
        self.qdn_resources.own().extend(resources);
        self.qdn_content.own().extend(content);
        self
    }

    /// The chain with the first name of each account only.
    pub(crate) fn with_one_name_each(mut self) -> Self {
        let mut names: Vec<Value> = self.names.iter().cloned().collect();
        names.sort_by_cached_key(|name| name.number("registered"));
        let mut owners = BTreeSet::new();
        names.retain(|name| owners.insert(name.text("owner").to_owned()));
        self.names = Part::Own(names);
        self
    }
}
