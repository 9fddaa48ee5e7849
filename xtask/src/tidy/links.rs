//! Links between documents lead to a file, and to a heading, that exists. What other hosts have is not asked for.

use crate::markdown::{anchors, links};
use crate::tree::File;

/// The folder that the site is made of. A link out of it would be broken there.
const SITE: &str = "docs/";
/// The contents of the site. A page that it does not list is not in the site.
const CONTENTS: &str = "docs/SUMMARY.md";

pub(super) fn violations(files: &[File]) -> Vec<String> {
    let mut found = Vec::new();
    let pages = files.iter().filter(|file| file.has_extension("md"));
    let mut listed = vec![CONTENTS.to_owned()];
    for page in pages.clone() {
        for link in links(&page.text) {
            let place = format!("{}:{}", page.path, link.line);
            match destination(page, &link.target, files) {
                Ok(Some(path)) if page.path == CONTENTS => listed.push(path),
                Ok(_) => (),
                Err(why) => found.push(format!("{place} links to {}, {why}", link.target)),
            }
        }
    }
    for page in pages.filter(|page| page.path.starts_with(SITE)) {
        if !listed.contains(&page.path) {
            found.push(format!("{} is not listed in {CONTENTS}", page.path));
        }
    }
    found
}

/// The file that `target` leads to; `None` if it is on another host.
fn destination(page: &File, target: &str, files: &[File]) -> Result<Option<String>, &'static str> {
    if target.is_empty() {
        // A chapter that has been announced.
        return match page.path == CONTENTS {
            true => Ok(None),
            false => Err("which is no link"),
        };
    }
    if ["https://", "http://", "mailto:"]
        .iter()
        .any(|it| target.starts_with(it))
    {
        return Ok(None);
    }
    let (path, anchor) = match target.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (target, None),
    };
    let path = match path {
        "" => page.path.clone(),
        path => resolved(&page.path, path).ok_or("which leaves the repository")?,
    };
    let file = files.iter().find(|file| file.path == path);
    let folder = format!("{path}/");
    if file.is_none() && !files.iter().any(|file| file.path.starts_with(&folder)) {
        return Err("which does not exist");
    }
    if page.path.starts_with(SITE) && !path.starts_with(SITE) {
        return Err("which is not in the site");
    }
    if let Some(anchor) = anchor {
        let has = file.is_some_and(|file| anchors(&file.text).iter().any(|it| it == anchor));
        if !has {
            return Err("which has no such heading");
        }
    }
    Ok(Some(path))
}

/// `target` as seen from the file `from`; `None` where that leaves the repository.
fn resolved(from: &str, target: &str) -> Option<String> {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts = Vec::new();
    for part in folder.split('/').chain(target.split('/')) {
        match part {
            "" | "." => (),
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::violations;
    use crate::tree::File;

    fn check(path: &str, text: &str, expected: &[&str]) {
        let file = |path: &str, text: &str| File {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let files = [
            file("README.md", "# A\n"),
            file("docs/a.md", "# A\n## B c\n"),
            file("docs/SUMMARY.md", "[a](a.md) [b](b/c.md) [later]()\n"),
            file("docs/b/c.md", ""),
            file(path, text),
        ];
        assert_eq!(violations(&files), expected, "{path}: {text}");
    }

    #[test]
    fn links_lead_to_what_exists() {
        check("x.md", "[a](docs/a.md#b-c) [b](docs) [c](#d)\n# D\n", &[]);
        check("x.md", "[a](https://example.org/a.md)\n", &[]);
        check(
            "x.md",
            "[a](y.md)\n",
            &["x.md:1 links to y.md, which does not exist"],
        );
        check(
            "x.md",
            "\n[a](docs/a.md#d)\n",
            &["x.md:2 links to docs/a.md#d, which has no such heading"],
        );
        check(
            "x.md",
            "[a](../y.md)\n",
            &["x.md:1 links to ../y.md, which leaves the repository"],
        );
        check("x.md", "[a]()\n", &["x.md:1 links to , which is no link"]);
    }

    #[test]
    fn the_site_is_closed_and_lists_all_its_pages() {
        check(
            "docs/d.md",
            "[a](../README.md)\n",
            &[
                "docs/d.md:1 links to ../README.md, which is not in the site",
                "docs/d.md is not listed in docs/SUMMARY.md",
            ],
        );
    }
}
