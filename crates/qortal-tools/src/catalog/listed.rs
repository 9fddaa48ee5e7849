//! The tools on each surface. The questions of users decide which are on `core` and `standard`.

use std::{collections::HashMap, sync::LazyLock};

use tool_schema::nearest;

use super::{
    Catalog, Selection, Surface,
    selection::{is_of_python, is_superseded},
};
use crate::{Entry, Family, family, question};

/// The smallest surface with a question that the tool answers. A tool that answers none is on [`Surface::Extended`].
static SMALLEST: LazyLock<HashMap<&str, Surface>> = LazyLock::new(|| {
    let mut smallest = HashMap::new();
    for question in question::all() {
        for call in &question.calls {
            let surface = smallest.entry(call.tool).or_insert(question.surface);
            *surface = question.surface.min(*surface);
        }
    }
    smallest
});

impl Surface {
    /// Returns whether the selection lists a tool.
    #[must_use]
    pub fn lists(self, entry: &Entry) -> bool {
        if family::is_dynamic(entry) {
            return self != Self::Extended;
        }
        match self {
            Self::Core | Self::Standard => SMALLEST.get(entry.name).is_some_and(|it| *it <= self),
            Self::Python => is_of_python(entry.name),
            Self::Extended => !is_superseded(entry.name),
            Self::Dynamic => false,
        }
    }
}

impl Catalog {
    /// Returns the tool with this name among all tools.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such tool. The error names the nearest one.
    pub fn find(name: &str) -> Result<&'static Entry, UnknownName> {
        let found = Self::entries().find(|it| it.name == name);
        found.ok_or_else(|| unknown("tool", name, Self::entries().map(|it| it.name)))
    }
}

impl Selection {
    /// Checks the names in the selection.
    ///
    /// # Errors
    ///
    /// Returns an error for the first unknown name.
    pub fn check(&self) -> Result<(), UnknownName> {
        let families = Catalog::families().iter().map(|it| it.name);
        for name in &self.families {
            known("toolset", name, families.clone())?;
        }
        for name in self.include.iter().chain(&self.exclude) {
            known("tool", name, Catalog::entries().map(|it| it.name))?;
        }
        Ok(())
    }

    /// Returns the listed tools in listing order.
    pub fn listed(&self) -> impl Iterator<Item = &'static Entry> {
        Catalog::families().iter().flat_map(|it| self.listed_of(it))
    }

    /// Returns the listed tools of one family.
    pub fn listed_of(&self, family: &'static Family) -> impl Iterator<Item = &'static Entry> {
        let names = |list: &[String], name: &str| list.iter().any(|it| it == name);
        let is_chosen = self.families.is_empty() || names(&self.families, family.name);
        family.tools.iter().filter(move |entry| {
            let by_surface = is_chosen && self.surface.lists(entry);
            let is_listed = by_surface || names(&self.include, entry.name);
            is_listed && !names(&self.exclude, entry.name) && !self.withholds(entry)
        })
    }

    /// Returns whether a tool is hidden from the caller.
    #[must_use]
    pub fn withholds(&self, entry: &Entry) -> bool {
        self.withheld.iter().any(|it| it == entry.name)
    }
}

/// The error for a selection that names something outside the catalog.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} {name:?}, {hint}")]
#[non_exhaustive]
pub struct UnknownName {
    /// The kind of thing named: a tool or a toolset.
    pub kind: &'static str,
    /// The name as given.
    pub name: String,
    /// A hint about accepted names.
    pub hint: String,
}

fn known(
    kind: &'static str,
    name: &str,
    all: impl Iterator<Item = &'static str> + Clone,
) -> Result<(), UnknownName> {
    if all.clone().any(|it| it == name) {
        Ok(())
    } else {
        Err(unknown(kind, name, all))
    }
}

fn unknown(
    kind: &'static str,
    name: &str,
    all: impl Iterator<Item = &'static str> + Clone,
) -> UnknownName {
    UnknownName {
        kind,
        name: name.to_owned(),
        hint: match nearest(name, all.clone()) {
            Some(nearest) => format!("did you mean {nearest}?"),
            None if kind == "tool" => "`qortal-mcp tools` lists them".to_owned(),
            None => format!("there are {}", all.collect::<Vec<_>>().join(", ")),
        },
    }
}
