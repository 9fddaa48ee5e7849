//! `cargo xtask site`: builds the documentation as a site with mdBook, and checks that none of its links is broken.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{cargo, output, progress, run as run_program, say};
use crate::failure::Failure;
use crate::tree;

/// The version that the site is built with; its search is all that is needed beside the pages.
const MDBOOK: &str = "0.5.4";
/// Its links are seen from the root of the host, wherever the missing page would have been.
const NOT_FOUND: &str = "404.html";

/// Builds the site into `target/site`.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(argument) = arguments.first() {
        return Err(Failure::Usage(format!("site takes no {argument:?}")));
    }
    let site = tree::target().join("site");
    let mdbook = mdbook()?;
    run_program(
        Command::new(mdbook)
            .arg("build")
            .arg(tree::root().join("docs"))
            .arg("--dest-dir")
            .arg(&site),
    )?;
    let pages = pages(&site)?;
    let broken = broken(&site, &pages);
    for link in &broken {
        say(link)?;
    }
    match broken.len() {
        0 => say(&format!(
            "{}: {} pages, no broken link",
            site.join("index.html").display(),
            pages.len()
        )),
        count => Err(Failure::Found(format!("{count} broken links"))),
    }
}

/// The program: the one that is installed if it has the version, otherwise one that is installed below `target`.
fn mdbook() -> Result<PathBuf, Failure> {
    let installed = output(Command::new("mdbook").arg("--version"));
    if installed.is_ok_and(|version| version.trim() == format!("mdbook v{MDBOOK}")) {
        return Ok(PathBuf::from("mdbook"));
    }
    let root = tree::target().join("mdbook");
    let program = root.join("bin").join("mdbook");
    progress(&format!("mdbook {MDBOOK}, installed once"))?;
    run_program(
        cargo()
            .args(["install", "mdbook", "--locked", "--quiet"])
            .args(["--version", MDBOOK])
            .args(["--no-default-features", "--features", "search", "--root"])
            .arg(root),
    )?;
    Ok(program)
}

/// The pages of the site by their path.
fn pages(site: &Path) -> Result<BTreeMap<PathBuf, String>, Failure> {
    let mut folders = vec![site.to_path_buf()];
    let mut pages = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(Failure::io(folder.display()))? {
            let path = entry.map_err(Failure::io(folder.display()))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "html") && !path.ends_with(NOT_FOUND)
            {
                let html = fs::read_to_string(&path).map_err(Failure::io(path.display()))?;
                pages.insert(path, html);
            }
        }
    }
    Ok(pages)
}

/// The links that lead nowhere, with their page.
fn broken(site: &Path, pages: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let ids: BTreeMap<&PathBuf, BTreeSet<&str>> = pages
        .iter()
        .map(|(path, html)| (path, attributes(html, "id").collect()))
        .collect();
    let mut found = BTreeSet::new();
    for (page, html) in pages {
        for link in attributes(html, "href").chain(attributes(html, "src")) {
            if link.contains(':') {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => Some(page.clone()),
                path => resolved(page.parent().unwrap_or(site), path),
            };
            let leads = target.is_some_and(|target| {
                let has_anchor = || ids.get(&target).is_some_and(|ids| ids.contains(anchor));
                target.starts_with(site) && target.exists() && (anchor.is_empty() || has_anchor())
            });
            if !leads {
                let page = page.strip_prefix(site).unwrap_or(page);
                found.insert(format!("{}: {link}", page.display()));
            }
        }
    }
    found.into_iter().collect()
}

/// `path` as seen from `folder`.
fn resolved(folder: &Path, path: &str) -> Option<PathBuf> {
    let mut target = folder.to_path_buf();
    for part in path.split('/') {
        match part {
            "" | "." => (),
            ".." => {
                if !target.pop() {
                    return None;
                }
            }
            part => target.push(part),
        }
    }
    Some(target)
}

/// The values of an attribute, as mdBook writes them: in double quotes.
fn attributes<'a>(html: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let begin = format!(" {name}=\"");
    let starts: Vec<_> = html
        .match_indices(&begin)
        .map(|(at, it)| at + it.len())
        .collect();
    starts
        .into_iter()
        .filter_map(|start| html.get(start..)?.split('"').next())
}

#[cfg(test)]
mod tests {
    use super::{broken, pages};
    use std::fs;

    #[test]
    fn a_link_that_leads_nowhere_is_found() {
        let site = std::env::temp_dir().join(format!("qortal-mcp-site-{}", std::process::id()));
        fs::create_dir_all(site.join("a")).unwrap();
        let write = |path: &str, html: &str| fs::write(site.join(path), html).unwrap();
        write(
            "index.html",
            "<p id=\"x\"><a href=\"a/b.html#y\"><a href=\"https://example.org\">",
        );
        write(
            "a/b.html",
            "<p id=\"y\"><a href=\"../index.html#z\"><img src=\"c.svg\"><a href=\"../../d\">",
        );
        write("404.html", "<a href=\"nowhere\">");
        let found = broken(&site, &pages(&site).unwrap());
        fs::remove_dir_all(&site).unwrap();
        let expected = ["../../d", "../index.html#z", "c.svg"].map(|it| {
            let page = std::path::Path::new("a").join("b.html");
            format!("{}: {it}", page.display())
        });
        assert_eq!(found, expected);
    }
}
