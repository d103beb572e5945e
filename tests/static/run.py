#!/usr/bin/env python3
"""run.py DRIVER [MODULE...]: the race analysis on small modules with expectations.

Each source in modules/ is compiled with the installed compiler and analysed. A comment
"read: a" on a line says that a race reads there, "write: a" on another that it writes there;
every read of a label makes a pair with every write of the label. In brackets: only with these
options ([--all]), or only when analysed together with that module ([cross_client]). A comment
"with: other.erl" in the source adds modules. Exactly the expected pairs must be reported.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "modules")
MARK = re.compile(r"(?:%%|#) (read|write): (\w+)((?: \[[^\]]*\])*)")


def compile_all(out):
    """Compiles everything into out/NAME/; returns source -> folder."""
    folders = {}
    for name in sorted(os.listdir(HERE)):
        base, ext = os.path.splitext(name)
        folder = os.path.join(out, base)
        if ext == ".ex" and not shutil.which("elixirc"):
            continue
        if ext not in (".erl", ".ex"):
            continue
        os.mkdir(folder)
        folders[name] = folder
    erls = [n for n in folders if n.endswith(".erl")]
    exs = [n for n in folders if n.endswith(".ex")]
    subprocess.run(["erlc", "-o", out] + erls, check=True, cwd=HERE, stdout=subprocess.DEVNULL)
    for name in erls:
        base = name[:-4]
        os.rename(os.path.join(out, base + ".beam"), os.path.join(folders[name], base + ".beam"))
    if exs:
        subprocess.run(["elixirc", "-o", out] + exs, check=True, cwd=HERE,
                       stdout=subprocess.DEVNULL)
    for name in exs:
        module = "Elixir." + "".join(w.capitalize() for w in name[:-3].split("_")) + ".beam"
        os.rename(os.path.join(out, module), os.path.join(folders[name], module))
    return folders


def marks(name):
    """(role, label, line, conditions) of a source; a line with several marks has them all."""
    with open(os.path.join(HERE, name), encoding="utf-8") as source:
        for number, line in enumerate(source, 1):
            for role, label, conditions in MARK.findall(line):
                yield role, label, number, re.findall(r"\[([^\]]*)\]", conditions)


def partners(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as source:
        return re.findall(r"(?:%%|#) with: (\S+)", source.read())


def expected(names, options):
    """The pairs (read file, line, write file, line) expected of these sources."""
    ends = {"read": {}, "write": {}}
    tags = {os.path.splitext(n)[0] for n in names}
    for name in names:
        for role, label, line, conditions in marks(name):
            if conditions and options not in conditions and not tags & set(conditions):
                if not (options == "--all" and tags & set(conditions)):
                    continue
            ends[role].setdefault(label, []).append((name, line))
    pairs = set()
    for label, reads in ends["read"].items():
        for read in reads:
            for write in ends["write"].get(label, []):
                pairs.add(read + write)
    return pairs


def reported(driver, folders, names, options):
    command = [driver, "races", "--json", "-"] + options.split() + [folders[n] for n in names]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    report = json.loads(done.stdout)
    if done.returncode != (1 if report["findings"] else 0):
        raise SystemExit(f"{names}: exit status {done.returncode}")
    base = os.path.basename
    return {(base(f["read"]["file"]), f["read"]["line"], base(f["write"]["file"]),
             f["write"]["line"]) for f in report["findings"]}


def check(driver, folders, name):
    names = [name] + partners(name)
    wanted = {"", "--all"} | {c for n in names for m in marks(n) for c in m[3] if c[0] == "-"}
    good = True
    for options in sorted(wanted):
        want = expected(names, options)
        got = reported(driver, folders, names, options)
        # --all may say more, never less
        missing = want - got
        surplus = set() if "--all" in options else got - want
        for pair in sorted(missing):
            print(f"{name} {options}: not found: {pair}")
        for pair in sorted(surplus):
            print(f"{name} {options}: not expected: {pair}")
        good = good and not missing and not surplus
    return good


def main():
    driver = sys.argv[1]
    with tempfile.TemporaryDirectory() as out:
        folders = compile_all(out)
        chosen = sys.argv[2:] or sorted(folders)
        bad = [name for name in chosen if not check(driver, folders, name)]
    print(f"{len(chosen)} modules, {len(bad)} not as expected")
    if not bad and not shutil.which("elixirc"):
        return 77  # some could not be compiled: meson counts the test as skipped
    return 1 if bad or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
