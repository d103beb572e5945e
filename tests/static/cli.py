#!/usr/bin/env python3
"""cli.py DRIVER: fermata races as a user runs it: exit status, reports, suppression, baseline,
folders with broken files in them, mutated files."""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = os.path.join(HERE, "modules")
SEED = 7
MUTANTS = 150


def run(driver, *args):
    return subprocess.run([driver, "races", *args], capture_output=True, text=True, timeout=60,
                          check=False)


def expect(condition, what, done=None):
    if not condition:
        print("not so:", what)
        if done:
            print(done.returncode, done.stdout, done.stderr)
        sys.exit(1)


def compile_to(folder, *names):
    os.makedirs(folder, exist_ok=True)
    subprocess.run(["erlc", "-o", folder] + list(names), check=True, cwd=MODULES,
                   stdout=subprocess.DEVNULL)


def check_status(driver, out):
    racy, clean = os.path.join(out, "racy"), os.path.join(out, "clean")
    compile_to(racy, "reg_figure1.erl", "ets_named.erl")
    compile_to(clean, "reg_figure1_fixed.erl")
    done = run(driver, racy)
    expect(done.returncode == 1 and "fermata: 2 races in 2 modules" in done.stdout, "found", done)
    for part in ("reg_figure1.erl:6: registry race", "erlang:register/2", "repair", "why"):
        expect(part in done.stdout, f"text has {part}", done)
    done = run(driver, clean)
    expect(done.returncode == 0 and "0 races in 1 module" in done.stdout, "clean", done)
    for bad in (["--no-such-option", racy], [], ["--unknown-calls", "maybe", racy],
                [os.path.join(out, "nowhere")], ["--suppress", "/nowhere", racy],
                ["--baseline", "/nowhere", racy]):
        done = run(driver, *bad)
        expect(done.returncode == 2 and done.stderr, f"usage {bad}", done)
    expect(run(driver, "--quiet", racy).stdout == "", "--quiet")
    expect(run(driver, "--help").returncode == 0, "--help")


def check_repairs(driver, out):
    """The repair is that of the call that writes."""
    folder = os.path.join(out, "repairs")
    compile_to(folder, "ets_info_new.erl", "ets_member_delete.erl")
    done = run(driver, folder)
    for part in ("let one process create the table when the system starts", "ets:take/2"):
        expect(part in done.stdout, f"text has {part}", done)


def check_reports(driver, out):
    racy, path = os.path.join(out, "racy"), os.path.join(out, "report")
    expect(run(driver, "--json", path, racy).returncode == 1, "--json FILE")
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    expect(report["schema"] == 1 and len(report["findings"]) == 2, "schema")
    finding = next(f for f in report["findings"] if f["kind"] == "registry")
    expect(finding["module"] == "reg_figure1" and finding["confidence"] == "high", "finding")
    for end, call in (("read", "erlang:whereis/1"), ("write", "erlang:register/2")):
        expect(finding[end]["call"] == call and finding[end]["function"] == "proc_reg/1" and
               finding[end]["file"] == "reg_figure1.erl" and finding[end]["line"] > 0, end)
    expect(finding["path"] == [], "path")
    sarif = json.loads(run(driver, "--sarif", "-", racy).stdout)
    result = sarif["runs"][0]["results"][0]
    expect(sarif["version"] == "2.1.0" and result["level"] == "warning", "sarif")
    expect(result["locations"][0]["physicalLocation"]["region"]["startLine"] > 0, "sarif line")
    expect(run(driver, "--json", "-", racy).stdout == run(driver, "--json", "-", racy).stdout,
           "same bytes")


IGNORED = """-module(counted).
-export([a/1, b/1, c/1, d/1]).
a(K) ->
    [{_, N}] = ets:lookup(counted, K), % fermata-ignore: only the janitor calls it
    ets:insert(counted, {K, N + 1}).
b(K) ->
    [{_, N}] = ets:lookup(counted, K),
    %% fermata-ignore
    ets:insert(counted, {K, N + 1}).
c(K) ->
    ets:new(counted, [named_table, public]),
    [{_, N}] = ets:lookup(counted, K), X = "% fermata-ignore: a string",
    ets:insert(counted, {K, N + 1, X}).
d(K) -> % fermata-ignore: neither the line of the read nor of the write
    io:format("~p", [K]),
    [{_, N}] = ets:lookup(counted, K),
    ets:insert(counted, {K, N + 1}).
"""


