#!/bin/sh
# installed.sh DRIVER [worlds]: every .beam file of the installed Erlang and Elixir reads and
# disassembles; with `worlds`, every one of the other releases that scripts/worlds has unpacked.
if [ "${2:-}" = worlds ]; then
	worlds=${FERMATA_WORLDS:-$HOME/.cache/fermata/worlds}
	set -- "$1" "$worlds"/otp-* "$worlds"/elixir-*
	[ -d "$2" ] || exit 77
	driver=$1
	shift
	find "$@" -name '*.beam' -print0 | xargs -0 "$driver" dis >/dev/null
	exit
fi
command -v erl >/dev/null || exit 77
root=$(dirname "$(dirname "$(readlink -f "$(command -v erl)")")")
elixir=$(readlink -f "$(command -v elixir 2>/dev/null)" 2>/dev/null)
find "$root" ${elixir:+"$(dirname "$(dirname "$elixir")")"} -name '*.beam' -print0 |
	xargs -0 "$1" dis >/dev/null
