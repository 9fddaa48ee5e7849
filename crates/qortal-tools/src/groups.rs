//! Groups by name in arguments, and their names beside numbers in answers.

use std::collections::{BTreeSet, HashMap};

use futures_util::future::try_join_all;
use qortal_client::{
    ApiError, Node, NodeError, Page,
    api::{groups::Group, transactions::Transaction},
};
use qortal_types::Reduced;
use serde_json::Value;

use crate::{
    context::Context,
    declare::{A_GROUP, GroupRef, INVALID_GROUP},
    error::{NodeResult, ToolError},
    nearest,
    untrusted::Untrusted,
};

/// Groups that are read to find one of them; the node cannot search. The main network has about a thousand.
pub(crate) const MOST: u32 = 5_000;
/// Names of up to so many groups are asked for one by one; for more, one request reads all groups.
const SINGLY: usize = 4;
/// Similar names that an error shows.
const SIMILAR: usize = 3;

impl Context {
    /// The number that a client gave, or that of the group whose name it gave, which takes one request to the node.
    ///
    /// Case does not matter, unless several groups differ in nothing else.
    pub(crate) async fn group<const MIN: u32>(
        &self,
        parameter: &'static str,
        group: GroupRef<MIN>,
    ) -> Result<u32, ToolError> {
        let name = match group {
            GroupRef::Number(number) => return Ok(number),
            GroupRef::Name(name) => name,
        };
        let groups = self.node.groups(Page::first(MOST)).await?;
        find(&groups, &name)
            .map_err(|problem| ToolError::argument(parameter, INVALID_GROUP, problem, A_GROUP))
    }

    /// The same for an optional parameter.
    pub(crate) async fn optional_group<const MIN: u32>(
        &self,
        parameter: &'static str,
        group: Option<GroupRef<MIN>>,
    ) -> Result<Option<u32>, ToolError> {
        match group {
            Some(group) => self.group(parameter, group).await.map(Some),
            None => Ok(None),
        }
    }
}

/// The number of the group with this name, or what is wrong with the name.
fn find(groups: &[Group], name: &str) -> Result<u32, String> {
    let lower = name.to_lowercase();
    let same: Vec<&Group> = groups
        .iter()
        .filter(|it| it.group_name.to_lowercase() == lower)
        .collect();
    let exact = same.iter().find(|it| it.group_name == name);
    let shown = Value::from(name);
    match (exact, same.as_slice()) {
        (Some(group), _) | (None, [group]) => Ok(group.group_id),
        (None, []) => Err(format!(
            "is {shown}, which is neither the number nor the name of a group{}",
            similar(groups, name)
        )),
        (None, several) => Err(format!(
            "is {shown}, but several groups have this name: {}",
            listed(several.iter().copied())
        )),
    }
}

/// The groups whose names are nearest, in brackets.
fn similar(groups: &[Group], name: &str) -> String {
    let asked = Reduced::of(name);
    let near = groups.iter().filter_map(|it| {
        let distance = nearest::distance(&asked, &it.group_name)?;
        Some((distance, it))
    });
    let mut near: Vec<(usize, &Group)> = near.collect();
    near.sort_by_cached_key(|(distance, it)| (*distance, it.group_id));
    if near.is_empty() {
        return String::new();
    }
    let nearest = near.into_iter().map(|(_, it)| it).take(SIMILAR);
    format!(" (similar: {})", listed(nearest))
}

fn listed<'a>(groups: impl Iterator<Item = &'a Group>) -> String {
    let groups =
        groups.map(|it| format!("{} is {}", it.group_id, Value::from(it.group_name.as_str())));
    groups.collect::<Vec<_>>().join(", ")
}

/// The names of groups by number, as far as the node said them.
#[derive(Debug, Default)]
pub(crate) struct GroupNames(HashMap<u32, String>);

impl GroupNames {
    /// Those of some groups, with few requests. They are a part of the answer: where the node does not give them, groups
    /// have none.
    pub(crate) async fn of(cx: &Context, groups: impl IntoIterator<Item = u32>) -> Self {
        let groups: BTreeSet<u32> = groups.into_iter().filter(|it| *it != 0).collect();
        let names = names(&cx.node, &groups).await;
        Self(
            cx.part("The names of groups are", names)
                .unwrap_or_default(),
        )
    }

    /// Those of the groups that transactions are about or meant for.
    pub(crate) async fn of_transactions(cx: &Context, transactions: &[Transaction]) -> Self {
        let mut groups = BTreeSet::new();
        for it in transactions {
            groups.insert(it.group_id);
            let about = it.details.get("groupId").and_then(Value::as_u64);
            let about = about.and_then(|it| u32::try_from(it).ok());
            // What creates a group names it.
            groups.extend(about.filter(|_| it.detail("groupName").is_none()));
        }
        Self::of(cx, groups).await
    }

    /// The name of one group.
    pub(crate) fn get(&self, group_id: u32) -> Option<Untrusted> {
        self.0.get(&group_id).cloned().map(Untrusted)
    }

    /// A group in a sentence, by number and name.
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
        let all = node.groups(Page::first(MOST)).await?.into_iter();
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