def check_comments(driver, out):
    """A comment in the source accepts the report at its line, or at the line below."""
    ebin, src = os.path.join(out, "counted", "ebin"), os.path.join(out, "counted", "src")
    os.makedirs(ebin)
    os.makedirs(src)
    with open(os.path.join(src, "counted.erl"), "w", encoding="utf-8") as file:
        file.write(IGNORED)
    subprocess.run(["erlc", "-o", ebin, "counted.erl"], check=True, cwd=src,
                   stdout=subprocess.DEVNULL)
    report = json.loads(run(driver, "--json", "-", ebin).stdout)
    expect([f["function"] for f in report["findings"]] == ["c/1", "d/1"], "two are left")
    expect([(f["function"], f["accepted"]) for f in report["ignored"]] ==
           [("a/1", "only the janitor calls it"), ("b/1", "")], "two are ignored")
    done = run(driver, ebin)
    expect("2 races in 1 module, 2 ignored by comments" in done.stdout, "ignored", done)
    os.remove(os.path.join(src, "counted.erl"))
    os.mkfifo(os.path.join(src, "counted.erl"))  # would be waited for
    expect("4 races in 1 module" in run(driver, ebin).stdout, "a pipe is not the source")
    os.remove(os.path.join(src, "counted.erl"))
    expect("4 races in 1 module" in run(driver, ebin).stdout, "without the source all are there")


def check_explain(driver, out):
    """The story of a race: the steps of both processes, in order, each in its column."""
    told = os.path.join(out, "told")
    compile_to(told, "reg_far.erl", "ets_server_others.erl", "reg_send.erl")
    done = run(driver, "--explain", "reg_far.erl:11", told)
    expect(done.returncode == 0, "explained", done)
    steps = [line for line in done.stdout.splitlines() if line[:3].strip().isdigit()]
    places = [line.split()[1] for line in steps]
    expect(places == ["reg_far.erl:11:", "reg_far.erl:11:", "reg_far.erl:15:", "reg_far.erl:15:"],
           "four steps", done)
    columns = [line.index("reg_far") for line in steps]
    expect(columns[0] == columns[3] < columns[1] == columns[2], "side by side", done)
    for part in ("Step 3 of process 2 comes between steps 1 and 4 of process 1",
                 "the way to the write, from reg_far:one/1", "three/2 in reg_far:two/1"):
        expect(part in done.stdout, part, done)
    done = run(driver, "--explain", "ets_server_others.erl:15", told)
    expect("  2 " in done.stdout and "ets_server_others.erl:8: ets:insert/2" in done.stdout,
           "the writer outside of the server", done)
    findings = json.loads(run(driver, "--json", "-", told).stdout)["findings"]
    rivals = {f["module"]: f["rival"] and f["rival"]["line"] for f in findings}
    expect(rivals == {"ets_server_others": 8, "reg_far": None, "reg_send": None}, "rivals", done)
    entry = "ets_server_others:reset/1"
    expect([f["rival_entry"] for f in findings if f["rival"]] == [entry], "its entry", done)
    expect("Process 2 gets to step 2 from " + entry in done.stdout, "the entry in the story", done)
    ident = next(f for f in findings if f["module"] == "reg_send")["fingerprint"]
    done = run(driver, "--explain", ident[:8], told)
    expect("gives up the name, or ends" in done.stdout, "a use", done)
    done = run(driver, "--explain", "nowhere.erl:1", told)
    expect(done.returncode == 2 and "nowhere.erl:1" in done.stderr, "not there", done)


def check_ids(driver, out):
    """Two pairs of one function with the same calls have two ids, with and without --all."""
    twice = os.path.join(out, "twice")
    compile_to(twice, "server_pid_second.erl", "mnesia_write_back.erl")
    some = json.loads(run(driver, "--json", "-", twice).stdout)["findings"]
    every = json.loads(run(driver, "--all", "--json", "-", twice).stdout)["findings"]
    ids = [f["fingerprint"] for f in some]
    expect(len(ids) > 2 and len(set(ids)) == len(ids), f"ids differ: {ids}")
    expect(set(ids) <= {f["fingerprint"] for f in every}, "ids are the same with --all")
    calls = os.path.join(out, "calls")
    compile_to(calls, "ets_calls_beside.erl")
    few, more = ({f["function"]: f["fingerprint"]
                  for f in json.loads(run(driver, *options, "--json", "-", calls).stdout)["findings"]}
                 for options in ((), ("--calls",)))
    expect(len(more) == 2 and few.items() < more.items(), f"ids with --calls: {few}, {more}")
    tables = {f["table"] for f in some if f["kind"] == "mnesia"}
    expect(tables and not any("element" in one for one in tables), f"tables by name: {tables}")
    text = run(driver, twice).stdout
    cause = "3 of them by writes that another process reaches from server_pid_second:leave/1"
    expect(cause in text, "races with one cause are counted", text)


