//! Links and URLs pasted in place of a name, an identifier, an address or a signature.

use qortal_apps::{
    embed::{Embed, EmbedKind, without_keys},
    link::{Form, Link, ResourceLink, SCHEME, Subject},
};
use qortal_types::Service;
use tool_schema::{ArgumentReader, Object};

/// Parameters whose text may legitimately be a link.
const FREE: [&str; 6] = ["id", "query", "text", "terms", "value", "words"];

/// Names of arguments that hold a link and are not parameters.
const LINKS: [&str; 4] = ["link", "url", "uri", "resource"];

/// Reads link arguments as the arguments they stand for, if the tool has these.
pub(super) fn accept(arguments: &mut ArgumentReader<'_>, parameters: &[String]) {
    // Every link has a slash, and most calls have none.
    let has_slash = |name| arguments.text(name).is_some_and(|text| text.contains('/'));
    if !arguments.unread_names().any(has_slash) {
        return;
    }
    hide_keys(arguments);
    let has = |name: &str| parameters.iter().any(|it| it == name);
    let is_link = |arguments: &ArgumentReader<'_>, name: &str| {
        let text = arguments.text(name)?;
        let link = text.contains('/').then(|| Link::read(text))??;
        Some((name.to_owned(), link))
    };
    let sent = arguments.unread_names().filter(|name| {
        // A link narrows a search for resources to the one that it names.
        let is_search = *name == "query" && has("service") && has("identifier");
        let is_free = FREE.contains(name) && has(name) && !is_search;
        !is_free && (has(name) || LINKS.contains(name))
    });
    let links: Vec<_> = sent.filter_map(|name| is_link(arguments, name)).collect();
    for (name, link) in links {
        let meaning = match &link {
            Link::Resource(link) if has("service") && has("name") => {
                let is_website = matches!(link.form, Form::Name | Form::GatewayName);
                let is_given = name != "service" && arguments.has("service");
                of_resource(link, !(is_website && is_given), has)
            }
            Link::Embed(embed) if has("service") && has("name") => of_file(embed)
                .map(|link| of_resource(&link, true, has))
                .unwrap_or_default(),
            Link::Resource(link) => one(named(&name, "name"), &link.name),
            Link::Embed(embed) if embed.kind == EmbedKind::Poll => {
                one(named(&name, "poll_name"), &embed.name)
            }
            Link::Embed(_) => Object::new(),
            Link::JoinGroup(group_id) => one(named(&name, "group_id"), &group_id.to_string()),
            Link::Page(page) => one(named(&name, parameter(page.subject)), &page.value),
        };
        let is_meant = |name: &String| has(name);
        if !meaning.is_empty() && meaning.keys().all(is_meant) {
            arguments.replace_with(&name, meaning);
        }
    }
}

/// Returns the parameter that an argument stands for: itself, unless it only holds a link.
fn named<'a>(name: &'a str, parameter: &'a str) -> &'a str {
    if LINKS.contains(&name) {
        parameter
    } else {
        name
    }
}

/// Returns the parameter that most tools have for a subject.
const fn parameter(subject: Subject) -> &'static str {
    match subject {
        Subject::Address => "address",
        Subject::Block => "height",
        Subject::Transaction => "signature",
        Subject::Name => "name",
        Subject::Group => "group_id",
    }
}

/// Removes the keys from links in all arguments, because answers and errors quote them.
fn hide_keys(arguments: &mut ArgumentReader<'_>) {
    let shown = |name: &str| {
        let text = arguments.text(name)?;
        let shown = without_secrets(text);
        (shown != text).then(|| (name.to_owned(), shown))
    };
    let hidden: Vec<_> = arguments.unread_names().filter_map(shown).collect();
    for (name, text) in hidden {
        arguments.override_value(&name, text.into());
    }
}

/// Returns a text without the keys of its links, which are secret. The scheme of a link matches in any case.
fn without_secrets(text: &str) -> String {
    let start = text.get(..SCHEME.len()).unwrap_or_default();
    if start.eq_ignore_ascii_case(SCHEME) {
        without_keys(&text.replacen(start, SCHEME, 1)).into_owned()
    } else {
        without_keys(text).into_owned()
    }
}

fn one(name: &str, value: &str) -> Object {
    Object::from_iter([(name.to_owned(), value.into())])
}

/// Returns the resource with the file of a card.
pub(crate) fn of_file(embed: &Embed) -> Option<ResourceLink> {
    let service = embed.service.as_deref().unwrap_or(match embed.kind {
        EmbedKind::Image => "IMAGE",
        EmbedKind::Video => "VIDEO",
        EmbedKind::Attachment => "ATTACHMENT",
        _ => return None,
    });
    let service = service.to_ascii_uppercase();
    let identifier = embed.identifier.as_deref();
    Some(ResourceLink::new(&service, &embed.name, identifier))
}

/// Returns the link with its identifier in its own field. In a resource with a single file, nothing else can follow the name.
pub(crate) fn with_identifier(link: &ResourceLink) -> ResourceLink {
    let service = link.service.parse::<Service>();
    let is_file = service.is_ok_and(|service| service.is_single_file());
    match is_file {
        true => link.clone().with_identifier_in_path(),
        false => link.clone(),
    }
}

/// Returns the arguments that a link to a resource stands for.
fn of_resource(link: &ResourceLink, with_service: bool, has: impl Fn(&str) -> bool) -> Object {
    let link = with_identifier(link);
    let mut meaning = one("name", &link.name);
    if with_service {
        meaning.insert("service".to_owned(), link.service.as_str().into());
    }
    if let Some(identifier) = link.identifier.filter(|_| has("identifier")) {
        meaning.insert("identifier".to_owned(), identifier.into());
    }
    // A path without an extension is a place inside an app, not a file.
    let is_file = link.path.last().is_some_and(|file| file.contains('.'));
    if is_file && has("filepath") {
        meaning.insert("filepath".to_owned(), link.path.join("/").into());
    }
    meaning
}
