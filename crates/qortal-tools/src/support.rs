//! Parts shared by several toolsets: names of accounts, groups and assets, word search, and untrusted text.

pub(crate) mod asset_names;
pub(crate) mod estimate;
pub(crate) mod groups;
pub(crate) mod labels;
pub(crate) mod nearest;
pub(crate) mod owner;
pub(crate) mod person;
pub(crate) mod primary_names;
pub(crate) mod progress;
pub(crate) mod sums;
pub(crate) mod untrusted;
pub(crate) mod words;
