#!/bin/sh
# Installs qortal-mcp @VERSION@ for this user: downloads the program for this system, checks it, and puts it into a folder.
#
#   QORTAL_MCP_BIN       where the program goes (default: ~/.local/bin)
#   QORTAL_MCP_DOWNLOAD  where the files of the release are, such as a mirror (default: the project's releases)
set -eu

version="@VERSION@"
download="${QORTAL_MCP_DOWNLOAD:-@DOWNLOAD@}"
bin="${QORTAL_MCP_BIN:-${HOME:?}/.local/bin}"

fail() {
  printf 'qortal-mcp: %s\n' "$1" >&2
  exit 1
}

fetch() { # URL FILE
  if command -v curl >/dev/null 2>&1; then
    curl --fail --silent --show-error --location --proto '=https,file' --tlsv1.2 --retry 3 --output "$2" "$1"
  elif command -v wget >/dev/null 2>&1; then
    wget_https "$1" "$2"
  else
    fail "curl or wget is needed"
  fi
}

# wget would follow a redirect from https to http: its --https-only is for links in pages. So each redirect is followed here.
wget_https() { # URL FILE
  url=$1
  for _ in 1 2 3 4 5; do
    case "$url" in
      https://*) ;;
      *) fail "$url is not an https address: nothing was installed" ;;
    esac
    if headers=$(wget --quiet --server-response --max-redirect=0 --tries=3 --output-document="$2" "$url" 2>&1); then
      return
    fi
    url=$(printf '%s\n' "$headers" | tr -d '\r' | awk 'tolower($1) == "location:" { to = $2 } END { print to }')
    [ -n "$url" ] || fail "wget cannot download $1"
  done
  fail "$1 is redirected too often"
}

sha256() { # FILE
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  else
    fail "sha256sum or shasum is needed to check what was downloaded"
  fi
}

# The whole script is read before anything of it runs: a download that is cut off does nothing.
main() {
  case "$(uname -s)/$(uname -m)" in
    Linux/x86_64 | Linux/amd64) target=x86_64-unknown-linux-musl ;;
    Linux/aarch64 | Linux/arm64) target=aarch64-unknown-linux-musl ;;
    Darwin/x86_64) target=x86_64-apple-darwin ;;
    Darwin/arm64) target=aarch64-apple-darwin ;;
    *) fail "there is no program for $(uname -s) on $(uname -m); build it with Rust: cargo install --locked qortal-mcp" ;;
  esac
  name="qortal-mcp-v$version-$target"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM

  fetch "$download/$name.tar.gz" "$work/$name.tar.gz"
  fetch "$download/SHA256SUMS" "$work/SHA256SUMS"
  expected=$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\.tar\.gz\$/\1/p" "$work/SHA256SUMS")
  [ -n "$expected" ] || fail "SHA256SUMS does not list $name.tar.gz"
  [ "$(sha256 "$work/$name.tar.gz")" = "$expected" ] || fail "$name.tar.gz is not what SHA256SUMS says: nothing was installed"

  tar -xzf "$work/$name.tar.gz" -C "$work"
  mkdir -p "$bin"
  # Renamed into place, so that a running program keeps its file.
  cp "$work/$name/qortal-mcp" "$bin/.qortal-mcp.new"
  chmod 755 "$bin/.qortal-mcp.new"
  mv -f "$bin/.qortal-mcp.new" "$bin/qortal-mcp"

  printf 'Installed %s as %s\n' "$("$bin/qortal-mcp" --version)" "$bin/qortal-mcp"
  case ":$PATH:" in
    *":$bin:"*) command=qortal-mcp ;;
    *)
      command="$bin/qortal-mcp"
      # shellcheck disable=SC2016 # The line is for the reader's shell.
      printf 'To call it by its name, add this line to your shell'\''s profile: export PATH="%s:$PATH"\n' "$bin"
      ;;
  esac
  printf 'Try it without a node:  %s call get_node_health --demo\n' "$command"
  printf 'Connect a client:       %s install claude-code\n' "$command"
}

main
