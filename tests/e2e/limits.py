"""Limits of the system, exceptions of C++, and other things that a report must name.

The methods are test cases of tests/e2e/run, which has the helpers they call.
"""

import json
import os
import re
import shutil
import subprocess

import fermata
from tally import want

HERE = os.path.dirname(os.path.abspath(__file__))


class LimitCases:
    def limited(self, limit, *command):
        """Run the tool under a limit that bash's ulimit sets; return status and all output."""
        status, text, errors = fermata.run_limited(
            ["bash", "-c", "ulimit -S %s && exec \"$@\"" % limit, "bash", self.tool.path, *command],
            60, self.dir, self.tool.env)
        return status, text + errors

    def test_a_limit_inside_the_program_is_named(self):
        program = os.path.join(self.dir, "opens.c")
        with open(program, "w", encoding="utf-8") as file:
            file.write("#include <assert.h>\n#include <pthread.h>\n#include <stdio.h>\n"
                       "static void *work(void *word)\n"
                       "{ for (int i = 0; i < 100; i++) assert(fopen(\"/dev/null\", \"r\")); return word; }\n"
                       "int main(void)\n{ pthread_t a; pthread_create(&a, 0, work, 0);\n"
                       "  pthread_join(a, 0); return 0; }\n")
        build = self.tool.compile([program], "opens")
        for limit, is_named in (("60", True), ("1000", False)):
            _, text = self.limited("-n " + limit, "test", "--max-runs", "30", "--out", self.out_dir(),
                                   "--", build)
            want(("ulimit -n " + limit in text) == is_named, "%s: %s", limit, text)

    def test_limits_of_the_system_are_named(self):
        program = self.build("update")
        for limit, option, statuses in (("-v 4000000", "-v", (4,)), ("-d 4000000", "-d", (4,)),
                                        ("-f 100", "-f", (2,)), ("-n 7", "-n", (4,)),
                                        ("-s 64", "-s", (2,))):
            status, text = self.limited(limit, "test", "--out", self.out_dir(), "--", program)
            want(status in statuses, "ulimit %s: exit %d: %s", limit, status, text)
            want(re.search(r"the limit of .* is \d+( kB)?: ulimit %s" % option, text),
                 "ulimit %s is not named: %s", limit, text)
            want(text.count("\n") == 1, "ulimit %s: not one line: %s", limit, text)

    def test_limit_of_cpu_time_is_named(self):
        for how, words in (("restore", "the limit of CPU time is 1 s: ulimit -t"),
                           ("fork", "at the limit of CPU time: ulimit -t")):
            status, text = self.limited("-t 1", "test", "--restart", how, "--out", self.out_dir(), "--",
                                        self.build("hangs"))
            want(status == 4, "%s: exit %d: %s", how, status, text)
            want(words in text, "%s: it is not named: %s", how, text)

    def test_limit_of_processes_is_named(self):
        program = self.build("update")
        for limit, wanted in ((1, 2), (2, 4)): # which does not hold for root
            status, text = self.as_user("bash", "-c", "ulimit -u %d && exec \"$@\"" % limit, "bash",
                                        self.tool.path, "test", "--out",
                                        os.path.join(self.dir, "of-user"), "--", program)
            want(status == wanted, "ulimit -u %d: exit %d: %s", limit, status, text)
            want("ulimit -u" in text, "ulimit -u is not named: %s", text)

    def as_user(self, *command):
        """Run as another user than root, who may write everywhere; return status and all output.
        The user may read everything: the tool can be in a folder of root's."""
        user = [] if os.getuid() else ["setpriv", "--reuid=54321", "--regid=54321",
                                       "--clear-groups", "--inh-caps=+dac_read_search",
                                       "--ambient-caps=+dac_read_search"]
        os.chmod(self.dir, 0o777)
        status, text, errors = fermata.run_limited([*user, *command], 60, self.dir, self.tool.env)
        return status, text + errors

    def test_read_only_folders_are_named(self):
        """Before anything runs; and reports into one do not lose the verdict."""
        folder = self.out_dir()
        program = self.build("update")
        os.chmod(folder, 0o555)
        for out in (folder, os.path.join(folder, "new")):
            status, text = self.as_user(self.tool.path, "test", "--out", out, "--", program)
            want(status == 2 and text.count("\n") == 1 and folder in text and
                 "Permission denied" in text, "exit %d: %s", status, text)

    def test_a_folder_that_becomes_read_only_loses_no_verdict(self):
        folder = self.out_dir()
        os.chmod(folder, 0o777)
        program = os.path.join(self.dir, "closes.c")
        with open(program, "w", encoding="utf-8") as file:
            file.write("#include <assert.h>\n#include <pthread.h>\n#include <sys/stat.h>\n"
                       "static void *work(void *folder) { chmod(folder, 0555); return folder; }\n"
                       "int main(int argc, char **argv)\n{ pthread_t a;\n"
                       "  pthread_create(&a, 0, work, argv[1]); pthread_join(a, 0);\n"
                       "  assert(argc == 0); return 0; }\n")
        program = self.tool.compile([program], "closes")
        user = os.stat(folder).st_uid
        if os.getuid() == 0: # the owner changes it
            os.chown(folder, 54321, 54321)
        status, text = self.as_user(self.tool.path, "test", "--out", folder, "--", program, folder)
        want(status == 1 and "was not saved" in text and "Permission denied" in text and
             re.search(r"^fermata: bug: assertion at \S*closes\.c:8", text, re.MULTILINE),
             "exit %d: %s", status, text)
        os.chown(folder, user, -1)

    def test_paths_that_are_not_utf8_lose_no_verdict(self):
        folder = os.path.join(os.fsencode(self.dir), b"caf\xe9")
        os.mkdir(folder)
        shutil.copy(self.build("update"), os.path.join(folder, b"update"))
        done = subprocess.run([self.tool.path, "test", "--out", self.out_dir(), "--", "./update"],
                              cwd=folder, env=self.tool.env, capture_output=True, timeout=60,
                              check=False)
        want(done.returncode == 1, "exit %d: %s", done.returncode, done.stderr)
        want(b"was not saved" in done.stdout and b"is not UTF-8" in done.stdout,
             "the reason is not named: %s", done.stdout)

    def test_few_open_files_are_enough(self):
        status, text = self.limited("-n 20", "test", "--out", self.out_dir(), "--",
                                    self.build("update"))
        want(status == 1, "exit %d: %s", status, fermata.last_line(text))

    def test_exceptions_show_where_they_were_thrown(self):
        source = os.path.join(HERE, "programs", "thrown.cc")
        program = self.tool.compile([source], "thrown")
        with open(source, encoding="utf-8") as file:
            lines = {line.strip(): n for n, line in enumerate(file, 1)}
        throw = lines['throw Broken("it came to " + std::to_string(sum)); /* thrown */']
        for deed, message, frames in (
                ("main", "uncaught exception of type Broken: it came to 1",
                 [("judge", throw), ("main", lines["judge(sum.load()); /* main */"])]),
                ("thread", "uncaught exception of type Broken: it came to 1",
                 [("judge", throw), ("look", lines["judge(sum.load()); /* thread */"])]),
                ("again", "uncaught exception of type Broken: it came to 1",
                 [("pass_on", lines["throw; /* again */"])]),
                ("number", "uncaught exception of type int",
                 [("main", lines["throw 42; /* number */"])]),
                ("joinable", "std::terminate() was called without an exception",
                 [("leave", lines["} /* joinable */"])])):
            status, text, _ = self.run("test", "--ignore", "race", "--out", self.out_dir(), "--",
                                       program, deed)
            want(status == 1, "%s: exit %d: %s", deed, status, fermata.last_line(text))
            want(message in text, "%s: no %s: %s", deed, message, text[:200])
            where = text[text.index("  Where:"):]
            shown = re.findall(r"^      #\d+ +(\S+).* \S*thrown.cc:(\d+)$", where, re.MULTILINE)
            want(shown[:len(frames)] == [(f, str(n)) for f, n in frames],
                 "%s: the stack is %s, not %s", deed, shown, frames)
            want("thrown.cc:%d;" % frames[0][1] in fermata.last_line(text), "%s: %s", deed,
                 fermata.last_line(text))

    def test_exceptions_with_a_bad_what(self):
        source = os.path.join(HERE, "programs", "what.cc")
        program = self.tool.compile([source], "what")
        with open(source, encoding="utf-8") as file:
            lines = {line.strip(): n for n, line in enumerate(file, 1)}
        for deed, message in (
                ("aborts", "of type Aborts; the what() of an exception ended the program"),
                ("null", "of type Null; its what() returns NULL"),
                ("wild", "of type Wild; its what() returns a pointer that cannot be read")):
            status, text, _ = self.run("test", "--out", self.out_dir(), "--", program, deed)
            line = lines["throw %s(); /* %s */" % (deed.capitalize(), deed)]
            want(status == 1 and "uncaught exception " + message in text, "%s: exit %d: %s", deed,
                 status, text)
            want("bug: assertion at %s:%d;" % (source, line) in text, "%s: %s", deed,
                 fermata.last_line(text))

    def test_bytes_that_are_not_utf8_stay_in_the_program(self):
        program = self.tool.compile([os.path.join(HERE, "programs", "what.cc")], "what")
        out, report = self.out_dir(), os.path.join(self.out_dir(), "report.json")
        done = subprocess.run([self.tool.path, "test", "--out", out, "--json", report, "--", program,
                               "bytes"], cwd=self.dir, env=self.tool.env, capture_output=True,
                              timeout=60, check=False)
        shown = done.stdout.decode() # raises an error if it is not UTF-8
        want(b"caf? ?[31m ? ??31m ?31m ? end" in done.stdout, "not as expected: %s", shown)
        for path in (report, self.finding(out)):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            json.loads(text)
            want(not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", text), "%s has control characters",
                 path)

    def test_terminate_and_abort_are_two_findings(self):
        program = self.tool.compile([os.path.join(HERE, "programs", "what.cc")], "what")
        out = self.out_dir()
        status, text, _ = self.run("test", "--keep-going", "--ignore", "race", "--out", out, "--",
                                   program, "both")
        want(status == 1 and len(os.listdir(out)) == 2, "%s: %s", os.listdir(out), text)
