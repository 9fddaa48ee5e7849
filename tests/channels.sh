#!/usr/bin/env bash
# tests/channels.sh: gets the program through each channel from the files of target/dist/release, into an empty home that sees no Rust, up to
# one true answer, and lets the tools of each registry judge the files. It names what this machine cannot try; with CI set, that fails.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD release=$PWD/target/dist/release
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
processor=$(uname -m)
case $processor in x86_64) platform=linux-x64 debian=amd64 ;; *) platform=linux-arm64 debian=arm64 ;; esac
archive=qortal-mcp-v$version-$processor-unknown-linux-musl.tar.gz
deb=$release/qortal-mcp_${version}_$debian.deb
failed=() untried=()

# A command that sees nothing of this machine but its system.
clean() { env --ignore-environment HOME="$PWD" PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin "$@"; }
# The one true answer, of the recorded chain, from the program that a command starts.
ask() {
  local said
  said=$("$@" call get_balance "address=Alice Test" --demo=recorded | jq --raw-output .balance)
  [[ $said == 1000000664.49951417 ]] || { echo "answered $said" >&2; exit 1; }
}
# One conversion, by the mcp-convert that a command starts.
converts() {
  is "$(echo '{"content":[{"type":"text","text":"boom"}],"isError":true}' | "$@" --to openai-chat | jq --raw-output .content)" "Error: boom"
}
is() { [[ $1 == "$2" ]] || { echo "says $1, expected $2" >&2; exit 1; }; }
try() { # NAME FILE NEEDED…: runs the function NAME in an empty home, where the file is packed and what it needs is here
  local name=$1 file=$2 tool home begun=$SECONDS status
  for tool in "${@:3}"; do
    command -v "$tool" >/dev/null || { untried+=("$name: needs $tool"); return; }
  done
  compgen -G "$release/$file" >/dev/null || { untried+=("$name: $file is not packed"); return; }
  home=$(mktemp -d)
  chmod 755 "$home"
  set +e
  (set -e && cd "$home" && "$name") >"$home.log" 2>&1
  status=$?
  set -e
  if ((status == 0)); then
    printf '%-18s %8s %4d s\n' "$name" "$(du --apparent-size --block-size=kB "$release"/$file | head -1 | cut -f 1)" $((SECONDS - begun))
  else
    failed+=("$name")
    sed "s/^/$name: /" "$home.log" >&2
  fi
  chmod -R u+rwX "$home"
  rm -rf "$home" "$home.log"
}

