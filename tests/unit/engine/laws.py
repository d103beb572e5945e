#!/usr/bin/env python3
"""Every test that core/dependence.h and dependence.def name exists.

A law is written as "Test: litmus a, b; orders c; gaps d; counts f; unit e." The names are
looked up in
tests/litmus, tests/explore/orders.erl, gaps.erl and counts.erl, and tests/unit/engine.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
CORE = ROOT / "src" / "core"
UNIT = ROOT / "tests" / "unit" / "engine"


def laws(text):
    """The lists of tests in the comments, each as one line."""
    text = re.sub(r"\n \* ?", " ", text)
    return re.findall(r"Test: (.*?)\.(?: \*/| [A-Z])", text)


def exists(kind, name):
    if kind == "litmus":
        return (ROOT / "tests" / "litmus" / name).is_dir()
    if kind in ("orders", "gaps", "counts"):
        source = (ROOT / "tests" / "explore" / (kind + ".erl")).read_text()
        return re.search(r"^%s\(\) ->" % name, source, re.M) is not None
    if kind == "unit":
        return ((UNIT / (name + ".c")).exists()
                or "unit_test(%s)" % name in (UNIT / "strategy_dpor.c").read_text())
    return (ROOT / kind).exists()


def main():
    found = [law for name in ("dependence.h", "dependence.def")
             for law in laws((CORE / name).read_text())]
    missing = []
    for part in (part for law in found for part in law.split(";")):
        words = re.sub(r"\(.*?\)|with --delivery async|both also", "", part)
        kind, *names = words.replace(",", " ").split()
        missing += [(kind, name) for name in names or [kind] if not exists(kind, name)]
    for kind, name in missing:
        print("dependence names a test that does not exist: %s %s" % (kind, name))
    if len(found) < 20:
        print("only %d laws name tests" % len(found))
    sys.exit(1 if missing or len(found) < 20 else 0)


if __name__ == "__main__":
    main()
