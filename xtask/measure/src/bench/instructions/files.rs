//! The files of the crates whose code runs for a call: those that cost more the more calls there are.

use std::collections::BTreeMap;

/// The instructions of each file of the crates, by a profile of callgrind ("Callgrind Format Specification" of its manual).
pub(super) fn costs(profile: &str) -> BTreeMap<&str, u64> {
    let mut names = BTreeMap::new();
    let mut costs = BTreeMap::new();
    let mut file = None;
    let mut is_of_callee = false;
    let mut at = 0;
    for line in profile.lines() {
        if let Some((key, value)) = line.split_once('=') {
            is_of_callee = key == "calls";
            if !["fl", "fi", "fe", "cfl", "cfi"].contains(&key) {
                continue;
            }
            // A name stands where its number is seen first.
            let (number, name) = value.split_once(' ').unwrap_or((value, ""));
            if !name.is_empty() {
                names.insert(number, name);
            }
            if !key.starts_with('c') {
                file = names.get(number).and_then(|it| of_crates(it));
            }
            continue;
        }
        let Some((position, cost)) = line.split_once(' ') else {
            continue;
        };
        let Some(position) = moved(at, position) else {
            continue;
        };
        at = position;
        // What the compiler adds has no line.
        if let (Some(file), Ok(cost), false, 1..) = (file, cost.parse::<u64>(), is_of_callee, at) {
            *costs.entry(file).or_default() += cost;
        }
        is_of_callee = false;
    }
    costs
}

/// The line that a position names: a number, or how far it is from the last one.
fn moved(last: u64, position: &str) -> Option<u64> {
    if position == "*" {
        return Some(last);
    }
    let distance = position.starts_with(['+', '-']);
    let number: i64 = position.parse().ok()?;
    last.checked_add_signed(number)
        .filter(|_| distance)
        .or_else(|| u64::try_from(number).ok())
}

/// The file within the workspace. The simulated node of `--demo` is not what a call of a real one runs.
fn of_crates(path: &str) -> Option<&str> {
    let start = path.rfind("crates/")?;
    let file = path.get(start..)?;
    (file.contains("/src/") && !file.starts_with("crates/qortal-testnode/")).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::costs;

    #[test]
    fn a_file_costs_what_it_runs_itself() {
        let profile = "\
            fl=(1) /x/crates/a/src/lib.rs\nfn=(1) f\n10 5\n+1 2\ncfi=(2) crates/b/src/c.rs\ncfn=(2) g\ncalls=1 3\n12 900\n13 1\n\n\
            fl=(2)\nfn=(2)\n3 40\n0 70\n+3 2\nfi=(3) /rustc/core/src/lib.rs\n4 7\nfe=(2)\n* 1\n";
        let costs: Vec<_> = costs(profile).into_iter().collect();
        assert_eq!(
            costs,
            [("crates/a/src/lib.rs", 8), ("crates/b/src/c.rs", 43)]
        );
    }
}