installer() { # curl … | sh, and a file that was changed on its way is not installed
  clean QORTAL_MCP_DOWNLOAD="file://$release" sh "$release/install.sh"
  ask clean "$PWD/.local/bin/qortal-mcp"
  mkdir changed
  cp "$release/SHA256SUMS" "$release/$archive" changed/
  printf x >>"changed/$archive"
  if clean QORTAL_MCP_DOWNLOAD="file://$PWD/changed" QORTAL_MCP_BIN="$PWD/never" sh "$release/install.sh"; then exit 1; fi
  [[ ! -e never ]]
  shellcheck --shell sh "$release/install.sh"
}
downgrade() { # wget follows a redirect to https, and none to http
  local port plain
  openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost
  cat >serve.py <<'END'
import http.server, os, pathlib, ssl, sys, threading
release = pathlib.Path(sys.argv[1])
def server(secure):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            kind, _, name = self.path.strip("/").partition("/")
            if kind == "file":
                body = (release / name).read_bytes()
                self.send_response(200)
                self.send_header("Content-Length", len(body))
                self.end_headers()
                return self.wfile.write(body)
            scheme, port = ("http", plain.server_port) if kind == "down" else ("https", secured.server_port)
            self.send_response(302)
            self.send_header("Location", f"{scheme}://localhost:{port}/file/{name}")
            self.end_headers()
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if secure:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("cert.pem", "key.pem")
        made.socket = context.wrap_socket(made.socket, server_side=True)
    return made
plain, secured = server(False), server(True)
threading.Thread(target=plain.serve_forever, daemon=True).start()
pathlib.Path("ports").write_text(f"{secured.server_port} {plain.server_port}\n")
secured.serve_forever()
END
  python3 serve.py "$release" &
  # shellcheck disable=SC2064 # The server that runs now.
  trap "kill $!" EXIT
  until [[ -s ports ]]; do sleep 0.1; done
  read -r port plain <ports
  # All that the script needs but curl.
  mkdir tools
  for tool in sh wget uname mktemp rm sed tr tail cut sha256sum tar gzip mkdir cp chmod mv; do
    ln -s "$(command -v "$tool")" tools/
  done
  install_from() { # ADDRESS
    env --ignore-environment HOME="$PWD" PATH="$PWD/tools" WGETRC="$PWD/wgetrc" QORTAL_MCP_DOWNLOAD="$1" \
      sh "$release/install.sh"
  }
  echo "ca_certificate=$PWD/cert.pem" >wgetrc
  for refused in "https://localhost:$port/down" "http://localhost:$plain/file"; do
    if install_from "$refused"; then exit 1; fi
    [[ ! -e .local ]]
  done
  install_from "https://localhost:$port/up"
  ask clean "$PWD/.local/bin/qortal-mcp"
}
npx_() {
  ask clean npx -y --offline --package "$release/qortal-mcp-$version.tgz" --package "$release/qortal-mcp-$platform-$version.tgz" qortal-mcp
  tar xzf "$release/qortal-mcp-$platform-$version.tgz"
  converts clean package/mcp-convert
}
conversion() {
  echo '{"private": true}' >package.json
  clean npm install --offline --no-audit --no-fund "$release/qortal-mcp-convert-$version.tgz" "$release/qortal-mcp-corpus-$version.tgz"
  is "$(clean node --input-type=module --eval "import { convert } from 'qortal-mcp-convert'; import { readFileSync } from 'node:fs';
    const { inputs } = JSON.parse(readFileSync('node_modules/qortal-mcp-corpus/inputs.json'));
    console.log(convert(inputs.err_text.result, { to: 'openai-chat' }).output.content)")" "Error: boom"
}
uvx_() {
  local uvx python
  uvx=$(command -v uvx) python=$(python3 -c 'import sys; print(sys.executable)')
  ask clean UV_PYTHON_DOWNLOADS=never UV_PYTHON="$python" "$uvx" --offline --no-index --find-links "$release" qortal-mcp
  converts clean UV_PYTHON_DOWNLOADS=never UV_PYTHON="$python" "$uvx" --offline --no-index --find-links "$release" \
    --from qortal-mcp-convert mcp-convert
  twine check --strict "$release"/*.whl
}
archive() {
  tar xzf "$release/$archive" --strip-components=1
  ask clean ./qortal-mcp
  converts clean ./mcp-convert
  is "$(clean ./qortal-mcp --version)" "qortal-mcp $version"
  [[ -s man/qortal-mcp-http.1 && -s man/mcp-convert.1 && -s completions/_qortal-mcp ]]
  grep --quiet '^ring 0' THIRD-PARTY.txt
  grep --quiet '^homoglyph 1.2.1 (table): MIT' THIRD-PARTY.txt
  grep --quiet 'Permission is hereby granted' THIRD-PARTY.txt
  readelf --sections --wide qortal-mcp | grep --quiet '\.dep-v0' # the list of crates that cargo-auditable puts there
}
bundle() { # as a host installs it: with the fields as they are filled in beforehand, and with the demo switched on
  local mcpb=$root/packaging/mcpb/node_modules/.bin/mcpb command filled
  "$mcpb" unpack "$release/qortal-mcp-$version-$platform.mcpb" unpacked
  "$mcpb" validate unpacked/manifest.json
  command=$(jq --raw-output .server.mcp_config.command unpacked/manifest.json)
  command=${command/'${__dirname}'/$PWD/unpacked}
  mapfile -t filled < <(jq --raw-output '.user_config as $fields | .server.mcp_config.env | to_entries[]
    | .key + "=" + ($fields[.value[14:-1]].default | tostring)' unpacked/manifest.json)
  ask clean "${filled[@]}" "$command"
  clean "${filled[@]}" QORTAL_MCP_DEMO=true "$command" call get_node_health
}
plugin() { # as each host judges and installs it; what Cursor and goose read has no program to judge it here
  local folder=$PWD/qortal-mcp-plugin
  unzip -q "$release/qortal-mcp-v$version-plugin.zip"
  export HOME=$PWD
  claude plugin validate --strict "$folder"
  claude plugin validate --strict "$folder/.claude-plugin/plugin.json"
  claude plugin marketplace add "$folder"
  claude plugin install qortal-mcp@qortal-mcp
  claude plugin details qortal-mcp | grep --quiet 'Skills (3)'
  codex plugin marketplace add "$folder"
  codex plugin add qortal-mcp@qortal-mcp
  codex mcp list | grep --quiet '^qortal '
  gemini extensions validate "$folder"
  cd "$folder"
  opencode debug config | jq --exit-status '.mcp.qortal.command == ["qortal-mcp"]'
  is "$(opencode debug skill | jq '[.[] | select(.location | contains("qortal-mcp-plugin"))] | length')" 3
}
debian() {
  dpkg-deb -x "$deb" .
  ask clean usr/bin/qortal-mcp
  converts clean usr/bin/mcp-convert
  clean usr/bin/qortal-mcp tools --config etc/qortal-mcp/config.toml
  # No archive of Debian has a bug for it; and a static program that may lie at any address looks like a library linked against none.
  lintian --fail-on error,warning --allow-root --suppress-tags initial-upload-closes-no-bugs \
    --suppress-tags statically-linked-binary --suppress-tags shared-library-lacks-prerequisites "$deb"
  # Tenths of the score, from 0 for nothing to 100 for everything exposed.
  systemd-analyze security --offline=true --threshold=15 usr/lib/systemd/system/qortal-mcp.service
}
inside() { clean chroot --userspec=65532:65532 bundle/rootfs /qortal-mcp "$@"; }
unpack() { # TAG
  skopeo copy --quiet "oci-archive:$release/qortal-mcp-v$version-oci.tar:$1" "oci:layout:$1"
  umoci unpack --rootless --image "layout:$1" bundle
}
image() {
  unpack "$version"
  ask inside
  converts clean chroot --userspec=65532:65532 bundle/rootfs /mcp-convert
}
image_http() { # it listens, and its health check says so
  local server
  unpack "$version-http"
  skopeo inspect --config --raw "oci:layout:$version-http" | jq --exit-status '.config.Healthcheck.Test == ["CMD", "/qortal-mcp", "health"]
    and .config.Cmd == ["http", "--token-file", "/run/secrets/tokens"] and (.config.Env | index("QORTAL_MCP_LISTEN=0.0.0.0:8000")) and .config.User == "65532:65532"'
  mkdir -p bundle/rootfs/run/secrets
  (umask 077 && printf 'trial %s\n' "$(openssl rand -hex 32)" >bundle/rootfs/run/secrets/tokens)
  chown 65532:65532 bundle/rootfs/run/secrets/tokens
  env --ignore-environment PATH=/usr/sbin:/usr/bin chroot --userspec=65532:65532 bundle/rootfs /qortal-mcp http --demo --listen 127.0.0.1:18473 \
    --token-file /run/secrets/tokens &
  server=$!
  for _ in {1..50}; do inside health 127.0.0.1:18473 && break || sleep 0.2; done
  inside health 127.0.0.1:18473
  kill "$server"
  wait "$server" || true
  if inside health 127.0.0.1:18473; then exit 1; fi
}
arm64() {
  tar xzf "$release/qortal-mcp-v$version-aarch64-unknown-linux-musl.tar.gz" --strip-components=1
  ask clean qemu-aarch64-static ./qortal-mcp
}
checksums() { cd "$release" && sha256sum --check --strict --quiet SHA256SUMS; }
materials() { jq --exit-status '.bomFormat == "CycloneDX" and ([.components[].name] | contains(["ring", "tokio"]))' "$release/qortal-mcp-v$version.cdx.json"; }
registry() { check-jsonschema --schemafile "$root/packaging/mcp-registry/server.schema.json" "$release/server.json"; }
homebrew() { ruby -wc "$release/qortal-mcp.rb"; }
winget() { # one package and one version
  is "$(cat "$release"/winget*.yaml | grep --count "^PackageVersion: $version\$")" 3
  is "$(cat "$release"/winget*.yaml | grep '^PackageIdentifier' | sort --unique | wc -l)" 1
}

try checksums SHA256SUMS sha256sum
try installer "$archive" curl shellcheck
try downgrade "$archive" wget openssl python3
try npx_ "qortal-mcp-$platform-$version.tgz" npx
try uvx_ '*.whl' uvx twine
try conversion "qortal-mcp-convert-$version.tgz" npm node
try archive "$archive" readelf
try bundle "qortal-mcp-$version-$platform.mcpb" node
try plugin "qortal-mcp-v$version-plugin.zip" claude codex gemini opencode
try debian "${deb##*/}" lintian systemd-analyze
if ((EUID == 0)); then
  try image "*-oci.tar" skopeo umoci
  try image_http "*-oci.tar" skopeo umoci openssl
else
  untried+=("image: needs root, for chroot")
fi
try arm64 "qortal-mcp-v$version-aarch64-unknown-linux-musl.tar.gz" qemu-aarch64-static
try materials "*.cdx.json" jq
try registry server.json check-jsonschema
try homebrew qortal-mcp.rb ruby
try winget winget.yaml grep

if ((${#untried[@]})); then printf 'not tried: %s\n' "${untried[@]}"; fi
if ((${#failed[@]})); then printf 'failed: %s\n' "${failed[@]}"; exit 1; fi
[[ -z ${CI:-} ]] || ((${#untried[@]} == 0))
