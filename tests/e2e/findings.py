"""What becomes of findings: known again, replayed, saved, counted, bounded and put into words.

The methods are test cases of tests/e2e/run, which has the helpers they call.
"""

import glob
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

import fermata
from tally import Wrong, want

HERE = os.path.dirname(os.path.abspath(__file__))

VERDICTS = (r"fermata: proved(?:, certified)?: no bug in any of [\d,]+ executions? \(strategy \w+\)",
            r"fermata: no bug found in (\d+ executions?( and \d+ sampled runs?)?|\d+ sampled runs?); "
            r"not a proof: .+",
            r"fermata: bug: \S+ at .+; replay: fermata replay \S+",
            r"fermata: lost control: .+")


# The two places are a lock of both and what unlocks it.
TO_FIX = """#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *add(void *word)
{
%s	count++;
%s	return word;
}
int main(void)
{
	pthread_t a, b;
	(void)lock, (void)other;
	pthread_create(&a, 0, add, 0);
	pthread_create(&b, 0, add, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
"""


class FindingCases:
    # findings that are known again

    def update(self, *flags):
        """The finding of a lost update; return its folder and its path."""
        out = self.out_dir()
        status, text, _ = self.run("test", "--out", out, "--", self.build("update", *flags))
        want(status == 1, "exit %d: %s", status, fermata.last_line(text))
        return self.finding(out)

    def fingerprint(self, finding):
        with open(finding, encoding="utf-8") as file:
            return json.load(file)["fingerprint"]

    def test_fingerprints_survive_moved_lines(self):
        want(self.fingerprint(self.update()) == self.fingerprint(self.update("-DPADDED")),
             "other lines and addresses make another finding")
        for name in ("racy_counter", "odd"):
            with open(os.path.join(HERE, "programs", name + ".c"), encoding="utf-8") as file:
                source = file.read()
            prints = []
            for lines in ("", "\n" * 9):
                moved = os.path.join(self.dir, "moved.c")
                with open(moved, "w", encoding="utf-8") as file:
                    file.write(lines + source)
                program = self.tool.compile([moved], "moved%d" % len(lines))
                result = self.tool.test(program, ["kill"] if name == "odd" else [],
                                        ["--strategy", "dpor"])
                prints.append([one["fingerprint"] for one in result["findings"]])
            want(prints[0] and prints[0] == prints[1], "%s: %s", name, prints)

    def test_stripped_programs_do_not_share_fingerprints(self):
        """A deadlock and a death of two programs without symbols are four findings; a program that
        was copied elsewhere keeps its own."""
        prints = []
        with open(os.path.join(self.dir, "three.c"), "w", encoding="utf-8") as file:
            file.write("int main(void)\n{\n\treturn 3;\n}\n")
        built = {"dining": self.build("dining"),
                 "three": self.tool.compile([os.path.join(self.dir, "three.c")], "three_built")}
        for name in ("dining", "other_dining", "three", "other_three"):
            program = shutil.copy(built[name.replace("other_", "")], os.path.join(self.dir, name))
            subprocess.run(["strip", program], check=True)
            prints.append([one["fingerprint"] for one in self.tool.test(program)["findings"]])
        want(all(prints) and len({one[0] for one in prints}) == 4, "%s", prints)
        os.mkdir(os.path.join(self.dir, "elsewhere"))
        moved = shutil.copy(os.path.join(self.dir, "three"), os.path.join(self.dir, "elsewhere"))
        again = [one["fingerprint"] for one in self.tool.test(moved)["findings"]]
        want(again == prints[2], "%s, not %s", again, prints[2])

    def test_a_removed_finding_can_be_new_again(self):
        out, known = self.out_dir(), os.path.join(self.dir, "known.baseline")
        self.run("test", "--out", out, "--", self.build("update"))
        name = os.path.basename(self.finding(out))
        words = ("--dir", out, "--baseline", known, name)
        for verb in ("known", "remove", "new"):
            status, text, errors = self.run("findings", verb, *words)
            want(status == 0, "%s: %s%s", verb, text, errors)
        want(name + " is new again" in text, text)
        with open(known, encoding="utf-8") as file:
            want(name.split("-")[1] not in file.read(), "the line is still there")
        status, _, errors = self.run("findings", "new", *words)
        want(status == 2 and "has no finding" in errors, errors)

    def test_words_that_are_near(self):
        _, _, errors = self.run("findings", "lst")
        want("did you mean 'list'?" in errors, errors)
        want(self.run("-h")[1] == self.run("--help")[1], "-h is not --help")
        want(self.run("version")[1] == self.run("--version")[1], "version is not --version")

    def test_exits_with_other_statuses_are_other_findings(self):
        out = self.out_dir()
        status, text, _ = self.run("test", "--keep-going", "--strategy", "dpor", "--out", out, "--",
                                   self.build("exits"))
        want(status == 1 and len(os.listdir(out)) == 2, "%s: %s", fermata.last_line(text),
             os.listdir(out))
        for finding in glob.glob(os.path.join(out, "*")):
            status, text, _ = self.run("replay", finding)
            want(status == 1, "%s: exit %d: %s", finding, status, fermata.last_line(text))

    def test_mending_one_bug_leaves_the_fingerprint_of_another(self):
        prints = []
        for flags in ((), ("-DMENDED",)):
            result = self.tool.test(self.build("two_ends", *flags), [],
                                    ["--keep-going", "--strategy", "dpor"])
            prints.append({one["fingerprint"] for one in result["findings"]})
        want(len(prints[0]) == 2 and len(prints[1]) == 1 and prints[1] < prints[0], "%s", prints)

    def answer(self, status, word, *command, cwd=None, env=None):
        """Replay; check exit status and JSON word; return the last line."""
        report = os.path.join(self.out_dir(), "answers.json")
        got, text, errors = self.run("replay", "--json", report, *command, cwd=cwd, env=env)
        last = fermata.last_line(text or errors)
        want(got == status, "%s: exit %d, not %d: %s", word, got, status, last)
        with open(report, encoding="utf-8") as file:
            answers = [one["answer"] for one in json.load(file)["findings"]]
        want(answers == [word], "answers %s, not %s: %s", answers, word, last)
        return last

    def test_replay_has_four_answers(self):
        finding = self.update()
        self.answer(1, "shown-again", finding)
        self.answer(1, "shown-again", finding, "--", self.build("update", "-DPADDED"))
        last = self.answer(0, "not-shown", finding, "--", self.build("update", "-DLENIENT"))
        want("followed to its end" in last, last)
        last = self.answer(5, "went-another-way", finding, "--", self.build("update", "-DFIXED"))
        shown = re.search(r"at step (\d+): expected .+ load .+; instead .+ update .+ at .*update.c:\d+",
                          last)
        want(shown, "both sides are not shown: %s", last)
        with open(finding, encoding="utf-8") as file:
            kinds = [decision[2] for decision in json.load(file)["schedule"]]
        want(int(shown.group(1)) == kinds.index("load") + 1, "another step than the first load: %s", last)
        self.answer(4, "lost-control", finding, "--", self.build("odd"), "fork")

    def test_replay_of_a_moved_project(self):
        project = os.path.join(self.dir, "project")
        os.makedirs(os.path.join(project, "build"))
        shutil.copy(self.build("update"), os.path.join(project, "build", "update"))
        status, text, errors = self.run("test", "--", "build/update", cwd=project)
        want(status == 1, "exit %d: %s", status, fermata.last_line(text + errors))
        moved = os.path.join(self.dir, "a", "longer", "path", "of", "the", "project")
        shutil.copytree(project, moved)
        finding = glob.glob(os.path.join(moved, ".fermata", "*"))[0]
        self.answer(1, "shown-again", finding, cwd=moved)
        shutil.rmtree(project)
        self.answer(1, "shown-again", finding, cwd=moved)
        shutil.copy(self.build("update", "-DLENIENT"), os.path.join(moved, "build", "update"))
        self.answer(0, "not-shown", finding, cwd=moved)

    def test_replay_with_another_environment(self):
        out = self.out_dir()
        status, text, _ = self.run("test", "--ignore", "race", "--out", out, "--",
                                   self.build("on_stack"))
        want(status == 1, "exit %d: %s", status, fermata.last_line(text))
        finding = self.finding(out)
        for size in (1, 8, 9, 100, 4096, 20000):
            status, text, _ = self.run("replay", finding, env={"MORE": "x" * size})
            want(status == 1, "%d bytes more environment: %s", size, fermata.last_line(text))
        status, text, _ = self.run("replay", finding, env={"A": "1", "B": "2", "C": "3"})
        want(status == 1, "three variables more: %s", fermata.last_line(text))
        longer = os.path.join(self.dir, "a-path-that-is-longer", "than-the-first-one")
        os.makedirs(longer)
        shutil.copy(self.build("on_stack"), os.path.join(longer, "program"))
        self.answer(1, "shown-again", finding, "--", os.path.join(longer, "program"))

    def surroundings(self, what, env=None, cwd=None, limit=None):
        """A finding of a program that fails only in some surroundings."""
        out = self.out_dir()
        program = self.build("surroundings")
        command = [self.tool.path, "test", "--out", out, "--", program, what]
        if limit:
            command = ["sh", "-c", "ulimit -S %s && exec \"$@\"" % limit, "sh", *command]
        status, text, _ = fermata.run_limited(command, 60, cwd or self.dir,
                                              dict(self.tool.env, **(env or {})))
        want(status == 1, "%s: exit %d: %s", what, status, fermata.last_line(text))
        return self.finding(out)

    def test_surroundings_are_recorded(self):
        folder = self.out_dir()
        with open(os.path.join(folder, "here.txt"), "w", encoding="utf-8"):
            pass
        for finding in (self.surroundings("variable", {"SURROUNDINGS": "fails"}),
                        self.surroundings("folder", cwd=folder),
                        self.surroundings("limit", limit="-n 77")):
            self.answer(1, "shown-again", finding)
            self.answer(1, "shown-again", finding, env={"SURROUNDINGS": "other", "LC_ALL": "C"})
        with open(finding, encoding="utf-8") as file:
            setup = json.load(file)["setup"]
        want(setup["argv"][1:] == ["limit"] and setup["limits"]["open_files"] == 77 and
             os.path.samefile(setup["folder"], self.dir), "the record lacks something: %s", setup)
        want("LC_ALL" not in setup["environment"] and "PATH" not in setup["environment"],
             "variables that do not matter are recorded: %s", setup["environment"])

    def test_secrets_are_not_recorded(self):
        program = os.path.join(self.dir, "secret.c")
        with open(os.path.join(HERE, "programs", "surroundings.c"), encoding="utf-8") as file:
            source = file.read().replace('"SURROUNDINGS"', '"MY_TOKEN"')
        with open(program, "w", encoding="utf-8") as file:
            file.write(source)
        program = self.tool.compile([program], "secret")
        out = self.out_dir()
        status, _, _ = self.run("test", "--out", out, "--", program, "variable",
                                env={"MY_TOKEN": "fails"})
        want(status == 1, "exit %d", status)
        with open(self.finding(out), encoding="utf-8") as file:
            want("hash" in json.load(file)["setup"]["environment"]["MY_TOKEN"], "it is recorded")
        status, _, errors = self.run("replay", self.finding(out), env={"MY_TOKEN": "fails"})
        want(status == 1 and not errors, "exit %d: %s", status, errors)
        _, _, errors = self.run("replay", self.finding(out), env={"MY_TOKEN": "other"})
        want("the variable MY_TOKEN had another value" in errors, "no warning: %s", errors)

    def test_findings_are_confirmed_with_another_environment(self):
        out = self.out_dir()
        status, text, _ = fermata.run_limited(
            [self.tool.path, "test", "--out", out, "--", self.build("surroundings"), "all"], 60,
            self.dir, {"PATH": os.environ["PATH"]})
        want(status == 1, "exit %d: %s", status, fermata.last_line(text))
        want("Shows only with the environment of this test" in text, "nothing of it is said")
        self.answer(1, "shown-again", self.finding(out), env={"OTHER": "x" * 5000})

    def test_recorded_variables_load_no_foreign_code(self):
        finding = self.update()
        with open(finding, encoding="utf-8") as file:
            saved = json.load(file)
        for name, value, wanted in (("LD_LIBRARY_PATH", "/usr/lib", 2), ("LD_PRELOAD", "/no", 1),
                                    ("LD_LIBRARY_PATH", self.dir, 1)):
            saved["setup"]["environment"] = {name: value}
            with open(finding, "w", encoding="utf-8") as file:
                json.dump(saved, file)
            status, _, errors = self.run("replay", finding)
            want(status == wanted, "%s=%s: exit %d: %s", name, value, status, errors)
        self.answer(1, "shown-again", "--trust", finding)

    def test_findings_read_no_foreign_files(self):
        """The program is the user's own, but its input and its folder are the finding's."""
        finding = self.update()
        with open(finding, encoding="utf-8") as file:
            saved = json.load(file)
        for key, value, wanted in (("stdin", "/etc/passwd", 2), ("stdin", "/dev/null", 1),
                                   ("stdin", "../../../../../../etc/passwd", 2),
                                   ("folder", "/etc", 2)):
            changed = dict(saved, setup=dict(saved["setup"], **{key: value}))
            with open(finding, "w", encoding="utf-8") as file:
                json.dump(changed, file)
            status, text, errors = self.run("replay", finding)
            want(status == wanted, "%s %s: exit %d: %s", key, value, status, errors)
            want(wanted == 1 or "--trust" in errors and "root:" not in text, text + errors)
            self.answer(1, "shown-again", "--trust", finding)

    def test_hostile_findings_are_harmless(self):
        finding = self.update()
        gone = os.path.join(self.dir, "gone")
        os.mkdir(gone)
        status, _, errors = fermata.run_limited(
            ["sh", "-c", "rmdir ../gone && exec \"$@\"", "sh", self.tool.path, "replay", finding],
            60, gone, self.tool.env)
        want(status == 2 and "--trust" in errors, "a deleted folder trusts: exit %d", status)
        with open(finding, encoding="utf-8") as file:
            saved = json.load(file)
        for key, value, wanted in (
                ("environment", {"MY_TOKEN\x1b[31m": {"hash": "0"}}, 1), ("environment", ["x"], 1),
                ("environment", {"": "x", "A=B": "y", "N": 1, "FERMATA_STRATEGY": "no"}, 1),
                ("folder", "/no/such\x1b[2J", 1), ("folder", 5, 1), ("build_id", "\x1b[2J", 1),
                ("limits", {"stack": "x", "open_files": -5}, 1), ("limits", {"memory": 5}, 4),
                ("argv", [{"hex": "zz"}, {"hex": "6"}, {"hex": 5}, None], 1), ("argv", [], 2)):
            crafted = os.path.join(self.dir, "crafted")
            with open(crafted, "w", encoding="utf-8") as file:
                json.dump({**saved, "setup": {**saved["setup"], key: value}}, file)
            status, text, errors = self.run("replay", crafted)
            want(status == wanted, "%s: %s: exit %d: %s", key, value, status, errors)
            want("\x1b" not in text + errors, "%s passes escape sequences on", key)

    def test_names_of_findings_stay_on_their_lines(self):
        forged = "fermata: proved, certified: no bug"
        with open(self.update(), encoding="utf-8") as file:
            saved = json.load(file)
        saved["report"]["sites"][0]["file"] = "x.c\n%s\n" % forged
        folder = os.path.join(self.dir, "forged")
        os.mkdir(folder)
        crafted = os.path.join(folder, "assertion-" + saved["fingerprint"][:12])
        with open(crafted, "w", encoding="utf-8") as file:
            json.dump(saved, file)
        for words in (("report", crafted), ("findings", "list", "--dir", folder)):
            _, text, errors = self.run(*words)
            lines = (text + errors).splitlines()
            want(any(forged in one for one in lines) and forged not in lines,
                 "%s: a name makes a line of its own", words[0])

    def test_arguments_of_any_bytes_are_recorded(self):
        out = self.out_dir()
        argument = b"variable\xff\xfe"
        subprocess.run([self.tool.path, "test", "--quiet", "--out", out, "--",
                        self.build("update"), argument], cwd=self.dir, env=self.tool.env,
                       stdout=subprocess.DEVNULL, check=False)
        with open(self.finding(out), encoding="utf-8") as file:
            want(json.load(file)["setup"]["argv"][1] == {"hex": argument.hex()}, "it is lost")
        self.answer(1, "shown-again", self.finding(out))

    def test_replay_all(self):
        out = os.path.join(self.out_dir(), "found")
        for name in ("update", "racy_counter"):
            self.run("test", "--out", out, "--", self.build(name))
        with open(os.path.join(out, "notes.txt"), "w", encoding="utf-8") as file:
            file.write("not a finding")
        junit, report = os.path.join(self.dir, "all.xml"), os.path.join(self.dir, "all.json")
        status, text, errors = self.run("replay", "--all", out, "--junit", junit, "--json", report)
        want(status == 1, "exit %d: %s", status, text + errors)
        rows = sorted(line.split() for line in text.splitlines()[:-1])
        want(rows == sorted(["shown", "again", path] for path in glob.glob(os.path.join(out, "*-*"))),
             "the table: %s", text)
        want(fermata.last_line(text) == "fermata: 2 findings in %s: 2 shown again" % out, text)
        with open(junit, encoding="utf-8") as file:
            want('tests="2" failures="2" errors="0"' in file.read(), "JUnit counts otherwise")
        with open(report, encoding="utf-8") as file:
            want([one["answer"] for one in json.load(file)["findings"]] == ["shown-again"] * 2,
                 "JSON answers otherwise")
        self.refused("replay", "--all", os.path.join(self.dir, "no-such-folder"))

    def test_replay_all_without_findings(self):
        folder = tempfile.mkdtemp(dir=self.dir)
        os.mkdir(os.path.join(folder, "empty"))
        for words in ((), ("empty",)):
            status, text, errors = self.run("replay", "--all", *words, cwd=folder)
            want(status == 0 and "0 findings in" in text, "exit %d: %s", status, text + errors)

    def test_replay_all_after_a_fix(self):
        """A fix takes the program another way: the regression run is green, and names it."""
        out, junit = self.out_dir(), os.path.join(self.dir, "fixed.xml")
        program = os.path.join(self.dir, "fixed.c")
        for fix in ("", "\tpthread_mutex_lock(&lock);\n\tpthread_mutex_lock(&other);\n"):
            with open(program, "w", encoding="utf-8") as file:
                file.write(TO_FIX % (fix, "\tpthread_mutex_unlock(&other);\n"
                                          "\tpthread_mutex_unlock(&lock);\n" if fix else ""))
            build = self.tool.compile([program], "fixed")
            if not fix:
                self.run("test", "--out", out, "--", build)
        status, text, errors = self.run("replay", "--all", out, "--junit", junit)
        want(status == 0 and "1 went another way" in text and "near it did not show it" in text and
             "search again" in text, "exit %d: %s", status, text + errors)
        with open(junit, encoding="utf-8") as file:
            xml = file.read()
        want('failures="0" errors="0" skipped="1"' in xml and "<skipped message=" in xml, xml)

    def test_replay_by_a_short_name(self):
        folder = tempfile.mkdtemp(dir=self.dir)
        self.run("test", "--", self.build("update"), cwd=folder)
        name = os.listdir(os.path.join(folder, ".fermata"))[0]
        kind, digits = name.rsplit("-", 1)
        for short in (name, kind, digits[:6], digits):
            self.answer(1, "shown-again", "--trust", short, cwd=folder)
        status, text, errors = self.run("report", digits[:5], cwd=folder)
        want(status == 0 and digits in text, "report: %s", text + errors)
        shutil.copy(os.path.join(folder, ".fermata", name), os.path.join(folder, ".fermata", name + "-2"))
        status, _, errors = self.run("replay", digits[:6], cwd=folder)
        want(status == 2 and "write more of it" in errors, errors)
        status, _, errors = self.run("replay", "nothing", cwd=folder)
        want(status == 2 and "fermata findings" in errors, errors)

    def test_findings_from_elsewhere_are_data(self):
        finding = self.update()
        elsewhere = tempfile.mkdtemp(prefix="elsewhere.")
        try:
            status, text, errors = self.run("replay", finding, cwd=elsewhere)
            want(status == 2 and not text, "exit %d: %s", status, text + errors)
            want(self.build("update") in errors and "--trust" in errors, errors)
            self.answer(1, "shown-again", "--trust", finding, cwd=elsewhere)
            self.answer(1, "shown-again", finding, "--", self.build("update"), cwd=elsewhere)
        finally:
            shutil.rmtree(elsewhere)
        with open(finding, encoding="utf-8") as file:
            saved = json.load(file)
        saved["report"]["message"] = "before \x1b]0;owned\x07 and \u009b31m after"
        for event in saved["report"]["interleaving"]:
            event["file"], event["line"] = "/etc/passwd", 1
            event.pop("source", None)
            event["text"] = "\x1b[2Jgone"
        crafted = os.path.join(self.dir, "crafted")
        with open(crafted, "w", encoding="utf-8") as file:
            json.dump(saved, file)
        for form in ("--text", "--html", "--json", "--sarif", "--junit"):
            status, text, errors = self.run("report", form, crafted)
            want(status == 0, "%s: exit %d: %s", form, status, errors)
            want("\x1b" not in text and "\u009b" not in text, "%s passes escape sequences on", form)
            want("root:" not in text, "%s quotes a file that nobody named", form)
        os.makedirs(os.path.join(self.dir, ".fermata"), exist_ok=True)
        shutil.copy(crafted, os.path.join(self.dir, ".fermata", "race-crafted"))
        status, text, errors = self.run("findings", "show", "race-crafted")
        want(status == 0 and "before" in text and "\x1b" not in text and "\u009b" not in text,
             "findings show: exit %d: %r", status, text + errors)

    # limits

    def test_interrupt_while_shortening_keeps_the_finding(self):
        for number in (signal.SIGINT, signal.SIGHUP):
            out = self.out_dir()
            child = subprocess.Popen([self.tool.path, "test", "--ignore", "race", "--out", out, "--",
                                      self.build("slow_bug")], stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL, cwd=self.dir, env=self.tool.env)
            time.sleep(2.5) # the first run fails, and shortening would take five seconds
            child.send_signal(number)
            started = time.time()
            text = child.communicate(timeout=60)[0].decode()
            want(time.time() - started < 10, "goes on for %.1f s", time.time() - started)
            want(child.returncode == 1 and re.match(VERDICTS[2], fermata.last_line(text)),
                 "exit %d: %s", child.returncode, fermata.last_line(text))
            want(self.complete(out) == 1, "the finding is not saved")
            self.answer(1, "shown-again", self.finding(out))

    # what a reader is told

    def test_failures_without_timing_are_told_apart(self):
        for name, is_timing in (("always", False), ("alone", False), ("update", True),
                                ("unjoined", True), ("either", True),
                                ("freed_early", True), ("clock", True), ("clock -DLONG", True)):
            out = self.out_dir()
            report = os.path.join(self.dir, "report.json")
            status, text, _ = self.run("test", "--out", out, "--json", report, "--",
                                       self.build(*name.split()))
            with open(report, encoding="utf-8") as file:
                finding = json.load(file)["findings"][0]
            want(status == 1 and finding["timing"] == is_timing, "%s: timing is %s", name,
                 finding["timing"])
            _, sarif, _ = self.run("report", "--sarif", self.finding(out))
            for where, content in (("text", text), ("SARIF", sarif)):
                said = re.search(r"(Fails in every schedule \(a separate search ran all \d+|Fails in every "
                                 r"order of the steps \(a separate search looked for others)\): not a timing bug", content)
                want(bool(said) != is_timing, "%s: %s", name, where)
            words = "The test fails in every schedule (a separate search ran all 3), in "
            want((words in text) == (name == "either"), text)

    def test_output_is_kept_with_the_finding(self):
        for name, line in (("alone", "nothing to do"), ("update", "two threads count"),
                           ("always", "usage: always ?[31mNAME?[0m")):
            out = self.out_dir()
            _, text, _ = self.run("test", "--out", out, "--", self.build(name))
            want("    | " + line in text, "%s: the output is not shown", name)
            _, text, _ = self.run("report", "--text", self.finding(out))
            want("    | " + line in text, "%s: the output is not kept", name)

    def test_places_have_names(self):
        out = self.out_dir()
        _, text, _ = self.run("test", "--out", out, "--", self.build("alone"))
        want("abnormal-exit at the end of the program" in text, fermata.last_line(text))
        self.run("test", "--out", out, "--", self.build("update"))
        for name in os.listdir(out):
            for form in ("--text", "--sarif", "--junit", "--json"):
                _, text, _ = self.run("report", form, os.path.join(out, name))
                wrong = re.search(r" at \?|\ba (assertion|abnormal)", text)
                want(not wrong, "%s %s: %s", name, form, wrong and wrong.group())

    def test_exit_statuses_are_one_table(self):
        root = os.path.dirname(os.path.dirname(HERE))
        with open(os.path.join(root, "src", "cli", "exits.def"), encoding="utf-8") as file:
            table = re.findall(r'^STATUS\(\w+,\s*(\d+),\s*"(.*)"\)$', file.read(), re.MULTILINE)
        with open(os.path.join(root, "docs", "exit-status.md"), encoding="utf-8") as file:
            docs = re.findall(r"^\| (\d+) \| (.*) \|$", file.read(), re.MULTILINE)
        want(len(table) == 7 and docs == table, "docs/exit-status.md is another table")
        _, text, _ = self.run("test", "--help")
        for number, meaning in table:
            if number != "5": # of replay only
                want("  %-5s %s\n" % (number, meaning) in text, "--help lacks %s", number)
        _, text, _ = self.run("replay", "--help")
        statuses = text[text.index("Exit status:"):].split("With --all")[0]
        want(set(re.findall(r"\b\d+\b", statuses)) == {"0", "1", "2", "4", "5", "130"},
             "replay --help has other statuses: %s", statuses)

    # counts

    def numbers(self, *options):
        """The report of a test of a program too large to exhaust, and its verdict line."""
        report = os.path.join(self.out_dir(), "report.json")
        status, text, _ = self.run("test", *options, "--json", report, "--",
                                  self.build("large"))
        with open(report, encoding="utf-8") as file:
            return status, json.load(file), fermata.last_line(text)

    def test_max_runs_bounds_the_sum(self):
        for limit in (10, 60, 500):
            status, report, last = self.numbers("--max-runs", str(limit))
            runs = sum(report[one] for one in ("executions", "sampled", "blocked_executions",
                                               "spin_executions"))
            want(status == 0 and runs == limit, "%d runs, not %d", runs, limit)
            want("stopped after %d runs (--max-runs)" % limit in last, last)
            want(" 0 executions" not in last, "%d runs were made: %s", runs, last)
            named = r"\b%d sampled runs?;" % report["sampled"]
            want(not report["sampled"] or re.search(named, last), "samples not named: %s", last)
            want(not report["executions"] or "in %d executions" % report["executions"] in last,
                 "executions not named: %s", last)

    def test_runs_in_a_spin_are_bounded(self):
        report = os.path.join(self.out_dir(), "report.json")
        self.run("test", "--strategy", "dfs", "--max-runs", "20", "--json", report, "--",
                 self.build("spinning"))
        with open(report, encoding="utf-8") as file:
            numbers = json.load(file)
        want(numbers["spin_executions"] > 0, "the program does not spin: %s", numbers)
        want(numbers["executions"] + numbers["spin_executions"] <= 20, "%d and %d runs",
             numbers["executions"], numbers["spin_executions"])

    def test_nothing_explored_is_not_a_success(self):
        report = os.path.join(self.out_dir(), "report.json")
        started = time.time()
        status, text, _ = self.run("test", "--max-time", "1", "--json", report, "--",
                                  self.build("hangs"))
        last = fermata.last_line(text)
        want(time.time() - started < 30, "--max-time 1 took %.1f s", time.time() - started)
        with open(report, encoding="utf-8") as file:
            numbers = json.load(file)
        want(numbers["executions"] == 0 and numbers["sampled"] == 0, "something ran: %s", last)
        want(status == 4 and numbers["verdict"] == "lost-control", "exit %d: %s", status, last)
        want("no run came to its end" in last, last)

    def test_findings_name_their_run(self):
        status, text, _ = self.run("test", "--", self.build("racy_counter"))
        want(status == 1 and re.search(r"found in run [1-9]\d*[;)]", text), "no run is named")

    # files

    def complete(self, out):
        """Every file in the folder must be a whole finding; return how many there are."""
        names = os.listdir(out) if os.path.isdir(out) else []
        for name in names:
            path = os.path.join(out, name)
            try:
                with open(path, encoding="utf-8") as file:
                    json.load(file)
            except ValueError:
                raise Wrong("%s is half a file (%d bytes)" % (name, os.path.getsize(path)))
        return len(names)

    def test_full_disk_loses_no_verdict(self):
        shim = os.path.join(self.dir, "full.so")
        subprocess.run(["gcc", "-shared", "-fPIC", os.path.join(HERE, "programs", "full.c"), "-o",
                        shim, "-ldl"], check=True)
        for after in ("0", "1", "100", "3000"):
            out = self.out_dir()
            env = {"LD_PRELOAD": shim, "FULL_DIR": os.path.realpath(out), "FULL_AFTER": after}
            status, text, errors = self.run("test", "--out", out, "--json",
                                            os.path.join(out, "report.json"), "--",
                                            self.build("racy_counter"), env=env)
            want(status == 1, "exit %d, not 1: %s", status, fermata.last_line(text + errors))
            want(re.match(r"fermata: bug: \S+ at ", fermata.last_line(text)),
                 "the verdict is lost: %s", fermata.last_line(text))
            want("No space left" in text + errors, "no word of the full disk")
            want(self.complete(out) == 0, "something was written to a full disk")

    def test_read_only_folder_loses_no_report(self):
        status, text, errors = self.run("test", "--json", "/dev/full", "--",
                                        self.build("racy_counter"))
        want(status == 1 and re.match(VERDICTS[2], fermata.last_line(text)),
             "exit %d: %s", status, fermata.last_line(text + errors))
        status, text, errors = self.run("test", "--json", "/dev/full", "--", self.build("correct"))
        want(status == 2 and "cannot write /dev/full" in errors, "exit %d: %s", status, errors)

    def test_unwritable_stdout_loses_no_verdict(self):
        for name, closed, wanted in (("racy_counter", "> /dev/full", 1), ("correct", ">&-", 2),
                                     ("correct", "> /dev/full", 2), ("racy_counter", "<&- >&-", 1)):
            out = self.out_dir()
            status, _, errors = fermata.run_limited(
                ["sh", "-c", "\"$@\" " + closed, "sh", self.tool.path, "test", "--out", out, "--",
                 self.build(name)], 60, self.dir, self.tool.env)
            want(status == wanted, "%s %s: exit %d: %s", name, closed, status, errors)
            want("cannot write to stdout" in errors, "%s %s: %s", name, closed, errors)
            want(re.match(r"fermata: (bug|proved(, certified)?): ", fermata.last_line(errors)),
                 "%s %s: the verdict is lost: %s", name, closed, errors)
            want(self.complete(out) == (wanted == 1), "%s %s: files %s", name, closed,
                 os.listdir(out))
