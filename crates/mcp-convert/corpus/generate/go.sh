#!/usr/bin/env bash
# go.sh SCRATCH CORPUS FILE BIN: writes what the newest converter of the Copilot SDK for Go makes of the inputs. Go is in BIN; the SDK comes from Go's
# proxy of modules or, where COPILOT_SDK names a clone of github/copilot-sdk, from its newest commit: then only the file of the converter, because
# the SDK's other modules are not there.
set -euo pipefail
export PATH=$4:$PATH
scratch=$1 corpus=$(realpath "$2") file=$3 sdk=github.com/github/copilot-sdk/go
mkdir -p "$scratch"
cp "$corpus/generate/vendors.go" "$scratch/main.go"
cd "$scratch"
export GOTOOLCHAIN=local GOFLAGS=-mod=mod
printf 'module vendors\n\ngo 1.24\n' >go.mod
day=()
if [[ -n ${COPILOT_SDK:-} ]]; then
  mkdir -p sdk
  show() { git -C "$COPILOT_SDK" show "HEAD:go/$1"; }
  {
    printf 'package copilot\n\nimport "encoding/json"\nimport "strings"\n'
    show definetool.go | sed -n '/^func ConvertMCPCallToolResult/,/^}/p'
    for type in ToolResult ToolBinaryResult; do show types.go | sed -n "/^type $type struct/,/^}/p"; done
  } >sdk/convert.go
  printf 'module %s\n\ngo 1.24\n' "$sdk" >sdk/go.mod
  go mod edit -replace "$sdk=./sdk" -require "$sdk@v0.0.0"
  version=$(git -C "$COPILOT_SDK" rev-parse --short=8 HEAD)
  newest=$version day=("$(date --utc +%F)")
else
  go get "$sdk@latest"
  version=$(go list -m -f '{{.Version}}' "$sdk")
  newest=$(go list -m -f '{{.Version}}' "$sdk@latest")
fi
go run . "$corpus" "$file" "$version" "$newest" "${day[@]}"
