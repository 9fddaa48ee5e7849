//! The options of a conversion.

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
