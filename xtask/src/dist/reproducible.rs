//! Whether the program is the same when it is built a second time, in another folder.

use std::fs;
use std::path::Path;

use crate::command::say;
use crate::dist::build;
use crate::dist::target::Target;
use crate::failure::Failure;
use crate::tree::target as target_folder;

/// Builds `target` again in a folder of its own, and fails if a byte differs from `first`.
pub(crate) fn compare(target: &Target, first: &Path) -> Result<(), Failure> {
    let folder = target_folder().join("dist/again");
    let second = build::run(target, &folder)?;
    let read = |path: &Path| fs::read(path).map_err(Failure::io(path.display()));
    let difference = difference(&read(first)?, &read(&second)?);
    fs::remove_dir_all(&folder).map_err(Failure::io(folder.display()))?;
    match difference {
        None => say(&format!(
            "{}: two builds are the same to the byte",
            target.triple
        )),
        Some(at) => {
            let triple = target.triple;
            Err(Failure::Found(format!(
                "two builds of {triple} differ from byte {at} on"
            )))
        }
    }
}

/// The first place in which they differ.
fn difference(first: &[u8], second: &[u8]) -> Option<usize> {
    let differing = first.iter().zip(second).position(|(a, b)| a != b);
    let shorter = first.len().min(second.len());
    differing.or_else(|| (first.len() != second.len()).then_some(shorter))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn the_first_difference_is_found() {
        assert_eq!(difference(b"abc", b"abc"), None);
        assert_eq!(difference(b"abc", b"abd"), Some(2));
        assert_eq!(difference(b"ab", b"abc"), Some(2));
    }
}
