//! Every proxy of `deploy/` before the server says itself which address a client has, and passes on nothing that a client says of it.

use std::fs;

use crate::failure::Failure;
use crate::tree::{File, root};

const FOLDER: &str = "deploy/";
/// The port that the server has in every file.
const SERVER: &str = ":8000";
/// What makes a program a proxy, and what it needs for that.
const PROGRAMS: [(&str, &[&str]); 3] = [
    (
        "proxy_pass ",
        &[
            "proxy_set_header X-Forwarded-For $remote_addr;",
            "proxy_set_header Forwarded \"\";",
        ],
    ),
    (
        "\nfrontend ",
        &[
            "http-request set-header X-Forwarded-For %[src]",
            "http-request del-header Forwarded",
        ],
    ),
    // It writes X-Forwarded-For by itself.
    ("reverse_proxy ", &["header_up -Forwarded"]),
];

pub(super) fn violations(files: &[File]) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for file in files.iter().filter(|it| it.path.starts_with(FOLDER)) {
        let path = root().join(&file.path);
        let text = fs::read_to_string(&path).map_err(Failure::io(path.display()))?;
        found.extend(unwritten(&text).map(|it| format!("{}: a proxy needs {it}", file.path)));
    }
    Ok(found)
}

/// What the file of a proxy lacks.
fn unwritten(text: &str) -> impl Iterator<Item = &'static str> {
    let programs = PROGRAMS
        .iter()
        .filter(|(begin, _)| text.contains(SERVER) && text.contains(begin));
    let lines = programs.flat_map(|(_, lines)| *lines);
    lines
        .copied()
        .filter(|line| !text.lines().any(|it| it.trim() == *line))
}

#[cfg(test)]
mod tests {
    use super::unwritten;

    #[test]
    fn a_proxy_that_passes_on_what_clients_say_of_their_address_is_found() {
        let nginx = "server 10.0.0.1:8000;\nlocation / { proxy_pass http://mcp;\n";
        let half = format!("{nginx}    proxy_set_header X-Forwarded-For $remote_addr;\n");
        let whole = format!("{half}    proxy_set_header Forwarded \"\";\n");
        let commented = format!("{half}    # proxy_set_header Forwarded \"\";\n");
        for (text, lacks) in [
            (nginx, 2),
            (&half, 1),
            (&commented, 1),
            (&whole, 0),
            (
                "\nfrontend public\nbackend mcp\n    server a 10.0.0.1:8000 check\n",
                2,
            ),
            ("reverse_proxy 127.0.0.1:8000 {\n", 1),
            // Before a node, which believes no client.
            ("proxy_pass http://127.0.0.1:12391;\n", 0),
        ] {
            assert_eq!(unwritten(text).count(), lacks, "{text}");
        }
    }
}
