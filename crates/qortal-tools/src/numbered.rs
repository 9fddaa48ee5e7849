//! Groups and assets by name: each has a number, and the node cannot search for names.

use qortal_types::Reduced;
use serde_json::Value;

use crate::nearest;

/// Similar names that an error shows.
const SIMILAR: usize = 3;

/// The number of the one with this name, or what is wrong with the name. Case does not matter, unless several differ in
/// nothing else. `kind` is `a group`, for example.
pub(crate) fn find(all: &[(u64, &str)], name: &str, kind: &str) -> Result<u64, String> {
    let lower = name.to_lowercase();
    let same = all.iter().filter(|(_, it)| it.to_lowercase() == lower);
    let same: Vec<_> = same.collect();
    let exact = same.iter().find(|(_, it)| *it == name);
    let shown = Value::from(name);
    match (exact, same.as_slice()) {
        (Some((number, _)), _) | (None, [(number, _)]) => Ok(*number),
        (None, []) => Err(format!(
            "is {shown}, which is neither the number nor the name of {kind}{}",
            similar(all, name)
        )),
        (None, several) => Err(format!(
            "is {shown}, but several have this name: {}",
            listed(several.iter().copied())
        )),
    }
}

/// Those whose names are nearest, in brackets.
fn similar(all: &[(u64, &str)], name: &str) -> String {
    let asked = Reduced::of(name);
    let near = all
        .iter()
        .filter_map(|it| Some((nearest::distance(&asked, it.1)?, it)));
    let mut near: Vec<_> = near.collect();
    near.sort_by_key(|(distance, it)| (*distance, it.0));
    if near.is_empty() {
        return String::new();
    }
    let nearest = near.into_iter().map(|(_, it)| it).take(SIMILAR);
    format!(" (similar: {})", listed(nearest))
}

fn listed<'a>(all: impl Iterator<Item = &'a (u64, &'a str)>) -> String {
    let all = all.map(|(number, name)| format!("{number} is {}", Value::from(*name)));
    all.collect::<Vec<_>>().join(", ")
}
