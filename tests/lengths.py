#!/usr/bin/env python3
"""No file of the sources has more than 600 lines, no function of C more than 66.

A file that is longer has a second subject, which wants a name and a header of its own. Tables are left
out: a .def file has one line per entry, and a reader looks things up in it.

A function begins with the first line of its head and ends with the brace in the first column.
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from tally import Tally  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ("src", "include", "lib")
SOURCES = (".c", ".h", ".S", ".js", ".css", ".py", ".erl", ".lua")
FILE_LINES, FUNCTION_LINES = 600, 66
ENDS_A_HEAD = re.compile(r"(^|\*/|[;}])\s*$|^#")  # of the line before a function


def functions(lines):
    """(name, number of lines) of each function of C."""
    opened = None
    for at, line in enumerate(lines):
        if line == "{":
            opened = at
            while opened and not ENDS_A_HEAD.search(lines[opened - 1]):
                opened -= 1
        elif line.startswith("}") and opened is not None:
            yield lines[opened], at - opened + 1
            opened = None


def complaints(name, text):
    lines = text.splitlines()
    if len(lines) > FILE_LINES:
        yield "%d lines, at most %d are allowed" % (len(lines), FILE_LINES)
    if name.endswith((".c", ".h")):
        for head, length in functions(lines):
            if length > FUNCTION_LINES:
                yield "%d lines, at most %d are allowed: %s" % (length, FUNCTION_LINES, head)


def check_self(tally):
    """The limits are seen: one line more is one complaint."""
    def function(length):
        return "/* why */\nint f(int a,\n      int b)\n{\n%s}\n" % ("\tg();\n" * (length - 4))

    for length, wanted in ((FUNCTION_LINES, 0), (FUNCTION_LINES + 1, 1)):
        tally.check("a function of %d lines" % length,
                    len(list(complaints("a.c", function(length)))) == wanted)
    for length, wanted in ((FILE_LINES, 0), (FILE_LINES + 1, 1)):
        tally.check("a file of %d lines" % length,
                    len(list(complaints("a.js", "x\n" * length))) == wanted)


def main():
    tally = Tally()
    check_self(tally)
    for folder in FOLDERS:
        for path, _, files in sorted(os.walk(os.path.join(ROOT, folder))):
            for name in sorted(files):
                if not name.endswith(SOURCES):
                    continue
                full = os.path.join(path, name)
                with open(full, encoding="utf-8") as file:
                    wrong = list(complaints(name, file.read()))
                tally.check(os.path.relpath(full, ROOT), not wrong, "; ".join(wrong))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
