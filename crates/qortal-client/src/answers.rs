//! What the Core answers with.

/// Declares structs as the Core writes them: their members by its names, and more of them in releases to come.
macro_rules! answers {
    ($($(#[$attribute:meta])+ pub struct $Name:ident { $($members:tt)+ })+) => {$(
        $(#[$attribute])+
        #[derive(Debug, Clone, serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        #[non_exhaustive]
        pub struct $Name { $($members)+ }
    )+};
}

pub(crate) use answers;
