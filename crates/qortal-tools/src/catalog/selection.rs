//! What a server or one of its callers chooses to have listed.

use super::Surface;

/// Which tools are listed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Selection {
    /// The surface to start with.
    pub surface: Surface,
    /// Only these families; empty means all.
    pub families: Vec<String>,
    /// Tools listed in addition, whatever the surface.
    pub include: Vec<String>,
    /// Tools never listed.
    pub exclude: Vec<String>,
    /// Tools of which the caller is not to know: neither listed, nor found by words, nor named by a resource.
    pub withheld: Vec<String>,
    /// Whether the schemas of answers are listed; `None` means the default of the surface.
    pub output_schemas: Option<OutputSchemas>,
    /// Whether tools are linked to views, which hosts show beside answers. Off by default: a server that links to them has to
    /// serve them, too.
    pub views: bool,
}

/// Whether listed tools include the schemas of their answers. Answers satisfy them either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutputSchemas {
    /// No schemas: the shortest lists.
    Off,
    /// Types and names, without descriptions.
    Lean,
}

impl Default for Selection {
    fn default() -> Self {
        Self {
            surface: Surface::Standard,
            families: Vec::new(),
            include: Vec::new(),
            exclude: Vec::new(),
            withheld: Vec::new(),
            output_schemas: None,
            views: false,
        }
    }
}

impl Selection {
    /// A whole surface.
    #[must_use]
    pub fn of(surface: Surface) -> Self {
        Self {
            surface,
            ..Self::default()
        }
    }

    /// The chosen value, or the default of the surface: `core` keeps lists as short as possible.
    #[must_use]
    pub fn output_schemas(&self) -> OutputSchemas {
        self.output_schemas.unwrap_or(match self.surface {
            Surface::Core => OutputSchemas::Off,
            Surface::Standard | Surface::Python | Surface::Full | Surface::Dynamic => {
                OutputSchemas::Lean
            }
        })
    }
}
