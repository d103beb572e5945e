"""The pages of docs/papers.md, one per paper, from the figures that bench/papers has measured.

A page has the promise of the paper, our command, tables, and claims. A claim is a sentence with the
paper's figure, ours, that of the strongest rival at the same settings, and whether it holds; one
that does not must say why. The figures of the papers stand here; a copy of a paper in which a table
has lost its numbers is quoted by its text.
"""

import os
import re
import statistics
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WITHIN = 3
WIDTH = 110
HEAD = (
    "This file is written by `make bench-papers` (`bench/papers`; `--quick` takes fewer seeds, "
    "tests and runs, as the tables say, and `--keep` may spread it over several sittings). Every "
    "figure of ours was measured by it; times are CPU seconds of the machine it ran on. \"Rival\" "
    "is the strongest other strategy of this tool at the same settings, so that no table flatters. "
    "A claim that does not hold says so, with the reason.")


class Page:
    """Lines of one paper; claims without a reason that do not hold are kept apart."""

    def __init__(self, title, promise, command):
        self.lines = ["## " + title, "", *wrap(promise), "", "    " + command, ""]
        self.claims = []
        self.unexplained = []

    def table(self, head, rows):
        self.lines += ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
        self.lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
        self.lines.append("")

    def text(self, text):
        self.lines += [*wrap(text), ""]

    def claim(self, what, theirs, ours, rival, holds, reason=""):
        if not holds and not reason:
            self.unexplained.append(what)
        answer = "yes" if holds else "no: " + reason
        self.claims.append((what, theirs, ours, rival, answer))

    def finish(self):
        self.table(("claim", "paper", "ours", "rival", "holds"), self.claims)
        return self.lines


def wrap(text):
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def show(value):
    return "-" if value is None else str(value)


def seconds(value):
    return "%.2f s" % value


# ---- Bita ----

# Table II: the criteria that found the bug of a program that we have, too, and who else found it
# within the hour
CRITERIA = {"barber": "PR, then PBR; nobody", "messenger": "PR; nobody",
            "proc_reg": "PR, then PCR; the default scheduler in some runs",
            "graph": "PR (three bugs); nobody"}

def found_at_random(row):
    found = [one for one in row["random"] if one is not None]
    return statistics.mean(found) if found else None


def ratio_of(rows, criterion):
    """How many times as many pairs as random, as a geometric mean; pairs plus one."""
    return statistics.geometric_mean([(row["ours"][criterion] + 1) / (row["random"][criterion] + 1)
                                      for row in rows])


def page_bita(figures):
    page = Page(
        "Bita: coverage-guided testing of actor programs (ASE 2013)",
        "A first run gives the receives and their causality. Schedules are generated that show "
        "pairs of receives in the other order; each is feasible and adds coverage. "
        "[coverage.md](coverage.md) describes the strategy.",
        "fermata test --strategy coverage -pa EBIN M:F        # tables: bench/bita")
    bugs, coverage = figures["bita"]["bugs"], figures["bita"]["coverage"]
    page.text("Table II, schedules after the first run until the bug; random over ten seeds. The "
              "first run shows none of these bugs.")
    page.table(("program", "PR", "all criteria", "random, mean runs",
                "random finds it with as many runs", "paper: found by; others within an hour"),
               [(row["name"], show(row["pr"]), show(row["all"]), "%.1f" % found_at_random(row),
                 "%d of %d seeds" % (sum(one is not None and row["all"] is not None and
                                         one <= row["all"] + 1 for one in row["random"]),
                                     len(row["random"])), CRITERIA.get(row["name"], ""))
                for row in bugs])
    page.text("Table III, pairs of receives seen in both orders on the corrected programs: "
              "generated / random with as many runs, every run measured.")
    page.table(("program", "runs", "schedules in vain", "PR", "PBR", "PCR"),
               [(row["name"], row["runs"], row["in_vain"],
                 *("%d / %d" % pair for pair in zip(row["ours"], row["random"])))
                for row in coverage])
    soon = sum(row["pr"] is not None and row["pr"] <= WITHIN for row in bugs)
    page.claim("most bugs need PR alone and at most three schedules", "10 of 12 bugs",
               "%d of %d" % (soon, len(bugs)),
               "random: %d of %d within as many runs in every seed" % (
                   sum(all(one is not None and one <= (row["all"] or 0) + 1
                           for one in row["random"]) for row in bugs), len(bugs)),
               soon * 12 >= len(bugs) * 10)
    ratios = [ratio_of(coverage, criterion) for criterion in range(3)]
    page.claim("at least twice the coverage of random", "2 times or more for each criterion",
               "%.1f, %.1f, %.1f times" % tuple(ratios), "random, as many runs",
               min(ratios) >= 2,
               "some programs are so small that random shows every pair, too; it shows more of "
               "none" if all(a >= b for row in coverage
                             for a, b in zip(row["ours"], row["random"])) else "")
    vain, runs = sum(row["in_vain"] for row in coverage), sum(row["runs"] for row in coverage)
    page.claim("every schedule is feasible and adds coverage", "all",
               "all but %d of %d" % (vain, runs), "", not vain,
               "Erlang receives selectively, and a message that ends its receiver in one state need "
               "not end it in another: where no run has shown the state, one run is needed to know "
               "it" if vain <= len(coverage) else "")
    return page


