//! The tools that a token may call, by its scopes and the operator's rules.

use std::collections::BTreeSet;

use mcp_server::AuthInfo;

/// The scopes of a server and the tools that each allows, in the operator's order. Without scopes, every token may call everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScopeGrants(Vec<ScopeRule>);

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

impl ScopeGrants {
    /// Parses rules. `SCOPE` allows everything, and `SCOPE=NAME+NAME` allows some tools. Returns `None` if a rule is invalid or a
    /// scope is repeated.
    ///
    /// `tools` returns the one or several tools behind a name. Every scope also allows the tools behind `always`, such as a tool
    /// that lists others.
    pub fn parse<'a>(
        rules: impl IntoIterator<Item = &'a str>,
        tools: impl Fn(&str) -> Option<Vec<&'static str>>,
        always: Option<&str>,
    ) -> Option<Self> {
        let always = always.map_or(Some(Vec::new()), &tools)?;
        let rules = rules.into_iter().map(str::trim).filter(|it| !it.is_empty());
        let rules = rules.map(|it| ScopeRule::parse(it, &tools, &always));
        let rules: Vec<_> = rules.collect::<Option<_>>()?;
        let scopes: BTreeSet<_> = rules.iter().map(|it| &it.scope).collect();
        (scopes.len() == rules.len()).then_some(Self(rules))
    }

    /// Returns `true` if there are no scopes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns an iterator over the scopes.
    pub fn scopes(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|it| it.scope.as_str())
    }

    /// Returns the permissions of a caller.
    #[must_use]
    pub fn permissions(&self, grant: Option<&AuthInfo>) -> CallerPermissions<'_> {
        let has = |rule: &&ScopeRule| grant.is_some_and(|it| it.scopes.contains(&rule.scope));
        CallerPermissions {
            rules: self,
            granted: self.0.iter().filter(has).collect(),
        }
    }

    /// The scope that a caller lacks for a tool, or for everything: the first that is for it in particular, else one that is
    /// for all tools.
    pub(crate) fn needed_for(&self, tool: Option<&str>) -> Option<&str> {
        let named = self.0.iter().find(|it| match &it.allows {
            Tools::All => tool.is_none(),
            Tools::Named(names) => tool.is_some_and(|it| names.contains(it)),
        });
        let all = || self.0.iter().find(|it| it.allows == Tools::All);
        named.or_else(all).map(|it| it.scope.as_str())
    }
}

impl ScopeRule {
    fn parse(
        text: &str,
        tools: impl Fn(&str) -> Option<Vec<&'static str>>,
        always: &[&'static str],
    ) -> Option<Self> {
        let (scope, allows) = match text.split_once('=') {
            None => (text, Tools::All),
            Some((scope, names)) => {
                let named: Option<Vec<_>> = names.split('+').map(|it| tools(it.trim())).collect();
                let named = named?.into_iter().flatten().chain(always.iter().copied());
                (scope, Tools::Named(named.collect()))
            }
        };
        let scope = scope.trim();
        AuthInfo::is_valid_scope(scope).then(|| Self {
            scope: scope.to_owned(),
            allows,
        })
    }
}

/// The permissions of one caller.
#[derive(Debug)]
pub struct CallerPermissions<'a> {
    rules: &'a ScopeGrants,
    granted: Vec<&'a ScopeRule>,
}

impl<'a> CallerPermissions<'a> {
    /// Returns `true` if the caller may do everything.
    #[must_use]
    pub fn allows_everything(&self) -> bool {
        self.rules.is_empty() || self.granted.iter().any(|it| it.allows == Tools::All)
    }

    /// Returns `true` if the caller may call the tool.
    #[must_use]
    pub fn allows_tool(&self, tool: &str) -> bool {
        self.allows_everything()
            || self.granted.iter().any(|it| match &it.allows {
                Tools::All => true,
                Tools::Named(names) => names.contains(tool),
            })
    }

    /// Returns the caller's scopes that grant permissions. Callers with equal scopes have equal permissions.
    #[must_use]
    pub fn scopes(&self) -> Vec<&'a str> {
        self.granted.iter().map(|it| it.scope.as_str()).collect()
    }
}

#[cfg(test)]
mod tests;
