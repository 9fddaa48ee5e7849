//! The data files.

use serde_json::{Map, Value};

/// In the order of the documentation.
pub(crate) const GROUPS: [&str; 16] = [
    include_str!("../../data/cases/s.json"),
    include_str!("../../data/cases/p.json"),
    include_str!("../../data/cases/w.json"),
    include_str!("../../data/cases/k.json"),
    include_str!("../../data/cases/o.json"),
    include_str!("../../data/cases/q.json"),
    include_str!("../../data/cases/x.json"),
    include_str!("../../data/cases/n.json"),
    include_str!("../../data/cases/g.json"),
    include_str!("../../data/cases/b.json"),
    include_str!("../../data/cases/v.json"),
    include_str!("../../data/cases/f.json"),
    include_str!("../../data/cases/r.json"),
    include_str!("../../data/cases/m.json"),
    include_str!("../../data/cases/z.json"),
    include_str!("../../data/cases/y.json"),
];

pub(crate) struct Group {
    pub(crate) letter: String,
    pub(crate) title: String,
    pub(crate) cases: Vec<Case>,
}

pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) checks: Vec<Check>,
}

/// What is done with which input, and what comes out.
pub(crate) struct Check(Map<String, Value>);

impl Check {
    pub(crate) fn new(members: Value) -> Self {
        Self(members.as_object().unwrap().clone())
    }

    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.value(name)?.as_str()
    }

    /// A member that must be there.
    pub(crate) fn name(&self, name: &str) -> &str {
        self.text(name).unwrap()
    }

    pub(crate) fn input(&self) -> &Value {
        self.value("input").unwrap()
    }

    pub(crate) fn members(&self) -> &Map<String, Value> {
        &self.0
    }
}

pub(crate) fn groups() -> Vec<Group> {
    let list = |value: &Value, name: &str| value[name].as_array().unwrap().clone();
    let text = |value: &Value, name: &str| value[name].as_str().unwrap().to_owned();
    let group = |file: &&str| {
        let file: Value = serde_json::from_str(file).unwrap();
        let cases = list(&file, "cases").into_iter().map(|case| Case {
            id: text(&case, "id"),
            title: text(&case, "title"),
            checks: list(&case, "checks").into_iter().map(Check::new).collect(),
        });
        Group {
            letter: text(&file, "group"),
            title: text(&file, "title"),
            cases: cases.collect(),
        }
    };
    GROUPS.iter().map(group).collect()
}
