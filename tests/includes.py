#!/usr/bin/env python3
"""Includes point one way: which folder of src/ may include which.

The table is the architecture. A folder may include itself and what is listed. A folder inside
another one has a row of its own where it may include more; the outer one may then not include it.
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
from tally import Tally  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src")
MAY = {
    "base": [],
    "core": ["base"],
    "target": ["base", "core"],
    "strategy": ["base", "core"],
    "detect": ["base", "core"],
    "certify": ["base", "core", "target"],
    "runtime/calls": ["runtime", "core", "base/bitset.h", "base/rng.h"],
    "runtime": ["core", "base/bitset.h", "base/rng.h"],
    "native": ["base", "core", "target", "runtime/channel.h", "runtime/heap_layout.h",
               "runtime/stack_keys.h", "runtime/intercept.def"],
    "beamfile": ["base"],
    "static": ["base", "beamfile", "report"],
    "vm": ["base", "beamfile"],
    "beam": ["base", "core", "target", "vm"],
    "prop": ["base", "core", "target", "strategy", "detect", "explore", "native", "vm", "beam",
             "fermata"],
    "weak": ["base", "core", "strategy"],
    "explore": ["base", "core", "target", "strategy", "detect", "certify", "weak"],
    "fleet": ["base", "core", "target", "strategy", "detect", "explore", "vm/bifs/digest.h"],
    "report": ["base", "core"],
    "explain": ["base", "core", "target", "detect", "explore", "report", "native/functions.h",
                "native/symbols.h"],
    "cli": None,  # the only place that knows everything
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def folder_of(path):
    """The innermost folder of a path that has a row in the table."""
    parts = path.split("/")[:-1]
    while parts and "/".join(parts) not in MAY:
        parts.pop()
    return "/".join(parts)


def allowed(folder, header):
    rules = MAY[folder]
    return (rules is None or folder_of(header) in rules + [folder] or header in rules
            or header.split("/")[0] not in MAY and header.split("/")[0] in rules)


def main():
    tally = Tally()
    for path, _, files in sorted(os.walk(ROOT)):
        for name in sorted(files):
            if not name.endswith((".c", ".h", ".def")):
                continue
            full = os.path.join(path, name)
            folder = folder_of(os.path.relpath(full, ROOT))
            with open(full, encoding="utf-8") as file:
                wrong = [h for h in INCLUDE.findall(file.read()) if not allowed(folder, h)]
            tally.check(os.path.relpath(full, ROOT), not wrong,
                        "must not include " + ", ".join(wrong))
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
