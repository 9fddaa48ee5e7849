//! The meanings of links and URLs.

use qortal_apps::{
    embed::EmbedKind,
    link::{Form, Link, Page, ResourceLink, Subject},
};
use qortal_types::{Name, Service};

use super::{Meaning, NearMiss, address, call, key_or_signature, meaning, number, of_name};
use crate::{
    Object,
    declare::{Next, of_file, with_identifier},
    uri::is_own,
};

pub(super) const LINK: &str = "QDN link";
pub(super) const RESOURCE: &str = "resource URI";
pub(super) const GROUP_LINK: &str = "group link";
pub(super) const POLL_LINK: &str = "poll link";

/// Adds the meanings of a link, which may be inside a sentence.
pub(super) fn add(text: &str, meanings: &mut Vec<Meaning>, near_misses: &mut Vec<NearMiss>) {
    if is_own(text) {
        let explanation = "The address of a resource of this server, which a host can read.";
        meanings.push(meaning(RESOURCE, explanation, None));
        return;
    }
    match Link::read(text).or_else(|| Link::find(text)) {
        Some(Link::Resource(link)) => match of_resource(&link) {
            Ok(found) => meanings.push(found),
            Err(problem) => near_misses.push(NearMiss {
                kind: "link",
                problem,
            }),
        },
        Some(Link::JoinGroup(group_id)) => meanings.push(meaning(
            GROUP_LINK,
            format!("Opens the dialog of Qortal Hub to join group {group_id}."),
            call("get_group", "group_id", group_id.to_string()),
        )),
        Some(Link::Embed(embed)) if embed.kind == EmbedKind::Poll => meanings.push(meaning(
            POLL_LINK,
            "A card with a poll, which programs show in a chat message.",
            call("get_poll", "poll_name", embed.name),
        )),
        Some(Link::Embed(embed)) => {
            let Some(link) = of_file(&embed) else {
                return;
            };
            let Ok(found) = of_resource(&link) else {
                return;
            };
            let encrypted = match embed.encryption.as_deref() {
                Some("private") => {
                    " The file is encrypted. The link contains its key, which is left out here: whoever has the link can read the file."
                }
                Some(_) => " The file is encrypted for the members of a group.",
                None => "",
            };
            let card = "A card with a file, which programs show in a chat message.";
            meanings.push(Meaning {
                explanation: format!("{card} {}{encrypted}", found.explanation),
                ..found
            });
        }
        Some(Link::Page(page)) => of_page(&page, meanings, near_misses),
        None => {}
    }
}

fn of_resource(link: &ResourceLink) -> Result<Meaning, String> {
    let service = link.service.parse::<Service>();
    let service = service.map_err(|_| format!("{} is not a QDN service", link.service))?;
    let name = link.name.parse::<Name>();
    let name = name.map_err(|err| format!("{:?} is not a name: {err}", link.name))?;
    let read = with_identifier(link);
    let mut arguments = Object::new();
    arguments.insert("service".to_owned(), service.as_str().into());
    arguments.insert("name".to_owned(), name.as_str().into());
    if let Some(identifier) = &read.identifier {
        arguments.insert("identifier".to_owned(), identifier.as_str().into());
    }
    let mut explanation = match link.form {
        Form::Name => format!("The website of the name {:?}.", name.as_str()),
        Form::GatewayName => format!(
            "If this host is a gateway to Qortal, the website of the name {:?}.",
            name.as_str()
        ),
        Form::Native | Form::Node | Form::Gateway => format!(
            "A resource on QDN: {service} published under the name {:?}.",
            name.as_str()
        ),
    };
    if !read.path.is_empty() {
        explanation.push_str(&format!(
            " {:?} is a place inside it. Older programs take the first part for an identifier, if something is published under it.",
            read.path.join("/")
        ));
    } else if link.identifier.is_none() && read.identifier.is_some() {
        explanation.push_str(" What follows the name is the identifier.");
    }
    explanation.push_str(&format!(" Qortal Hub opens it as {read}."));
    let next = Next {
        tool: "get_qdn_resource_status",
        arguments,
    };
    Ok(meaning(LINK, explanation, Some(next)))
}

/// Adds the meanings of the subject of a page.
fn of_page(page: &Page, meanings: &mut Vec<Meaning>, near_misses: &mut Vec<NearMiss>) {
    let first = meanings.len();
    let value = page.value.as_str();
    match page.subject {
        Subject::Address => address(value, meanings, near_misses),
        Subject::Transaction => meanings.extend(key_or_signature(value)),
        Subject::Block => {
            meanings.extend(key_or_signature(value));
            let heights = number(value).into_iter().filter(|it| it.kind == "height");
            meanings.extend(heights);
        }
        Subject::Name => meanings.extend(value.parse().ok().map(|name| of_name(&name))),
        Subject::Group => meanings.push(meaning(
            "group",
            format!("Group {value}."),
            call("get_group", "group_id", value),
        )),
    }
    for found in meanings.iter_mut().skip(first) {
        let explanation = format!("In this web address: {value}. {}", found.explanation);
        found.explanation = explanation;
    }
}