# ---- FUSION ----

# Which methods found the bug in the paper, by table and program. The runs and seconds are lost in
# our copy of it.
FOUND = {"Table 1": {"manager w2 5t": "hapset, dpor, pcb1, pcb2", "manager w3 5t": "hapset, pcb1",
                     "manager w4 5t": "hapset", "manager w5 5t": "hapset"},
         "Table 2": {"downloader": "hapset, dpor, pcb2", "compressor": "hapset, dpor, pcb2",
                     "compressor fixed": "hapset", "filescanner": "hapset"},
         "Table 3": {"downloader atomic": "pcb1 to pcb4"}}

def runs_in(cell):
    """Runs of a cell of bench/hapset; None: not found."""
    first = cell.split()[0]
    return int(first) if first.isdigit() else None


def count_found(rows, strategy):
    cells = [row[strategy] for _, row in rows if strategy in row]
    return "%d of %d" % (sum(runs_in(cell) is not None for cell in cells), len(cells))


def claim_large(page, tables):
    """Tables 1 and 2, where the paper's dpor does not end."""
    large = [(label, runs_in(row["hapset"]), runs_in(row["dpor"]))
             for title, rows in tables.items() if title.startswith(("Table 1", "Table 2"))
             for label, row in rows.items()]
    later = [one for one in large if one[2] is not None and one[1] > one[2]]
    page.claim("fewer runs than exhaustive search on the large programs",
               "dpor is not done in time on 5 of 8",
               "as few or fewer than dpor on %d of %d" % (len(large) - len(later), len(large)),
               "dpor: found on %d of %d" % (sum(one[2] is not None for one in large), len(large)),
               not later,
               "%s: there the first order that dpor reverses deadlocks, whatever the number of "
               "workers" % ", ".join(one[0] for one in later)
               if all(one[2] == 2 for one in later) else "")


