"""Programs that the tool must outlive, and answers of the user.

The methods are test cases of tests/e2e/run, which has the helpers they call.
"""

import os
import pty
import re
import subprocess
import time

import fermata
from tally import want


class HostileCases:
    def test_overwritten_channel_loses_control(self):
        program = self.build("hostile")
        for value in ("0", "1", "0x7f", "0xff"):
            for options in ((), ("--strategy", "dpor"), ("--restart", "fork")):
                status, text, errors = self.run("test", "--max-time", "20", *options, "--", program,
                                                "overwrite", value)
                last = fermata.last_line(text)
                want(status == 4 and last.startswith("fermata: lost control: "),
                     "%s %s: exit %d: %s", value, options, status, last or errors)

    def test_overwritten_events_lose_control(self):
        """The lengths of all lists stay as they are, but not what is in them."""
        for value in ("1", "0x7f", "0xff"):
            for kept in ("0x48000", "0x200000"):
                status, text, errors = self.run("test", "--max-time", "20", "--step-time", "0.3", "--",
                                                self.build("hostile"), "overwrite", value, kept)
                last = fermata.last_line(text)
                want(status == 4 and last.startswith("fermata: lost control: the program has overwritten"),
                     "%s behind %s: exit %d: %s", value, kept, status, last or errors)

    def test_grandchildren_end_with_the_run(self):
        """Also if the program ends before the tool does."""
        for deed in ("child", "child-kills"):
            file = os.path.join(self.out_dir(), "pid")
            status, text, _ = self.run("test", "--max-runs", "20", "--", self.build("hostile"), deed,
                                       file)
            want(status in (0, 4), "%s: exit %d: %s", deed, status, fermata.last_line(text))
            with open(file, encoding="utf-8") as stream:
                state = "/proc/%s/stat" % stream.read().strip()
            want(self.ends_soon(state), "%s: a process of its own session goes on", deed)

    def ends_soon(self, state):
        for _ in range(30):
            if not os.path.exists(state):
                return True
            with open(state, encoding="utf-8") as stream:
                if stream.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return True
            time.sleep(0.1)
        return False

    def test_the_time_limit_holds_before_main(self):
        started = time.time()
        status, text, _ = self.run("test", "--max-time", "1", "--", self.build("hostile"),
                                   "constructor")
        last = fermata.last_line(text)
        want(time.time() - started < 5, "--max-time 1 took %.1f s", time.time() - started)
        want(status == 4 and re.search(r"is in begin at \S*hostile\.c:\d+$", last), "exit %d: %s",
             status, last)

    def test_the_time_limit_is_called_so(self):
        status, text, _ = self.run("test", "--strategy", "random", "--max-time", "0.5", "--",
                                   self.build("large"))
        last = fermata.last_line(text)
        want(status == 0 and "(--max-time)" in last and "interrupted" not in last, "exit %d: %s",
             status, last)

    def answer_terminal(self, finding, answer):
        """Replay at a terminal, from a folder that does not hold the program; exit status, text."""
        master, slave = pty.openpty()
        child = subprocess.Popen([self.tool.path, "replay", finding], stdin=slave, stdout=slave,
                                 stderr=slave, cwd=self.out_dir(), env=self.tool.env)
        os.close(slave)
        os.write(master, answer.encode())
        text = b""
        try:
            while True:
                text += os.read(master, 65536)
        except OSError: # the other side is closed
            pass
        os.close(master)
        return child.wait(timeout=60), text.decode(errors="replace")

    def test_a_terminal_is_asked_for_trust(self):
        out = self.out_dir()
        self.run("test", "--out", out, "--", self.build("update"))
        for answer, wanted in (("y\n", 1), ("n\n", 2), ("\n", 2), ("\x04", 2)):
            status, text = self.answer_terminal(self.finding(out), answer)
            want(status == wanted, "%r: exit %d: %s", answer, status, text[-300:])
            want("Run it? [y/N]" in text and self.build("update") in text, "%r: %s", answer,
                 text[:300])
