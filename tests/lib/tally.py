"""Counting cases, for every runner: passed, failed, skipped, and one closing line.

    tally = Tally()
    tally.passed("name")
    tally.failed("name", "exit 4, not 1")
    tally.skipped("name", "elixirc is missing")
    sys.exit(tally.close())

The closing line is `N passed, N failed, N skipped`. close() returns the exit status: 1 if a case
failed, and also if none passed, because a runner that found nothing to run has tested nothing.

A runner whose cases are methods named test_… of one object uses run_methods(); such a method calls
want() for each thing that must hold, or raises Wrong or Skipped.
"""

import re
import traceback


class Wrong(Exception):
    """Something is not as promised; the text is a sentence about it."""


class Skipped(Exception):
    """The case cannot be run on this machine; the text says why."""


def want(condition, text, *args):
    if not condition:
        raise Wrong(text % args if args else text)


class Tally:
    def __init__(self, verbose=False):
        self.verbose = verbose
        self.counts = {"passed": 0, "failed": 0, "skipped": 0}

    def count(self, what, name, words):
        self.counts[what] += 1
        if what == "failed" or (what == "skipped" and words) or self.verbose:
            label = {"passed": "ok", "failed": "FAILED", "skipped": "skipped"}[what]
            print("%s %s%s%s" % (label, name, ": " if words else "", words), flush=True)

    def passed(self, name, words=""):
        self.count("passed", name, words)

    def failed(self, name, words):
        """`words` may be a list: then each is a line."""
        self.count("failed", name, words if isinstance(words, str) else "\n\t".join(["", *words]))

    def skipped(self, name, why=""):
        """Without a reason it is counted and not printed: for cases left out by the hundred."""
        self.count("skipped", name, why)

    def check(self, name, condition, words=""):
        """One case, passed or failed by a condition; returns it."""
        if condition:
            self.passed(name)
        else:
            self.failed(name, str(words))
        return condition

    def close(self):
        if not self.counts["passed"] and not self.counts["failed"]:
            print("no case was run")
        print("%(passed)d passed, %(failed)d failed, %(skipped)d skipped" % self.counts)
        return 1 if self.counts["failed"] or not self.counts["passed"] else 0


def run_methods(cases, tally, names=(), prefixes=("test_",)):
    """Run the methods test_… of an object; with names, those that match one (as an expression)."""
    methods = sorted(name for name in dir(cases) if name.startswith(prefixes))
    for name in methods:
        if names and not any(re.search(one, name) for one in names):
            continue
        try:
            getattr(cases, name)()
            tally.passed(name)
        except Skipped as why:
            tally.skipped(name, str(why))
        except Wrong as wrong:
            tally.failed(name, str(wrong))
        except Exception:
            tally.failed(name, traceback.format_exc(limit=-1).strip())
