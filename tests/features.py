#!/usr/bin/env python3
"""Checks that each package alone asks for the features of other people's crates that the whole workspace asks for, so that
`cargo test -p X` and `cargo xtask X` compile none of these crates again. If it fails, run `cargo hakari generate`."""

import json
import subprocess
import sys


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments], capture_output=True, check=True, text=True).stdout


def crates(edges, *selected):
    """The crates of registries that a build needs, each with its version and features."""
    tree = cargo("tree", "--locked", "--prefix=none", "--no-dedupe", "--format={p} {f}", f"--edges={edges}", *selected)
    return {line for line in tree.splitlines() if line and "(/" not in line}


together = crates("normal,build,dev", "--workspace")
found = []
for package in json.loads(cargo("metadata", "--locked", "--no-deps", "--format-version=1"))["packages"]:
    name = package["name"]
    # Published packages need the common features only for their tests. The others are run as programs, too.
    edges = "normal,build,dev" if package["publish"] is None else "normal,build"
    found += [f"{name}: {crate}" for crate in sorted(crates(edges, f"--package={name}") - together)]
print("\n".join(found) or "one set of features")
sys.exit(bool(found))
