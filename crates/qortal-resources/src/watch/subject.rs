//! Subjects of watches: their names, the resources that signal their changes, and the data to compare.

use qortal_tools::{ToolError, uri::expand};
use qortal_types::Amount;
use serde_json::json;

use super::{
    account::Account,
    answer::{Answer, NAME, NODE, QDN_STATUS, TRADE},
    blocks::Blocks,
    change::{Change, number, text},
    chat::Chat,
    group::Group,
    offers::Offers,
    reader::{Reader, with},
};

/// The subject of a watch. Names and IDs take the same forms as in the tools.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// An account, by address or registered name: its payments, its level and its minting.
    Account(String),
    /// A trade, by the address of its automated transaction: its steps and the online status of its seller.
    Trade(String),
    /// The offers of QORT for one coin.
    Offers {
        /// The coin, such as `LITECOIN` or `LTC`.
        coin: String,
        /// Upper bound of the price of one QORT in the coin. Only cheaper offers are watched.
        below: Option<Amount>,
    },
    /// A name, registered or not: its owner, its price and its data.
    Name(String),
    /// A group, by ID or name: its join requests, members, admins, bans and settings.
    Group(String),
    /// The chat of a group, by ID or name.
    Chat(String),
    /// The direct chat of two accounts, by address or registered name, except for encrypted messages.
    DirectChat(String, String),
    /// A QDN resource: its publications, and the amount of its data on this node.
    Resource {
        /// The service, such as `WEBSITE`.
        service: String,
        /// The registered name of the publisher.
        name: String,
        /// The identifier, empty for the default one.
        identifier: String,
    },
    /// The node: its health and its reachability.
    Node,
    /// The blocks.
    Tip,
}

impl Subject {
    /// Returns the subject's name in changes, such as `account rita-trades`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Account(account) => format!("account {account}"),
            Self::Trade(at) => format!("trade {at}"),
            Self::Offers { coin, below: None } => format!("offers {coin}"),
            Self::Offers {
                coin,
                below: Some(price),
            } => format!("offers {coin} below {price}"),
            Self::Name(name) => format!("name {name}"),
            Self::Group(group) => format!("group {group}"),
            Self::Chat(group) => format!("chat {group}"),
            Self::DirectChat(one, other) => format!("chat {one} {other}"),
            Self::Resource {
                service,
                name,
                identifier,
            } => format!("resource {service} {name} {identifier}")
                .trim_end()
                .to_owned(),
            Self::Node => "node".to_owned(),
            Self::Tip => "tip".to_owned(),
        }
    }

    /// Returns a short description of the watched changes.
    #[must_use]
    pub const fn description(&self) -> &'static str {
        match self {
            Self::Account(_) => "payments to it, its level, and whether it mints",
            Self::Trade(_) => "its next step",
            Self::Offers { .. } => "offers that come or go",
            Self::Name(_) => "its owner, price and data",
            Self::Group(_) => "requests to join, and what members and admins do",
            Self::Chat(_) | Self::DirectChat(..) => "messages",
            Self::Resource { .. } => "publications, and their status on this node",
            Self::Node => "its health",
            Self::Tip => "blocks",
        }
    }

    /// Reads the current state.
    pub(super) async fn begin(&self, reader: Reader<'_>) -> Result<Watched, ToolError> {
        Ok(match self {
            Self::Account(account) => {
                let arguments = json!({"address": account});
                let found = reader.answer("get_account_overview", arguments).await?;
                let address = text(&found, "address");
                let account = Account::begin(reader, address).await?;
                Watched::new(
                    "qortal://account/{address}",
                    &[("address", address)],
                    [account],
                )
            }
            Self::Trade(at) => {
                let arguments = json!({"at_address": at});
                // The trade must exist now. Later it may be missing, after a reorganization.
                reader.answer("explain_trade", arguments.clone()).await?;
                let answer = Answer::begin(reader, TRADE, arguments).await?;
                Watched::new(
                    "qortal://trade/{at_address}",
                    &[("at_address", at)],
                    [answer],
                )
            }
            Self::Offers { coin, below } => {
                let offers = Offers::begin(reader, coin, *below).await?;
                Watched::new(
                    "qortal://trade/offers/{blockchain}",
                    &[("blockchain", coin)],
                    [offers],
                )
            }
            Self::Name(name) => {
                let answer = Answer::begin(reader, NAME, json!({"name": name})).await?;
                Watched::new("qortal://name/{name}", &[("name", name)], [answer])
            }
            Self::Group(group) => {
                let found = reader
                    .answer("get_group", json!({"group_id": group}))
                    .await?;
                let group = Group::begin(reader, &found).await?;
                let id = number(&found, "groupId").to_string();
                Watched::new("qortal://group/{group_id}", &[("group_id", &id)], [group])
            }
            Self::Chat(group) => {
                let found = reader
                    .answer("get_group", json!({"group_id": group}))
                    .await?;
                let id = number(&found, "groupId").to_string();
                let chat = Chat::begin(reader, json!({"group_id": id})).await?;
                Watched::new(
                    "qortal://chat/group/{group_id}",
                    &[("group_id", &id)],
                    [chat],
                )
            }
            Self::DirectChat(one, other) => {
                let chat = Chat::begin(reader, json!({"involving": [one, other]})).await?;
                let template = "qortal://chat/direct/{address}/{other_address}";
                Watched::new(
                    template,
                    &[("address", one), ("other_address", other)],
                    [chat],
                )
            }
            Self::Resource {
                service,
                name,
                identifier,
            } => {
                let arguments = json!({"service": service, "name": name});
                let arguments = match identifier.as_str() {
                    "" => arguments,
                    identifier => with(arguments, "identifier", identifier),
                };
                let status = Answer::begin(reader, QDN_STATUS, arguments).await?;
                let published = Blocks::publications(reader, service, name, identifier).await?;
                let template = "qortal://qdn-status/{service}/{name}";
                let parts = [Part::Answer(status), Part::Blocks(published)];
                Watched::new(template, &[("service", service), ("name", name)], parts)
            }
            Self::Node => {
                let answer = Answer::begin(reader, NODE, json!({})).await?;
                Watched::new("qortal://node/status", &[], [answer])
            }
            Self::Tip => {
                let blocks = Blocks::tip(reader).await?;
                Watched::new("qortal://chain/tip", &[], [blocks])
            }
        })
    }
}

