//! Groups by name in arguments, and their names beside numbers in answers.

use std::collections::{BTreeSet, HashMap};

use futures_util::future::try_join_all;
use qortal_client::{
    ApiError, Node, NodeError, PageRequest,
    api::{groups::Group, transactions::Transaction},
};
use serde_json::Value;

use crate::{
    declare::{A_GROUP, Context, GroupRef, INVALID_GROUP, NodeResult, ToolError},
    support::{nearest, untrusted::Untrusted},
};

/// Maximum number of groups that are read to find one of them, because the node cannot search. The main network has
/// about a thousand.
pub(crate) const MOST: u32 = 5_000;
/// Maximum number of groups whose names are requested one by one. For more, one request reads all groups.
const SINGLY: usize = 4;

impl Context {
    /// Returns the number of a group given by number or name. A name takes one request to the node.
    ///
    /// Names match in any case, unless several groups differ in case only.
    pub(crate) async fn group<const MIN: u32>(
        &self,
        parameter: &'static str,
        group: GroupRef<MIN>,
    ) -> Result<u32, ToolError> {
        let name = match group {
            GroupRef::Number(number) => return Ok(number),
            GroupRef::Name(name) => name,
        };
        let groups = self.node.groups(PageRequest::first(MOST)).await?;
        let named = groups
            .iter()
            .map(|it| (it.group_id.into(), &*it.group_name));
        let found = nearest::find(&named.collect::<Vec<_>>(), &name, "a group");
        let found = found.and_then(|it| u32::try_from(it).map_err(|err| err.to_string()));
        found.map_err(|problem| ToolError::argument(parameter, INVALID_GROUP, problem, A_GROUP))
    }
}

/// The names of groups by number, as far as the node provided them.
#[derive(Debug, Default)]
pub(crate) struct GroupNames(HashMap<u32, String>);

impl GroupNames {
    /// Returns the names of some groups, with few requests. The names are an optional part of the answer: if the node
    /// does not provide them, groups have none.
    pub(crate) async fn of(cx: &Context, groups: impl IntoIterator<Item = u32>) -> Self {
        let groups: BTreeSet<u32> = groups.into_iter().filter(|it| *it != 0).collect();
        let names = names(&cx.node, &groups).await;
        Self(
            cx.part("The names of groups are", names)
                .unwrap_or_default(),
        )
    }

    /// Returns the names of the groups that transactions are about or meant for.
    pub(crate) async fn of_transactions(cx: &Context, transactions: &[Transaction]) -> Self {
        let mut groups = BTreeSet::new();
        for it in transactions {
            groups.insert(it.group_id);
            let about = it.details.get("groupId").and_then(Value::as_u64);
            let about = about.and_then(|it| u32::try_from(it).ok());
            // A transaction that creates a group includes its name.
            groups.extend(about.filter(|_| it.detail("groupName").is_none()));
        }
        Self::of(cx, groups).await
    }

    /// Returns the name of one group, if known.
    pub(crate) fn of_one(group_id: u32, name: Option<&Untrusted>) -> Self {
        let named = name.map(|it| (group_id, it.0.clone()));
        Self(named.into_iter().collect())
    }

    /// Returns the name of one group.
    pub(crate) fn get(&self, group_id: u32) -> Option<Untrusted> {
        self.0.get(&group_id).cloned().map(Untrusted)
    }

    /// Formats a group for a sentence, by number and name.
    pub(crate) fn label(&self, group_id: u32) -> String {
        match self.0.get(&group_id) {
            Some(name) => format!("group {group_id} ({name:?})"),
            None => format!("group {group_id}"),
        }
    }
}

impl From<&Group> for GroupNames {
    fn from(it: &Group) -> Self {
        Self(HashMap::from([(it.group_id, it.group_name.clone())]))
    }
}

async fn names(node: &Node, groups: &BTreeSet<u32>) -> Result<HashMap<u32, String>, NodeError> {
    if groups.len() > SINGLY {
        let all = node.groups(PageRequest::first(MOST)).await?.into_iter();
        let named = all.filter(|it| groups.contains(&it.group_id));
        return Ok(named.map(|it| (it.group_id, it.group_name)).collect());
    }
    let found = groups.iter().map(|group_id| async move {
        let found = node.group(*group_id).await;
        found.none_if(ApiError::GROUP_UNKNOWN)
    });
    let found = try_join_all(found).await?.into_iter().flatten();
    Ok(found.map(|it| (it.group_id, it.group_name)).collect())
}
