//! The content that a target can carry, as a row of facts. All other content becomes text before limits apply.

use std::{borrow::Cow, collections::BTreeSet};

use super::{
    json_ref::Json,
    media::{Media, What},
    part::{Part, PartOf},
    phrases,
    shape::{self, Forms, forms},
    tools::Provider,
    view::ResultView,
};

/// What a target can carry. The converter and the validator read the same row.
#[derive(Debug, Clone, Copy)]
pub struct Carrier {
    /// The API that it is, or whose messages and tools it has.
    pub(crate) api: Option<Provider>,
    pub(super) forms: Forms,
    /// Those of a message, where they are others.
    pub(super) of_messages: Option<Forms>,
    /// The row of prompts and resources, where it differs.
    pub(super) of_prompts: Option<&'static Self>,
    pub(super) around: Envelope,
    /// What the validator says of a part that is none of them.
    pub(super) wants: &'static str,
    /// Whether the structured value is sent as JSON: it then replaces the text that equals it. Otherwise a text that
    /// equals it is enough.
    pub(super) as_json: bool,
    pub(super) images: Types,
    pub(super) sounds: Types,
    pub(super) files: Types,
    /// Which pictures, sounds and files the provider behind a framework reads.
    pub(super) behind: [Types; 3],
    /// The most bytes of one picture.
    pub(super) image_bytes: usize,
    /// The most bytes of one file or sound.
    pub(super) file_bytes: usize,
    /// The most pixels of a picture's longer side.
    pub(super) pixels: u32,
    /// The most pictures, and the most files, of one result.
    pub(super) max_images: usize,
    pub(super) max_files: usize,
    /// The most characters of all text.
    pub(super) text_chars: usize,
    /// The most characters of one string, which is more.
    pub(super) string_chars: usize,
    /// Files of these types are read as well, though better sent as text.
    pub(super) also_read: &'static [&'static str],
    /// Where pictures, sounds and files go.
    pub(super) place: Place,
    /// What is read in the message after the result alone.
    pub(super) only_beside: Types,
    /// Resources of text have a form of their own.
    pub(super) documents: bool,
    pub(super) links: Linked,
    /// Files have their address.
    pub(super) addresses: bool,
    /// A text says that there is a sound, because the model does not get it where the text is.
    pub(super) announces_sounds: bool,
    /// It has no flag for failure.
    pub(crate) marks_failures: bool,
    /// It refuses texts that are blank.
    pub(super) drops_blank: bool,
    /// What is said for a success that says nothing, where it may not be empty.
    pub(super) no_output: Option<&'static str>,
    /// What is said for a failure that says nothing.
    pub(super) no_message: Option<&'static str>,
    /// What a note says of a part that it cannot carry.
    pub(super) reason: &'static str,
}

/// The MIME types that a target reads.
#[derive(Debug, Clone, Copy)]
pub(super) enum Types {
    Any,
    /// Those of these lists, whose words are types.
    Of(&'static [&'static str]),
}

/// What a result is around its parts, where that is all there is to it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Envelope {
    /// The only part, or a list.
    OneOrMany,
    /// A list.
    List,
    /// An object with a list by this name, and whether the tool failed or did not: the value of the other member is this for a
    /// failure.
    Object(&'static str, (&'static str, bool)),
}

/// Where pictures, sounds and files go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// Into the result.
    Inside,
    /// Into the result, but those of a failure into the message after it.
    BesideFailures,
    /// Into the message after the result.
    Beside,
}

/// Which links have a form of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Linked {
    No,
    /// Those to pictures, if the policy allows.
    Pictures,
    /// Those that a browser could open, if the policy allows.
    Https,
    All,
}

/// Said for a success that says nothing.
pub(super) const NO_OUTPUT: &str = "(the tool returned no output)";

/// Said for a failure that says nothing.
pub(super) const NO_MESSAGE: &str = "the tool reported an error without a message";

