//! The sums of a complete list, added up over its windows.

use qortal_types::Amount;
use serde_json::Value;

use crate::Object;

/// Adds the sums of an answer, by month and coin, if the answer begins a window and so has those of all its rows. Returns
/// `None` if it has none, or if the sums do not cover all rows read.
pub(super) fn added(
    sums: Option<Vec<Object>>,
    answer: &Object,
    begins: bool,
) -> Option<Vec<Object>> {
    let mut sums = sums.filter(|it| begins || !it.is_empty())?;
    if !begins {
        return Some(sums);
    }
    let lists = [Some(answer.get("totals")?), answer.get("months")];
    for line in lists
        .into_iter()
        .flatten()
        .flat_map(Value::as_array)
        .flatten()
    {
        let line = line.as_object()?;
        let is_same = |it: &&mut Object| {
            let mut names = ["month", "coin"].into_iter();
            names.all(|name| it.get(name) == line.get(name))
        };
        let Some(sum) = sums.iter_mut().find(is_same) else {
            sums.push(line.clone());
            continue;
        };
        for (name, more) in line
            .iter()
            .filter(|(name, _)| *name != "month" && *name != "coin")
        {
            let sum = sum.get_mut(name)?;
            *sum = match (sum.as_u64(), more.as_u64()) {
                (Some(sum), Some(more)) => sum.checked_add(more)?.into(),
                _ => amount(sum)?.checked_add(amount(more)?)?.to_string().into(),
            };
        }
    }
    Some(sums)
}

fn amount(value: &Value) -> Option<Amount> {
    value.as_str()?.parse().ok()
}
