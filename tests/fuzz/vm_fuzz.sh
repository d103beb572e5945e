#!/bin/sh
# vm_fuzz.sh DRIVER [OPTIONS]: the driver over a few modules of the installed OTP.
command -v erl >/dev/null || exit 77
driver=$1
shift
root=$(dirname "$(dirname "$(readlink -f "$(command -v erl)")")")
for name in lists queue gb_trees base64 proplists maps orddict string calendar erl_scan \
	gen_server; do
	set -- "$@" "$(find "$root" -path '*/stdlib-*/ebin/*' -name "$name.beam" | head -n 1)"
done
exec "$driver" "$@"