def page_fusion(figures):
    page = Page(
        "FUSION: HaPSet, coverage-guided systematic testing (ICSE 2011)",
        "Predecessor sets are learned from good runs; the search reverses two events only if that "
        "order of their statements has not been seen. Faster than exhaustive search by orders of "
        "magnitude, and no bug is missed.",
        "fermata test --strategy hapset -- ./program        # tables: bench/hapset")
    page.text("Cells: runs until the bug, CPU seconds; >N: not found in N runs; -: ended without "
              "it. pcb2: preemption bound 2. Our copy of the paper has lost the numbers of its "
              "tables, but not which method found the bug before the time was over; in Tables 4 "
              "and 5 all did.")
    all_rows = []
    tables = {title: {label: {name.replace("bounded-plain", "bounded"): cell
                              for name, cell in row.items()} for label, row in rows.items()}
              for title, rows in figures["hapset"].items()}
    for title, rows in tables.items():
        names = list(next(iter(rows.values())))
        theirs = FOUND.get(title.split(":")[0], {})
        page.text(title + ".")
        page.table(("program", *(one.replace("hapset-bounded --bound ", "hapset over pcb")
                                 .replace("bounded --bound ", "pcb") for one in names),
                    *(("paper: found by",) if theirs else ())),
                   [(label, *row.values(), *((theirs.get(label, ""),) if theirs else ()))
                    for label, row in rows.items()])
        all_rows += [(label, row) for label, row in rows.items() if "hapset" in row]
    found = [runs_in(row["hapset"]) for _, row in all_rows]
    page.claim("finds every bug", "all", count_found(all_rows, "hapset"),
               "dpor: %s, pcb2: %s" % (count_found(all_rows, "dpor"),
                                       count_found(all_rows, "bounded --bound 2")),
               None not in found)
    over = [(runs_in(row["hapset"]), runs_in(row["hapset-bounded --bound 2"]))
            for _, row in all_rows if "hapset-bounded --bound 2" in row]
    page.claim("the filter works over preemption bounding, too", "Algorithm 4 with 5",
               "%d of %d found" % (sum(one[1] is not None for one in over), len(over)), "",
               all(b is not None for a, b in over if a is not None))
    small = next(rows for title, rows in tables.items() if "Table 5" in title)
    better = [(runs_in(row["hapset"]), [runs_in(cell) for name, cell in row.items()
                                        if name.startswith(("dpor", "bounded"))])
              for row in small.values()]
    page.claim("fewer runs than the others on the small programs", "as few or fewer",
               "%d of %d" % (sum(a <= min(one for one in others if one) for a, others in better),
                             len(better)), "dpor, pcb1, pcb2: the best of the three",
               all(a <= min(one for one in others if one) for a, others in better))
    claim_large(page, tables)
    grown = [runs_in(row["hapset"]) for rows in tables.values()
             for label, row in rows.items() if re.match(r"downloader \d+$", label)]
    page.claim("runs grow modestly with the threads", "3 to 10 threads: modestly",
               "%d runs with 3 threads, %d with 10" % (grown[0], grown[-1]), "",
               grown[-1] * 3 < grown[0] * 10)
    page.text("The programs are of our own making, of the shape of those in the paper (a thread "
              "manager like Thrift's, a downloader like aget, a compressor like pbzip2, a scanner "
              "like pfscan, and ten extracted bugs). The manager and the downloader have the "
              "threads, the tasks and the parts of the originals (monitors, a bounded queue, "
              "workers that are added and removed; requests, answers, a file, a progress bar) in "
              "about 250 lines each, where aget has 1,200; the core of each is searched alone, too. With "
              "`-DCHORES=4` each thread has other work to do, as the authors inserted accesses "
              "and locks. The "
              "paper's own pbzip2, 0.9.4, is searched where `PBZIP2_SOURCE` names its source.")
    return page


# ---- PULSE ----

# Figure 2: mean time to a failure; Figure 3: how often tests that procrastination had found are run
REPRODUCED = {"native order (erl)": ("30.5 s", "7126.6"),
              "random, grain of PULSE": ("2.43 s", "70.9"),
              "procrastination<10>": ("1.32 s", "1.54, of up to 11 runs"),
              "procrastination<inf>": ("3.01 s", ""), "procrastination<5,1>": ("3.90 s", ""),
              "procrastination<10,3>": ("6.47 s", "")}
# Figures 4 to 6: seconds, average length, longest, minimal
SHRUNK = {("repetition", "1"): "2.42 s, 12.0, 38, 0.7 %",
          ("repetition", "10"): "3.20 s, 7.1, 26, 17 %",
          ("repetition", "25"): "5.14 s, 5.9, 28, 43 %",
          ("repetition", "50"): "8.22 s, 5.2, 27, 67 %",
          ("repetition", "100"): "14.28 s, 4.6, 9, 90 %",
          ("procrastination", "<10>"): "2.25 s, 5.6, 27, 60 %",
          ("procrastination", "<inf>"): "3.80 s, 5.6, 25, 56 %",
          ("procrastination", "<5,1>"): "7.01 s, 5.3, 15, 66 %",
          ("procrastination", "<10,3>"): "8.93 s, 5.2, 14, 65 %",
          ("schedule reuse", ""): "0.74 s, 5.3, 14, 33 %", ("both", "<10>"): "1.87 s, 4.6, 9, 78 %",
          ("both", "<inf>"): "3.31 s, 4.6, 9, 80 %", ("both", "<5,1>"): "5.93 s, 4.6, 9, 86 %"}


