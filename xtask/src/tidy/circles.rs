//! Files of a crate that import each other in a circle can only be read together: at most three do, found through re-exports.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::File;

/// More files than these do not import each other in a circle.
const MOST: usize = 3;

/// The path of a module or an item, from the root of its crate.
type Path = Vec<String>;

/// The modules of a crate.
#[derive(Default)]
struct Modules {
    /// What each imports, and what it re-exports under which name.
    imports: BTreeMap<Path, Vec<Path>>,
    reexports: BTreeMap<Path, BTreeMap<String, Path>>,
}

pub(super) fn violations(files: &[File]) -> Vec<String> {
    let mut crates: BTreeMap<&str, Modules> = BTreeMap::new();
    for file in files
        .iter()
        .filter(|it| it.has_extension("rs") && !it.is_test())
    {
        if let Some((name, place)) = file.path.split_once("/src/") {
            crates.entry(name).or_default().add(place, file);
        }
    }
    let mut found = Vec::new();
    for (name, modules) in crates {
        let circles = modules.circles();
        for circle in circles.iter().filter(|it| it.len() > MOST) {
            let edges = circle.iter().map(|(from, to)| {
                let to: Vec<_> = to.iter().map(|it| it.join("::")).collect();
                format!("\n  {} -> {}", from.join("::"), to.join(", "))
            });
            let edges: String = edges.collect();
            found.push(format!(
                "{name}: {} files are a circle{edges}",
                circle.len()
            ));
        }
    }
    found
}

impl Modules {
    fn add(&mut self, place: &str, file: &File) {
        let mut module: Path = place
            .trim_end_matches(".rs")
            .split('/')
            .map(str::to_owned)
            .collect();
        if module
            .last()
            .is_some_and(|it| ["mod", "lib", "main"].contains(&it.as_str()))
        {
            module.pop();
        }
        let code: Vec<&str> = file.code().into_iter().map(|(_, line)| line).collect();
        let code = code.join("\n");
        self.imports.entry(module.clone()).or_default();
        for statement in code.split(';') {
            let Some((before, tree)) = statement.rsplit_once("use ") else {
                continue;
            };
            let before = before.rsplit('\n').next().unwrap_or_default().trim();
            let is_public = before.starts_with("pub");
            if !(before.is_empty() || is_public) {
                continue;
            }
            for path in expanded(tree) {
                let path = from_root(&module, &path);
                match path.last() {
                    Some(name) if is_public => {
                        let reexports = self.reexports.entry(module.clone()).or_default();
                        reexports.insert(name.clone(), path);
                    }
                    _ => self.imports.entry(module.clone()).or_default().push(path),
                }
            }
        }
    }

    /// The module that a path leads to, through re-exports.
    fn module(&self, path: &[String], depth: usize) -> Option<&Path> {
        for length in (0..=path.len()).rev() {
            let (module, rest) = path.split_at(length);
            let Some((module, _)) = self.imports.get_key_value(module) else {
                continue;
            };
            let reexports = self.reexports.get(module);
            let target = rest.first().and_then(|it| reexports?.get(it));
            return match target {
                Some(target) if depth > 0 => {
                    let onward: Path = target.iter().chain(rest.iter().skip(1)).cloned().collect();
                    self.module(&onward, depth - 1)
                }
                _ => Some(module),
            };
        }
        None
    }

