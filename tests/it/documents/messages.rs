//! The messages that docs/troubleshooting.md explains are those that the program has.

use super::{read, root};

#[test]
fn every_message_of_the_troubleshooting_page_is_in_the_program() {
    let sources = sources();
    let page = read("docs/troubleshooting.md");
    let messages: Vec<_> = page
        .lines()
        .filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'))
        .flat_map(|messages| messages.split("`, `"))
        .collect();
    assert!(messages.len() > 10, "{messages:?}");
    for message in messages {
        assert!(sources.contains(message), "no source says {message:?}");
    }
}

fn sources() -> String {
    let mut text = String::new();
    let mut folders = vec![root().join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if path.file_name().is_some_and(|it| it != "tests") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|it| it == "rs") {
                text.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
    }
    text
}
