//! The availability of a name, and similar registered names.

use qortal_client::{
    ApiError, NodeError, PageRequest,
    api::{
        names::{NameMatch, RegisteredName},
        transactions::Transaction,
    },
};
use qortal_types::{Address, Amount, Name, Reduced, TransactionType, main_net::NAME_FEES};

use super::FoundName;
use crate::{
    declare::{Context, NodeResult, Tool, ToolError, TransactionId},
    support::{nearest, untrusted::Untrusted},
};

/// Maximum number of similar names shown.
const SIMILAR: usize = 10;
/// Maximum number of names compared, for each way of finding them.
const COMPARED: u32 = 100;
/// Maximum number of pending registrations read.
const UNDER_WAY: u32 = 100;

params! {
    pub(super) struct CheckName {
        /// Name to check.
        name: Name
    }
}

record! {
    pub(super) struct CheckedName {
        /// The name as it would be registered.
        name: String,
        /// The reduced form. Names must differ in it.
        reduced_name: String,
        /// Whether it can be registered: it is valid, not taken, and no registration of it is under way.
        is_available: bool,
        /// The Core's validation error for the name itself. Absent if it is valid.
        rejection: Option<&'static str>,
        /// The conflicting name. Only when it is taken.
        taken_by: Option<TakenName>,
        /// The registrations or renamings under way for it.
        under_way: Option<Vec<UnderWay>>,
        /// The fee of a registration now, in QORT, paid once.
        registration_fee: Option<Amount>,
        /// The rules of names and fees, in sentences.
        rules: Vec<String>,
        /// Similar registered names, the nearest first, at most 10.
        similar: Option<Vec<FoundName>>
    }

    pub(super) struct TakenName {
        /// The name as it was registered.
        name: Untrusted,
        /// Whether it is exactly the requested name, not a look-alike.
        is_exact: bool,
        /// The owner's address.
        owner: Address,
        /// Whether it is for sale.
        is_for_sale: bool,
        /// The price in QORT, if it is.
        sale_price: Option<Amount>
    }

    pub(super) struct UnderWay {
        /// The requested name.
        name: Untrusted,
        /// The requesting account.
        address: Option<Address>,
        /// `unconfirmed`, or `waiting for group approval`.
        state: &'static str,
        /// The transaction.
        transaction: TransactionId
    }
}

impl Tool for CheckName {
    const NAME: &str = "check_name";
    const TITLE: &str = "Name availability";
    const DESCRIPTION: &str = "Can a name be registered? Taken, look-alikes, pending, for sale, the fee. Names that exist: get_name_info.";
    const EXAMPLE: &str = r#"{"name":"A1ice Test"}"#;
    const KEYWORDS: &str =
        "name free, name taken, register name, name cost, register, rename, allowed name";
    type Output = CheckedName;

    /// Sends six requests at once: the name, names like it in two ways, pending registrations in two states, and the fee.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let name = self.name;
        let asked = name.as_str();
        let taken = async { cx.node.name(asked).await.none_if(ApiError::NAME_UNKNOWN) };
        let beginning = nearest::beginning(asked);
        let like = async |text: &str, place| {
            cx.node
                .search_names(text, place, PageRequest::first(COMPARED))
                .await
        };
        let types = [TransactionType::RegisterName, TransactionType::UpdateName];
        let page = PageRequest::last(UNDER_WAY);
        let similar_names = async {
            tokio::try_join!(
                like(&beginning, NameMatch::Prefix),
                like(asked, NameMatch::Anywhere),
            )
        };
        let under_way = async {
            tokio::try_join!(
                cx.node.unconfirmed_transactions(&types, None, page),
                cx.node.pending_transactions(None, page),
            )
        };
        let (taken, similar_names, under_way, registration_fee) = tokio::try_join!(
            taken,
            cx.optional("Similar names are", similar_names),
            cx.optional("Registrations under way are", under_way),
            cx.optional("The fee is", fee(cx)),
        )?;
        let reduced = name.reduced();
        let under_way = under_way.map(|(unconfirmed, pending)| -> Vec<UnderWay> {
            let unconfirmed = wanting(&reduced, unconfirmed, "unconfirmed");
            let pending = wanting(&reduced, pending, "waiting for group approval");
            unconfirmed.chain(pending).collect()
        });
        let is_wanted = under_way.as_ref().is_some_and(|it| !it.is_empty());
        let rejection = rejection(&name);
        let is_available = rejection.is_none() && taken.is_none() && !is_wanted;
        let similar =
            similar_names.map(|(alike, longer)| similar(&reduced, taken.as_ref(), alike, longer));
        Ok(CheckedName {
            reduced_name: reduced.text().to_owned(),
            is_available,
            rejection,
            taken_by: taken.map(|it| TakenName {
                is_exact: it.name == asked,
                is_for_sale: it.is_for_sale,
                sale_price: it.asked_price(),
                name: it.name.into(),
                owner: it.owner,
            }),
            under_way,
            registration_fee,
            rules: rules(&name, is_available),
            similar,
            name: name.to_string(),
        })
    }
}