def page_pulse(figures):
    page = Page(
        "PULSE: procrastination in Erlang (Erlang Workshop 2011)",
        "Pairs of scheduling decisions that may interfere are found in a random run and reversed. "
        "Schedules are reused to shrink failing tests. [properties.md](properties.md) has the "
        "command for state machines.",
        "fermata prop -pa EBIN MODULE        # tables: bench/registry, bench/shrinking")
    registry = figures["registry"]
    page.text("Figures 2 and 3: the process registry, %d generated tests that can fail, %d "
              "seed%s: runs until a test fails." % (
                  registry["cases"], registry["seeds"], "" if registry["seeds"] == 1 else "s"))
    page.table(("scheduler", "level", "limit", "mean runs", "mean CPU ms", "missed",
                "paper: time, Figure 2", "tests, Figure 3, last group"),
               [(row["name"], row["level"], row["limit"], "%.1f" % row["runs"],
                 "%.1f" % (row["seconds"] * 1000), "%d of %d" % (row["missed"], row["of"]),
                 *REPRODUCED.get(row["name"] + row["limit"], ("", "")))
                for row in registry["rows"]])
    shrinking = figures["shrinking"]
    page.text("Figures 4 to 6: %d failing tests of the registry, shrunk. The smallest failing "
              "tests have four calls." % shrinking["failures"])
    page.table(("method", "limit", "mean CPU ms", "mean runs", "average length", "longest",
                "minimal", "paper: time, average, longest, minimal"),
               [(row["method"], row["limit"], "%.0f" % (row["seconds"] * 1000),
                 "%.0f" % row["runs"], "%.1f" % row["average"], row["longest"],
                 "%.0f %%" % row["minimal"], SHRUNK.get((row["method"], row["limit"]), ""))
                for row in shrinking["rows"]])
    rows = {row["name"] + row["limit"]: row["runs"] for row in registry["rows"]}
    ten = rows["procrastination<10>"]
    page.claim("World hello (Figure 1): random does not show it, procrastination does",
               "never / always",
               "random: %s, procrastination: run %s" % (
                   "not in 10,000 runs" if registry["hello"][0] is None else registry["hello"][0],
                   show(registry["hello"][1])), "", registry["hello"][0] is None and
               registry["hello"][1] is not None)
    page.claim("fewer runs than random to show a race",
               "70.9 runs at random, at most 17 with procrastination",
               "%.1f at random, %.1f" % (rows["random"], ten),
               "random with the grain of PULSE: %.1f; dpor: %.1f" % (
                   rows["random, grain of PULSE"], rows["dpor"]), ten < rows["random"] and
               ten <= rows["random, grain of PULSE"],
               "not than random with the same grain, on tests of a few calls; the paper has the "
               "same for tests that random found (Figure 3, middle)")
    shrunk = {(row["method"], row["limit"]): row for row in shrinking["rows"]}
    rounds, both = shrunk["ours, in rounds", "<10>"], shrunk["both", "<10>"]
    page.claim("most shrunk tests are minimal",
               "78 % with both techniques, 90 % with 100 repetitions",
               "%.0f %% in rounds, %.0f %% with both" % (rounds["minimal"], both["minimal"]),
               "100 repetitions: %.0f %%" % shrunk["repetition", "100"]["minimal"],
               rounds["minimal"] >= 78)
    page.claim("faster than repeating each test", "1.87 s for 14.28 s (100 repetitions)",
               "%.0f ms for %.0f ms" % (rounds["seconds"] * 1000,
                                        shrunk["repetition", "100"]["seconds"] * 1000),
               "25 repetitions: %.0f ms, %.0f %% minimal" % (
                   shrunk["repetition", "25"]["seconds"] * 1000,
                   shrunk["repetition", "25"]["minimal"]),
               rounds["seconds"] < shrunk["repetition", "100"]["seconds"])
    return page


# ---- Concuerror ----

TABLE_II = {"attach_noping": ("0 s", "0 s", "1 s", "2 s", "5 s", "7 s"),
            "attach": ("1 s", "6 s", "26 s", "86 s", "239 s", "563 s")}
