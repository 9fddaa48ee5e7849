//! The publishing transactions of resources, and the stored data.

use qortal_client::{
    PageRequest,
    api::{
        arbitrary::{ArbitraryFilter, hosted::HostedTransaction},
        transactions::{Confirmation, Transaction, TransactionFilter},
    },
};
use qortal_types::{Address, Height, Name, Service, Timestamp, TransactionType};
use serde_json::Value;
use tool_schema::{BoundedString, CappedInt};

use super::item;
use crate::{
    declare::{
        Account, AccountRef, ConfirmationStatus, Context, Cursor, Full, GroupRef, Order, Page,
        Paging, Range, Slice, SortKey, Tool, ToolError, TransactionId, all_waiting, chosen_blocks,
        given, in_blocks_alone, unconfirmed_in_blocks,
    },
    support::untrusted::Untrusted,
};

params! {
    pub(super) struct SearchQdn {
        /// Only this account.
        address: Option<AccountRef>,
        /// Only this service, such as WEBSITE or APP.
        service: Option<Service>,
        /// Above 20 only with address or service.
        limit: CappedInt<1, 100> = CappedInt::from_const(15),
        /// By confirmation.
        confirmation_status: ConfirmationStatus = ConfirmationStatus::Confirmed,
        /// First block.
        start_block: Option<CappedInt<1, 2_147_483_647>>,
        /// Number of blocks from start_block.
        block_limit: Option<CappedInt<1, 2_147_483_647>>,
        #[flatten]
        range: Range,
        /// Group number or name.
        group_id: Option<GroupRef<0>>,
        /// Publisher's name.
        name: Option<Name>,
        /// Rows to skip.
        offset: CappedInt<0, 1_000_000> = CappedInt::from_const(0),
        /// Last row you have.
        start_after: Option<String>,
        #[flatten]
        order: Order
    }
}

record! {
    pub(super) struct Publications {
        /// The requested address.
        address: Option<Account>,
        /// The publishing transactions, in this order.
        publications: Page<Publication>
    }

    pub(super) struct Publication from(it: Transaction) {
        /// The kind of resource.
        service: String = service_name(it.details.get("service")),
        /// The name it was published under.
        name: Option<Untrusted> = text(&it, "name").map(Untrusted),
        /// Its identifier. Absent if it has none.
        identifier: Option<Untrusted> = text(&it, "identifier").filter(|it| !it.is_empty()).map(Untrusted),
        /// Bytes, as stated.
        size: Option<u64> = it.details.get("size").and_then(Value::as_u64),
        /// PUT for a whole resource, PATCH for a change.
        method: Option<String> = text(&it, "method"),
        /// The publisher.
        creator_address: Option<Address>,
        /// The time.
        timestamp: Timestamp,
        /// The block it is in. Absent if it is unconfirmed.
        block_height: Option<Height>,
        /// The transaction.
        transaction: TransactionId = (&it).into(),
        /// Its signature in Base58.
        signature: Full<Option<String>> = Full(it.signature.map(|it| it.to_string()))
    }
}

/// Returns a field of a transaction. The Core stores an empty text for a missing one.
fn text(transaction: &Transaction, name: &str) -> Option<String> {
    transaction.detail(name).map(str::to_owned)
}

/// Returns the name of the service. Transactions contain its number.
fn service_name(number: Option<&Value>) -> String {
    let id = number
        .and_then(Value::as_u64)
        .and_then(|it| u32::try_from(it).ok());
    match (id.and_then(Service::from_id), id) {
        (Some(service), _) => service.to_string(),
        (None, Some(id)) => id.to_string(),
        (None, None) => "UNKNOWN".to_owned(),
    }
}

/// The Core's limit for a search without an account or a service.
const MOST_OF_ALL: u32 = 20;

