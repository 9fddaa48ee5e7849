#!/usr/bin/env bash
# tests/completion.sh PROGRAM: plays completion in bash, zsh and fish with the scripts that the program prints. Fails for the first line that is
# completed to something else.
set -euo pipefail
program=$(realpath "$1")
PATH=$(dirname "$program"):$PATH
export PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for shell in bash zsh fish; do
  qortal-mcp completions "$shell" >"script.$shell"
done

# Prints the completions of a line as bash finds them: it divides words at equals signs too.
in_bash() {
  # shellcheck disable=SC2016
  bash -c '
    source script.bash
    read -ra COMP_WORDS <<<"${1//=/ = }"
    [[ $1 == *[\ =] ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_TYPE=9
    _clap_complete_qortal_mcp qortal-mcp "${COMP_WORDS[COMP_CWORD]}"
    printf "%s\n" "${COMPREPLY[@]}"' bash "$1"
}

# Presses the tab key in a terminal of zsh, and prints the line that it leaves.
in_zsh() {
  cat >terminal.zsh <<'ZSH'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= RPS1= PROMPT_EOL_MARK=; autoload -Uz compinit; compinit -u -D; source script.zsh; bindkey '^I' complete-word"
zpty -w shell 'show() { print -r -- "<$BUFFER>"; zle kill-buffer }; zle -N show; bindkey "^X" show; print ready$((1+1))'
until [[ $text == *ready2* ]]; do zpty -r shell line && text+=$line; done
zpty -w -n shell "$1"$'\t\x18'
text=
until [[ $text == *"<"*">"* ]]; do zpty -r shell line && text+=$line; done
text=${text##*<}
print -r -- "${text%%>*}"
ZSH
  zsh -f terminal.zsh "$1"
}

in_fish() {
  # shellcheck disable=SC2016
  fish --no-config -c 'source script.fish; complete -C $argv[1]' "$1" | cut -f 1
}

check() {
  local shell=$1 line=$2 expected=$3 found
  found=$("in_$shell" "$line")
  # zsh shows the whole line, and the blank after a finished word.
  [[ ${found% } == "$expected" ]] || {
    printf '%s: %q is completed to %q, not to %q\n' "$shell" "$line" "$found" "$expected"
    exit 1
  }
}

while IFS='|' read -r line word; do
  check bash "$line" "$word"
  check fish "$line" "$word"
  check zsh "$line" "$(sed -E 's/[^ =]*$//' <<<"$line")$word"
done <<'LINES'
qortal-mcp doc|doctor
qortal-mcp install claude-c|claude-code
qortal-mcp --surface st|standard
qortal-mcp http --toolsets char|charts
qortal-mcp call get_bal|get_balance
qortal-mcp call get_balance ad|address=
LINES
check bash "qortal-mcp call find_payments order=n" newest
check fish "qortal-mcp call find_payments order=n" order=newest
check zsh "qortal-mcp call find_payments order=n" "qortal-mcp call find_payments order=newest"
echo "completion works in bash, zsh and fish"
