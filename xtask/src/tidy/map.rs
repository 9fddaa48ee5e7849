//! ARCHITECTURE.md is a map: every file and folder that it names exists.

use crate::failure::Failure;
use crate::tree::File;

const PAGE: &str = "ARCHITECTURE.md";
/// Begins the drawing of a call's path. Each line of it names a crate's folder, then files below that crate's `src`.
const DRAWING: &str = "<!-- path:";
const ARROW: &str = "→";

pub(super) fn violations(files: &[File]) -> Result<Vec<String>, Failure> {
    let page = files.iter().find(|file| file.path == PAGE);
    let page = page.ok_or_else(|| Failure::unreadable(PAGE, "it is missing"))?;
    let drawn = drawn(&page.text);
    if drawn.is_empty() {
        return Err(Failure::unreadable(PAGE, "it draws no path"));
    }
    let exists = |path: &str| files.iter().any(|file| file.path == path);
    let missing = drawn.into_iter().filter(|path| !exists(path));
    let unknown = named(&page.text).filter(|path| !is_known(path, files));
    let unknown = unknown.map(str::to_owned);
    let found = missing.chain(unknown);
    Ok(found
        .map(|path| format!("{PAGE} names {path}, which does not exist"))
        .collect())
}

/// The files of the drawing, by path.
fn drawn(page: &str) -> Vec<String> {
    let lines = page.lines().skip_while(|line| !line.starts_with(DRAWING));
    let lines = lines.skip_while(|line| !line.starts_with("```")).skip(1);
    let mut paths = Vec::new();
    for line in lines.take_while(|line| !line.starts_with("```")) {
        let mut words = line.split_whitespace();
        let folder = words.by_ref().find(|it| !matches!(*it, "in" | "out"));
        let mut is_due = true;
        for word in words {
            match (word, folder) {
                (ARROW, _) => is_due = true,
                (name, Some(folder)) if is_due => {
                    paths.push(format!("crates/{folder}/src/{name}.rs"));
                    is_due = false;
                }
                _ => break,
            }
        }
    }
    paths
}

/// The files and folders between backticks.
fn named(page: &str) -> impl Iterator<Item = &str> {
    let is_path = |text: &str| {
        let is_file = [".rs", ".md", ".txt", ".toml"]
            .iter()
            .any(|it| text.ends_with(it));
        !text.contains([' ', '{', ':']) && (is_file || text.contains('/'))
    };
    let lines = page.lines().filter(|line| !line.starts_with("```"));
    let texts = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
    texts.filter(move |text| is_path(text))
}

/// Whether a path from the root, or the end of one, is that of a file or folder.
fn is_known(path: &str, files: &[File]) -> bool {
    let end = format!("/{path}");
    let folder = format!("{}/", path.trim_end_matches('/'));
    files
        .iter()
        .map(|file| &file.path)
        .any(|it| it == path || it.ends_with(&end) || it.starts_with(&folder))
}

#[cfg(test)]
mod tests {
    use super::violations;
    use crate::tree::File;

    fn check(page: &str, expected: &[&str]) {
        let file = |path: &str, text: &str| File {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let files = [
            file("ARCHITECTURE.md", page),
            file("crates/a/src/serve.rs", ""),
            file("crates/a/src/api/names.rs", ""),
        ];
        assert_eq!(violations(&files).unwrap(), expected, "{page}");
    }

    const DRAWING: &str =
        "<!-- path: checked -->\n```text\n in   a   serve → api/names   bytes → text\n```\n";

    #[test]
    fn files_that_do_not_exist_are_found() {
        check(DRAWING, &[]);
        check(
            &DRAWING.replace("serve →", "server →"),
            &["ARCHITECTURE.md names crates/a/src/server.rs, which does not exist"],
        );
        check(
            &format!(
                "{DRAWING}`api/names.rs`, `crates/a/`, `a::b`, `cargo doc`, `x/y.rs`, `c.rs`\n"
            ),
            &[
                "ARCHITECTURE.md names x/y.rs, which does not exist",
                "ARCHITECTURE.md names c.rs, which does not exist",
            ],
        );
    }
}
