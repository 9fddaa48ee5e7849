#!/bin/sh
# Runs a server in place of the client, and writes down how it ended: watched.sh FILE SERVER [ARGUMENT]...
file=$1
shift
trap 'echo signal >>"$file"; kill -TERM "$server"' TERM INT
echo start >>"$file"
# A shell gives background programs no input of its own accord.
exec 3<&0
"$@" <&3 3<&- &
server=$!
wait "$server"
code=$?
# A signal ends the first wait.
while kill -0 "$server" 2>/dev/null; do
  wait "$server"
  code=$?
done
echo "end $code" >>"$file"
exit "$code"