/// The pictures that every provider reads.
pub(super) const PICTURES: &str = "image/png image/jpeg image/gif image/webp";

impl Carrier {
    /// Nothing but text.
    pub(super) const TEXT: Self = Self {
        api: None,
        forms: forms! { Text Text },
        of_messages: None,
        of_prompts: None,
        around: Envelope::OneOrMany,
        wants: "a text is required",
        as_json: false,
        images: Types::Of(&[]),
        sounds: Types::Of(&[]),
        files: Types::Of(&[]),
        behind: [Types::Any; 3],
        image_bytes: usize::MAX,
        file_bytes: usize::MAX,
        pixels: u32::MAX,
        max_images: usize::MAX,
        max_files: usize::MAX,
        text_chars: usize::MAX,
        string_chars: usize::MAX,
        also_read: &[],
        place: Place::Inside,
        only_beside: Types::Of(&[]),
        documents: false,
        links: Linked::No,
        addresses: false,
        announces_sounds: false,
        marks_failures: false,
        drops_blank: false,
        no_output: None,
        no_message: None,
        reason: "not shown",
    };

    /// Whatever has bytes, for any provider, so that what one of them refuses is for its package to decide.
    pub(super) const ANY: Self = Self {
        images: Types::Any,
        sounds: Types::Any,
        files: Types::Any,
        no_message: Some(NO_MESSAGE),
        ..Self::TEXT
    };

    /// What reaches the provider with this row through a framework with the row of `self`.
    pub(super) fn behind_which(self, provider: &Self) -> Self {
        Self {
            behind: [provider.images, provider.sounds, provider.files],
            image_bytes: self.image_bytes.min(provider.image_bytes),
            file_bytes: self.file_bytes.min(provider.file_bytes),
            pixels: self.pixels.min(provider.pixels),
            max_images: self.max_images.min(provider.max_images),
            max_files: self.max_files.min(provider.max_files),
            text_chars: self.text_chars.min(provider.text_chars),
            string_chars: self.string_chars.min(provider.string_chars),
            also_read: provider.also_read,
            place: self.place.max(provider.place),
            only_beside: provider.only_beside,
            documents: self.documents && provider.documents,
            links: self.links.min(provider.links),
            marks_failures: self.marks_failures || provider.marks_failures,
            drops_blank: self.drops_blank || provider.drops_blank,
            // Packages pass on an empty list, which not every API takes.
            no_output: Some(NO_OUTPUT),
            no_message: self.no_message.or(provider.no_message),
            reason: provider.reason,
            ..self
        }
    }

    /// The same for a message.
    pub(super) fn of_message(self) -> Self {
        Self {
            forms: self.of_messages.unwrap_or(self.forms),
            ..self
        }
    }

    /// Whether it reads this type of what has bytes, and the most bytes of one.
    pub(super) fn reads(&self, what: What, mime_type: Option<&str>) -> (bool, usize) {
        let [images, sounds, files] = self.behind;
        let (own, behind, most) = match what {
            What::Image => (self.images, images, self.image_bytes),
            What::Audio => (self.sounds, sounds, self.file_bytes),
            What::File => (self.files, files, self.file_bytes),
        };
        (own.have(mime_type) && behind.have(mime_type), most)
    }