# its interleavings with optimal reduction, master of 2026-06
INTERLEAVINGS = {"ets_counter:classes_2": 3, "ets_counter:classes_3": 25,
                 "ets_counter:classes_4": 363, "ets_counter:classes_5": 8401,
                 "senders:all_6": 720, "senders:all_8": 40320}


def show_runs(result):
    return "%d, cut" % result["executions"] if result["cut"] else result["executions"]


def show_time(result):
    return ("more than %s" if result["cut"] else "%s") % seconds(result["seconds"])


def show_patterns(page, patterns):
    page.text("Small patterns (`bench/concuerror`, tests/explore/counts.erl), with `--exits any`, "
              "because Concuerror reports every abnormal exit:")
    page.table(("pattern", "Concuerror", "ours"),
               [("%s: %s" % (name, about), theirs, ours) for name, about, theirs, ours in patterns])


def show_suite(page, suite):
    if not suite:
        page.text("Concuerror's own tests are not part of this repository: with "
                  "`CONCUERROR_SUITE` set to their folder, `bench/concuerror` compares the counts.")
        return
    all_rows = suite["all"]
    page.text("Concuerror's own tests (`bench/concuerror`): %d are compared. "
              "Ours has fewer runs on %d and more on %d; a program counts as often as it has a "
              "row there. Runs that are abandoned after their first steps, because all that they "
              "would show has been seen (\"sleep set blocked\"), count on neither side; ours "
              "abandons %d in all." % (all_rows["rows"], all_rows["fewer"], len(all_rows["more"]),
                                       all_rows["abandoned"]))
    page.table(("tests", "Concuerror", "ours"),
               [("all %d" % all_rows["rows"], all_rows["theirs"], all_rows["ours"]),
                *((name.rsplit("-", 2)[0], theirs, ours)
                  for name, theirs, ours in all_rows["more"])])
    page.text("The rows with more runs are about exit signals, messages, looks at other "
              "processes, registered names, timeouts, and matches that name no key: our relation "
              "orders more of these steps. It gives up an order only with an argument why no "
              "process can see it ([architecture.md](architecture.md)).")
    page.text("Not compared, because the two numbers do not count the same:")
    reasons = {}
    for name, theirs, ours, reason in all_rows["not_compared"]:
        reasons.setdefault(reason, []).append((name.split("-")[0], theirs, ours))
    page.table(("tests", "Concuerror", "ours", "reason"),
               [("%s (%d)" % (rows[0][0], len(rows)), sum(row[1] for row in rows),
                 sum(row[2] for row in rows), reason) for reason, rows in reasons.items()])
    show_silent(page, all_rows["silent"])
    show_bounded(page, suite["bounded"], suite["within"])


def show_silent(page, names):
    if names:
        page.text("No report of ours, so in no sum: %s." % ", ".join(names))


def bounded_sums(rows):
    rows = [row for row in rows if row[2] is not None]
    return tuple(sum(row[column] for row in rows) for column in (1, 2, 3))


def show_bounded(page, bounded, within):
    page.text("Within a bound, `--strategy bounded --bound-kind KIND --bound N` beside Concuerror's "
              "bounding with reduction: every row of its `bounding_tests` of the types delay and "
              "bpor (preemptions). Left out are its type simple, which drops classes that are "
              "within the bound, and rows without reduction. A class of ours costs what its "
              "cheapest run costs; what a delay is differs, because Concuerror counts the choices "
              "that it tried at a place. Some runs of ours are abandoned after their first steps:")
    for kind, rows in bounded.items():
        shown = [row for row in rows if row[2] is not None]
        page.table(("test, bound, reduction there", "Concuerror", "ours", "abandoned"),
                   [("all %d with a %s bound" % (len(shown), kind), *bounded_sums(shown)),
                    *(("%s, %s, %s" % (name.split("-")[0], name.split("-")[2],
                                       name.split("-")[-1]), theirs, ours, abandoned)
                      for name, theirs, ours, abandoned in shown)])
    show_silent(page, [row[0] for rows in bounded.values() for row in rows if row[2] is None])
    for name, counted in within.items():
        if counted:
            page.text("Within the bound of %s are %d classes (`bounded-plain`: %d schedules): every "
                      "order of a message and a poll counts as one of its own. To Concuerror a poll "
                      "(`receive stop -> ... after 0 -> ... end`) does not depend on a message that "
                      "it would not take, so it leaves the other order out." % (
                          name.split("-")[0], *counted))


