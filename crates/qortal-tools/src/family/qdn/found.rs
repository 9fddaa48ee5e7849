//! Resources in lists, in the form shown by their apps.

use std::collections::{BTreeMap, HashMap};

use qortal_apps::{
    identifier::{Item, Kind},
    marker::Description,
    qdn::{category, is_deleted},
};
use qortal_client::api::arbitrary::Resource;
use qortal_types::{Service, Timestamp};

use super::link;
use crate::{
    declare::Page,
    support::untrusted::{Untrusted, UntrustedFields},
};

/// The status of a resource whose publisher deleted it.
pub(super) const DELETED: &str = "DELETED";

record! {
    pub(super) struct FoundResource {
        /// Its service.
        service: String,
        /// The publisher's name.
        name: Untrusted,
        /// Distinguishes resources of one name and service. Absent if it has none.
        identifier: Option<Untrusted>,
        /// Its kind, if an official app uses such identifiers: `Q-Tube video`, `thread post in group 3`.
        kind: Option<String>,
        /// Whether its publisher deleted it.
        is_deleted: Option<bool>,
        /// Whether its service is one for encrypted data.
        is_encrypted: Option<bool>,
        /// The recipient of a mail.
        recipient: Option<Untrusted>,
        /// The publisher's title.
        title: Option<Untrusted>,
        /// The publisher's description.
        description: Option<Untrusted>,
        /// Fields its app puts before the description.
        fields: Option<UntrustedFields>,
        /// The category it was put in.
        category: Option<String>,
        /// Its status on this node, on request.
        status: Option<String>,
        /// Bytes, as stated on the chain.
        size: Option<u64>,
        /// The time of its first publication.
        created: Option<Timestamp>,
        /// The time of its last publication. Absent if published only once.
        updated: Option<Timestamp>,
        /// Its native link.
        link: String,
        /// The native link of the described file. It is not listed again.
        file_link: Option<String>,
        /// Size of the file in bytes.
        file_size: Option<u64>
    }
}

impl From<Resource> for FoundResource {
    fn from(resource: Resource) -> Self {
        let item = item(&resource.service, resource.identifier.as_deref());
        let metadata = resource.metadata;
        let (title, description, category) = metadata.map_or((None, None, None), |metadata| {
            (metadata.title, metadata.description, metadata.category)
        });
        let is_deleted = is_deleted(item.as_ref(), resource.size);
        let (description, fields) = described(item.as_ref(), description);
        let status = resource.status.map(|status| status.status.to_string());
        Self {
            link: link(
                &resource.service,
                &resource.name,
                resource.identifier.as_deref(),
                None,
            ),
            kind: item.as_ref().map(Item::to_string),
            is_deleted: is_deleted.then_some(true),
            is_encrypted: resource.service.is_private().then_some(true),
            recipient: recipient(item.as_ref()),
            service: resource.service.to_string(),
            name: resource.name.into(),
            identifier: resource.identifier.map(Untrusted),
            title: title.map(Untrusted),
            description,
            fields,
            category,
            status: status.map(|status| match is_deleted {
                true => DELETED.to_owned(),
                false => status,
            }),
            size: resource.size,
            created: resource.created,
            updated: resource.updated,
            file_link: None,
            file_size: None,
        }
    }
}

/// Returns the item of an official app that a resource represents.
pub(crate) fn item(service: &Service, identifier: Option<&str>) -> Option<Item> {
    Item::read(service.as_str(), identifier)
}

pub(super) fn recipient(item: Option<&Item>) -> Option<Untrusted> {
    let recipient = item?.recipient.as_ref()?;
    Some(recipient.to_string().into())
}

/// Splits a description into the displayed text and the fields of its app.
pub(super) fn described(
    item: Option<&Item>,
    description: Option<String>,
) -> (Option<Untrusted>, Option<UntrustedFields>) {
    let description = description.unwrap_or_default();
    let read = Description::read(&description);
    let mut fields = BTreeMap::<String, String>::new();
    for (name, value) in &read.fields {
        // In other apps, the numbers have other meanings.
        let is_video = item.is_some_and(|it| matches!(it.kind, Kind::Video | Kind::Playlist));
        let number = value
            .parse()
            .ok()
            .filter(|_| is_video && *name == "category");
        let shown = number.and_then(category).unwrap_or(value);
        let field = fields.entry((*name).to_owned()).or_default();
        if !field.is_empty() {
            field.push_str(", ");
        }
        field.push_str(shown);
    }
    let text = Some(read.text.to_owned()).filter(|text| !text.is_empty());
    let fields = Some(UntrustedFields(fields)).filter(|fields| !fields.0.is_empty());
    (text.map(Untrusted), fields)
}

/// Merges a file with the document that describes it under the same title. The document has the text.
pub(super) fn without_twins(resources: Page<Resource>) -> Page<FoundResource> {
    let key = |resource: &Resource| {
        let identifier = resource.identifier.clone().unwrap_or_default();
        (resource.name.clone(), identifier)
    };
    let is_file = |service: &Service| matches!(service, Service::Video | Service::File);
    let files = resources.items.iter().filter(|it| is_file(&it.service));
    let files: HashMap<_, _> = files
        .map(|file| (key(file), (file.service.clone(), file.size)))
        .collect();
    let described = |resource: &Resource| {
        let item = item(&resource.service, resource.identifier.as_deref())?;
        Some((resource.name.clone(), item.described?))
    };
    let documents: Vec<_> = resources.items.iter().filter_map(described).collect();
    resources.filter_map(|resource| {
        if is_file(&resource.service) && documents.contains(&key(&resource)) {
            return None;
        }
        let file = described(&resource);
        let file = file.and_then(|key| Some((files.get(&key)?, key)));
        let mut found = FoundResource::from(resource);
        if let Some(((service, size), (name, identifier))) = file {
            found.file_link = Some(link(service, &name, Some(&identifier), None));
            found.file_size = *size;
        }
        Some(found)
    })
}
