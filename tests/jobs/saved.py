"""Searches that are saved with --resume: how the tests start, read and forget them."""

import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(ROOT, "tests", "lib"))
import compared  # noqa: E402
import fermata  # noqa: E402

DPOR = ["--strategy", "dpor", "--certify", "0", "--keep-going"]


class Case:
    def __init__(self, name, words, options=()):
        self.name, self.words, self.options = name, words, [*options] or DPOR


class Searcher:
    def __init__(self, tool):
        self.tool = tool
        tool.env["FERMATA_SAVE_EVERY_MS"] = "20"
        tool.env["FERMATA_JOBS_AFTER"] = "3"
        self.out = os.path.join(tool.work, "saved")
        self.report = os.path.join(tool.work, "saved.json")
        self.classes = os.path.join(tool.work, "saved.classes")

    def command(self, case, more=()):
        return [self.tool.path, "test", "--quiet", "--json", self.report, "--out", self.out,
                "--classes", self.classes, *case.options, *more, *case.words]

    def start(self, case, more=("--resume",)):
        return subprocess.Popen(self.command(case, more), env=self.tool.env, cwd=self.tool.work,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def read(self, process):
        text = process.communicate(timeout=200)[1]
        report = fermata.read_report(self.report, process.returncode, text)
        report["classes"] = compared.read_classes(self.classes)
        return report

    def forget(self):
        shutil.rmtree(self.out, ignore_errors=True)

    def saved_file(self):
        names = os.listdir(self.out) if os.path.isdir(self.out) else []
        found = [name for name in names if name.startswith("search-")]
        return os.path.join(self.out, found[0]) if found else None

    def alone(self, case):
        """The report of the undisturbed search, and the time it took."""
        self.forget()
        began = time.monotonic()
        report = self.read(self.start(case, ()))
        return report, time.monotonic() - began

    def stop_early(self, case):
        """Saves the search after some runs; returns its file."""
        self.forget()
        process = self.start(case, ("--resume", "--max-runs", "50"))
        process.communicate(timeout=100)
        return self.saved_file()


def make_cases(tool):
    def build(source, *flags, name=None):
        return tool.compile([source], name or os.path.basename(source)[:-2], flags)

    def bench(name):
        return build(os.path.join(ROOT, "bench", "programs", name + ".c"))

    tool.compile_erlang([os.path.join(HERE, "fanout.erl")])
    writers = ["--", bench("nwriters"), "6"]
    leak = ["--", build(os.path.join(HERE, "leak.c"))]
    rare = ["--", build(os.path.join(HERE, "rare.c"))]
    racy = ["--", build(os.path.join(HERE, "rare.c"), "-DRACY", name="racy")]
    erlang = ["-pa", tool.work]
    sampled = ["--seed", "5", "--max-runs", "4000", "--keep-going", "--strategy"]
    return [
        Case("nwriters", writers), Case("fanout:table", [*erlang, "fanout:table"]),
        Case("leak", leak), Case("nwriters, 3 processes", writers, [*DPOR, "--jobs", "3"]),
        Case("fanout:clients", [*erlang, "fanout:clients"]),
        Case("fanout:table, 3 processes", [*erlang, "fanout:table"], [*DPOR, "--jobs", "3"]),
        Case("rare, pos", rare, [*sampled, "pos"]), Case("rare, pct", rare, [*sampled, "pct"]),
        Case("racy", racy, [*sampled, "random"]), Case("fanout:polls", [*erlang, "fanout:polls"]),
    ]