def check_silence(driver, out):
    racy, rules = os.path.join(out, "racy"), os.path.join(out, "rules")
    ident = json.loads(run(driver, "--json", "-", racy).stdout)["findings"][0]["fingerprint"]
    for text, left in (("registry reg_figure1:proc_reg/1\n", 1), ("* ets_named:*  # known\n", 1),
                       ("# nothing\n\n* *\n", 0), ("ets reg_figure1:*\n", 2),
                       (f"id {ident}\n", 1)):
        with open(rules, "w", encoding="utf-8") as file:
            file.write(text)
        done = run(driver, "--suppress", rules, racy)
        expect(done.returncode == (1 if left else 0) and f"fermata: {left} race" in done.stdout,
               f"rules {text!r}", done)
        said = f", {2 - left} suppressed" in done.stdout
        expect(said == (left < 2), f"suppressed races are counted {text!r}", done)
    with open(rules, "w", encoding="utf-8") as file:
        file.write("# two\n\nets no_such:*  # gone\nregistry reg_figure1:*\nid 0123456789abcdef\n")
    done = run(driver, "--suppress", rules, racy)
    expect(done.stderr.splitlines() == [
        f'fermata: warning: {rules}:3: no race fits the rule "ets no_such:*"',
        f'fermata: warning: {rules}:5: no race fits the rule "id 0123456789abcdef"'],
        "rules without a race", done)
    with open(rules, "w", encoding="utf-8") as file:
        file.write("nonsense\n")
    done = run(driver, "--suppress", rules, racy)
    expect(done.returncode == 2 and "rules:1:" in done.stderr, "bad rule", done)
    old = os.path.join(out, "old.json")
    run(driver, "--json", old, os.path.join(racy, "ets_named.beam"))
    done = run(driver, "--baseline", old, racy)
    expect(done.returncode == 1 and "fermata: 1 race in" in done.stdout, "baseline", done)
    run(driver, "--json", old, racy)
    expect(run(driver, "--baseline", old, racy).returncode == 0, "baseline has all")


def check_broken(driver, out):
    """One line for each broken file; the others are analysed all the same."""
    mixed = os.path.join(out, "mixed")
    shutil.copytree(os.path.join(out, "racy"), os.path.join(mixed, "deep", "ebin"))
    with open(os.path.join(mixed, "empty.beam"), "wb"):
        pass
    with open(os.path.join(mixed, "text.beam"), "w", encoding="utf-8") as file:
        file.write("not a beam file\n")
    with open(os.path.join(out, "clean", "reg_figure1_fixed.beam"), "rb") as file:
        good = file.read()
    with open(os.path.join(mixed, "half.beam"), "wb") as file:
        file.write(good[:len(good) // 2])
    done = run(driver, mixed)
    expect(done.returncode == 1 and
           "2 races in 2 modules; 3 files could not be read" in done.stdout,
           "rest is analysed", done)
    expect(len(done.stderr.splitlines()) == 3, "one line each", done)
    shutil.rmtree(os.path.join(mixed, "deep"))
    expect(run(driver, mixed).returncode == 2, "only broken files")


def check_mutants(driver, out):
    """Files that read but make no sense must not upset the analysis."""
    rng = random.Random(SEED)
    folder = os.path.join(out, "mutants")
    os.mkdir(folder)
    seeds = []
    for name in ("ets_calls", "reg_known_fun", "ets_figure2", "mnesia_activity",
                 "reg_caught"):
        compile_to(folder, name + ".erl")
        with open(os.path.join(folder, name + ".beam"), "rb") as file:
            seeds.append(file.read())
    path = os.path.join(folder, "mutant.beam")
    for _ in range(MUTANTS):
        data = bytearray(rng.choice(seeds))
        code = data.index(b"Code")
        end = min(len(data), code + 1200)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(code + 28, end)] = rng.randrange(256)
        with open(path, "wb") as file:
            file.write(data)
        done = run(driver, "--all", "--calls", "--unknown-calls", "follow", path)
        expect(done.returncode in (0, 1, 2) and len(done.stderr.splitlines()) <= 1, "mutant", done)


def main():
    driver = sys.argv[1]
    with tempfile.TemporaryDirectory() as out:
        for check in (check_status, check_repairs, check_reports, check_comments, check_explain,
                      check_ids, check_silence, check_broken, check_mutants):
            check(driver, out)
    print("as expected")


if __name__ == "__main__":
    main()
