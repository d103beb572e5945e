#!/usr/bin/env python3
"""judged.py DRIVER: in OTP 25.2.3 the reports are exactly those that docs/otp25-races.md judges.

A report that is not in the document is perhaps a new false alarm: read the code and judge it there. One
that is only in the document is not reported any more. The sums of the document are compared with its rows."""
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs",
                        "otp25-races.md")
APPLICATIONS = ("asn1-5.0.21", "common_test-1.23.3", "kernel-8.5.3", "runtime_tools-1.19",
                "snmp-5.13.3", "stdlib-4.2")
ROW = re.compile(r"\| (\w+) \| (\w+) (\d+) `([^`]+)` \| (?:(\w+):)?(\d+) `([^`]+)` \| (\w+) \|")
VERDICTS = ("race", "benign", "outside", "wrong")


def read_document():
    """{application: reports}, {application: numbers of its table}"""
    rows, sums, application = collections.defaultdict(list), {}, None
    with open(DOCUMENT, encoding="utf-8") as stream:
        for line in stream:
            row, total = ROW.match(line), re.match(r"\| (\w+) \|" + r" (\d+) \|" * 5, line)
            if line.startswith("## "):
                application = line[3:].strip()
            elif row and application:
                kind, module, read, call, other, write, second, verdict = row.groups()
                rows[application].append(((kind, module, int(read), call, other or module,
                                           int(write), second), verdict))
            elif total and not application:
                sums[total[1]] = [int(one) for one in total.groups()[1:]]
    return rows, sums


def reported(driver, folder):
    with tempfile.TemporaryDirectory(prefix="fermata-judged.") as work:
        out = os.path.join(work, "races.json")
        subprocess.run([driver, "races", "--quiet", "--json", out, folder], timeout=120,
                       stdout=subprocess.DEVNULL, check=False)
        with open(out, encoding="utf-8") as stream:
            found = json.load(stream)["findings"]
    return [(one["kind"], one["read"]["module"], one["read"]["line"], one["read"]["call"],
             one["write"]["module"], one["write"]["line"], one["write"]["call"]) for one in found]


def main():
    erl = shutil.which("erl")
    library = erl and os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(erl))), "lib")
    folders = [os.path.join(library or "", one) for one in APPLICATIONS]
    if not all(map(os.path.isdir, folders)):
        return 77
    rows, sums = read_document()
    faults, judged = [], 0
    for folder in folders:
        name = os.path.basename(folder).split("-")[0]
        ours = collections.Counter(reported(sys.argv[1], folder))
        theirs = collections.Counter(report for report, _ in rows[name])
        judged += sum(theirs.values())
        faults += ["%s: not judged: %s" % (name, one) for one in (ours - theirs).elements()]
        faults += ["%s: not reported: %s" % (name, one) for one in (theirs - ours).elements()]
        counts = collections.Counter(verdict for _, verdict in rows[name])
        if sums.get(name) != [len(rows[name]), *(counts[one] for one in VERDICTS)]:
            faults.append("%s: the table has %s, the rows %s" % (name, sums.get(name), counts))
    print("\n".join([*faults, "%d reports are judged" % judged]))
    return bool(faults) or not judged


if __name__ == "__main__":
    sys.exit(main())
