//! The subject of a search result, with its ID and link.

use qortal_apps::{
    embed::EmbedKind,
    link::{Form, Link, ResourceLink, Subject, encoded},
};
use qortal_types::{Address, AssetId, Height, Name, Service};

use crate::{
    declare::{TransactionRef, of_file, with_identifier},
    family::{
        offline::{ARTICLES, Article},
        qdn::link,
    },
};

/// The target of a result. The result's `id` identifies it as `kind:rest`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    Account(Address),
    Name(Name),
    Block(Height),
    Transaction(TransactionRef),
    Group(u32),
    Poll(String),
    Asset(AssetId),
    Topic(&'static Article),
    Resource {
        service: Service,
        name: Name,
        identifier: Option<String>,
    },
}

impl Target {
    pub(super) fn id(&self) -> String {
        match self {
            Self::Account(address) => format!("account:{address}"),
            Self::Name(name) => format!("name:{}", name.as_str()),
            Self::Block(height) => format!("block:{height}"),
            Self::Transaction(signature) => format!("transaction:{signature}"),
            Self::Group(group_id) => format!("group:{group_id}"),
            Self::Poll(name) => format!("poll:{name}"),
            Self::Asset(asset_id) => format!("asset:{asset_id}"),
            Self::Topic(article) => format!("topic:{}", article.topic),
            Self::Resource {
                service,
                name,
                identifier,
            } => match identifier {
                Some(identifier) => format!("qdn:{service}/{}/{identifier}", name.as_str()),
                None => format!("qdn:{service}/{}", name.as_str()),
            },
        }
    }

    pub(super) fn of_id(id: &str) -> Option<Self> {
        let (kind, rest) = id.split_once(':')?;
        match kind {
            "account" => rest.parse().ok().map(Self::Account),
            "name" => rest.parse().ok().map(Self::Name),
            "block" => number(rest).map(|it| Self::Block(Height::new(it))),
            "transaction" => TransactionRef::of_text(rest).map(Self::Transaction),
            "group" => number(rest).map(Self::Group),
            "poll" => Some(rest.to_owned())
                .filter(|it| !it.is_empty())
                .map(Self::Poll),
            "asset" => rest
                .parse::<u32>()
                .ok()
                .map(|it| Self::Asset(AssetId::new(it.into()))),
            "topic" => ARTICLES.iter().find(|it| it.topic == rest).map(Self::Topic),
            "qdn" => {
                let mut parts = rest.splitn(3, '/');
                Some(Self::Resource {
                    service: parts.next()?.parse().ok()?,
                    name: parts.next()?.parse().ok()?,
                    identifier: parts.next().map(str::to_owned),
                })
            }
            _ => None,
        }
    }

    /// Returns the targets of a link or a URL, the likeliest first.
    pub(super) fn of_link(text: &str) -> Vec<Self> {
        let Some(link) = Link::read(text).or_else(|| Link::find(text)) else {
            return Vec::new();
        };
        let resource = |link: &ResourceLink| {
            let link = with_identifier(link);
            Some(Self::Resource {
                service: link.service.parse().ok()?,
                name: link.name.parse().ok()?,
                identifier: link.identifier,
            })
        };
        let targets = match &link {
            Link::Resource(link) => {
                let is_name = matches!(link.form, Form::Name | Form::GatewayName);
                let name = link.name.parse().ok().filter(|_| is_name);
                [resource(link), name.map(Self::Name)]
            }
            Link::JoinGroup(group_id) => [number(&group_id.to_string()).map(Self::Group), None],
            Link::Embed(embed) if embed.kind == EmbedKind::Poll => {
                [Some(Self::Poll(embed.name.clone())), None]
            }
            Link::Embed(embed) => [of_file(embed).as_ref().and_then(resource), None],
            Link::Page(page) => {
                let value = page.value.as_str();
                let target = match page.subject {
                    Subject::Address => value.parse().ok().map(Self::Account),
                    Subject::Block => number(value).map(|height| Self::Block(Height::new(height))),
                    Subject::Transaction => TransactionRef::of_text(value).map(Self::Transaction),
                    Subject::Name => value.parse().ok().map(Self::Name),
                    Subject::Group => number(value).map(Self::Group),
                };
                [target, None]
            }
        };
        targets.into_iter().flatten().collect()
    }

    /// Returns the link: the native one of a resource, and one of the same form for everything else.
    pub(super) fn url(&self) -> String {
        match self {
            Self::Account(address) => format!("qortal://account/{address}"),
            Self::Name(name) => format!("qortal://name/{}", encoded(name.as_str())),
            Self::Block(height) => format!("qortal://block/{height}"),
            Self::Transaction(signature) => format!("qortal://tx/{signature}"),
            Self::Group(group_id) => format!("qortal://group/{group_id}"),
            Self::Poll(name) => format!("qortal://poll/{}", encoded(name)),
            Self::Asset(asset_id) => format!("qortal://asset/{asset_id}"),
            Self::Topic(article) => format!("qortal://docs/{}", article.topic),
            Self::Resource {
                service,
                name,
                identifier,
            } => link(service, name.as_str(), identifier.as_deref(), None),
        }
    }
}

/// Parses a height or the number of a group. Both are counted from 1 in 31 bits.
pub(super) fn number(text: &str) -> Option<u32> {
    text.parse()
        .ok()
        .filter(|it| (1..=2_147_483_647).contains(it))
}
