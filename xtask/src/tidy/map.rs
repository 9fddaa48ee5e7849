//! ARCHITECTURE.md is a map: every file and folder that it names exists.

use crate::failure::Failure;
use crate::tree::File;

const PAGE: &str = "ARCHITECTURE.md";

pub(super) fn violations(files: &[File]) -> Result<Vec<String>, Failure> {
    let page = files.iter().find(|file| file.path == PAGE);
    let page = page.ok_or_else(|| Failure::unreadable(PAGE, "it is missing"))?;
    let found = named(&page.text).filter(|path| !is_known(path, files));
    Ok(found
        .map(|path| format!("{PAGE} names {path}, which does not exist"))
        .collect())
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

    #[test]
    fn files_that_do_not_exist_are_found() {
        check(
            "`api/names.rs`, `crates/a/`, `a::b`, `cargo doc`, `x/y.rs`, `c.rs`\n",
            &[
                "ARCHITECTURE.md names x/y.rs, which does not exist",
                "ARCHITECTURE.md names c.rs, which does not exist",
            ],
        );
    }
}
