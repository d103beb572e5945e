#!/bin/sh
# golden.sh EXPECTED COMMAND...: the command's output is exactly the file's content.
expected=$1
shift
"$@" | diff -u "$expected" -
