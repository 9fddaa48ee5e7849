//! The fate of an unregistered name: it was renamed, or its registration had no effect or is pending.

use qortal_client::{
    ApiError, NodeError, PageRequest,
    api::{
        names::RegisteredName,
        transactions::{ApprovalStatus, Transaction, TransactionFilter},
    },
};
use qortal_types::{Reduced, TransactionType};

use crate::{
    declare::{Context, NodeResult, ToolError},
    family::names::not_registered,
    support::nearest,
};

/// Maximum number of latest registrations, and of latest renamings, that are read. The node cannot search transactions
/// by name.
const READ: u32 = 1_000;
/// Maximum number of renamings followed to the present name.
const RENAMINGS: usize = 10;

/// The fate of a name.
enum NameChange {
    /// Its owner renamed it.
    Renamed {
        /// The new name in that transaction.
        to: String,
        /// The renaming.
        by: Transaction,
    },
    /// A registration of it, or a renaming to it, has no effect.
    Requested(Transaction),
}

impl NameChange {
    /// Finds the latest transaction about a name that is not registered.
    async fn of(cx: &Context, name: &str) -> Result<Option<Self>, NodeError> {
        let form = Reduced::of(name);
        let has = |it: &Transaction, field: &str| {
            let text = it.detail(field);
            text.is_some_and(|it| Reduced::of(it).text() == form.text())
        };
        let types = [TransactionType::RegisterName, TransactionType::UpdateName];
        let of_type = |it: &TransactionType| {
            let filter = TransactionFilter::default().with_types([it.clone()]);
            async move {
                cx.node
                    .search_transactions(&filter, PageRequest::last(READ))
                    .await
            }
        };
        let waiting = cx
            .node
            .unconfirmed_transactions(&types, None, PageRequest::last(READ));
        let (waiting, registered, renamed) =
            tokio::try_join!(waiting, of_type(&types[0]), of_type(&types[1]))?;
        let asks_for = |it: &Transaction| match it.transaction_type {
            TransactionType::RegisterName => has(it, "name"),
            _ => has(it, "newName"),
        };
        let renamed_away = |it: &&Transaction| {
            it.took_effect()
                && has(it, "name")
                && !has(it, "newName")
                && it.detail("newName").is_some_and(|it| !it.is_empty())
        };
        if let Some(it) = waiting.into_iter().find(asks_for) {
            return Ok(Some(Self::Requested(it)));
        }
        let away = renamed.iter().find(renamed_away).cloned();
        let requests = registered.into_iter().chain(renamed);
        let requests = requests.filter(|it| asks_for(it) && !it.took_effect());
        let request = requests.max_by_key(|it| it.timestamp);
        Ok(match (away, request) {
            (Some(away), Some(request)) if request.timestamp > away.timestamp => {
                Some(Self::Requested(request))
            }
            (Some(by), _) => Some(Self::Renamed {
                to: by.detail("newName").unwrap_or_default().to_owned(),
                by,
            }),
            (None, request) => request.map(Self::Requested),
        })
    }

    /// Formats the fate as a sentence.
    fn sentence(&self) -> String {
        match self {
            Self::Renamed { to, by } => {
                let block = block(by);
                format!("Its owner renamed it to {to:?}{block}: get_name_history. ")
            }
            Self::Requested(it) => {
                let request = match it.transaction_type {
                    TransactionType::RegisterName => "A registration of it",
                    _ => "A renaming to it",
                };
                let state = match (&it.approval_status, it.block_height) {
                    (_, None) => "waits for a block".to_owned(),
                    (Some(ApprovalStatus::Pending), _) => {
                        format!(
                            "waits for the approval of group {}{}",
                            it.group_id,
                            block(it)
                        )
                    }
                    (Some(ApprovalStatus::Rejected), _) => {
                        format!("was rejected by group {}{}", it.group_id, decided(it))
                    }
                    (Some(ApprovalStatus::Expired), _) => {
                        format!(
                            "expired without a decision of group {}{}",
                            it.group_id,
                            decided(it)
                        )
                    }
                    (status, _) => {
                        let status = status.as_ref().map(ToString::to_string);
                        format!(
                            "has the approval status {}{}",
                            status.unwrap_or_default(),
                            block(it)
                        )
                    }
                };
                format!("{request} {state}. ")
            }
        }
    }
}

fn block(it: &Transaction) -> String {
    let height = it.block_height;
    height.map_or_else(String::new, |it| format!(" in block {it}"))
}

fn decided(it: &Transaction) -> String {
    let height = it.approval_height;
    height.map_or_else(String::new, |it| format!(" in block {it}"))
}

/// Returns the registered name, or the one that its owners renamed it to.
///
/// # Errors
///
/// Returns an error for a name that is not registered under any name, with its fate and the nearest name.
pub(super) async fn registered(cx: &Context, asked: &str) -> Result<RegisteredName, ToolError> {
    let mut name = asked.to_owned();
    let mut fate = None;
    for _ in 0..RENAMINGS {
        let found = cx.node.name(&name).await.none_if(ApiError::NAME_UNKNOWN)?;
        if let Some(found) = found {
            return Ok(found);
        }
        fate = NameChange::of(cx, &name).await?;
        match &fate {
            Some(NameChange::Renamed { to, .. }) => name.clone_from(to),
            Some(NameChange::Requested(_)) | None => break,
        }
    }
    Err(unknown(cx, asked, fate).await)
}

/// Returns the error for a name that is not registered, with its fate.
async fn unknown(cx: &Context, asked: &str, fate: Option<NameChange>) -> ToolError {
    let nearest = nearest::name(&cx.node, asked).await;
    let fate = fate.map_or_else(
        || format!("No trace of it is among the latest {READ} registrations and renamings. "),
        |it| it.sentence(),
    );
    not_registered(asked, Some(fate), nearest)
}