    /// The parts of these parts, without those that there is no form for.
    pub(super) fn parts<'a>(&self, parts: Vec<PartOf<'a>>) -> Vec<Json<'a>> {
        self.parts_after(parts, &mut BTreeSet::new())
    }

    /// The same, after parts with documents of these names.
    pub(super) fn parts_after<'a>(
        &self,
        parts: Vec<PartOf<'a>>,
        names: &mut BTreeSet<String>,
    ) -> Vec<Json<'a>> {
        let flags = (self.as_json, self.addresses);
        let part = |it| shape::part(self.forms, it, flags, names);
        parts.into_iter().filter_map(part).collect()
    }

    /// The result of these parts, where [`Around`] says what it is.
    pub(super) fn whole<'a>(&self, parts: Vec<PartOf<'a>>, is_error: bool) -> Json<'a> {
        let mut parts = self.parts(parts);
        match self.around {
            Envelope::OneOrMany if parts.len() == 1 => parts.pop().unwrap_or(Json::small(())),
            Envelope::OneOrMany | Envelope::List => Json::Array(parts),
            Envelope::Object(list, (flag, of_failure)) => Json::object([
                (list, Json::Array(parts)),
                (flag, Json::small(is_error == of_failure)),
            ]),
        }
    }

    pub(super) fn part<'a>(&self, part: PartOf<'a>) -> Option<Json<'a>> {
        self.parts(vec![part]).pop()
    }

    /// The part of bytes of a type as a block brought them.
    pub(super) fn as_came<'a>(
        &self,
        what: What,
        data: Option<impl Into<Cow<'a, str>>>,
        mime_type: Option<&'a str>,
        uri: Option<&'a str>,
    ) -> Option<Json<'a>> {
        let media = Media {
            data: data?.into(),
            mime_type: Some(mime_type?.into()),
            uri,
        };
        self.part(PartOf::new(None, "", Part::Media(what, media)))
    }

    /// Why a note replaces the part; `None` if the target has a form for it. `counts` are the pictures and files
    /// before it.
    pub(super) fn refuses(
        &self,
        part: &PartOf<'_>,
        has_linked_images: bool,
        counts: (usize, usize),
    ) -> Option<&'static str> {
        match &part.part {
            Part::Media(what, media) => {
                let (is_read, most) = self.reads(*what, media.mime_type.as_deref());
                let is_full = match what {
                    What::Image => counts.0 >= self.max_images,
                    What::Audio => false,
                    What::File => counts.1 >= self.max_files,
                };
                if !is_read {
                    Some(self.reason)
                } else if media.bytes() > most {
                    Some("over the provider's size limit")
                } else if is_full {
                    Some("over the provider's limit on their number")
                } else if *what == What::Image && self.is_too_large(media) {
                    Some("over the provider's limit on pixels")
                } else {
                    None
                }
            }
            Part::Link(link) => {
                let is_https = link.uri.starts_with("https://");
                let has_form = match self.links {
                    Linked::No => false,
                    Linked::Pictures => has_linked_images && is_https && link.is_picture(),
                    Linked::Https => has_linked_images && is_https,
                    Linked::All => true,
                };
                (!has_form).then_some(self.reason)
            }
            Part::Document(_) => (!self.documents).then_some(self.reason),
            Part::Other(_) => Some(self.reason),
            Part::Text(_) | Part::Structured(_) => None,
        }
    }

    /// Whether it reads links that are more than text, if the policy allows.
    pub(crate) fn has_links(&self) -> bool {
        matches!(self.links, Linked::Pictures | Linked::Https)
    }

    /// Whether the picture has more pixels than the target reads; not looked at where it reads any.
    pub(super) fn is_too_large(&self, media: &Media<'_>) -> bool {
        self.pixels < u32::MAX && media.pixels().is_some_and(|it| it > self.pixels)
    }

    /// Whether this picture, sound or file of the result goes into the message after it.
    pub(super) fn is_beside(&self, media: &Media<'_>, view: &ResultView<'_>) -> bool {
        let is_of_place = match self.place {
            Place::Inside => false,
            Place::BesideFailures => view.is_error,
            Place::Beside => true,
        };
        is_of_place || self.only_beside.have(media.mime_type.as_deref())
    }
}

impl Types {
    pub(super) fn have(self, mime_type: Option<&str>) -> bool {
        match self {
            Self::Any => true,
            Self::Of(lists) => {
                mime_type.is_some_and(|it| lists.iter().any(|types| phrases::have(types, it)))
            }
        }
    }
}
