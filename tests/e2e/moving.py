"""Values that differ from process to process, and steps that take long.

The methods are test cases of tests/e2e/run, which has the helpers they call.
"""

import glob
import json
import os
import re

import fermata
from tally import want


HERE = os.path.dirname(os.path.abspath(__file__))


def output_of(text):
    """The lines that the program printed in the run that a report shows."""
    return re.findall(r"^    \| (.*)$", text, re.MULTILINE)


class MovingCases:
    def outputs_of_a_finding(self, flags):
        """Test the program, replay its finding twice; return the three outputs."""
        out = self.out_dir()
        status, text, _ = self.run("test", *flags, "--out", out, "--", self.build("moving"))
        want(status == 1, "exit %d: %s", status, fermata.last_line(text))
        shown = [output_of(text)]
        finding, = glob.glob(os.path.join(out, "*"))
        for environment in ({}, {"MORE": "x" * 5000}):
            status, text, _ = self.run("replay", finding, env=environment)
            want(status == 1, "replay: exit %d: %s", status, fermata.last_line(text))
            shown.append(output_of(text))
        return shown

    def test_values_of_the_process_are_the_same_in_every_run(self):
        for flags in ((), ("--restart", "fork"), ("--strategy", "dpor")):
            shown = self.outputs_of_a_finding(flags) + self.outputs_of_a_finding(flags)
            want(len(shown[0]) > 10, "the output is not shown: %s", shown[0])
            for other in shown[1:]:
                want(other == shown[0], "%s, then %s", shown[0], other)

    def test_a_hang_that_the_time_cuts_is_not_a_success(self):
        for seconds in ("0.5", "1"):
            status, text, _ = self.run("test", "--max-time", seconds, "--out", self.out_dir(), "--",
                                       self.build("hangs_late"))
            last = fermata.last_line(text)
            want(status == 4, "exit %d: %s", status, last)
            want(re.search(r"a step of P1 had not come back for .*: it is in main at .*"
                           r"hangs_late\.c:\d+$", last), "the step is not named: %s", last)

    def test_a_slow_step_is_not_a_hang(self):
        program = self.build("slow_step")
        status, text, _ = self.run("test", "--strategy", "dpor", "--step-time", "0.3", "--out",
                                   self.out_dir(), "--", program)
        last = fermata.last_line(text)
        want(status == 4 and "a step of P1.1 did not come back within 0.3 s (--step-time 0.3), but it did "
             "when it had more time" in last, "exit %d: %s", status, last)
        status, text, _ = self.run("test", "--strategy", "dpor", "--step-time", "5", "--out",
                                   self.out_dir(), "--", program)
        want(status == 0, "exit %d: %s", status, fermata.last_line(text))

    def test_a_hang_is_shown_again(self):
        out = self.out_dir()
        status, text, _ = self.run("test", "--step-time", "0.5", "--out", out, "--",
                                   self.build("hangs"))
        want(status == 1, "exit %d: %s", status, fermata.last_line(text))
        want("a step of compute did not come back within 0.5 s (--step-time 0.5), and nobody" in
             " ".join(text.split()), text)
        finding, = glob.glob(os.path.join(out, "*"))
        status, text, _ = self.run("replay", finding)
        want(status == 1, "replay: exit %d: %s", status, fermata.last_line(text))

    def test_a_step_that_stays_while_others_can_go_on(self):
        """Whether it would end is not known, so it is not a hang. `open` waits outside of control."""
        program, pipe = self.build("stays"), os.path.join(self.out_dir(), "pipe")
        with open(os.path.join(HERE, "programs", "stays.c"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        for deed, function in (("compute", "compute"), ("open", "wait_in_open")):
            report = os.path.join(self.out_dir(), "report.json")
            status, text, _ = self.run("test", "--step-time", "0.5", "--out", self.out_dir(), "--json",
                                       report, "--", program, deed, pipe)
            last = fermata.last_line(text)
            line = next(n for n, text in enumerate(lines, 1) if "/* %s */" % deed in text)
            want(status == 4, "%s: exit %d: %s", deed, status, last)
            want(re.search(r"lost control: a step of P1\.1 did not come back within 0\.5 s .*: it is in "
                           r"%s at \S*stays\.c:%d;" % (function, line), last), "%s: %s", deed, last)
            with open(report, encoding="utf-8") as file:
                want(json.load(file)["verdict"] == "lost-control", "%s: another verdict", deed)

    def test_frames_of_the_runtime_are_not_shown(self):
        for name in ("racy_counter", "moving", "on_stack"):
            for flags in ((), ("-static",)):
                _, text, _ = self.run("test", "--out", self.out_dir(), "--",
                                      self.build(name, *flags))
                where = text[text.index("  Where:"):]
                want(re.search(r"#\d+ +\w+ ", where), "%s: no stack: %s", name, where)
                wrong = re.search(r"run_main|begin_thread|exit\.c|sched\.c|__wrap_|\brt_", where)
                want(not wrong, "%s %s: a frame of the runtime: %s", name, flags, where)

    def test_a_lock_held_at_the_end_is_not_called_freed(self):
        litmus = os.path.join(os.path.dirname(HERE), "litmus")
        source = os.path.join(litmus, "mutex_left_locked", "prog.c")
        program = self.tool.compile([source], "left_locked", ["-I" + litmus])
        _, text, _ = self.run("test", "--out", self.out_dir(), "--", program)
        want("freed" not in text, "a lock is called freed: %s", text)
        want("takes its last step before it ends" in text, text)

    # values that cannot be made the same

    def test_random_devices_follow_the_seed(self):
        stream = self.tool.compile([os.path.join(HERE, "programs", "stream.cc")], "stream")
        for command in ([self.build("outside", "-DDEPENDS"), "urandom"], [stream]):
            out = self.out_dir()
            status, text, _ = self.run("test", "--out", out, "--", *command)
            want(status == 1, "%s: exit %d: %s", command, status, fermata.last_line(text))
            want("may not show again" not in text, "a seeded value is named: %s", text)
            drawn = output_of(text)
            want(re.match(r"drawn [1-9]\d*$", drawn[0]), "the output is %s", drawn)
            for _ in range(3):
                status, text, _ = self.run("replay", self.finding(out))
                want(status == 1, "replay: exit %d: %s", status, fermata.last_line(text))
                want(output_of(text) == drawn, "%s, then %s", drawn, output_of(text))
            _, text, _ = self.run("test", "--seed", "2", "--out", out, "--", *command)
            want(output_of(text) != drawn, "another seed draws the same: %s", drawn)

    MOVING = (("proc", "a file of the kernel (/proc, /sys)"), ("link", "system call 89 by number"),
              ("inode", "inode numbers, times, links and names of files"),
              ("folder", "a file of the kernel (/proc, /sys)"))

    def test_findings_name_values_that_differ_between_processes(self):
        program = self.build("outside")
        for deed, name in self.MOVING:
            out, report, sarif = self.out_dir(), *(os.path.join(self.out_dir(), "report")
                                                  for _ in range(2))
            status, text, _ = self.run("test", "--out", out, "--json", report, "--sarif", sarif,
                                       "--", program, deed)
            want(status == 1, "%s: exit %d: %s", deed, status, fermata.last_line(text))
            words = " ".join(text.split())
            want("differ from process to process (%s): if the bug depends on them, it may not show "
                 "again" % name in words, "%s: %s", deed, words)
            with open(report, encoding="utf-8") as file:
                found = json.load(file)["findings"][0]
            want(found["may_depend_on"] == name, "%s: JSON has %s", deed, found.get("may_depend_on"))
            with open(sarif, encoding="utf-8") as file:
                message = json.load(file)["runs"][0]["results"][0]["message"]["text"]
            want(name in message and "may not show again" in message, "%s: SARIF has %s", deed,
                 message)
            status, text, _ = self.run("replay", self.finding(out), "--",
                                       self.build("outside", "-DLENIENT"), deed)
            want(status == 0 and "the finding may depend on %s" % name in fermata.last_line(text),
                 "%s: exit %d: %s", deed, status, fermata.last_line(text))

    def test_findings_that_do_not_show_again_are_not_shown(self):
        for deed, name in self.MOVING:
            status, text, _ = self.run("test", "--out", self.out_dir(), "--",
                                       self.build("outside", "-DDEPENDS"), deed)
            last = fermata.last_line(text)
            want(status == 4 and "did not show again when its schedule was replayed; it may depend on "
                 + name in last, "%s: exit %d: %s", deed, status, last)