/// Returns the error of `RegisterNameTransaction.isValid` and `UpdateNameTransaction.isValid` for a name whose length
/// and normalized form are valid, which [`Name`] guarantees. A name must not be valid for `Crypto.isValidAddress`.
fn rejection(name: &Name) -> Option<&'static str> {
    let address = name.as_str().parse::<Address>();
    address.is_ok().then_some(
        "INVALID_ADDRESS: a valid Qortal address cannot be a name, whether or not the address is in use.",
    )
}

/// Returns the rules of the Core's classes `Name`, `Unicode` and `RegisterNameTransaction`, and the fees of the main network.
fn rules(name: &Name, is_available: bool) -> Vec<String> {
    let fees = NAME_FEES.iter().rev().map(|it| {
        let since = it.since.to_string();
        let day = since.get(..10).unwrap_or_default().to_owned();
        let fee = it.fee.to_string();
        format!(
            "{} QORT since {day}",
            fee.trim_end_matches('0').trim_end_matches('.')
        )
    });
    let mut rules = vec![
        format!(
            "A name has {} to {} bytes in UTF-8, this one {}.",
            Name::MIN_BYTES,
            Name::MAX_BYTES,
            name.as_str().len()
        ),
        "It may contain letters, digits, signs and one space at a time, but no invisible characters, must be in Unicode form NFKC (`name` shows it so), and must not be a valid address.".to_owned(),
        "Names must differ in the reduced form, which ignores case and accents and takes characters that look alike for one.".to_owned(),
        "The account that registers it needs the fee as confirmed balance, and its own primary name must not be for sale.".to_owned(),
        format!(
            "A registration is paid once and does not expire. On the main network it costs {}. Other transactions with the name cost the usual fee (get_fee).",
            fees.collect::<Vec<_>>().join(", before that ")
        ),
    ];
    if is_available {
        // `RegisterNameTransaction.preProcess`; Qortal/qortal#314.
        rules.push("In rare cases a node's list of names lacks a registered name. The Core restores it from its transactions when someone registers it, and rejects that registration.".to_owned());
    }
    rules
}

async fn fee(cx: &Context) -> Result<Amount, NodeError> {
    cx.node.unit_fee(&TransactionType::RegisterName, None).await
}

/// Returns the transactions that would take a name with this reduced form.
fn wanting(
    reduced: &Reduced,
    transactions: Vec<Transaction>,
    state: &'static str,
) -> impl Iterator<Item = UnderWay> {
    transactions.into_iter().filter_map(move |it| {
        let name = match it.transaction_type {
            TransactionType::RegisterName => it.detail("name"),
            TransactionType::UpdateName => it.detail("newName"),
            _ => None,
        }?;
        (Reduced::of(name).text() == reduced.text()).then(|| UnderWay {
            name: name.to_owned().into(),
            address: it.creator_address,
            state,
            transaction: (&it).into(),
        })
    })
}

/// Returns the names nearest to a reduced form, except the taken one itself.
fn similar(
    reduced: &Reduced,
    taken: Option<&RegisteredName>,
    alike: Vec<RegisteredName>,
    longer: Vec<RegisteredName>,
) -> Vec<FoundName> {
    let mut near: Vec<(usize, RegisteredName)> = alike
        .into_iter()
        .chain(longer)
        .filter(|it| taken.is_none_or(|taken| taken.name != it.name))
        .filter_map(|it| {
            let distance = nearest::distance(reduced, &it.name)?;
            Some((distance, it))
        })
        .collect();
    near.sort_by(|(a, left), (b, right)| a.cmp(b).then_with(|| left.name.cmp(&right.name)));
    near.dedup_by(|(_, left), (_, right)| left.name == right.name);
    near.into_iter()
        .take(SIMILAR)
        .map(|(_, it)| FoundName::of(it))
        .collect()
}