impl Tool for SearchQdn {
    const NAME: &str = "search_qdn";
    const TITLE: &str = "QDN publications";
    const DESCRIPTION: &str = "Publishing transactions on QDN, by account, service, name, group or blocks. The resources: search_qdn_resources.";
    const EXAMPLE: &str = r#"{"service":"DOCUMENT"}"#;
    const KEYWORDS: &str = "publish transaction, arbitrary transaction, qdn transaction";
    type Output = Publications;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        check(&self)?;
        let found = given(self.address, |it| cx.account("address", it)).await?;
        let group_id = given(self.group_id, |it| cx.group("group_id", it)).await?;
        let mut slice = Slice::new(self.limit, self.offset).start_after(self.start_after);
        if self.confirmation_status == ConfirmationStatus::Unconfirmed {
            let period = self.range.period_of_waiting(cx).await?;
            let newest_first = self.order.is_newest_first();
            let filter = TransactionFilter::default()
                .with_types([TransactionType::Arbitrary])
                .with_address(found.as_ref().map(|it| it.address))
                .with_confirmation(Confirmation::Unconfirmed);
            let all = all_waiting(newest_first);
            let mut waiting = cx.node.search_transactions(&filter, all).await?;
            let (service, name) = (self.service.as_ref(), self.name.as_ref());
            waiting.retain(|it| is_asked(it, service, name, group_id));
            let page = slice.of_waiting(cx, waiting, period, newest_first);
            return Ok(Publications {
                address: found,
                publications: page.map(Publication::of),
            });
        }
        let is_narrow = found.is_some() || self.service.is_some();
        let is_confirmed = self.confirmation_status == ConfirmationStatus::Confirmed;
        let chosen = self.start_block.map(CappedInt::value);
        let blocks = match (chosen, self.block_limit.map(CappedInt::value)) {
            (None, None) if is_confirmed => {
                self.range
                    .settled_blocks(cx, self.order.is_newest_first())
                    .await?
            }
            (None, None) => self.range.blocks(cx).await?,
            chosen => chosen_blocks(cx, chosen, self.order).await?,
        };
        let filter = ArbitraryFilter::default()
            .with_start_block(blocks.start)
            .with_block_limit(blocks.limit)
            .with_group_id(group_id)
            .with_service(self.service)
            .with_name(self.name.as_ref().map(|it| it.as_str().to_owned()))
            .with_address(found.as_ref().map(|it| it.address))
            .with_confirmation(if is_confirmed {
                Confirmation::Confirmed
            } else {
                Confirmation::Both
            });
        if is_narrow {
            let key = SortKey::by_time(self.order.is_newest_first());
            let ask = |page| cx.node.arbitrary_transactions(&filter, page);
            let publications = slice.read(cx, key, ask).await?;
            return Ok(Publications {
                address: found,
                publications: publications.map(Publication::of),
            });
        }
        slice = slice.at_most(cx, MOST_OF_ALL, "without address or service");
        let mut page = self.order.one_more(&slice);
        page.limit = page.limit.min(MOST_OF_ALL);
        let publications = cx.node.arbitrary_transactions(&filter, page).await?;
        let received = publications.len().saturating_add(cx.rows_left_out());
        let publications = if page.limit == slice.limit && received >= slice.limit as usize {
            // The Core's limit does not allow one more in the same request.
            let another = PageRequest::first(1)
                .with_offset(slice.offset.saturating_add(slice.limit))
                .with_reverse(self.order.is_newest_first());
            let another = cx.node.arbitrary_transactions(&filter, another).await?;
            slice
                .of(cx, Cursor::Offset, publications)
                .or_more(!another.is_empty())
        } else {
            slice.of(cx, Cursor::Offset, publications)
        };
        Ok(Publications {
            address: found,
            publications: publications.map(Publication::of),
        })
    }
}

/// Returns whether a transaction matches the request.
fn is_asked(
    it: &Transaction,
    service: Option<&Service>,
    name: Option<&Name>,
    group_id: Option<u32>,
) -> bool {
    let is_kind = |asked: &Service| asked.to_string() == service_name(it.details.get("service"));
    let under = it.detail("name").map(str::to_lowercase);
    let is_name = |asked: &Name| under.as_ref() == Some(&asked.as_str().to_lowercase());
    service.is_none_or(is_kind)
        && name.is_none_or(is_name)
        && group_id.is_none_or(|group_id| it.group_id == group_id)
}