def name_worst(bounded):
    """The test with most runs more than Concuerror, of each kind of bound."""
    worst = [max((row for row in rows if row[2] is not None), key=lambda row: row[2] - row[1])
             for rows in bounded.values()]
    return [row[0].split("-")[0] for row in worst if row[2] > row[1]]


def claim_counts(page, counted):
    more = [name for name, _, theirs, ours in counted["patterns"] if ours is None or ours > theirs]
    page.claim("no more runs on the patterns",
               "sum %d" % sum(theirs for _, _, theirs, _ in counted["patterns"]),
               "sum %d" % sum(ours or 0 for _, _, _, ours in counted["patterns"]), "", not more)
    if not counted["suite"]:
        return
    all_rows, bounded = counted["suite"]["all"], counted["suite"]["bounded"]
    page.claim("no more runs on its own tests, in sum", "%d" % all_rows["theirs"],
               "%d" % all_rows["ours"], "", all_rows["ours"] <= all_rows["theirs"])
    rows = [row for kind in bounded.values() for row in kind]
    theirs, ours, abandoned = bounded_sums(rows)
    page.claim("a bound with reduction: at most twice its runs, in sum of all %d rows" % len(rows),
               "%d" % theirs, "%d, and %d abandoned" % (ours, abandoned), "", ours <= 2 * theirs,
               "most of the difference is in %s" % " and ".join(name_worst(bounded)))


def page_concuerror(figures):
    page = Page(
        "Concuerror: systematic testing of Erlang (ICST 2013)",
        "All interleavings of a test within a preemption bound, without blocking ones; errors are "
        "replayed.",
        "fermata test --strategy bounded --bound 2 -pa EBIN M:F        # or dpor, which proves")
    ours = figures["table_ii"]
    page.text("Table II: seconds for the two tests of the registration server, by preemption "
              "bound. A search of ours is cut after 60 seconds.")
    page.table(("test", *("bound %d" % bound for bound in range(2, 8)), "dpor, no bound"),
               [row for name in TABLE_II for row in (
                   ("%s, paper" % name, *TABLE_II[name], ""),
                   ("%s, ours: runs" % name, *(show_runs(one) for one in ours["bounded"][name]),
                    show_runs(ours["dpor"]["reg_server:" + name])),
                   ("%s, ours: time" % name, *(show_time(one) for one in ours["bounded"][name]),
                    show_time(ours["dpor"]["reg_server:" + name])))])
    page.text("Interleavings of today's Concuerror with optimal reduction, and our runs:")
    page.table(("test", "Concuerror", "ours"),
               [(name, theirs, ours["dpor"][name]["executions"])
                for name, theirs in INTERLEAVINGS.items()])
    show_patterns(page, figures["concuerror"]["patterns"])
    show_suite(page, figures["concuerror"]["suite"])
    page.claim("finds the error of Figure 1", "found", "%s after %d runs" % (
        ours["figure_1"]["verdict"], ours["figure_1"]["executions"]), "",
               ours["figure_1"]["verdict"] == "bug")
    last = ours["bounded"]["attach"][-1]
    page.claim("attach/0 with bound 7", "563 s", show_time(last),
               "dpor: %s" % show_time(ours["dpor"]["reg_server:attach"]),
               not last["cut"] and last["seconds"] < 563,
               "the search was cut; `bounded` runs every interleaving within the bound, dpor one "
               "of each class" if last["cut"] else "")
    more = [name for name, theirs in INTERLEAVINGS.items()
            if ours["dpor"][name]["executions"] > theirs]
    page.claim("no more runs than its optimal reduction", "as above",
               "more on %d of %d" % (len(more), len(INTERLEAVINGS)), "", not more,
               "see the table" if more else "")
    claim_counts(page, figures["concuerror"])
    return page


# ---- static races ----

