//! Characters that count as the same letter when names are compared.

use std::{collections::BTreeMap, sync::LazyLock};

use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup},
};

/// The Core's table, see data/README.md.
const TABLE: &str = include_str!("../../data/char_codes.txt");

/// What each character of the table is reduced to, by character. Read once, when a name is first reduced.
static STANDS_FOR: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
    let mut found = BTreeMap::new();
    for line in TABLE.lines().filter(|it| !it.starts_with('#')) {
        let mut codes = line.split(',').filter_map(character);
        let Some(stands) = codes.next() else {
            continue;
        };
        // A later line overrides what an earlier one says of a character.
        found.extend(codes.map(|alike| (alike, stands)));
    }
    found.into_iter().collect()
});

fn character(code: &str) -> Option<char> {
    char::from_u32(u32::from_str_radix(code.trim(), 16).ok()?)
}

/// What stands for a character and all that look like it.
pub(super) fn look_alike(character: char) -> char {
    let table = &*STANDS_FOR;
    let found = table.binary_search_by_key(&character, |(alike, _)| *alike);
    let entry = found.ok().and_then(|place| table.get(place));
    entry.map_or(character, |(_, stands)| *stands)
}

/// Whether the Core removes a character before it compares names: marks, and what is of the Unicode category Other, to which
/// controls, formats, private use and everything unassigned belong.
pub(super) fn is_removed(character: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(character);
    GeneralCategoryGroup::Mark.contains(category) || GeneralCategoryGroup::Other.contains(category)
}
