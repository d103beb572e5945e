"""Run one command and say what it cost: CPU time, wall time, peak memory.

For the benches whose tool prints no such numbers itself. The kernel's account of the child
(and of the children it waited for) is used, so start and end of the process are included.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from typing import NamedTuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                                "tests", "lib"))
import fermata  # noqa: E402


class Spent(NamedTuple):
    cpu_ms: float
    wall_ms: float
    peak_rss_kb: int
    output: str


def first_line(text):
    return text.strip().split("\n")[0]


def start(command, errors):
    try:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=errors)
    except OSError as error:
        raise fermata.ToolError("%s does not start: %s" % (command[0], error.strerror))


def run(command, timeout_s, statuses=(0,)):
    """Run a command to its end; a status not among statuses is a ToolError."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        child = start(command, errors)
        timer = threading.Timer(timeout_s, child.kill)
        timer.start()
        output = child.stdout.read().decode(errors="replace")
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        child.stdout.close()
        errors.seek(0)
        complaint = errors.read().decode(errors="replace")
    wall_ms = (time.monotonic() - began) * 1000
    if child.returncode not in statuses:
        raise fermata.ToolError("%s: status %d after %.1f s: %s" % (
            " ".join(command), child.returncode, wall_ms / 1000, first_line(complaint)))
    return Spent((usage.ru_utime + usage.ru_stime) * 1000, wall_ms, usage.ru_maxrss, output)