# registry, ETS, Mnesia in R13B01
TABLE_2 = {"asn1": (2, 0, 0), "common_test": (1, 0, 0), "kernel": (4, 2, 0),
           "runtime_tools": (2, 0, 0), "snmp": (0, 3, 3), "stdlib": (1, 0, 0)}
MINUTES = {"asn1": "4:04", "common_test": "0:22", "kernel": "1:05", "runtime_tools": "0:28",
           "snmp": "2:00", "stdlib": "6:45"}


def read_verdicts():
    """reported, race, benign, outside, wrong of docs/otp25-races.md: judged by reading the code."""
    with open(os.path.join(ROOT, "docs", "otp25-races.md"), encoding="utf-8") as stream:
        cells = re.search(r"^\| all \|(.*)\|$", stream.read(), re.MULTILINE).group(1).split("|")
    return [int(cell) for cell in cells[:5]]


def page_races(figures):
    page = Page(
        "Static detection of race conditions in Erlang (PADL 2010)",
        "Reads and later writes of the registry, ETS and Mnesia that another process can come "
        "between, found in whole applications without false alarms. [races.md](races.md) describes "
        "the analysis, [otp25-races.md](otp25-races.md) judges each report.",
        "fermata races EBIN        # all of OTP: bench/races")
    page.text("Table 2. The paper analysed R13B01, we the installed release; races were repaired "
              "and added in between.")
    rows, paper_total, total = [], 0, 0
    for folder, row in figures["races"].items():
        application = folder.rsplit("-", 1)[0]
        old = TABLE_2[application]
        kinds = row["kinds"]
        paper_total += sum(old)
        total += sum(kinds.values())
        rows.append((folder, *("%d / %d" % (theirs, kinds.get(kind, 0))
                               for theirs, kind in zip(old, ("registry", "ets", "mnesia"))),
                     sum(count for kind, count in kinds.items()
                         if kind not in ("registry", "ets", "mnesia")),
                     "%s min / %s" % (MINUTES[application], seconds(row["seconds"]))))
    page.table(("application", "registry: paper / ours", "ETS", "Mnesia", "other stores, ours",
                "time: paper / ours"), rows)
    reported, _, _, outside, wrong = read_verdicts()
    page.claim("many races in widely used code", "%d in these applications" % paper_total,
               str(total), "", total >= paper_total)
    page.claim("no false alarms", "none",
               "%d of %d wrong, %d more if OTP is taken as a closed program" % (
                   wrong, reported, outside), "", not wrong,
               "locks built from messages, and a test of \"am I the server?\", are not understood")
    slowest = max(row["seconds"] for row in figures["races"].values())
    page.claim("fast enough for everyday use", "up to 6:45 min", "at most " + seconds(slowest), "",
               slowest < 405)
    dialyzer = figures["dialyzer"]
    if not dialyzer["programs"]:
        page.text("Dialyzer's own race tests are not part of this repository: with "
                  "`DIALYZER_RACES` set to their folder they are compared, too.")
        return page
    page.text("Dialyzer, which was the paper's tool until OTP 24, has tests of its own for races: "
              "programs and the reports that are expected. On %d of %d each write reported there "
              "is reported here, or neither reports anything." % (
                  dialyzer["same"], dialyzer["programs"]))
    page.claim("reports what Dialyzer's own tests expect", "all of %d" % dialyzer["programs"],
               "%d of %d" % (dialyzer["same"], dialyzer["programs"]), "",
               dialyzer["same"] == dialyzer["programs"],
               "%s: `-dialyzer({nowarn_function, ...})` is not obeyed, because it is mostly "
               "written for other warnings than races; `-fermata({no_race, ...})` is" %
               dialyzer["others"][0] if dialyzer["others"] == ["ets_insert_args1_suppressed"]
               else "")
    return page


def write(figures):
    """The text, and the claims that do not hold without a reason."""
    pages = [page_concuerror(figures), page_pulse(figures), page_bita(figures),
             page_races(figures), page_fusion(figures)]
    lines = ["# The five papers: promises, and figures beside theirs", "", *wrap(HEAD), ""]
    for page in pages:
        lines += page.finish()
    return "\n".join(lines).rstrip() + "\n", [one for page in pages for one in page.unexplained]
