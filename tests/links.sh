#!/usr/bin/env bash
# tests/links.sh: links between documents lead to a file and a heading that exist; those of the site stay within docs, and its contents list
# every page of it; the map names files and folders that exist, by their path or the end of it. Needs lychee.
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files -z '*.md' | xargs -0 lychee --offline --include-fragments --no-progress --quiet --exclude '@REPOSITORY@'
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
cp -r docs "$site/docs"
(cd "$site" && find docs -name '*.md' -print0 | xargs -0 lychee --offline --include-fragments --no-progress --quiet) || { echo "a link leads out of the site" >&2; exit 1; }
cd docs
unlisted=$(comm -13 <(grep --only-matching --perl-regexp '\]\(\K[^)#]+\.md' SUMMARY.md | sort --unique) <(find . -name '*.md' ! -name SUMMARY.md -printf '%P\n' | sort))
[[ -z $unlisted ]] || { printf 'not listed in docs/SUMMARY.md: %s\n' "$unlisted" >&2; exit 1; }
cd ..
git ls-files | sed 's|^|/|' >"$site/files"
sed '/^```/d' ARCHITECTURE.md | grep --only-matching --perl-regexp '`\K[^` {:]+(?=`)' | grep --extended-regexp '/|\.(rs|md|txt|toml)$' | sort --unique |
  while read -r path; do
    grep --quiet --fixed-strings "/${path%/}" "$site/files" || { echo "ARCHITECTURE.md names $path, which does not exist" >&2; exit 1; }
  done
