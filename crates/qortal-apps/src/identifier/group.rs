//! Identifiers of what belongs to a group (Qortal/Qortal-Hub c93f78a2: src/components/Chat/GroupAnnouncements.tsx,
//! src/components/Group/Forum/NewThread.tsx, src/encryption/encryption.ts, src/components/Chat/ChatGroup.tsx,
//! src/components/Chat/GroupAvatar.tsx, src/components/Group/ListOfGroupPromotions.tsx).

use super::{Item, Kind};

pub(super) fn read(service: &str, identifier: &str) -> Option<Item> {
    let (kind, group_id, parent) = match service {
        "DOCUMENT" | "DOCUMENT_PRIVATE" => document(identifier)?,
        "THUMBNAIL" => {
            let group = identifier.strip_prefix("qortal_group_avatar_")?;
            (Kind::GroupAvatar, group.parse().ok()?, None)
        }
        _ => {
            let rest = identifier.strip_prefix("grp-q-manager_")?;
            let (_, rest) = rest.split_once("_group_")?;
            let group = rest.split('_').next()?.parse().ok()?;
            let kind = match service {
                "IMAGE" => Kind::ChatPicture,
                _ => Kind::ManagedFile,
            };
            (kind, group, None)
        }
    };
    Some(Item {
        group_id: Some(group_id),
        parent,
        ..Item::of(kind)
    })
}

type Found = (Kind, u32, Option<String>);

fn document(identifier: &str) -> Option<Found> {
    let numbered = |prefix: &str| identifier.strip_prefix(prefix)?.parse().ok();
    if let Some(group_id) = numbered("symmetric-qchat-group-") {
        return Some((Kind::GroupKeys, group_id, None));
    }
    if let Some(group_id) = numbered("admins-symmetric-qchat-group-") {
        return Some((Kind::AdminKeys, group_id, None));
    }
    if let Some(rest) = identifier.strip_prefix("group-promotions-ui24-group-") {
        let group_id = rest.split('-').next()?.parse().ok()?;
        return Some((Kind::Promotion, group_id, None));
    }
    if let Some(rest) = identifier.strip_prefix("thmsg-") {
        let (group_id, part, parent) = of_group(rest)?;
        return (part == "thread").then_some((Kind::ThreadPost, group_id, parent));
    }
    if let Some(rest) = identifier.strip_prefix("cm-") {
        let (group_id, part, parent) = of_group(rest)?;
        return (part == "anc").then_some((Kind::AnnouncementComment, group_id, parent));
    }
    let (group_id, part, _) = of_group(identifier)?;
    match part {
        "anc" => Some((Kind::Announcement, group_id, None)),
        "thread" => Some((Kind::Thread, group_id, None)),
        _ => None,
    }
}

/// The group, the kind and the identifier itself up to its random part: `grp-3-thread-aB3dE5fG`.
fn of_group(text: &str) -> Option<(u32, &str, Option<String>)> {
    let mut parts = text.splitn(5, '-');
    let is_group = parts.next()? == "grp";
    let group = parts.next()?;
    let part = parts.next()?;
    let id = parts.next().filter(|id| is_group && !id.is_empty())?;
    let parent = format!("grp-{group}-{part}-{id}");
    Some((group.parse().ok()?, part, Some(parent)))
}
