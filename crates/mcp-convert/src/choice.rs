//! Enums whose variants are values on the command line and in JSON.

/// Declares enums with their names in kebab case, or with the name after `=`.
macro_rules! choices {
    ($($(#[$doc:meta])+ $Name:ident {
        $($(#[$variant_doc:meta])+ $Variant:ident $(= $name:literal)?,)+
    })+) => {$(
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum $Name {
            $($(#[$variant_doc])+
            $(#[serde(rename = $name)] #[cfg_attr(feature = "cli", value(name = $name))])?
            $Variant,)+
        }
    )+};
}
