//! Characters that count as the same letter when names are compared.

/// The part of the Core's table (`net.codebox:homoglyph` 1.2.1) that ends in `1`, `i`, `0` or an apostrophe: what a
/// character becomes, and which become it. All of ASCII is here: no other ASCII character changes. `i` and its look-alikes
/// stand alone; they became `1` only in a later table, which the Core does not use.
const LOOK_ALIKES: [(char, &str); 4] = [
    (
        '1',
        "l|\u{196}\u{1C0}\u{399}\u{406}\u{4C0}\u{5C0}\u{5D5}\u{5DF}\u{627}\u{661}\u{6F1}\u{7CA}\u{16C1}\u{2110}\u{2111}\
         \u{2113}\u{2160}\u{217C}\u{2223}\u{23FD}\u{2C92}\u{2D4F}\u{A4F2}",
    ),
    (
        'i',
        "\u{131}\u{269}\u{26A}\u{2DB}\u{37A}\u{3B9}\u{456}\u{4CF}\u{13A5}\u{1FBE}\u{2139}\u{2148}\u{2170}\u{2373}\u{A647}\
         \u{AB75}\u{FF49}\u{118C3}\u{1D422}\u{1D456}\u{1D48A}\u{1D4BE}\u{1D4F2}\u{1D526}\u{1D55A}\u{1D58E}\u{1D5C2}\
         \u{1D5F6}\u{1D62A}\u{1D65E}\u{1D692}\u{1D6A4}\u{1D6CA}\u{1D704}\u{1D73E}\u{1D778}\u{1D7B2}",
    ),
    (
        '0',
        "o\u{39F}\u{3BF}\u{3C3}\u{41E}\u{43E}\u{555}\u{585}\u{5E1}\u{647}\u{665}",
    ),
    ('\'', "`"),
];

/// What stands for a character in lower case and all that look like it.
pub(super) fn look_alike(character: char) -> char {
    let mut table = LOOK_ALIKES.iter();
    let found = table.find(|(_, alike)| alike.contains(character));
    found.map_or(character, |(stands, _)| *stands)
}

/// A character of the Unicode category Other, as far as one is assigned: controls, formats and private use.
pub(super) fn is_other(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{AD}'
                | '\u{600}'..='\u{605}'
                | '\u{61C}'
                | '\u{6DD}'
                | '\u{70F}'
                | '\u{180E}'
                | '\u{200B}'..='\u{200F}'
                | '\u{202A}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FEFF}'
                | '\u{FFF9}'..='\u{FFFB}'
                | '\u{E000}'..='\u{F8FF}'
                | '\u{E0001}'..='\u{E007F}'
                | '\u{F0000}'..='\u{FFFFD}'
                | '\u{100000}'..='\u{10FFFD}'
        )
}
