#!/usr/bin/env python3
"""Compiles the tool's own Erlang modules and writes their .beam files as one C file.

    embed.py OUT.c MODULE.erl...

Without erlc the table is empty, and a command that needs such a module reports that it is missing.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile


def array(name, data):
    numbers = [str(b) for b in data]
    lines = ["\t" + ", ".join(numbers[i:i + 20]) + "," for i in range(0, len(numbers), 20)]
    return f"static const unsigned char {name}[] = {{\n" + "\n".join(lines) + "\n};\n"


def compile_all(sources):
    if not shutil.which("erlc"):
        print("erlc is missing: this build has no EUnit, ExUnit and --start", file=sys.stderr)
        return {}
    with tempfile.TemporaryDirectory() as out:
        subprocess.run(["erlc", "+deterministic", "+debug_info", "-Werror", "-o", out] + sources,
                       check=True)
        return {p.stem: p.read_bytes() for p in sorted(pathlib.Path(out).glob("*.beam"))}


def main():
    target, *sources = sys.argv[1:]
    modules = compile_all(sources)
    text = '#include "vm/code/embedded.h"\n\n#include <stddef.h>\n\n'
    text += "\n".join(array(name, data) for name, data in modules.items())
    entries = [f'\t{{"{name}", {name}, sizeof({name})}},\n' for name in modules]
    text += "\nconst struct embedded_module embedded_modules[] = {\n" + "".join(entries)
    text += "\t{NULL, NULL, 0},\n};\n"
    pathlib.Path(target).write_text(text)


if __name__ == "__main__":
    main()
