//! The reduced form of a name, under which the Core looks it up: look-alike letters count as the same.
//!
//! The Core decomposes the text (NFKD), drops marks and replaces homoglyphs of all scripts by the table of
//! `net.codebox:homoglyph` 1.2.1 (`Unicode.sanitize`). Here are the letters a European keyboard can produce, those that
//! look like `1`, `i` and `0`, and the Cyrillic ones that look Latin. Names in other scripts are compared as they are.

/// The reduced form of `name`.
pub(crate) fn reduced(name: &str) -> String {
    let visible = name.chars().filter(|letter| !is_zero_width(*letter));
    let spaced: String = visible.collect();
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words
        .join(" ")
        .to_lowercase()
        .chars()
        .filter(|letter| !is_mark(*letter))
        .map(plain)
        .map(look_alike)
        .collect()
}

fn is_zero_width(letter: char) -> bool {
    matches!(
        letter,
        '\u{200B}' | '\u{200C}' | '\u{200D}' | '\u{2060}' | '\u{FEFF}'
    )
}

/// Combining marks stay behind when an accented letter arrives decomposed.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{0300}'..='\u{036F}')
}

/// An accented or full-width letter without its decoration.
fn plain(letter: char) -> char {
    match letter {
        'à'..='å' => 'a',
        'ç' => 'c',
        'è'..='ë' => 'e',
        'ì'..='ï' => 'i',
        'ñ' => 'n',
        'ò'..='ö' => 'o',
        'ù'..='ü' => 'u',
        'ý' | 'ÿ' => 'y',
        '\u{FF01}'..='\u{FF5E}' => u32::from(letter)
            .checked_sub(0xFEE0)
            .and_then(char::from_u32)
            .unwrap_or(letter),
        other => other,
    }
}

/// What looks like a letter, after [`plain`] and in lower case. `i` and what looks like it stand alone: they are not `1`.
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

/// The letter that stands for all that look like it.
fn look_alike(letter: char) -> char {
    let mut table = LOOK_ALIKES.iter();
    if let Some((stands, _)) = table.find(|(_, alike)| alike.contains(letter)) {
        return *stands;
    }
    match letter {
        'а' => 'a',
        'с' => 'c',
        'е' => 'e',
        'р' => 'p',
        'ѕ' => 's',
        'х' => 'x',
        'у' => 'y',
        'ј' => 'j',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::reduced;

    #[test]
    fn names_are_reduced_like_the_core_reduces_them() {
        // As the Core reduces the names of the recordings, and by the same rules.
        let table = [
            ("QortalDemo", "q0rta1dem0"),
            ("Alice Test", "a1ice test"),
            ("chloe", "ch10e"),
            ("Bób-Name", "b0b-name"),
            ("  Double  Space ", "d0ub1e space"),
            ("LIL1|I!", "1i111i!"),
            ("O0oQ", "000q"),
            ("Émile", "emi1e"),
            ("ｆｕｌｌ", "fu11"),
            ("name\u{200B}\u{200D}zero", "namezer0"),
            ("İstanbul", "istanbu1"),
            ("a_b-c.d", "a_b-c.d"),
        ];
        for (name, expected) in table {
            assert_eq!(reduced(name), expected, "{name}");
        }
        assert_eq!(reduced("сhloe"), reduced("chloe"));
        assert_ne!(reduced("mint"), reduced("mlnt"));
    }
}
