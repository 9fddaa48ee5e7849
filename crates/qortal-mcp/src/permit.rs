//! Which tools a token may call: its scopes, and what the operator says that each allows.

mod sets;

use std::{collections::BTreeSet, fmt};

use mcp_server::Grant;
use qortal_tools::Catalog;

pub(crate) use sets::Permitted;

/// Tools that tell of others, and the one that calls them by name: what it calls is looked at instead.
const ALWAYS: &str = "dynamic";
/// The tool that calls another one.
const CALL_TOOL: &str = "call_tool";

/// The scopes of a server, in the order in which the operator names them. Without any, every token may call everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ScopeRules(Vec<ScopeRule>);

/// A scope, and what it allows.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ScopeRule {
    scope: String,
    allows: Tools,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Tools {
    All,
    Named(BTreeSet<&'static str>),
}

impl ScopeRules {
    /// Reads rules, each `SCOPE` for everything or `SCOPE=NAME+NAME` for toolsets and tools; `None` if one is invalid.
    pub(crate) fn parse<'a>(rules: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let rules = rules.into_iter().map(str::trim).filter(|it| !it.is_empty());
        let rules: Vec<_> = rules.map(ScopeRule::parse).collect::<Option<_>>()?;
        let scopes: BTreeSet<_> = rules.iter().map(|it| &it.scope).collect();
        (scopes.len() == rules.len()).then_some(Self(rules))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All scopes.
    pub(crate) fn scopes(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|it| it.scope.as_str())
    }

    /// What a caller may call, and do besides.
    pub(crate) fn permit(&self, grant: Option<&Grant>) -> Permit<'_> {
        let has = |rule: &&ScopeRule| grant.is_some_and(|it| it.scopes.contains(&rule.scope));
        Permit {
            rules: self,
            granted: self.0.iter().filter(has).collect(),
        }
    }

    /// The scope that a caller lacks for a tool, or for everything: the first that is for it in particular, else one that is
    /// for all tools.
    fn needed_for(&self, tool: Option<&str>) -> Option<&str> {
        let named = self.0.iter().find(|it| match &it.allows {
            Tools::All => tool.is_none(),
            Tools::Named(names) => tool.is_some_and(|it| names.contains(it)),
        });
        let all = || self.0.iter().find(|it| it.allows == Tools::All);
        named.or_else(all).map(|it| it.scope.as_str())
    }
}

impl ScopeRule {
    fn parse(text: &str) -> Option<Self> {
        let (scope, allows) = match text.split_once('=') {
            None => (text, Tools::All),
            Some((scope, names)) => {
                let named: Option<Vec<_>> = names.split('+').map(|it| tools(it.trim())).collect();
                let named = named?.into_iter().flatten().chain(tools(ALWAYS)?);
                (scope, Tools::Named(named.collect()))
            }
        };
        let scope = scope.trim();
        Grant::is_scope(scope).then(|| Self {
            scope: scope.to_owned(),
            allows,
        })
    }
}

/// The tools of a toolset, or the one tool, of this name.
fn tools(name: &str) -> Option<Vec<&'static str>> {
    let family = Catalog::families().iter().find(|it| it.name == name);
    match family {
        Some(family) => Some(family.tools.iter().map(|it| it.name).collect()),
        None => Catalog::find(name).ok().map(|it| vec![it.name]),
    }
}

impl fmt::Display for ScopeRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.scopes().collect::<Vec<_>>().join(" "))
    }
}

/// What one caller may do.
#[derive(Debug)]
pub(crate) struct Permit<'a> {
    rules: &'a ScopeRules,
    granted: Vec<&'a ScopeRule>,
}

impl<'a> Permit<'a> {
    /// Whether the caller may do everything.
    pub(crate) fn is_full(&self) -> bool {
        self.rules.is_empty() || self.granted.iter().any(|it| it.allows == Tools::All)
    }

    /// Whether the caller may call a tool.
    pub(crate) fn allows(&self, tool: &str) -> bool {
        self.is_full()
            || self.granted.iter().any(|it| match &it.allows {
                Tools::All => true,
                Tools::Named(names) => names.contains(tool),
            })
    }

    /// The scopes of the caller that matter: callers with the same ones may do the same.
    pub(crate) fn scopes(&self) -> Vec<&'a str> {
        self.granted.iter().map(|it| it.scope.as_str()).collect()
    }
}

#[cfg(test)]
mod tests;
