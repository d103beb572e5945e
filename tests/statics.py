#!/usr/bin/env python3
"""Writable variables with static storage, per folder of src/, against a list with reasons.

State that is not in a structure which somebody passes around cannot exist twice, cannot be put
back between runs, and is not visible in any header. So every writable variable of the built
objects must be listed here with the reason why it is not in such a structure. A variable that is
not listed fails, and so does an entry of the list that no longer exists.

Tables of constants are not writable: they lie in .rodata or .data.rel.ro. The compiler's numbers
at the end of the names of variables inside functions (known.1) are left out.
"""

import argparse
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = os.path.join(ROOT, "src")

# folder -> {variable: reason}; a name that ends in * stands for all that begin so.
LISTED = {
    "base": {
        "cores_all": "cores.h: the process is pinned once",
        "cores_own": "cores.h: belongs to cores_all",
        "note_hook": "bug.h: the process has one way to abort",
        "note_ctx": "belongs to note_hook",
        "oom_handler": "mem.h: the process has one malloc",
        "fail_countdown": "mem.h: lets a test make the n-th allocation fail",
        "in_use": "mem.h: the process has one malloc",
        "in_use_before": "mem.h: the process has one malloc",
        "limit": "mem.h: of that malloc",
        "limit_handler": "mem.h: of that limit",
        "is_busy": "mem.h: read by signal handlers",
    },
    "core": {
        "known": "access.c: a table of constants, computed when it is first needed",
        "dominating": "access.c: belongs to known",
    },
    "target": {
        "follower": "fake.c: too large for the stack; set up again for every run",
    },
    "native": {
        "programs_alive": "program.c: the last program under control cleans up for all",
    },
    "vm": {
        "machine": "machine.h: the machine that is entered, all state of src/vm in one structure",
        "interp_*": "interp.h: addresses inside the interpreter loop, the same for all machines",
    },
    "beam": {
        "in_use": "declared.c: the loader's hook has no argument to pass it through",
        "prober": "probe.c: the process that tries out a receive; set up again for every question",
        "scratch": "probe.c: the heap of the prober",
    },
    "runtime": {
        "rt_present": "init.c: whether the runtime's own mapping exists, so it cannot be inside it",
        "threads_wanted": "openmp/api.c: a setting of the program, put back with its memory",
        "levels_wanted": "openmp/api.c: a setting of the program, put back with its memory",
        "is_dynamic": "openmp/api.c: a setting of the program, put back with its memory",
        "omp_critical": "openmp/lock.c: the program's critical section, put back with its memory",
        "omp_atomic": "openmp/lock.c: the program's atomic sections, put back with its memory",
        "rt_real": "intercept.c: addresses of the real functions, found at the start",
        "static_data_of_keys": "calls/keys.c: state of the program, which goes back with the program's memory",
        "static_data_of_keys_high": "calls/keys.c: as static_data_of_keys",
        "leaving": "calls/exit.c: as static_data_of_keys",
        "hooked": "calls/exit.c: as static_data_of_keys",
        "busy": "calls/atomic_lib.c: as static_data_of_keys",
        "named": "calls/sem.c: as static_data_of_keys",
        "zone": "calls/zone.c: as static_data_of_keys",
        "run_of_library": "calls/future.c: as keys; the object that it belongs to has no room for it",
    },
    "cli": {
        "stop_*": "stopping.c: set by signal handlers",
        "stop_wanted": "stopping.c: set by the signal handler",
        "test_name": "exits.c: stands before every error while a test of a run file runs",
        "worst": "doctor.c: the exit status of the command so far",
    },
}

# Not variables of ours: the compiler's pointers to the unwinder.
IGNORED = re.compile(r"^DW\.ref\.")
SYMBOL = re.compile(r"^[0-9a-f]+ (.{7}) (\S+)\t[0-9a-f]+ (?:\.hidden )?(\S+)$", re.MULTILINE)
WRITABLE = re.compile(r"^(\.bss|\.data|\.tbss|\.tdata|\*COM\*)(?!\.rel\.ro)")


def find_objects(build):
    """Yield (folder of src, object file) for everything that was compiled from src/."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    for command in commands:
        source = os.path.normpath(os.path.join(command["directory"], command["file"]))
        output = os.path.join(command["directory"], command["output"])
        if source.startswith(SOURCE + os.sep) and os.path.exists(output):
            yield os.path.relpath(source, SOURCE).split(os.sep)[0], output


def find_writable(path):
    """The names of the writable variables in an object file."""
    table = subprocess.run(["objdump", "-t", path], stdout=subprocess.PIPE, text=True, check=True)
    for flags, section, name in SYMBOL.findall(table.stdout):
        if "O" in flags and WRITABLE.match(section) and not IGNORED.match(name):
            yield re.sub(r"\.\d+$", "", name)


def matches(entry, name):
    return name.startswith(entry[:-1]) if entry.endswith("*") else name == entry


def check(objects):
    """Return (number of listed variables found, complaints)."""
    used, unlisted = set(), set()
    for folder, path in objects:
        for name in find_writable(path):
            entries = [e for e in LISTED.get(folder, {}) if matches(e, name)]
            used.update((folder, entry) for entry in entries)
            if not entries:
                unlisted.add("src/%s: %s (%s) is writable and not listed"
                             % (folder, name, os.path.basename(path)))
    gone = ["src/%s: %s is listed and does not exist" % (folder, entry)
            for folder, entries in LISTED.items() for entry in entries
            if (folder, entry) not in used]
    return len(used), sorted(unlisted) + gone


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fermata", default=os.path.join(ROOT, "build", "fermata"),
                        help="the built tool; the objects beside it are checked")
    args = parser.parse_args()
    objects = list(find_objects(os.path.dirname(os.path.abspath(args.fermata))))
    if not objects:
        print("no object files of src/ beside %s" % args.fermata)
        print("0 passed, 1 failed")
        return 1
    passed, wrong = check(objects)
    for line in wrong:
        print(line)
    print("%d passed, %d failed" % (passed, len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