    /// Sets of modules that all lead to each other, with what each imports of the others.
    fn circles(&self) -> Vec<BTreeMap<&Path, BTreeSet<&Path>>> {
        const REEXPORTS: usize = 6;
        let edges: BTreeMap<&Path, BTreeSet<&Path>> = self
            .imports
            .iter()
            .map(|(module, paths)| {
                let to = paths.iter().filter_map(|it| self.module(it, REEXPORTS));
                (module, to.filter(|it| *it != module).collect())
            })
            .collect();
        let reached: BTreeMap<&Path, BTreeSet<&Path>> = edges
            .keys()
            .map(|from| (*from, reached(&edges, from)))
            .collect();
        let leads = |from: &Path, to: &Path| reached.get(from).is_some_and(|it| it.contains(to));
        let mut circles = Vec::new();
        let mut seen = BTreeSet::new();
        for module in edges.keys() {
            if !leads(module, module) || seen.contains(module) {
                continue;
            }
            let is_member = |it: &&Path| leads(module, it) && leads(it, module);
            let members: BTreeSet<&Path> = edges.keys().copied().filter(is_member).collect();
            seen.extend(members.iter().copied());
            let of = |it: &&Path| edges.get(*it).into_iter().flatten().copied();
            let within = |it: &Path| members.contains(it);
            let circle = members
                .iter()
                .map(|it| (*it, of(it).filter(|to| within(to)).collect()));
            circles.push(circle.collect());
        }
        circles
    }
}

/// All modules that one leads to.
fn reached<'a>(
    edges: &BTreeMap<&'a Path, BTreeSet<&'a Path>>,
    from: &'a Path,
) -> BTreeSet<&'a Path> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from];
    while let Some(module) = next.pop() {
        for to in edges.get(module).into_iter().flatten() {
            if reached.insert(*to) {
                next.push(to);
            }
        }
    }
    reached
}

/// The paths of a use tree: `a::{b, c::d as e}` is `a::b` and `a::c::d`.
pub(super) fn expanded(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((head, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return vec![path.split_whitespace().collect()];
    };
    let body = rest.trim_end().strip_suffix('}').unwrap_or(rest);
    let mut depth = 0_usize;
    let parts = body.split(|it| {
        match it {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        it == ',' && depth == 0
    });
    let parts = parts.filter(|it| !it.trim().is_empty());
    let paths = parts.flat_map(expanded);
    paths.map(|it| format!("{}{it}", head.trim())).collect()
}

/// A path from the root of the crate. That of another crate seems to lead to the module itself, which is no circle.
fn from_root(module: &[String], path: &str) -> Path {
    let mut parts = path.split("::").map(str::to_owned).peekable();
    let mut base = module.to_vec();
    if parts.next_if(|it| it == "crate").is_some() {
        base.clear();
    }
    while let Some(part) = parts.next_if(|it| ["self", "super"].contains(&it.as_str())) {
        if part == "super" {
            base.pop();
        }
    }
    base.into_iter().chain(parts).collect()
}

#[cfg(test)]
mod tests {
    use super::{expanded, violations};
    use crate::tree::File;

    #[test]
    fn a_use_tree_is_its_paths() {
        assert_eq!(
            expanded("crate::{a, b::{C, d::E as F},\n  g}"),
            ["crate::a", "crate::b::C", "crate::b::d::E", "crate::g"]
        );
    }

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let file =
            |(path, text): &(&str, &str)| File::new(&format!("crates/x/src/{path}.rs"), text);
        violations(&files.iter().map(file).collect::<Vec<_>>())
    }

    #[test]
    fn a_circle_is_found_through_a_reexport_with_its_edges() {
        let mut files = vec![
            ("lib", "mod a;\nmod b;\npub use b::B;\n"),
            ("a", "use crate::{b::B, c};\n"),
            ("b", "use super::c::C;\npub(crate) use self::d::D;\n"),
            ("b/d", "use crate::a::A;\n"),
            ("c", "use crate::b::D;\n#[cfg(test)]\nuse crate::a;\n"),
        ];
        let circle = found(&files);
        assert_eq!(
            circle,
            ["crates/x: 4 files are a circle\n  a -> b, c\n  b -> c\n  b::d -> a\n  c -> b::d"]
        );
        // What is imported for a test is none.
        files[4].1 = "#[cfg(test)]\nuse crate::b::D;\n";
        assert!(found(&files).is_empty());
    }
}
