//! Enums whose variants are values on the command line and in JSON.

/// Declares enums with their names in kebab case, or with the name after `=`. The first variant is the default.
macro_rules! choices {
    ($($(#[$doc:meta])+ $Name:ident {
        $(#[$first_doc:meta])+ $First:ident,
        $($(#[$variant_doc:meta])+ $Variant:ident $(= $name:literal)?,)+
    })+) => {$(
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum $Name {
            $(#[$first_doc])+
            #[default]
            $First,
            $($(#[$variant_doc])+
            $(#[serde(rename = $name)] #[cfg_attr(feature = "cli", value(name = $name))])?
            $Variant,)+
        }
    )+};
}