/// Returns an error for requests that the Core would refuse, or answer with everything.
fn check(params: &SearchQdn) -> Result<(), ToolError> {
    let is_narrow = params.address.is_some() || params.service.is_some();
    let has_blocks = params.start_block.is_some() || params.block_limit.is_some();
    let has_range = has_blocks || params.range.is_given();
    let invalid = |parameter: &str, what: &str, expected: &str| {
        Err(ToolError::argument(
            parameter,
            "Invalid argument.",
            what,
            expected,
        ))
    };
    if !is_narrow && !has_range && params.name.is_none() && params.group_id.is_none() {
        return invalid(
            "service",
            "and all other filters are missing",
            "at least one of address, service, name, group_id, after and before (search_qdn_resources finds resources by text)",
        );
    }
    in_blocks_alone(has_blocks, params.range)?;
    let can_have_range = match params.confirmation_status {
        ConfirmationStatus::Confirmed => true,
        ConfirmationStatus::Unconfirmed => !has_blocks,
        ConfirmationStatus::Both => false,
    };
    if has_range && !can_have_range {
        return Err(unconfirmed_in_blocks());
    }
    Ok(())
}

params! {
    pub(super) struct ListHostedQdn {
        /// Start of the name. Case matters.
        name: Option<BoundedString<1, 40>>,
        #[flatten]
        page: Paging<15>
    }
}

record! {
    pub(super) struct HostedQdn {
        /// The number of publications with data on this node.
        count: u64,
        /// Total size on the node's disk, in bytes.
        total_space: u64,
        /// The publications, those with most data first.
        hosted: Page<Hosted>
    }

    pub(super) struct Hosted from(it: HostedTransaction) {
        /// The kind of resource.
        service: Option<String> = it.service.as_ref().map(Service::to_string),
        /// The name it was published under.
        name: Option<Untrusted> = it.name.map(Untrusted),
        /// Its identifier. Absent if it has none.
        identifier: Option<Untrusted> = it.identifier.clone().filter(|it| !it.is_empty()).map(Untrusted),
        /// Its kind, if an official app uses such identifiers: `Q-Tube video`, `thread post in group 3`.
        kind: Option<String> = kind(it.service.as_ref(), it.identifier.as_deref()),
        /// Stored pieces.
        chunk_count: u32,
        /// Bytes of those pieces.
        total_space: u64,
        /// Bytes of the resource, as stated on the chain.
        size: u64,
        /// The publisher.
        creator_address: Address,
        /// The time of its publication.
        timestamp: Timestamp
    }
}

fn kind(service: Option<&Service>, identifier: Option<&str>) -> Option<String> {
    item(service?, identifier).map(|item| item.to_string())
}

impl Tool for ListHostedQdn {
    const NAME: &str = "list_hosted_qdn";
    const TITLE: &str = "Hosted QDN data";
    const DESCRIPTION: &str = "The QDN data this node stores, the largest first, and its total size. By name: search_hosted_qdn.";
    const EXAMPLE: &str = r#"{"limit":5}"#;
    const KEYWORDS: &str = "data hosting, hosting, storage, storage used, disk, disk space, space, data my node host, hosted, size, how big, fill";
    const TABLE: Option<&str> = Some("hosted");
    type Output = HostedQdn;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let prefix = self.name.as_ref().map(BoundedString::as_str);
        let page = self.page.one_more(false);
        let found = cx.node.hosted_transactions(prefix, page).await?;
        let hosted = self.page.of(cx, Cursor::Offset, found.items.into());
        Ok(HostedQdn {
            count: found.count,
            total_space: found.total_space,
            hosted: hosted.map(Hosted::of),
        })
    }
}
