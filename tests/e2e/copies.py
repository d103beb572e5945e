"""Findings as files: copied and moved, of one name, damaged, and things that are not files.

The methods are test cases of tests/e2e/run, which has the helpers they call.
"""

import glob
import json
import os
import re
import shutil
import subprocess

import fermata
from tally import want

HERE = os.path.dirname(os.path.abspath(__file__))


class CopyCases:
    # copied projects

    def project(self, name, *flags):
        """A project with its program in build/ and a finding in findings/; its folder."""
        project = os.path.join(self.out_dir(), name)
        os.makedirs(os.path.join(project, "build"))
        shutil.copy(self.build("update", *flags), os.path.join(project, "build", "program"))
        status, text, errors = self.run("test", "--out", "../findings", "--", "./program",
                                        cwd=os.path.join(project, "build"))
        want(status == 1, "exit %d: %s", status, fermata.last_line(text + errors))
        return project

    def test_copies_replay_their_own_build(self):
        project = self.project("bank")
        copy = project + "2"
        shutil.copytree(project, copy)
        shutil.copy(self.build("update", "-DLENIENT"), os.path.join(copy, "build", "program"))
        finding = self.finding(os.path.join(copy, "findings"))
        for cwd in (copy, "/", os.path.join(copy, "findings"), project):
            self.answer(0, "not-shown", "--trust", finding, cwd=cwd)
        self.answer(1, "shown-again", self.finding(os.path.join(project, "findings")), cwd=project)
        inside = os.path.join(project, "old", "bank")
        shutil.copytree(copy, inside)
        self.answer(0, "not-shown", self.finding(os.path.join(inside, "findings")), cwd=inside)

    def test_copies_without_their_build_need_trust(self):
        project = self.project("shop")
        program = os.path.join(project, "build", "program")
        copy = project + "2"
        shutil.copytree(project, copy)
        os.unlink(os.path.join(copy, "build", "program"))
        alone = os.path.join(self.out_dir(), "alone")
        finding = self.finding(os.path.join(copy, "findings"))
        shutil.copy(finding, alone)
        for path, cwd in ((finding, copy), (alone, os.path.dirname(alone))):
            status, text, errors = self.run("replay", path, cwd=cwd)
            want(status == 2 and not text and program in errors and "--trust" in errors,
                 "exit %d: %s", status, text + errors)
            status, text, errors = self.run("replay", "--trust", path, cwd=cwd)
            want(status == 1 and "was moved without %s: the original is used" % program in errors,
                 "exit %d: %s", status, errors)
        status, _, errors = self.run("replay", finding, "--", program, cwd=copy)
        want(status == 1 and "moved" not in errors, "exit %d: %s", status, errors)

    def test_copies_run_in_their_own_folder(self):
        """The file without which the program does not fail is missing in the copy."""
        project = os.path.join(self.out_dir(), "store")
        folder = os.path.join(project, "build")
        os.makedirs(folder)
        shutil.copy(self.build("surroundings"), os.path.join(folder, "program"))
        with open(os.path.join(folder, "here.txt"), "w", encoding="utf-8"):
            pass
        status, text, errors = self.run("test", "--out", "../findings", "--", "./program", "folder",
                                        cwd=folder)
        want(status == 1, "exit %d: %s", status, fermata.last_line(text + errors))
        copy = project + "2"
        shutil.copytree(project, copy)
        finding = self.finding(os.path.join(copy, "findings"))
        self.answer(1, "shown-again", finding, cwd=copy)
        os.unlink(os.path.join(copy, "build", "here.txt"))
        last = self.answer(5, "went-another-way", "--trust", finding, cwd=copy)
        want(re.search("expected .* load count ", last), last)

    # names

    def found(self, program, *args, options=()):
        """The findings of a whole search, as pairs of line and fingerprint, and their folder."""
        out = self.out_dir()
        report = os.path.join(self.out_dir(), "report.json")
        status, text, errors = self.run("test", "--keep-going", "--strategy", "dpor", *options,
                                        "--out", out, "--json", report, "--", program, *args)
        want(status == 1, "exit %d: %s", status, fermata.last_line(text + errors))
        with open(report, encoding="utf-8") as file:
            found = [(one["sites"][0]["line"], one["fingerprint"])
                     for one in json.load(file)["findings"]]
        return sorted(found), out

    def test_equal_asserts_of_a_function_are_two_findings(self):
        with open(os.path.join(HERE, "programs", "equal.c"), encoding="utf-8") as file:
            source = file.read()
        prints = []
        for before, within in (("", ""), ("\n\n\n", ""), ("\n", "\tatomic_load(&done);\n\n")):
            moved = os.path.join(self.dir, "equal.c")
            with open(moved, "w", encoding="utf-8") as file:
                file.write(before + source.replace("\tif (is_done) {\n", within + "\tif (is_done) {\n"))
            found, out = self.found(self.tool.compile([moved], "equal%d" % len(prints)))
            want(len(found) == 2 and found[0][1] != found[1][1] and len(os.listdir(out)) == 2,
                 "findings %s, files %s", found, os.listdir(out))
            prints.append([fingerprint for _, fingerprint in found])
        want(prints[0] == prints[1] == prints[2], "moved lines make other findings: %s", prints)

    def test_equal_asserts_are_not_taken_for_each_other(self):
        program = os.path.join(HERE, "programs", "equal.c")
        with open(program, encoding="utf-8") as file:
            source = file.read()
        _, out = self.found(self.tool.compile([program], "equal"))
        # The same steps, but each assert fails where the other one did.
        other = os.path.join(self.out_dir(), "equal.c")
        with open(other, "w", encoding="utf-8") as file:
            file.write(source.replace("\tif (is_done) {", "\tif (!is_done) {"))
        for build, is_other in ((program, False), (other, True)):
            build = self.tool.compile([build], "equal.build")
            for finding in os.listdir(out):
                text = self.answer(1, "shown-again", os.path.join(out, finding), "--", build)
                want(("shown by another schedule" in text) == is_other, "%s: %s", build, text)

    def test_a_race_of_another_build(self):
        """The compiler inlines more or less, and the race is in another function, or its variable has
        another name."""
        for name, first in (("inlined", "-O1"), ("pointer", "-O0")):
            source = os.path.join(HERE, "programs", name + ".cpp")
            out = self.out_dir()
            status, text, _ = self.run("test", "--out", out, "--",
                                       self.tool.compile([source], name, [first]))
            want(status == 1, "%s: exit %d: %s", name, status, text)
            for level in ("-O0", "-O1", "-O2"):
                build = self.tool.compile([source], name + ".other", [level])
                self.answer(1, "shown-again", self.finding(out), "--", build)

    def test_a_failure_in_other_words(self):
        """The way to the failure is the same; functions and messages are others."""
        source = os.path.join(HERE, "programs", "folder.cpp")
        for argument in ([], ["told"]):
            before = os.path.join(self.dir, "before%d" % len(argument))
            after = os.path.join(self.dir, "moved elsewhere %d" % len(argument))
            os.mkdir(before)
            shutil.copy(self.tool.compile([source], "folder", ["-O0"]), before)
            status, text, _ = self.run("test", "--ignore", "race", "--", "./folder", *argument,
                                       cwd=before)
            want(status == 1, "exit %d: %s", status, text)
            os.rename(before, after)
            if not argument:
                shutil.copy(self.tool.compile([source], "folder2", ["-O2"]), after + "/folder")
            self.answer(1, "shown-again", self.finding(after + "/.fermata"), cwd=after)

    def test_another_failure_is_not_passed_off_as_the_finding(self):
        """A fix of the first bug lets the schedule come to the second one."""
        out = self.out_dir()
        status, text, _ = self.run("test", "--out", out, "--", self.build("two_asserts"))
        want(status == 1 and "Assertion `a == 2' failed" in text, "exit %d: %s", status, text)
        last = self.answer(1, "shown-again", self.finding(out), "--",
                           self.build("two_asserts", "-DFIXED"))
        want("in other words, or another bug at the same step; the finding has: " in last and
             "Assertion `a == 2' failed)" in last, last)
        last = self.answer(0, "not-shown", self.finding(out), "--",
                           self.build("two_asserts", "-DLEAVES"))
        want(last.endswith("; but the run shows another bug: abnormal-exit"), last)
        last = self.answer(1, "shown-again", self.finding(out))
        want("other words" not in last, last)

    def test_another_program_is_not_called_another_build(self):
        out = self.out_dir()
        self.run("test", "--out", out, "--", self.build("update"))
        _, _, errors = self.run("replay", self.finding(out), "--", self.build("racy_counter"))
        want("is not the build that the finding was saved with (it was built anew, or is another "
             "program)" in errors, errors)

    def test_the_source_file_is_part_of_the_fingerprint(self):
        out = self.out_dir()
        for name in ("one.c", "two.c"):
            copy = os.path.join(self.dir, name)
            shutil.copy(os.path.join(HERE, "programs", "update.c"), copy)
            status, _, _ = self.run("test", "--out", out, "--",
                                    self.tool.compile([copy], "in_" + name[:3]))
            want(status == 1, "%s: exit %d", name, status)
        want(len(os.listdir(out)) == 2, "one file for both: %s", os.listdir(out))

    def test_two_programs_do_not_share_a_finding(self):
        out = self.out_dir()
        for name in ("first", "second", "first"):
            folder = os.path.join(self.dir, name)
            os.makedirs(folder, exist_ok=True)
            program = os.path.join(folder, "program")
            shutil.copy(self.build("update"), program)
            status, text, _ = self.run("test", "--out", out, "--", program)
            want(status == 1, "%s: exit %d: %s", name, status, fermata.last_line(text))
        want(len(os.listdir(out)) == 2, "files %s", os.listdir(out))
        programs = set()
        for finding in glob.glob(os.path.join(out, "*")):
            with open(finding, encoding="utf-8") as file:
                programs.add(json.load(file)["setup"]["program"])
            self.answer(1, "shown-again", finding)
        want(len(programs) == 2, "programs %s", programs)

    def test_exits_of_stripped_programs_are_told_apart(self):
        program = self.build("equal", "-O1", "-g0")
        subprocess.run(["strip", program], check=True)
        found, out = self.found(program, "exits")
        want(len(found) == 2 and len(os.listdir(out)) == 2, "findings %s, files %s", found,
             os.listdir(out))
        for finding in glob.glob(os.path.join(out, "*")):
            self.answer(1, "shown-again", finding)

    def test_endless_loops_are_told_apart(self):
        out = self.out_dir()
        for deed in ("first", "second"):
            status, text, _ = self.run("test", "--out", out, "--", self.build("equal"), deed)
            want(status == 1, "%s: exit %d: %s", deed, status, fermata.last_line(text))
        want(len(os.listdir(out)) == 2, "files %s", os.listdir(out))

    def test_failing_tests_of_a_program_do_not_share_a_finding(self):
        out = self.out_dir()
        for test in ("one", "two", "one"):
            status, text, _ = self.run("test", "--out", out, "--", self.build("alone"), test)
            want(status == 1, "%s: exit %d: %s", test, status, fermata.last_line(text))
        want(len(os.listdir(out)) == 2, "files %s", os.listdir(out))

    # files that cannot be written, and files that are not findings

    def test_reports_that_cannot_be_written_are_not_a_success(self):
        out, folder = self.find_bug(), self.out_dir()
        finding = self.finding(out)
        for words in (["report", finding], ["report", "--html", finding], ["findings", "--dir", out],
                      ["findings", "show", "--dir", out, os.path.basename(finding)],
                      ["doctor"], ["test", "--help"], ["--version"]):
            status, _, errors = fermata.run_limited(
                ["sh", "-c", "\"$@\" > /dev/full", "sh", self.tool.path, *words], 60, self.dir,
                self.tool.env)
            want(status == 2 and "cannot write to stdout" in errors, "%s: exit %d: %s", words, status,
                 errors)
        junit = os.path.join(folder, "answers.xml")
        status, text, errors = self.run("replay", "--all", out, "--json", "/dev/full", "--junit", junit)
        want(status == 1 and "1 shown again" in text and "cannot write /dev/full" in errors,
             "exit %d: %s", status, text + errors)
        want(os.path.exists(junit), "the other report is not written, either")

    def test_damaged_findings_are_rows(self):
        out = self.out_dir()
        status, text, _ = self.run("test", "--out", out, "--", self.build("update"))
        want(status == 1, "exit %d: %s", status, fermata.last_line(text))
        with open(self.finding(out), encoding="utf-8") as file:
            whole = file.read()
        for name in os.listdir(out):
            os.unlink(os.path.join(out, name))
        for name, content in (("race-0123456789ab", ""), ("renamed", whole[:len(whole) // 2]),
                              ("notes.txt", "not a finding"), ("assertion-0123456789ab", "[]")):
            with open(os.path.join(out, name), "w", encoding="utf-8") as file:
                file.write(content)
        os.mkfifo(os.path.join(out, "hang-0123456789ab"))
        os.mkfifo(os.path.join(out, "pipe"))
        report = os.path.join(self.dir, "damaged.json")
        status, text, errors = self.run("replay", "--all", out, "--json", report, timeout=20)
        want(status == 2, "exit %d: %s", status, text + errors)
        with open(report, encoding="utf-8") as file:
            rows = {os.path.basename(one["path"]): one["answer"] for one in json.load(file)["findings"]}
        want(rows == dict.fromkeys(("race-0123456789ab", "renamed", "assertion-0123456789ab",
                                    "hang-0123456789ab"), "bad-input"), "rows: %s", rows)
        want("hang-0123456789ab: it is not a regular file" in text and "it is empty" in text, text)

    def test_pipes_do_not_block(self):
        pipe = os.path.join(self.out_dir(), "pipe")
        os.mkfifo(pipe)
        self.refused("replay", pipe)
        self.refused("report", pipe)
        self.refused("beam", "dis", pipe)
        os.rename(pipe, os.path.join(os.path.dirname(pipe), "piped.beam"))
        status, text, errors = self.run("test", "-pa", os.path.dirname(pipe), "piped:run",
                                        timeout=20)
        want(status == 2 and "piped.beam: it is not a regular file" in text + errors,
             "exit %d: %s", status, text + errors)
        os.unlink(os.path.join(os.path.dirname(pipe), "piped.beam"))
        with open(os.path.join(os.path.dirname(pipe), "text.beam"), "w", encoding="utf-8") as file:
            file.write("This is not Erlang.")
        status, text, errors = self.run("test", "-pa", os.path.dirname(pipe), "text:run")
        want(status == 2 and "text.beam: not a BEAM file" in text + errors, "exit %d: %s", status,
             text + errors)
