//! Every source file is compiled, says what it is, and can be read in one sitting.

use crate::tree::File;

/// Beyond this a file is split by what changes together.
const LONGEST: usize = 500;
/// What insta leaves behind when a snapshot is neither accepted nor rejected.
const PENDING: &[&str] = &[".snap.new", ".pending-snap"];

pub(super) fn violations(files: &[File]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        if PENDING.iter().any(|pending| file.path.ends_with(pending)) {
            found.push(format!("{} is a snapshot to be reviewed", file.path));
        }
        if file.bytes == 0 {
            found.push(format!("{} is empty", file.path));
        }
        if file.has_extension("rs") {
            found.extend(source(file));
        }
    }
    found.extend(unread(files));
    found
}

fn source(file: &File) -> Vec<String> {
    let path = &file.path;
    let mut found = Vec::new();
    if !file.text.starts_with("//!") && !file.text.starts_with("#![doc = include_str!(") {
        found.push(format!("{path}:1 does not begin with //!"));
    }
    let lines = file.text.lines().count();
    if lines > LONGEST {
        found.push(format!("{path} has {lines} lines, more than {LONGEST}"));
    }
    found
}

/// Files that no module names, which the compiler never sees. A manifest may name others: roots of tests and programs.
fn unread(files: &[File]) -> Vec<String> {
    let sources = files.iter().filter(|it| {
        let is_root = it.path.ends_with("/lib.rs") || it.path.ends_with("/main.rs");
        let is_ours = it.path.starts_with("crates/") || it.path.starts_with("xtask/");
        is_ours && it.has_extension("rs") && !it.is_test() && !is_root
    });
    let unread = sources.filter(|file| {
        let Some((folder, name)) = file.path.rsplit_once('/') else {
            return false;
        };
        let named = format!("mod {};", name.trim_end_matches(".rs"));
        let parents = [".rs", "/lib.rs", "/main.rs"].map(|it| format!("{folder}{it}"));
        let mut parents = files.iter().filter(|it| parents.contains(&it.path));
        folder.contains("/src") && !parents.any(|it| it.text.contains(&named))
    });
    unread
        .map(|it| format!("{} is named by no module", it.path))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::violations;
    use crate::tree::File;

    fn check(path: &str, text: &str, expected: &[&str]) {
        let file = File::new(path, text);
        assert_eq!(violations(&[file]), expected, "{text:?}");
    }

    #[test]
    fn what_is_wrong_with_a_file_is_named() {
        check("a.rs", "//! A.\n", &[]);
        check("llms.txt", "", &["llms.txt is empty"]);
        check("a.rs", "mod a;\n", &["a.rs:1 does not begin with //!"]);
        let unread = ["crates/a/src/b.rs is named by no module"];
        check("crates/a/src/b.rs", "//! B.\n", &unread);
        check("crates/a/src/lib.rs", "//! A.\n", &[]);
        let long = "//!\n".repeat(501);
        check("a.rs", &long, &["a.rs has 501 lines, more than 500"]);
        check(
            "a.snap.new",
            "---\n",
            &["a.snap.new is a snapshot to be reviewed"],
        );
    }
}
