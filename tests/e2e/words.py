"""Limits of the time after a finding, and the words of reports about findings.

The methods are test cases of tests/e2e/run, which has the helpers they call.
"""

import json
import os
import re
import shlex
import signal
import subprocess
import time

import fermata
from tally import want

HERE = os.path.dirname(os.path.abspath(__file__))


class WordCases:
    # limits

    def slow(self, rounds):
        """A program that fails in every schedule. A run of 20,000,000 rounds takes a tenth of a second or
        two, and the search makes some twenty runs after the finding."""
        return self.build("always_slow", "-DROUNDS=%d" % rounds)

    def shortened(self, report):
        with open(report, encoding="utf-8") as file:
            return [one["shortest"] for one in json.load(file)["findings"]]

    def test_max_time_bounds_shortening(self):
        report = os.path.join(self.out_dir(), "report.json")
        seconds = []
        for limit in ("1000", "1"):
            started = time.time()
            status, text, errors = self.run("test", "--ignore", "race", "--max-time", limit, "--json",
                                            report, "--", self.build("slow_bug"))
            seconds.append(time.time() - started)
            want(status == 1, "exit %d: %s", status, fermata.last_line(text + errors))
        # With enough time, shortening takes some seconds.
        want(seconds[1] < seconds[0] / 2, "--max-time 1 took %.1f s, without it it takes %.1f s",
             seconds[1], seconds[0])
        want("shortening stopped early" in text and self.shortened(report) == [False],
             "nothing says that the schedule could be shorter")

    def test_max_time_bounds_other_schedules(self):
        out, program = self.out_dir(), self.slow(20000000)
        started = time.time()
        status, text, errors = self.run("test", "--max-time", "2", "--out", out, "--", program,
                                        timeout=180)
        seconds = time.time() - started
        want(status == 1, "exit %d: %s", status, fermata.last_line(text + errors))
        # Twenty of them would take more than the quarter of the time that they may have.
        want("not a timing bug" not in text, "all other schedules were tried")
        want("not all were tried" in text or "shortening stopped early" in text,
             "nothing says that it stopped early")
        want(seconds < 20, "--max-time 2 took %.1f s", seconds)

    def test_interrupt_ends_other_schedules(self):
        out = self.out_dir()
        child = subprocess.Popen([self.tool.path, "test", "--out", out, "--",
                                  self.slow(50000000)],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.dir,
                                 env=self.tool.env)
        time.sleep(4)
        child.send_signal(signal.SIGINT)
        started = time.time()
        text = child.communicate(timeout=120)[0].decode()
        want(time.time() - started < 8, "goes on for %.1f s", time.time() - started)
        want(child.returncode in (1, 130), "exit %d: %s", child.returncode, fermata.last_line(text))

    def hard_interrupt_does_not_wait_for_a_run_of_other_schedules(self):
        out = self.out_dir()
        child = subprocess.Popen([self.tool.path, "test", "--step-time", "1000", "--out", out, "--",
                                  self.build("always_slow", "-DROUNDS=200000000")],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.dir,
                                 env=self.tool.env)
        children = "/proc/%d/task/%d/children" % (child.pid, child.pid)
        # One process searches, one confirms; the third tries other schedules. On a busy machine that
        # takes minutes.
        deadline = time.time() + 600
        while time.time() < deadline and child.poll() is None:
            with open(children, encoding="utf-8") as file:
                if len(file.read().split()) == 3:
                    break
            time.sleep(0.05)
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        started = time.time()
        text = child.communicate(timeout=120)[0].decode()
        # A run takes more than five seconds.
        want(time.time() - started < 3, "goes on for %.1f s", time.time() - started)
        want(child.returncode == 1, "exit %d: %s", child.returncode, fermata.last_line(text))
        want("fails at" in text and "  Where:" in text, "the finding has no place: %s", text)

    # words

    def test_reports_of_findings_have_the_numbers_of_the_search(self):
        out = self.out_dir()
        report = os.path.join(self.out_dir(), "report.json")
        self.run("test", "--strategy", "random", "--seed", "7", "--out", out, "--json", report,
                 "--", self.build("update"))
        with open(report, encoding="utf-8") as file:
            search = json.load(file)
        for form in ("--text", "--html", "--junit", "--json", "--sarif"):
            status, text, errors = self.run("report", form, self.finding(out))
            want(status == 0, "%s: exit %d: %s", form, status, errors)
            want("random" in text and re.search(r"\b7\b", text), "%s lacks strategy or seed", form)
            if form == "--text":
                line = " ".join(text.splitlines()[-3:-1])
                runs = search["executions"]
                want(re.match(r".*: %d executions?, %d steps, \d+\.\d\d s until the finding; strategy random, "
                              r"seed 7$" % (runs, search["steps"]), line),
                     "not the numbers: %s", line)

    def test_time_before_the_first_run_counts(self):
        report = os.path.join(self.out_dir(), "report.json")
        program = self.build("slow_start")
        started = time.time()
        subprocess.run([program, "argument"], check=True)
        alone = time.time() - started
        self.run("test", "--json", report, "--", program)
        with open(report, encoding="utf-8") as file:
            seconds = json.load(file)["wall_seconds"]
        want(seconds > alone / 4, "%.2f s, but the program works for %.2f s first", seconds, alone)

    def test_quiet_names_findings_that_are_not_saved(self):
        shim = os.path.join(self.dir, "full_quiet.so")
        subprocess.run(["gcc", "-shared", "-fPIC", os.path.join(HERE, "programs", "full.c"), "-o",
                        shim, "-ldl"], check=True)
        out = self.out_dir()
        env = {"LD_PRELOAD": shim, "FULL_DIR": os.path.realpath(out), "FULL_AFTER": "0"}
        status, text, errors = self.run("test", "--quiet", "--out", out, "--",
                                        self.build("racy_counter"), env=env)
        want(status == 1 and text.count("\n") == 1, "exit %d: %s", status, text)
        want("a finding was not saved" in errors, "not a word of it: %s", errors)

    def test_texts_of_the_program_are_harmless(self):
        program = self.tool.compile([os.path.join(HERE, "programs", "says.cc")], "says")
        out = self.out_dir()
        _, text, errors = self.run("test", "--out", out, "--", program)
        _, again, more = self.run("replay", self.finding(out))
        _, report, _ = self.run("report", self.finding(out))
        for name, words in (("test", text + errors), ("replay", again + more), ("report", report)):
            want("before ?]0;owned? pass?deliaf after" in words, "%s: %s", name, words[:300])
            want(not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", words),
                 "%s passes control characters on", name)
        _, html, _ = self.run("report", "--html", self.finding(out))
        want("\u202e" not in html, "HTML passes them on")

    def test_crashes_in_a_library_are_where_it_was_called(self):
        with open(os.path.join(HERE, "programs", "in_library.c"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        for flags in ((), ("-O2",), ("-static",)):
            out, program = self.out_dir(), self.build("in_library", *flags)
            for name in ("strcmp", "strlen", "memcpy", "snprintf", "atoi"):
                for more in ([], ["thread"]):
                    status, text, _ = self.run("test", "--out", out, "--", program, name, *more)
                    line = next(n for n, one in enumerate(lines, 1) if "/* %s */" % name in one)
                    want(status == 1 and "bug: crash at %s:%d;" % (
                        os.path.join(HERE, "programs", "in_library.c"), line) in text,
                        "%s %s %s: exit %d: %s", flags, name, more, status, text)
                    shown = text[text.index("How it happens"):text.index("  Where:")]
                    want("in_library.c:%d" % line in shown, "%s: %s", name, shown)
            want(len({name.split("-")[1] for name in os.listdir(out)}) == 5, "%s: fingerprints %s",
                 flags, os.listdir(out))

    def test_output_is_that_of_the_failing_run(self):
        program = self.tool.compile([os.path.join(HERE, "programs", "says.cc")], "says")
        _, text, _ = self.run("test", "--out", self.out_dir(), "--", program)
        want("    | called as %s\n" % program in text, "not as it was called: %s", text)

    def test_commands_are_quoted(self):
        out = os.path.join(self.out_dir(), "it's a folder")
        os.mkdir(out)
        _, text, _ = self.run("test", "--out", out, "--", self.build("racy_counter"))
        command = fermata.last_line(text).split("; replay: fermata ")[1]
        words = shlex.split(command)
        want(words == ["replay", self.finding(out)], "a shell reads %s", words)
        status, _, _ = self.run(*words)
        want(status == 1, "exit %d", status)

    def test_findings_are_confirmed_through_another_path(self):
        program = self.build("surroundings")
        for deed in ("word", "path"):
            status, text, _ = self.run("test", "--out", self.out_dir(), "--", program, deed,
                                       str(len(program) + 1))
            want(status == 1, "%s: exit %d: %s", deed, status, fermata.last_line(text))
            want("Shows only with the environment of this test" in text, "%s: nothing of it is said",
                 deed)

    def test_lost_surroundings_are_named(self):
        given = os.path.join(self.dir, "given.txt")
        with open(given, "w", encoding="utf-8") as file:
            file.write("1\n")
        out = self.out_dir()
        status, _, _ = self.run("test", "--stdin", given, "--out", out, "--", self.build("update"))
        want(status == 1, "exit %d", status)
        os.unlink(given)
        status, _, errors = self.run("replay", self.finding(out))
        want(status == 2 and given in errors and "--stdin" in errors, "exit %d: %s", status, errors)

    def test_lost_limits_are_named(self):
        out = self.out_dir()
        fermata.run_limited(["bash", "-c", "ulimit -S -n 200 && exec \"$@\"", "bash", self.tool.path,
                             "test", "--out", out, "--", self.build("update")], 60, self.dir,
                            self.tool.env)
        status, _, errors = fermata.run_limited(
            ["bash", "-c", "ulimit -n 100 && exec \"$@\"", "bash", self.tool.path, "replay",
             self.finding(out)], 60, self.dir, self.tool.env)
        want(status == 1 and "another limit of open_files" in errors, "exit %d: %s", status, errors)

    def test_options_of_findings_are_checked(self):
        out = self.out_dir()
        self.run("test", "--out", out, "--", self.build("update"))
        with open(self.finding(out), encoding="utf-8") as file:
            saved = json.load(file)
        saved["setup"]["options"]["max_steps"] = -1
        with open(self.finding(out), "w", encoding="utf-8") as file:
            json.dump(saved, file)
        status, _, errors = self.run("replay", self.finding(out))
        want(status == 2 and "an option of its search" in errors, "exit %d: %s", status, errors)

    def test_deadlocks_show_the_cycle_first(self):
        link = r"eat#\d holds forks\[(\d)\] and waits for forks\[(\d)\]"
        for flags, rest in (((), r"\."), (("-DGUEST",), r"; besides, visit waits for forks\[0\]\.")):
            _, text, _ = self.run("test", "--", self.build("dining", *flags))
            message = " ".join(text.split("\n\n")[1].split())
            found = re.fullmatch("; ".join((link, link, link)) + rest, message)
            want(found, "message: %s", message)
            held, waited = [int(n) for n in found.groups()[::2]], [int(n) for n in found.groups()[1::2]]
            want(sorted(held) == [0, 1, 2] and waited == [(n + 1) % 3 for n in held],
                 "not the forks that each has and wants: %s", message)

    def test_one_is_not_a_plural(self):
        _, text, _ = self.run("test", "--strategy", "dpor", "--max-runs", "1", "--",
                              self.build("large"))
        want("in 1 execution; not a proof: stopped after 1 run (" in fermata.last_line(text),
             fermata.last_line(text))
        want(not re.search(r"\b1 \w+s\b", fermata.last_line(text).split(";")[0]), text)
