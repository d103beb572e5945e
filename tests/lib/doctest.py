"""Runs the commands of a document, so that what it promises is what happens.

In an indented block, a line that begins with "$ " is a command for sh. It must succeed, or fail if it
ends with "# fails". The lines below it are excerpts of its output, each of which must occur in it, in
this order; "…" stands for any text, and a line need not begin or end where the output does:

    $ fermata run     # fails
    fermata: bug: deadlock at …
"""

import re
import subprocess
import time

from tally import want


def commands(text):
    """[(command, whether it must fail, excerpts)] of a document."""
    found, last = [], None
    for line in text.splitlines():
        if line.startswith("    $ "):
            last = [line[6:], False, []]
            found.append(last)
        elif line.startswith("    ") and last:
            last[2].append(line.strip())
        else:
            last = None
    for one in found:
        match = re.match(r"(.*?)\s+# fails$", one[0])
        if match:
            one[0], one[1] = match.group(1), True
    return found


def run_document(text, folder, env, timeout=300):
    """Run all commands in the folder, in order."""
    all_commands = commands(text)
    want(all_commands, "the document has no command")
    for command, must_fail, excerpts in all_commands:
        if command.startswith("patch "):
            time.sleep(1.1)  # rebar3 compares the times of files in whole seconds
        done = subprocess.run(["sh", "-c", command], cwd=folder, env=env, timeout=timeout, text=True,
                              errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        want((done.returncode != 0) == must_fail, "%s: status %d: %s", command, done.returncode,
             done.stdout[:300] + " … " + done.stdout[-1200:])
        rest = done.stdout
        for excerpt in excerpts:
            pattern = ".*".join(re.escape(part) for part in excerpt.split("…"))
            match = re.search(pattern, rest)
            want(match, "%s: '%s' is not in its output: %s", command, excerpt, rest[-1500:])
            rest = rest[match.end():]
