#!/usr/bin/env python3
"""confirm.py FERMATA: what `fermata races --confirm` makes of the suspects in examples/erlang.

A comment "confirm: FUNCTION => KIND READ WRITE OUTCOME" in an example says what becomes of the
suspect of that kind whose read and write call those functions, when that test of the module is
explored; FUNCTION is "-" for the driver that is made up without a test. Every confirmed one must
replay, and EIGHT suspects at least must be confirmed by tests. Then: EUnit, wrong usage, limits,
what cannot be tried.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(ROOT, "examples", "erlang")
MARK = re.compile(r"^%% confirm: (\w+|-) => (\w+) (\S+) (\S+) ([\w-]+)$", re.MULTILINE)
EIGHT = 8


def run(*args, cwd=None):
    return subprocess.run(args, capture_output=True, text=True, timeout=120, check=False, cwd=cwd)


def expect(condition, what, done=None):
    if not condition:
        print("not so:", what)
        if done:
            print(done.args, done.returncode, done.stdout, done.stderr)
        sys.exit(1)


def marked():
    """module -> [(function, kind, read, write, outcome)]"""
    found = {}
    for name in sorted(os.listdir(EXAMPLES)):
        if name.endswith(".erl"):
            with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file:
                marks = MARK.findall(file.read())
            if marks:
                found[name[:-4]] = marks
    return found


def called(site):
    return site["call"].split(":", 1)[1].rsplit("/", 1)[0].strip("'")


def confirm(fermata, out, module, test, *options):
    done = run(fermata, "races", module + ".beam", "--json", "-", "--max-time", "20", "--confirm",
               *([test] if test else []), *options, cwd=out)
    expect(done.returncode == 1, f"{module} {test}: status 1", done)
    return json.loads(done.stdout)


def replay(fermata, out, path):
    first = run(fermata, "replay", path, cwd=out)
    expect(first.returncode == 1 and "writes in between" in first.stdout, f"{path} replays", first)
    again = run(fermata, "replay", "--times", "5", path, cwd=out)
    expect(again.returncode == 1 and "replayed 5 times out of 5" in again.stdout,
           f"{path} replays 5 times", again)


def check_examples(fermata, out):
    confirmed = set()
    for module, marks in marked().items():
        for function in dict.fromkeys(mark[0] for mark in marks):
            report = confirm(fermata, out, module,
                             None if function == "-" else f"{module}:{function}")
            for _, kind, read, write, outcome in [m for m in marks if m[0] == function]:
                suspects = [f for f in report["findings"] if f["kind"] == kind and
                            (called(f["read"]), called(f["write"])) == (read, write)]
                expect(suspects and all(f["outcome"] == outcome for f in suspects),
                       f"{module}:{function}: {kind} {read} {write} is {outcome}, not "
                       f"{[f['outcome'] for f in suspects]}")
                for suspect in suspects:
                    expect(suspect["confirmed"] == (outcome == "confirmed"), "confirmed")
                    if suspect["confirmed"]:
                        replay(fermata, out, suspect["finding"])
                        if function != "-":
                            confirmed.add((module, suspect["fingerprint"]))
    expect(len(confirmed) >= EIGHT, f"{EIGHT} confirmed, not {len(confirmed)}")
    return len(confirmed)


def check_text(fermata, out):
    done = run(fermata, "races", "start_once.beam", "--confirm=start_once:start_twice", cwd=out)
    for part in ("  tried   confirmed: another process wrote in between",
                 "  fails   abnormal-exit: P1", "  replay  fermata replay .fermata/race-",
                 "fermata: 2 races in 1 module, 1 confirmed in "):
        expect(part in done.stdout, part, done)
    done = run(fermata, "races", "start_once.beam", "--confirm=start_once:start_twice", "--sarif",
               "-", cwd=out)
    results = json.loads(done.stdout)["runs"][0]["results"]
    expect([r["level"] for r in results] == ["error", "warning"], "SARIF levels", done)


UNIT = """-module(start_once_tests).
-include_lib("eunit/include/eunit.hrl").
alone_test() -> start_once:start().
twice_test() -> start_once:start_twice().
"""

UNTRIED = """-module(untried).
-export([save/1, count/2]).
save(Name) ->
    case filelib:is_file(Name) of
        true -> ok;
        false -> file:write_file(Name, <<"x">>)
    end.
count(Pid, Key) when is_pid(Pid) ->
    [{_, N}] = ets:lookup(counts, Key),
    ets:insert(counts, {Key, N + 1}).
"""


ASKED = """-module(asked).
-export([count/1, alone/0, with_others/0]).
count(Server) ->
    [{n, N}] = ets:lookup(asked, n),
    Server ! {put, self(), N + 1},
    receive done -> ok end,
    ets:insert(asked, {n, N + 2}).
server() ->
    receive {put, From, N} -> ets:insert(asked, {n, N}), From ! done end.
open() ->
    ets:new(asked, [named_table, public]),
    ets:insert(asked, {n, 0}).
alone() ->
    open(),
    count(spawn(fun server/0)).
with_others() ->
    open(),
    spawn(fun() -> ets:insert(asked, {n, 7}) end),
    count(spawn(fun server/0)).
"""

ELIXIR = """defmodule Demo.Once do
  def start(name) do
    case Process.whereis(name) do
      nil -> Process.register(spawn(fn -> receive do :stop -> :ok end end), name)
      pid -> pid
    end
  end

  def twice do
    spawn(fn -> start(:demo) end)
    start(:demo)
  end
