//! Tests of `files`.

use super::{FilePath, FilePathError};

#[test]
fn a_path_cannot_leave_its_resource() {
    const VECTORS: &[(&str, FilePathError)] = &[
        ("", FilePathError::Empty),
        ("/", FilePathError::Empty),
        ("/etc/hostname", FilePathError::Empty),
        ("css//style.css", FilePathError::Empty),
        ("css/", FilePathError::Empty),
        (".", FilePathError::Climbs),
        ("..", FilePathError::Climbs),
        ("../../../../apikey.txt", FilePathError::Climbs),
        ("css/../index.html", FilePathError::Climbs),
        ("css/..", FilePathError::Climbs),
        ("..\\apikey.txt", FilePathError::Character('\\')),
        ("C:/apikey.txt", FilePathError::Character(':')),
        ("a\0", FilePathError::Character('\0')),
        ("a\nb", FilePathError::Character('\n')),
        ("a b/%2e%2e/c", FilePathError::Encoded),
        ("..%2F..%2Fapikey.txt", FilePathError::Encoded),
        ("a%00.png", FilePathError::Encoded),
    ];
    for (text, error) in VECTORS {
        assert_eq!(text.parse::<FilePath>(), Err(*error), "{text:?}");
    }
    assert_eq!(
        "x".repeat(1_001).parse::<FilePath>(),
        Err(FilePathError::TooLong)
    );
}

#[test]
fn ordinary_paths_are_kept_as_they_are() {
    for text in [
        "index.html",
        "css/style.css",
        "...",
        "..a/b..",
        "メモ.txt",
        "a b/100%/c",
    ] {
        assert_eq!(text.parse::<FilePath>().unwrap().as_str(), text);
    }
}
