//! docs/reliability.md: what a soak has seen, one part for each kind of table, each replaced by the run that measured it.

use std::fs;
use std::thread::available_parallelism;

use jiff::Timestamp;

use crate::failure::Failure;
use crate::tree::root;

const PAGE: &str = "docs/reliability.md";

/// What was measured, after the day and the command line.
pub(super) fn measured_by(arguments: &[String], text: &str) -> String {
    let day = Timestamp::now().strftime("%Y-%m-%d");
    let command = arguments.join(" ");
    let processors = available_parallelism().map_or(1, usize::from);
    format!(
        "Measured on {day} by `cargo xtask bench {command}`, on {processors} processors.\n\n{text}"
    )
}

/// Replaces the part of this name, or adds it.
pub(super) fn write(name: &str, text: &str) -> Result<(), Failure> {
    let path = root().join(PAGE);
    let page = fs::read_to_string(&path).map_err(Failure::io(PAGE))?;
    fs::write(&path, with_part(&page, name, text)).map_err(Failure::io(PAGE))
}

fn with_part(page: &str, name: &str, text: &str) -> String {
    let (begin, end) = (
        format!("<!-- part: {name} -->\n"),
        format!("<!-- end of {name} -->\n"),
    );
    let part = format!("{begin}\n{}\n\n{end}", text.trim());
    let (before, after) = match page.split_once(&begin) {
        Some((before, rest)) => {
            let after = rest.split_once(&end).map_or("", |(_, after)| after);
            (before.to_owned(), after)
        }
        None => (format!("{}\n\n", page.trim_end()), ""),
    };
    format!("{before}{part}{after}")
}

#[cfg(test)]
mod tests {
    use super::with_part;

    #[test]
    fn a_part_is_replaced_and_the_others_stay() {
        let page = with_part("# Page\n", "a", "one");
        let page = with_part(&page, "b", "two");
        let page = with_part(&page, "a", "three\n");
        assert_eq!(
            page,
            "# Page\n\n<!-- part: a -->\n\nthree\n\n<!-- end of a -->\n\n\
             <!-- part: b -->\n\ntwo\n\n<!-- end of b -->\n"
        );
    }
}
