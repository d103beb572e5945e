#!/bin/sh
# The main job, shown on small programs: find three bugs, replay one, prove the fix.
#
#     demo/run.sh [FERMATA]        (default: build/fermata beside this folder)
#
# Exit status 0 if everything came out as it should.

here=$(cd "$(dirname "$0")" && pwd)
fermata=${1:-$here/../build/fermata}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
wrong=0

say() {
	printf '\n=== %s\n\n' "$1"
}

# expect STATUS COMMAND...: show the command, run it, remember if the status is another.
expect() {
	wanted=$1
	shift
	echo "\$ fermata $*"
	(cd "$work" && "$fermata" "$@")
	status=$?
	if [ "$status" -ne "$wanted" ]; then
		echo "demo: exit status $status, expected $wanted"
		wrong=1
	fi
}

build() {
	expect 0 cc -g -pthread $3 "$here/$1.c" -o "$2"
}

say "1. A lost update: two threads, every access atomic, and yet money is missing"
build lost_update lost_update
expect 1 test --out lost_update.found -- ./lost_update

say "2. A deadlock: two locks, two orders"
build deadlock deadlock
expect 1 test --out deadlock.found -- ./deadlock

say "3. A lost wake-up: looking and waiting are two steps"
build lost_wakeup lost_wakeup
expect 1 test --out lost_wakeup.found -- ./lost_wakeup

say "4. The lost update again, from the saved finding"
finding=$(ls "$work/lost_update.found" | sort | head -n 1)
expect 1 replay "lost_update.found/$finding"

say "5. The booking done in one step: proved"
build lost_update lost_update_fixed -DFIXED
expect 0 test --strategy dpor --require-proof -- ./lost_update_fixed

[ "$wrong" -eq 0 ] && printf '\ndemo: three bugs found, one replayed, one fix proved\n'
exit $wrong
