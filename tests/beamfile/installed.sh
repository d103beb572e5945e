#!/bin/sh
# installed.sh DRIVER: every .beam file of the installed Erlang and Elixir reads and disassembles.
command -v erl >/dev/null || exit 77
root=$(dirname "$(dirname "$(readlink -f "$(command -v erl)")")")
elixir=$(readlink -f "$(command -v elixir 2>/dev/null)" 2>/dev/null)
find "$root" ${elixir:+"$(dirname "$(dirname "$elixir")")"} -name '*.beam' -print0 |
	xargs -0 "$1" dis >/dev/null
