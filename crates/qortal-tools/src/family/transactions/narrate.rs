//! The effect of a transaction, in a sentence, from the fields of the Core's `TransactionData` classes.

use qortal_apps::identifier::Item;
use qortal_client::api::transactions::Transaction;
use qortal_types::{AssetId, Service, TransactionType};
use serde_json::Value as Json;

use crate::support::labels::Labels;

/// The null account, which the Core names as creator if there is none.
pub(crate) const NULL_ACCOUNT: &str = "QdSnUy6sUiEnaN87dWmE92g1uQjrvPgrWG";

/// Maximum duration of a ban or an invitation. The Core counts it in milliseconds of 32 bits (`Group.addBan`,
/// `Group.addInvite`).
const LONGEST_TERM: u64 = i32::MAX as u64 / 1_000;

/// Returns one sentence in the present tense, which does not state whether the transaction took effect. `label` names
/// an account.
pub(crate) fn narrate(
    transaction: &Transaction,
    label: &dyn Fn(&str) -> String,
    labels: &Labels,
) -> String {
    let it = Reader {
        transaction,
        label,
        labels,
    };
    let who = it.who();
    format!("{who} {}.", it.deed())
}

struct Reader<'a> {
    transaction: &'a Transaction,
    label: &'a dyn Fn(&str) -> String,
    labels: &'a Labels,
}

