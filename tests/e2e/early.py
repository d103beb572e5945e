"""Programs that go wrong before their first thread.

The methods are test cases of tests/e2e/run, which has the helpers they call.
"""

import json
import os
import re
import resource
import signal
import subprocess
import time

import fermata
from tally import want

HERE = os.path.dirname(os.path.abspath(__file__))

# Seconds for 15 s of CPU time on a machine that others use.
PATIENCE = 400


class EarlyCases:
    def line_of(self, mark):
        with open(os.path.join(HERE, "programs", "early.c"), encoding="utf-8") as file:
            return next(n for n, line in enumerate(file, 1) if "/* %s */" % mark in line)

    def early(self, deed, *options, argument="", timeout=PATIENCE):
        """Test the program; return status, verdict line, JSON, and whether JUnit was written."""
        folder = self.out_dir()
        report, junit = os.path.join(folder, "report.json"), os.path.join(folder, "report.xml")
        status, text, errors = self.run("test", *options, "--json", report, "--junit", junit, "--",
                                        self.build("early"), deed, argument, timeout=timeout)
        want(os.path.exists(report), "%s: no JSON: %s", deed, text + errors)
        want(os.path.exists(junit), "%s: no JUnit: %s", deed, text + errors)
        with open(report, encoding="utf-8") as file:
            return status, fermata.last_line(text), json.load(file)

    def test_a_hang_before_the_first_thread_is_a_finding(self):
        out = self.out_dir()
        status, last, report = self.early("loop", "--out", out)
        want(status == 1 and report["verdict"] == "bug", "exit %d: %s", status, last)
        want(re.match(r"fermata: bug: hang at \S*early\.c:%d; replay" % self.line_of("loop"), last),
             last)
        want("did not come to its first thread" in report["findings"][0]["message"],
             report["findings"][0]["message"])

    def hard_hangs_and_overflows_have_fingerprints_of_their_own(self):
        """By the call that they are in, by the thread, and by the function that overflows."""
        out = self.out_dir()
        program = self.build("ends")
        for deed, kind in (("fifo", "hang"), ("system", "hang"), ("loop", "hang"),
                           ("loop-in-main", "hang"), ("frame", "crash"), ("recursion", "crash")):
            status, text, _ = self.run("test", "--quiet", "--step-time", "0.3", "--out", out, "--",
                                       program, deed, os.path.join(out, "fifo"), timeout=PATIENCE)
            want(status == 1 and "fermata: bug: %s at " % kind in text and "ends.c:" in text,
                 "%s: exit %d: %s", deed, status, text)
            want("for seconds" not in text, text)
        names = [name for name in os.listdir(out) if name != "fifo"]
        want(len(names) == 6 and all(name.count("-") == 1 for name in names), "%s", names)

    def hard_a_hang_is_reported_within_some_seconds_and_replayed(self):
        out = self.out_dir()
        _, _, report = self.early("loop", "--out", out)
        # of CPU time, because other tests may use the machine; 5 s to see it, 10 s to be sure
        want(report["cpu_seconds"] < 17, "it took %.1f s", report["cpu_seconds"])
        status, text, _ = self.run("replay", self.finding(out), timeout=PATIENCE)
        want(status == 1, "replay: exit %d: %s", status, fermata.last_line(text))
        path = os.path.join(self.out_dir(), "report.json")
        self.run("test", "--json", path, "--", self.build("hangs"), timeout=PATIENCE)
        with open(path, encoding="utf-8") as file:
            seconds = json.load(file)["cpu_seconds"]
        # three seconds for a first look, three to see it, six to be sure
        want(seconds < 14, "a hang with threads took %.1f s", seconds)

    def hard_the_time_ends_the_confirmation_of_a_hang(self):
        program = self.build("hangs")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        status, text, _ = self.run("test", "--step-time", "4", "--max-time", "10", "--out",
                                   self.out_dir(), "--", program, timeout=PATIENCE)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        last = fermata.last_line(text)
        # two looks of four seconds, and a confirmation of eight that the time makes shorter; on a busy
        # machine the time is over before the second look
        want(status == 1 and "bug: hang" in last or status == 4 and "it is in compute at" in last,
             "exit %d: %s", status, last)
        want(seconds < 14, "--max-time 10 took %.1f s of CPU time", seconds)

    def test_the_time_ends_a_hang_before_the_first_thread(self):
        started = time.time()
        status, last, report = self.early("loop", "--max-time", "1")
        want(time.time() - started < 20, "--max-time 1 took %.1f s", time.time() - started)
        want(status == 4 and report["verdict"] == "lost-control", "exit %d: %s", status, last)
        want(re.search(r"is in loop at \S*early\.c:%d$" % self.line_of("loop"), last), last)

    def test_the_function_before_the_first_thread_is_the_right_one(self):
        for flags in ((), ("-O2",), ("-static",)):
            program = self.build("early", *flags)
            for deed, function in (("open", "wait_in_open"), ("fopen", "wait_in_fopen"),
                                   ("system", "wait_in_system")):
                fifo = os.path.join(self.out_dir(), "fifo")
                status, text, errors = self.run("test", "--max-time", "0.5", "--", program, deed,
                                                fifo, timeout=20)
                last = fermata.last_line(text + errors)
                want(status == 4, "%s: exit %d: %s", deed, status, last)
                want(re.search(r"is in %s at \S*early\.c:%d$" % (function, self.line_of(deed)),
                               last), "%s %s: %s", deed, flags, last)

    def test_interrupt_before_the_first_thread(self):
        report = os.path.join(self.out_dir(), "report.json")
        child = subprocess.Popen([self.tool.path, "test", "--json", report, "--",
                                  self.build("early"), "loop"], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, cwd=self.dir, env=self.tool.env)
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        text = child.communicate(timeout=10)[0].decode()
        last = fermata.last_line(text)
        want(child.returncode == 130, "exit %d: %s", child.returncode, last)
        want(last.startswith("fermata: interrupted before a run came to its end"), last)
        with open(report, encoding="utf-8") as file:
            want(json.load(file)["verdict"] == "interrupted", "JSON has another verdict")

    def test_exec_before_the_first_thread_loses_control(self):
        started = time.time()
        status, last, report = self.early("replace", "--max-time", "2", argument="/bin/sleep")
        want(time.time() - started < 4, "--max-time 2 took %.1f s", time.time() - started)
        want(status == 4 and report["verdict"] == "lost-control", "exit %d: %s", status, last)
        want("called execl before its first thread" in last, last)
        status, last, _ = self.early("replace", argument="/no/such/program")
        want(status == 0, "an exec that fails: exit %d: %s", status, last)

    def test_a_signal_that_stops_is_not_a_crash(self):
        status, last, _ = self.early("stop")
        want(status == 4 and "stopping the program by signal 19" in last, "exit %d: %s", status,
             last)

    def test_pipes_have_names(self):
        status, last, report = self.early("read")
        message = report["findings"][0]["message"]
        want(status == 1 and "waits at early.c:" in message and
             " for pipe ends, and nobody is left to write to it" in message,
             "exit %d: %s", status, message)

    def test_nothing_ran_is_not_called_an_execution(self):
        _, text, _ = self.run("test", "--", self.build("early"), "stop")
        want("0 executions" not in text and "no complete run" in text, text)