/// A subject and its state at the last check.
#[derive(Debug)]
pub(super) struct Watched {
    /// The resource whose signal indicates a possible change.
    pub(super) uri: String,
    parts: Vec<Part>,
}

macro_rules! parts {
    ($($part:ident),+) => {
        #[derive(Debug)]
        enum Part { $($part($part)),+ }

        $(impl From<$part> for Part {
            fn from(it: $part) -> Self {
                Self::$part(it)
            }
        })+

        impl Part {
            fn state(&self) -> String {
                match self { $(Self::$part(it) => it.state()),+ }
            }

            async fn look(&mut self, reader: Reader<'_>) -> Result<Vec<Change>, ToolError> {
                match self { $(Self::$part(it) => it.look(reader).await),+ }
            }
        }
    };
}

parts!(Account, Answer, Blocks, Chat, Group, Offers);

impl Watched {
    fn new(
        template: &'static str,
        values: &[(&str, &str)],
        parts: impl IntoIterator<Item = impl Into<Part>>,
    ) -> Self {
        let value = |name: &str| values.iter().find(|(it, _)| *it == name);
        Self {
            uri: expand(template, |name| value(name).map(|(_, it)| *it)),
            parts: parts.into_iter().map(Into::into).collect(),
        }
    }

    /// Returns a short description of the current state.
    pub(super) fn state(&self) -> String {
        self.parts.iter().map(Part::state).collect()
    }

    /// Adds the changes since the last check. Changes found before a failure are added as well, and are not repeated.
    pub(super) async fn look(
        &mut self,
        reader: Reader<'_>,
        changes: &mut Vec<Change>,
    ) -> Result<(), ToolError> {
        for part in &mut self.parts {
            changes.extend(part.look(reader).await?);
        }
        Ok(())
    }
}
