#!/bin/sh
# installed.sh DRIVER [worlds]: every .beam file of the installed Erlang and Elixir reads and
# disassembles; with `worlds`, every one of the other releases that scripts/worlds has unpacked (not the suites
# of OTP beside them, some of whose files are damaged on purpose).
if [ "${2:-}" = worlds ]; then
	worlds=${FERMATA_WORLDS:-$HOME/.cache/fermata/worlds}
	[ -n "$(ls -d "$worlds"/otp-[0-9]* 2>/dev/null)" ] || exit 77
	find "$worlds"/otp-[0-9]* "$worlds"/elixir-[0-9]* -name '*.beam' -print0 2>/dev/null |
		xargs -0 "$1" dis >/dev/null
	exit
fi
command -v erl >/dev/null || exit 77
root=$(dirname "$(dirname "$(readlink -f "$(command -v erl)")")")
elixir=$(readlink -f "$(command -v elixir 2>/dev/null)" 2>/dev/null)
find "$root" ${elixir:+"$(dirname "$(dirname "$elixir")")"} -name '*.beam' -print0 |
	xargs -0 "$1" dis >/dev/null