end
"""


def check_asked(fermata, out):
    """A write that the process itself asked for, and waited for, is nobody's interference."""
    compile_text(out, "asked", ASKED)
    for test, outcome in (("alone", "not-seen"), ("with_others", "confirmed")):
        report = confirm(fermata, out, "asked", "asked:" + test)
        count = [f["outcome"] for f in report["findings"] if f["read"]["function"] == "count/1"]
        expect(count == [outcome], f"asked:{test}: {count}")
        details = [f["detail"] for f in report["findings"] if f["outcome"] == "not-seen"]
        expect(all("assuming instant delivery" in text for text in details), f"{details}")


def check_elixir(fermata, out):
    if not shutil.which("elixirc"):
        sys.exit(77)  # the last check of all: meson counts the test as skipped
    path = os.path.join(out, "once.ex")
    with open(path, "w", encoding="utf-8") as file:
        file.write(ELIXIR)
    subprocess.run(["elixirc", "-o", out, path], check=True, stdout=subprocess.DEVNULL)
    lib = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("elixir")))),
                       "lib", "elixir", "ebin")
    for test in ("Demo.Once.twice", None):
        report = confirm(fermata, out, "Elixir.Demo.Once", test, "-pa", lib)
        expect([f["outcome"] for f in report["findings"]] == ["confirmed"], f"Elixir: {test}")
        replay(fermata, out, report["findings"][0]["finding"])


def check_eunit(fermata, out):
    compile_text(out, "start_once_tests", UNIT)
    report = confirm(fermata, out, "start_once", None, "--eunit", "start_once_tests")
    start = [f for f in report["findings"] if called(f["write"]) == "register"]
    expect(len(start) == 1 and start[0]["confirmed"] and "twice" in start[0]["test"],
           f"EUnit: {start}")
    replay(fermata, out, start[0]["finding"])


def check_untried(fermata, out):
    compile_text(out, "untried", UNTRIED)
    report = confirm(fermata, out, "untried", None)
    outcomes = {f["kind"]: (f["outcome"], f["detail"]) for f in report["findings"]}
    expect(outcomes["file"][0] == "not-controlled", f"files: {outcomes}")
    report = confirm(fermata, out, "untried", None, "--all")
    outcomes = {f["kind"]: (f["outcome"], f["detail"]) for f in report["findings"]}
    expect(outcomes["ets"] == ("no-driver", "its arguments cannot be guessed"), f"{outcomes}")


def compile_text(out, module, text):
    path = os.path.join(out, module + ".erl")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run(["erlc", "-o", out, path], check=True, stdout=subprocess.DEVNULL)


def check_drivers(fermata, out):
    """Modules of the static tests in which the made-up call gets there."""
    modules = os.path.join(ROOT, "tests", "static", "modules")
    for module, outcomes in (("reg_registered", ["confirmed"]), ("reg_spawned", ["confirmed"]),
                             ("ets_keypos", ["confirmed", "confirmed"]),
                             ("ets_update_element", ["not-reached"]),
                             ("ets_wrapper", ["no-driver"])):
        subprocess.run(["erlc", "-o", out, os.path.join(modules, module + ".erl")], check=True)
        report = confirm(fermata, out, module, None)
        got = [f["outcome"] for f in report["findings"]]
        expect(got == outcomes, f"{module}: {got}")


TWO = """-module(two).
-export([starts/0, init/1, handle_call/3, handle_cast/2]).
starts() ->
    {_, M} = spawn_monitor(fun() -> gen_server:start({local, two}, two, [], []) end),
    gen_server:start({local, two}, two, [], []),
    receive {'DOWN', M, process, _, _} -> ok end,
    gen_server:stop(two).
init([]) -> {ok, none}.
handle_call(_, _, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
"""


def check_otp(fermata, out):
    """OTP's own: the name is looked up by the starter and taken by the process it starts."""
    compile_text(out, "two", TWO)
    where = run("erl", "-noshell", "-eval", 'io:put_chars(code:lib_dir(stdlib)), halt().').stdout
    # --all: badarg is caught there, so the confidence is low
    report = confirm(fermata, out, os.path.join(where, "ebin", "gen"), "two:starts", "-pa", ".",
                     "--all")
    expect("confirmed" in [f["outcome"] for f in report["findings"]
                           if (f["read"]["call"], f["write"]["call"]) ==
                           ("erlang:whereis/1", "erlang:register/2")], f"gen: {report}")
    replay(fermata, out, report["findings"][0]["finding"])


def check_limits(fermata, out):
    report = confirm(fermata, out, "ets_counter", "ets_counter:classes_5", "--strategy", "random",
                     "--max-runs", "1", "--seed", "2")
    outcomes = {f["outcome"] for f in report["findings"]}
    expect(outcomes <= {"confirmed", "incomplete"}, f"one run proves nothing: {outcomes}")
    done = run(fermata, "races", "ets_counter.beam", "--confirm", "ets_counter:nowhere", cwd=out)
    expect(done.returncode == 2 and "ets_counter:nowhere" in done.stderr, "no such test", done)
    done = run(fermata, "races", "ets_counter.beam", "--confirm", "a:b", "--strategy", "none",
               cwd=out)
    expect(done.returncode == 2 and "none" in done.stderr, "no such strategy", done)


def main():
    fermata = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as out:
        sources = [os.path.join(EXAMPLES, module + ".erl") for module in [*marked(), "ets_counter"]]
        subprocess.run(["erlc", "-o", out] + sources, check=True, stdout=subprocess.DEVNULL)
        confirmed = check_examples(fermata, out)
        check_text(fermata, out)
        check_eunit(fermata, out)
        check_asked(fermata, out)
        check_untried(fermata, out)
        check_drivers(fermata, out)
        check_otp(fermata, out)
        check_limits(fermata, out)
        check_elixir(fermata, out)
    print(f"{confirmed} suspects confirmed")


if __name__ == "__main__":
    main()
