"""Drive the fermata command line from the test and bench runners.

The runners all do the same three things: compile a program with the wrapper (or with erlc), run
`fermata test` on it, read the JSON it wrote. Those three are here, once, and nothing else is: each
runner knows what it expects of a program.

Only the outside contract of the tool is used (options, exit status, JSON fields), so a
change that breaks users' scripts breaks these runners first.
"""

import itertools
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

# As tests/check does: every target is wrapped in a check of its contract.
os.environ.setdefault("FERMATA_CHECK_TARGET", "1")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXIT_OF_VERDICT = {"proved": (0,), "no-bug-found": (0, 3), "known": (0, 3), "bug": (1,), "lost-control": (4,),
                   "interrupted": (130,)}


class ToolError(Exception):
    """The tool, not the tested program, did something wrong. The text says what."""


def default_path():
    return os.environ.get("FERMATA", os.path.join(ROOT, "build", "fermata"))


def is_cxx(source):
    return source.endswith((".cc", ".cpp", ".cxx"))


def run_limited(command, timeout_s, cwd=None, env=None):
    """Run a command; return (status, stdout, stderr). A timeout is a ToolError."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=timeout_s, cwd=cwd, env=env)
    except subprocess.TimeoutExpired:
        raise ToolError("timeout after %d s: %s" % (timeout_s, " ".join(command)))
    return (done.returncode, done.stdout.decode(errors="replace"),
            done.stderr.decode(errors="replace"))


class Tool:
    """One fermata binary, and where the programs it compiles go.

    cc is the underlying compiler (gcc, clang-19 …), handed to the wrapper through FERMATA_CC.
    """

    def __init__(self, path, cc="gcc", flags=(), static=False):
        self.path = os.path.abspath(path)
        if not os.access(self.path, os.X_OK):
            sys.exit("%s is not there or not executable; build it first" % self.path)
        self.flags = list(flags)
        self.static = static
        self.env = dict(os.environ)
        self.env["FERMATA_CC"] = cc
        self.env.pop("FERMATA_CXX", None)  # the wrapper knows the C++ compiler of each
        self.env["NO_COLOR"] = "1"
        self.work = tempfile.mkdtemp(prefix="fermata-test.")
        self.serial = itertools.count()
        self.programs = {}  # of compile_once(): sources and flags -> lock, path
        self.lock = threading.Lock()

    def close(self):
        shutil.rmtree(self.work, ignore_errors=True)

    def compile(self, sources, name, flags=(), timeout_s=120):
        """Compile and link sources; return the path of the program."""
        out = os.path.join(self.work, name)
        driver = "c++" if is_cxx(sources[0]) else "cc"
        command = [self.path, driver, "-g", "-pthread", *self.flags, *flags, *sources, "-o", out]
        if self.static:
            command.append("-static")
        status, _, errors = run_limited(command, timeout_s, env=self.env)
        if status != 0:
            raise ToolError("does not compile: " + last_line(errors))
        return out

    def compile_once(self, sources, name, flags=()):
        """The same; several cases with the same sources and flags share the first one's program."""
        with self.lock:
            entry = self.programs.setdefault((*sources, None, *flags),
                                             {"lock": threading.Lock(), "path": None})
        with entry["lock"]:
            if not entry["path"]:
                entry["path"] = self.compile(sources, name, flags)
        return entry["path"]

    def test(self, program, args=(), options=(), timeout_s=120):
        """Run `fermata test`; return its JSON with "exit" and "text" added."""
        return self.explore([*options, "--", program, *args], timeout_s)

    def explore(self, words, timeout_s=120):
        """Run `fermata test` with these words; the same result. For Erlang, too."""
        stem = os.path.join(self.work, "explored.%d" % next(self.serial))
        report, out = stem + ".json", stem + ".out"
        command = [self.path, "test", "--json", report, "--out", out, *words]
        status, text, errors = run_limited(command, timeout_s, cwd=self.work, env=self.env)
        result = read_report(report, status, text + errors)
        shutil.rmtree(out, ignore_errors=True)
        check_status(result)
        return result

    def compile_erlang(self, sources, *options):
        """Compile modules into the work folder, which is to be given as -pa.

        erlc writes paths below the current folder as relative ones: it is called from elsewhere,
        so that reports can show the source."""
        done = subprocess.run(["erlc", *options, "-o", self.work, *map(os.path.abspath, sources)],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              cwd=self.work)
        if done.returncode:
            raise ToolError("erlc: " + last_line(done.stdout + done.stderr))


class Explorer:
    """Searches without reports, many programs by one process (tests/hunt/explorer.c). A thread that
    asks has a process of its own."""

    def __init__(self, tool):
        self.path = os.path.join(os.path.dirname(tool.path), "fermata-explorer")
        if not os.access(self.path, os.X_OK):
            sys.exit("%s is missing; `ninja tests` builds it" % self.path)
        self.tool = tool
        self.processes = {}

    def process(self):
        key = threading.get_ident()
        if key not in self.processes:
            self.processes[key] = subprocess.Popen(
                [self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
                cwd=self.tool.work, env=self.tool.env, start_new_session=True)
            self.processes[key].unread = b""
        return self.processes[key]

    def explore(self, words, searches, timeout_s=120):
        """The results of the searches that `fermata test` would make with these words and the
        options of each search, like those of Tool.explore(), with the set "classes"."""
        process = self.process()
        parts = [words, *(["SEARCH", *options] for options in searches)]
        process.stdin.write(("\t".join(word for part in parts for word in part) + "\n").encode())
        process.stdin.flush()
        return [self.read_answer(process, words, timeout_s) for _ in searches]

    def read_answer(self, process, words, timeout_s):
        while b"\n" not in process.unread:
            if not select.select([process.stdout], [], [], timeout_s)[0]:
                self.stop(process)
                raise ToolError("timeout after %d s: %s" % (timeout_s, " ".join(words)))
            more = process.stdout.read(1 << 20)
            if not more:
                self.stop(process)
                raise ToolError("no answer: %s" % " ".join(words))
            process.unread += more
        line, process.unread = process.unread.split(b"\n", 1)
        result = json.loads(line)
        result["classes"] = set(result["classes"])
        result["verdict"] = "lost-control" if result["lost"] else "explored"
        result["findings"], result["text"] = [], result["reason"]
        return result

    def stop(self, process):
        """Ends a process that does not answer, and its children."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.processes = {key: one for key, one in self.processes.items() if one is not process}

    def close(self):
        for process in self.processes.values():
            process.stdin.close()
            process.wait()


def read_classes(path):
    """The equivalence classes that `--classes` wrote, a set; the file is removed."""
    with open(path) as stream:
        classes = {line.split(" ", 1)[0] for line in stream}
    os.unlink(path)
    return classes


def read_report(path, status, text):
    try:
        with open(path) as stream:
            result = json.load(stream)
    except (OSError, ValueError) as wrong:
        raise ToolError("exit %d, no JSON (%s): %s" % (status, wrong, last_line(text)))
    if result.get("schema") != 1:
        raise ToolError("schema is not 1")
    os.unlink(path)
    result["exit"] = status
    result["text"] = text
    return result


def check_status(result):
    allowed = EXIT_OF_VERDICT.get(result["verdict"])
    if allowed is None:
        raise ToolError("unknown verdict %r" % result["verdict"])
    if result["exit"] not in allowed:
        raise ToolError("verdict %s with exit %d" % (result["verdict"], result["exit"]))


def cpu_seconds():
    """Of this process and of those that it started and that have ended."""
    return sum(sum(resource.getrusage(who)[:2])
               for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def last_line(text):
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1] if lines else "(no output)"
