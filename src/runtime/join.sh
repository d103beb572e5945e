#!/bin/sh
# join.sh OUTPUT ARCHIVE…: an archive with one object, made of all objects of the archives
set -eu
output=$1
shift
object=${output%.a}.o
"${LD:-ld}" -r -o "$object" --whole-archive "$@"
rm -f "$output"
"${AR:-ar}" rcs "$output" "$object"
rm -f "$object"
