//! The options of a conversion.

use serde_json::Value;

use super::Policy;

/// Options of a conversion. `T` are the choices of one target, for example [`super::anthropic::Choices`]; each
/// target's module has an alias, such as `anthropic::Options`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options<T = ()> {
    /// Which converter to equal.
    pub preset: Preset,
    /// The choices that all targets share; for [`Preset::Rich`] alone.
    pub policy: Policy,
    /// The choices of the target.
    pub choices: T,
}

/// Which converter to equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Preset {
    /// The vendor's own, with its gaps; the module of the target names it.
    Compat,
    /// None: nothing is lost that the target can carry.
    Rich,
}

/// The `mcp` package that a vendor's Python package runs with: it prints blocks by the names of its attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum McpPackage {
    /// `mcp` 1: the names of the wire.
    #[default]
    V1,
    /// `mcp` 2, which a fresh installation has: `mime_type` and `last_modified`.
    V2,
}

/// The language of a vendor's package; those of one vendor differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Language {
    /// Python.
    #[default]
    Python,
    /// JavaScript.
    JavaScript,
}

impl McpPackage {
    /// The name of a member of a block.
    pub(super) fn name(self, name: &str) -> &str {
        match (self, name) {
            (_, "_meta") => "meta",
            (Self::V2, "mimeType") => "mime_type",
            (Self::V2, "lastModified") => "last_modified",
            (Self::V1 | Self::V2, _) => name,
        }
    }

    /// A block with its members by these names.
    pub(super) fn named(self, block: &Value) -> Value {
        let members = block.as_object().into_iter().flatten();
        let members = members.map(|(name, value)| {
            let value = match (name.as_str(), value) {
                ("resource" | "annotations", Value::Object(_)) => self.named(value),
                ("icons", Value::Array(icons)) => icons.iter().map(|it| self.named(it)).collect(),
                _ => value.clone(),
            };
            (self.name(name).to_owned(), value)
        });
        members.collect()
    }
}

/// A target whose vendor has its own converter.
pub trait HasVendor: Default {}

impl HasVendor for () {}

impl<T: Default> Options<T> {
    fn new(preset: Preset) -> Self {
        Self {
            preset,
            policy: Policy::default(),
            choices: T::default(),
        }
    }

    /// Everything the target can carry.
    #[must_use]
    pub fn rich() -> Self {
        Self::new(Preset::Rich)
    }

    /// With a policy.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }
}

impl<T: HasVendor> Options<T> {
    /// As the vendor's converter.
    #[must_use]
    pub fn compat() -> Self {
        Self::new(Preset::Compat)
    }
}
