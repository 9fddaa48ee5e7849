//! Which resources fit a search, where the Core itself finds too many.

use super::{IdentifierFilter, NO_IDENTIFIER, Resource, ResourceSearch};
use crate::wildcards::{finds, has_wildcard};

impl ResourceSearch {
    /// Whether the Core's database would take a character for a wildcard, or an identifier for none.
    pub(super) fn has_wildcard(&self) -> bool {
        let texts = [&self.query, &self.title, &self.description];
        let mut texts = texts.into_iter().flatten();
        let lists = self.names.iter().chain(&self.keywords);
        texts.any(|it| has_wildcard(it))
            || lists.into_iter().any(|it| has_wildcard(it))
            || match &self.identifier {
                Some(IdentifierFilter::Like(it)) => it == NO_IDENTIFIER || has_wildcard(it),
                Some(IdentifierFilter::Default) | None => false,
            }
    }

    /// The database takes the identifier `default` for none, unless a character of it is a wildcard.
    pub(super) fn sent_identifier(&self) -> Option<IdentifierFilter> {
        match &self.identifier {
            Some(IdentifierFilter::Like(it)) if it == NO_IDENTIFIER && self.service.is_none() => {
                Some(IdentifierFilter::Like("defaul_".to_owned()))
            }
            other => other.clone(),
        }
    }

    /// Whether a resource has the texts that are searched for.
    pub(super) fn fits(&self, it: &Resource) -> bool {
        let found = |text: Option<&str>, wanted: &str| {
            text.is_some_and(|text| finds(text, wanted, self.prefix))
        };
        let identifier = it.identifier.as_deref();
        let metadata = it.metadata.as_ref();
        let title = metadata.and_then(|it| it.title.as_deref());
        let description = metadata.and_then(|it| it.description.as_deref());
        let is_default = self.identifier == Some(IdentifierFilter::Default);
        let places = [Some(it.name.as_str()), identifier, title, description];
        let places = if is_default { &places[..1] } else { &places };
        let name = |wanted: &String| {
            if self.exact_names {
                it.name.to_lowercase() == wanted.to_lowercase()
            } else {
                finds(&it.name, wanted, self.prefix)
            }
        };
        let keyword = |word: &String| description.is_some_and(|text| finds(text, word, false));
        let query = |wanted: &String| places.iter().any(|text| found(*text, wanted));
        self.query.as_ref().is_none_or(query)
            && (self.names.is_empty() || self.names.iter().any(name))
            && self.title.as_ref().is_none_or(|it| found(title, it))
            && self
                .description
                .as_ref()
                .is_none_or(|it| found(description, it))
            && (self.keywords.is_empty() || self.keywords.iter().any(keyword))
            && match &self.identifier {
                Some(IdentifierFilter::Like(wanted)) => found(identifier, wanted),
                Some(IdentifierFilter::Default) | None => true,
            }
    }
}