impl Reader<'_> {
    fn who(&self) -> String {
        if let Some(at) = self.transaction.detail("atAddress") {
            return format!("The automated transaction {}", (self.label)(at));
        }
        match &self.transaction.creator_address {
            Some(creator) if creator.as_str() == NULL_ACCOUNT => "The genesis block".to_owned(),
            Some(creator) => (self.label)(creator.as_str()),
            None => "Someone".to_owned(),
        }
    }

    fn deed(&self) -> String {
        match &self.transaction.transaction_type {
            TransactionType::Genesis => format!("gives {} to {}", self.money(), self.recipient()),
            TransactionType::Payment => format!("pays {} to {}", self.money(), self.recipient()),
            TransactionType::RegisterName => format!("registers the name {}", self.text("name")),
            TransactionType::UpdateName => match self.transaction.detail("newName") {
                new if new.is_none_or(str::is_empty) || new == self.transaction.detail("name") => {
                    format!("changes the data of the name {}", self.text("name"))
                }
                _ => format!("renames {} to {}", self.text("name"), self.text("newName")),
            },
            TransactionType::SellName => {
                format!("offers the name {} for {}", self.text("name"), self.money())
            }
            TransactionType::CancelSellName => {
                format!("withdraws the offer of the name {}", self.text("name"))
            }
            TransactionType::BuyName => format!(
                "buys the name {} from {} for {}",
                self.text("name"),
                self.account("seller"),
                self.money()
            ),
            TransactionType::CreatePoll => format!(
                "creates the poll {} with {} options",
                self.text("pollName"),
                self.length("pollOptions")
            ),
            TransactionType::VoteOnPoll => self.vote(),
            TransactionType::Arbitrary => self.publication(),
            TransactionType::IssueAsset => format!(
                "issues {} units of the asset {}",
                self.transaction.detail("quantity").unwrap_or("some"),
                self.text("assetName")
            ),
            TransactionType::TransferAsset => {
                format!("transfers {} to {}", self.money(), self.recipient())
            }
            TransactionType::CreateAssetOrder => format!(
                "places an order to give asset {} ({}) for asset {} ({}): {} of {} at {} each",
                self.number("haveAssetId"),
                self.text("haveAssetName"),
                self.number("wantAssetId"),
                self.text("wantAssetName"),
                self.transaction.detail("amount").unwrap_or("some"),
                self.text("amountAssetName"),
                self.transaction.detail("price").unwrap_or("some price")
            ),
            TransactionType::CancelAssetOrder => format!(
                "cancels the asset order {}",
                self.transaction.detail("orderId").unwrap_or("of its own")
            ),
            TransactionType::MultiPayment => self.payments(),
            TransactionType::DeployAt => format!(
                "deploys the automated transaction {} ({}) with {}",
                self.account("aTAddress"),
                self.text("name"),
                self.money()
            ),
            TransactionType::Message | TransactionType::At => self.message(),
            TransactionType::Chat => "sends a chat message".to_owned(),
            TransactionType::Publicize => "publishes its public key".to_owned(),
            TransactionType::CreateGroup => match self.transaction.details.get("groupId") {
                Some(id) => format!("creates group {id} ({})", self.text("groupName")),
                None => format!("creates the group {}", self.text("groupName")),
            },
            TransactionType::UpdateGroup => format!(
                "changes {}, owner {}",
                self.group(),
                self.account("newOwner")
            ),
            TransactionType::AddGroupAdmin => {
                format!(
                    "makes {} an admin of {}",
                    self.account("member"),
                    self.group()
                )
            }
            TransactionType::RemoveGroupAdmin => format!(
                "takes the rights of an admin of {} from {}",
                self.group(),
                self.account("admin")
            ),
            TransactionType::GroupBan => {
                let (offender, group) = (self.account("offender"), self.group());
                match self.term() {
                    None => format!("bans {offender} from {group} for ever"),
                    Some(term) => format!("bans {offender} from {group} {term}"),
                }
            }
            TransactionType::CancelGroupBan => {
                format!(
                    "lifts the ban of {} from {}",
                    self.account("member"),
                    self.group()
                )
            }
            TransactionType::GroupKick => {
                format!(
                    "removes {} from {}, or refuses its request to join",
                    self.account("member"),
                    self.group()
                )
            }
            TransactionType::GroupInvite => {
                let invites = format!("invites {} to {}", self.account("invitee"), self.group());
                match self.term() {
                    None => invites,
                    Some(term) => format!("{invites} {term}"),
                }
            }
            TransactionType::CancelGroupInvite => {
                "cancels an invitation to a group (the node does not report whose)".to_owned()
            }
            TransactionType::JoinGroup => format!("joins {}, or requests to", self.group()),
            TransactionType::LeaveGroup => format!("leaves {}", self.group()),
            TransactionType::GroupApproval => {
                let approves = self
                    .transaction
                    .details
                    .get("approval")
                    .and_then(Json::as_bool);
                format!(
                    "{} the transaction {}",
                    if approves == Some(true) {
                        "approves"
                    } else {
                        "rejects"
                    },
                    self.transaction
                        .detail("pendingSignature")
                        .unwrap_or("of a group")
                )
            }
            TransactionType::SetGroup => format!(
                "makes group {} the default of its transactions",
                self.number("defaultGroupId")
            ),
            TransactionType::UpdateAsset => format!(
                "changes asset {}, owner {}",
                self.number("assetId"),
                self.account("newOwner")
            ),
            TransactionType::AccountFlags => {
                format!("changes the flags of {}", self.account("target"))
            }
            TransactionType::RewardShare => self.reward_share(),
            TransactionType::AccountLevel => format!(
                "sets the level of {} to {}",
                self.account("target"),
                self.number("level")
            ),
            TransactionType::TransferPrivs => self.privileges(),
            TransactionType::Presence => "reports that it is online".to_owned(),
            other => format!("makes a transaction of type {other}"),
        }
    }

    fn publication(&self) -> String {
        let service = u32::try_from(self.number("service")).ok();
        let service = service.and_then(Service::from_id).map_or_else(
            || format!("service {}", self.number("service")),
            |it| it.to_string(),
        );
        let identifier = match self.transaction.detail("identifier") {
            Some(_) => format!(" as {}", self.text("identifier")),
            None => String::new(),
        };
        let name = match self.transaction.detail("name") {
            Some(_) => format!(" under the name {}", self.text("name")),
            None => String::new(),
        };
        let identifier_text = self.transaction.detail("identifier");
        let kind = match Item::read(&service, identifier_text) {
            Some(item) => format!(" ({item})"),
            None => String::new(),
        };
        format!(
            "publishes {} bytes of {service}{name}{identifier}{kind} on QDN",
            self.number("size")
        )
    }

    fn payments(&self) -> String {
        let payments = self
            .transaction
            .details
            .get("payments")
            .and_then(Json::as_array);
        match payments.map(Vec::as_slice) {
            Some([only]) => {
                let text = |name| only.get(name).and_then(Json::as_str).unwrap_or("some");
                let asset = only.get("assetId").and_then(Json::as_u64).unwrap_or(0);
                let amount = self.amount_of(text("amount"), asset);
                format!("pays {amount} to {}", (self.label)(text("recipient")))
            }
            Some(several) => format!("makes {} payments", several.len()),
            None => "makes payments".to_owned(),
        }
    }

    fn message(&self) -> String {
        let is_message = self.transaction.transaction_type == TransactionType::Message
            || self.transaction.details.contains_key("message");
        let pays = self.transaction.amount().is_some_and(|it| it.units() > 0);
        match (is_message, pays) {
            (true, true) => format!(
                "sends a message to {} with {}",
                self.recipient(),
                self.money()
            ),
            (true, false) => format!("sends a message to {}", self.recipient()),
            (false, _) => format!("pays {} to {}", self.money(), self.recipient()),
        }
    }

    fn reward_share(&self) -> String {
        let percent = self.transaction.detail("sharePercent").unwrap_or("some");
        if percent.starts_with('-') {
            return format!("ends its reward share with {}", self.recipient());
        }
        if self.transaction.recipient == self.transaction.creator_address {
            return "makes a key to mint with for itself (self share)".to_owned();
        }
        format!(
            "shares {percent} percent of its minting rewards with {}",
            self.recipient()
        )
    }

    fn money(&self) -> String {
        let amount = self.transaction.detail("amount").unwrap_or("an amount");
        self.amount_of(amount, self.number("assetId"))
    }

    fn amount_of(&self, amount: &str, asset: u64) -> String {
        if asset == 0 {
            return format!("{amount} QORT");
        }
        match self.labels.assets.get(AssetId::new(asset)) {
            Some(name) => format!("{amount} of asset {asset} ({name:?})"),
            None => format!("{amount} of asset {asset}"),
        }
    }

    fn vote(&self) -> String {
        let index = self.number("optionIndex");
        let poll = self.transaction.detail("pollName").unwrap_or_default();
        let option = self.labels.option(poll, index);
        let option = option.map_or_else(String::new, |it| format!(" ({it:?})"));
        format!(
            "votes for option number {}{option} of the poll {poll:?}",
            index.saturating_add(1)
        )
    }

    /// Returns the duration of a ban or an invitation, or `None` if it has no end.
    fn term(&self) -> Option<String> {
        let seconds = self.number("timeToLive");
        (seconds != 0).then(|| {
            let fault = if seconds > LONGEST_TERM {
                ", which the Core ends at a wrong time because it is more than 24.8 days"
            } else {
                ""
            };
            format!("for {seconds} seconds{fault}")
        })
    }

    /// Returns a sentence with the recipient, which the node does not return: it is the account whose transactions
    /// these are, unless that created this one.
    fn privileges(&self) -> String {
        let recipient = self.labels.party;
        let recipient = recipient.filter(|it| self.transaction.creator_address != Some(*it));
        match recipient {
            Some(it) => format!(
                "gives its minting privileges to {}",
                (self.label)(it.as_str())
            ),
            None => {
                "gives its minting privileges to another account (the node does not report which)"
                    .to_owned()
            }
        }
    }

    fn recipient(&self) -> String {
        self.transaction.recipient.as_ref().map_or_else(
            || "no one in particular".to_owned(),
            |it| (self.label)(it.as_str()),
        )
    }

    fn account(&self, member: &str) -> String {
        self.transaction
            .detail(member)
            .map_or_else(|| "an account".to_owned(), self.label)
    }

    fn group(&self) -> String {
        match u32::try_from(self.number("groupId")) {
            Ok(group_id) => self.labels.groups.label(group_id),
            Err(_) => format!("group {}", self.number("groupId")),
        }
    }

    /// Returns a stranger's text in quotes, with control characters escaped.
    fn text(&self, member: &str) -> String {
        format!("{:?}", self.transaction.detail(member).unwrap_or_default())
    }

    fn number(&self, member: &str) -> u64 {
        let member = self.transaction.details.get(member);
        member.and_then(Json::as_u64).unwrap_or_default()
    }

    fn length(&self, member: &str) -> usize {
        let member = self.transaction.details.get(member);
        member.and_then(Json::as_array).map_or(0, Vec::len)
    }
}
