"""Kills workers (--jobs) at random moments."""

import os
import random
import threading
import time


def children_of(pid):
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as stream:
            return [int(word) for word in stream.read().split()]
    except OSError:
        return []


def is_tool(pid):
    try:
        with open("/proc/%d/comm" % pid) as stream:
            return stream.read().strip() == "fermata"
    except OSError:
        return False


class Killer(threading.Thread):
    """Kills a worker of any tool below this process now and then. A worker of a native search has a
    program; a child without one may be the program of the tool, which is about to be executed."""

    def __init__(self, seed, has_program=True, pause=(0.005, 0.1)):
        super().__init__()
        self.pause = pause
        self.has_program = has_program
        self.random = random.Random(seed)
        self.killed = 0
        self.is_over = False

    def run(self):
        while not self.is_over:
            time.sleep(self.random.uniform(*self.pause))
            workers = [worker for tool in children_of(os.getpid()) if is_tool(tool)
                       for worker in children_of(tool)
                       if is_tool(worker) and (not self.has_program or children_of(worker))]
            if workers:
                try:
                    os.kill(self.random.choice(workers), 9)
                    self.killed += 1
                except ProcessLookupError:
                    pass
