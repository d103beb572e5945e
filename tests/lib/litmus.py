"""The litmus programs and their `expect` files, for every runner that goes through them.

A litmus is a folder with sources and an `expect` file of cases. The keys of a
case are explained in tests/litmus/run, which checks them; here they are only read. Another
runner takes the same programs, arguments and options and asks something else of them.
"""

import functools
import os
import re
import subprocess
import sys

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "litmus")
KEYS = {"args", "compile", "options", "verdict", "kind", "kinds", "message", "executions",
        "blocked", "outcomes", "exit", "says", "assumes", "dfs", "only", "except", "needs"}


def parse_expect(path):
    """Return the cases of an expect file, each a dict."""
    cases = [{}]
    with open(path) as stream:
        for number, line in enumerate(stream, 1):
            line = line.split("#")[0].strip()
            if line == "---":
                cases.append({})
            elif line:
                key, colon, value = line.partition(":")
                if not colon or key not in KEYS:
                    sys.exit("%s:%d: unknown key: %s" % (path, number, line))
                cases[-1][key] = value.strip()
    for case in cases:
        if "verdict" not in case:
            sys.exit("%s: a case without a verdict" % path)
        for key in ("verdict", "kind", "executions"):
            if "|" in case.get(key, ""):
                sys.exit("%s: %s has alternatives: write one case for each" % (path, key))
    return cases


def find_sources(folder):
    names = sorted(os.listdir(folder))
    sources = [name for name in names if name.endswith((".c", ".cc", ".cpp"))]
    if not sources:
        sys.exit("%s: no program" % folder)
    return [os.path.join(folder, name) for name in sources]


@functools.lru_cache(maxsize=None)
def libstdcxx_version(cc):
    """The release of libstdc++ that the compiler takes its headers from; 0 if it has none."""
    done = subprocess.run([cc, "-x", "c++", "-std=c++20", "-E", "-dM", "-include", "cstddef",
                           os.devnull], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    found = re.search(r"^#define _GLIBCXX_RELEASE (\d+)", done.stdout, re.MULTILINE)
    return int(found.group(1)) if found else 0


class Case:
    """One case of one folder."""

    def __init__(self, folder, number, case):
        self.label = "%s/%d" % (os.path.basename(folder), number)
        self.case = case
        self.sources = find_sources(folder)

    def words(self, key):
        return self.case.get(key, "").split()

    def has_needs(self, cc):
        """Of `needs: libstdc++ >= 16` or `libstdc++ < 16`: does it hold for this compiler?"""
        if "needs" not in self.case:
            return True
        library, relation, version = self.words("needs")
        if library != "libstdc++" or relation not in (">=", "<"):
            sys.exit("%s: cannot read needs: %s" % (self.label, self.case["needs"]))
        return (libstdcxx_version(cc) >= int(version)) == (relation == ">=")

    def is_for(self, cc, level):
        only, but = self.words("only"), self.words("except")
        if not self.has_needs(cc):
            return False
        cc = "clang" if "clang" in cc else "gcc"
        if cc in but or level in but:
            return False
        return not only or cc in only or level in only

    def options(self):
        options = self.words("options")
        return options if "--strategy" in options else ["--strategy", "dpor", *options]

    def compile(self, tool):
        """Return the path of the program."""
        flags = ["-I" + FOLDER, *self.words("compile")]
        return tool.compile_once(self.sources, self.label.replace("/", "."), flags)


def folders_of(root):
    """The folders at or below root that have an expect file, in order."""
    found = [path for path, _, files in os.walk(root) if "expect" in files]
    return sorted(found)


def is_wanted(name, filters):
    return not filters or any(re.search(one, name) for one in filters)


def collect(root, filters, make=Case):
    """The cases below root whose folder matches a filter, each from make(folder, n, case)."""
    found = []
    for folder in folders_of(root):
        name = os.path.basename(folder)
        if not is_wanted(name, filters):
            continue
        cases = parse_expect(os.path.join(folder, "expect"))
        found += [make(folder, n, case) for n, case in enumerate(cases, 1)]
    return found
