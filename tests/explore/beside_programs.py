"""Makes small random Erlang programs about signals, for tests/explore/beside.

A program is a function whose value is its outcome: what each process has seen, and how it ended.
The test's own process starts two or three workers, each knowing those before it; all of them do a
few operations on each other. Between two operations y() is called, which on the real `erl` (macro
`real`) yields or delays for a random while and otherwise does nothing. Pids and references are
made plain, so that an outcome is the same term in every run. Nobody waits for ever, but for a
monitor's message of somebody who surely ends.

The real one gets the answer to a question about another process as a message, which a third one
could find in the mailbox. We do not: where mailboxes are looked at, only the last worker asks.
"""

import random
import re

import beside_otp
import beside_state

# weight, expression. {p} a process, {n} a name, {r} an earlier number (of a reference).
OPERATIONS = [
    (6, "exit({p}, {e})"),
    (6, "monitor(process, {p})"),
    (2, "monitor(process, {n})"),
    (4, "demonitor(get({r}), {o})"),
    (5, "link({p})"),
    (3, "unlink({p})"),
    (3, "process_flag(trap_exit, {b})"),
    (4, "{p} ! {m}"),
    (1, "{n} ! {m}"),
    (3, "is_process_alive({p})"),
    (3, "process_info({p}, message_queue_len)"),
    (3, "process_info({p}, messages)"),
    (2, "process_info({p}, links)"),
    (2, "process_info({p}, monitors)"),
    (2, "process_info({p}, monitored_by)"),
    (1, "process_info({p}, registered_name)"),
    (1, "process_info({p}, trap_exit)"),
    (2, "register({n}, {p})"),
    (2, "unregister({n})"),
    (2, "whereis({n})"),
    (1, "lists:member({n}, registered())"),
    (3, "receive {{'DOWN', _, _, _, V}} when {d} -> {{down, V}} after {a} -> none end"),
    (3, "receive {{'EXIT', _, V}} -> {{exit, V}} after {a} -> none end"),
    (3, "receive {{m, V}} -> V after {a} -> none end"),
    (1, "is_pid(spawn(fun() -> exit({p}, {e}) end))"),
    (1, "is_pid(spawn_link(fun() -> y(), exit({e}) end))"),
    (1, "element(2, spawn_monitor(fun() -> y(), exit({e}) end))"),
    (1, "erlang:send_after({a}, {p}, {m})"),
    (1, "erlang:cancel_timer(get({r}))"),
    (1, "alias()"),
    (1, "alias([reply])"),
    (1, "unalias(get({r}))"),
    (2, "get({r}) ! {m}"),
    (1, "monitor(process, {p}, [{{alias, {l}}}])"),
]

CHOICES = {"n": ["n1", "n1", "n2"], "m": ["{m, 1}", "{m, 2}"], "a": ["0", "0", "1"],
           "e": ["kill", "normal", "oops", "oops"], "b": ["true", "true", "false"],
           "o": ["[]", "[flush]", "[info]", "[flush, info]"],
           "l": ["explicit_unalias", "demonitor", "reply_demonitor"]}

HELP = """
do(Number, F) ->
    y(),
    put(Number, try F() catch _:R when is_atom(R) -> R; _:_ -> failed end).
plain(V) when is_reference(V) -> reference;
plain(V) when is_pid(V) -> pid;
plain({R, [{M, F, A, I} | _]}) when is_atom(M), is_atom(F), is_integer(A), is_list(I) -> plain(R);
plain([H | T]) -> [plain(H) | plain(T)];
plain(V) when is_tuple(V) -> list_to_tuple(plain(tuple_to_list(V)));
plain(V) -> V.
seen() -> lists:sort([{N, plain(V)} || {N, V} <- get(), is_integer(N)]).
gather([]) -> [];
gather([M | Rest]) -> [receive {'DOWN', M, _, _, R} -> plain(R) end | gather(Rest)].
num(X) -> erlang:phash2(X, 9000000) + 1000000.
-ifdef(real).
y() ->
    case rand:uniform(6) of
        1 -> erlang:yield();
        2 -> [erlang:yield() || _ <- lists:seq(1, rand:uniform(8))];
        3 -> busy(rand:uniform(3000));
        4 -> busy(rand:uniform(100));
        5 -> erlang:bump_reductions(3800 + rand:uniform(200)); % the next calls are interrupted
        _ -> ok
    end.
busy(0) -> ok;
busy(N) -> busy(N - 1).
-else.
y() -> ok.
-endif.
%% Runs programs many times on the real one and prints how often each showed what.
real(Names, Runs) -> lists:foreach(fun(Name) -> count(Name, Runs, #{}) end, Names).
count(Name, Runs, Shown) when Runs =:= 0; map_get({o, hangs}, Shown) > 2 ->
    [io:format("~w ~w ~w ~0p~n", [Name, case X of died -> none; {o, O} -> num(O) end, N, X])
     || {X, N} <- maps:to_list(Shown)];
count(Name, Runs, Shown) ->
    clean(),
    count(Name, Runs - 1, maps:update_with(once(Name), fun(N) -> N + 1 end, 1, Shown)).
once(Name) ->
    Before = processes(),
    Runner = self(),
    P = spawn(fun() -> ets:new(end_of_test, [{heir, Runner, died}]),
                       Runner ! {outcome, self(), ?MODULE:Name()} end),
    X = await(P, undefined),
    kill(processes() -- Before, Before),
    X.
%% What the test has left, until nobody is left who starts another process.
kill([], _) -> ok;
kill(Left, Before) ->
    [exit(Q, kill) || Q <- Left],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- [monitor(process, Q) || Q <- Left]],
    kill(processes() -- Before, Before).
%% Nobody monitors the test's own process: the program could tell. The runner notices the end of
%% that process by its table, which the runner inherits. If the process waits for long, it hangs.
await(P, Before) ->
    receive
        {'ETS-TRANSFER', T, P, died} ->
            ets:delete(T),
            receive {outcome, P, O} -> {o, O} after 0 -> died end
    after 300 ->
        case process_info(P, [status, reductions]) of
            [{status, waiting}, {reductions, R}] when R - Before < 50 -> {o, hangs};
            [_, {reductions, R}] -> await(P, R);
            undefined -> await(P, Before)
        end
    end.
"""


HELP_SIGNALS = """
clean() -> ok.
"""

# What programs are about: operations, their words, and functions that the operations need.
VOCABULARIES = {"signals": (OPERATIONS, CHOICES, HELP_SIGNALS),
                "otp": (beside_otp.OPERATIONS, beside_otp.CHOICES, beside_otp.HELP),
                "state": (beside_state.OPERATIONS, beside_state.CHOICES, beside_state.HELP)}
OBJECTS_OF = {"otp": beside_otp.objects_of, "state": beside_state.objects_of}


class Generator:
    """Makes one program from a seed."""

    def __init__(self, seed, about="signals"):
        self.rng = random.Random(seed)
        self.number = 0
        self.operations, self.choices, _ = VOCABULARIES[about]
        if "t" in self.choices:  # one table, so that the operations meet
            self.choices = {**self.choices, "t": [self.rng.choice(self.choices["t"])]}

    def program(self):
        """The operations of each process, the test's own first."""
        workers = self.rng.choice((1, 2, 2, 2, 3))
        weights = [weight for weight, _ in self.operations]
        # A few kinds of operations only, so that they meet.
        self.kinds = self.rng.choices([text for _, text in self.operations], weights,
                                      k=self.rng.randint(3, 6))
        self.looks = any("message" in text for text in self.kinds)
        self.asks = False
        blocks = [self.block(self.rng.randint(1, 3), ["P%d" % (n + 1) for n in range(workers)])]
        for worker in range(workers):
            known = ["S"] + ["P%d" % (n + 1) for n in range(worker)] * 2
            self.asks = worker == workers - 1
            blocks.append(self.block(self.rng.randint(1, 3 if workers < 3 else 2), known))
        return blocks

    def block(self, size, known):
        first = self.number + 1
        return [self.operation(first, known) for _ in range(size)]

    def operation(self, first, known):
        self.number += 1
        words = {key: self.rng.choice(values) for key, values in self.choices.items()}
        words["p"] = self.rng.choice(known)
        # The test's own process counts on the ends of all workers reaching it.
        words["d"] = "true" if "S" in known else "false"
        words["r"] = str(self.rng.randrange(first, self.number + 1))
        kinds = [text for text in self.kinds if self.asks or not self.looks
                 or not is_question(text)] or ["whereis({n})"]
        return self.number, self.rng.choice(kinds).format(**words)


def is_question(text):
    return text.startswith(("process_info", "is_process_alive"))


def to_function(seed, about="signals"):
    generator = Generator(seed, about)
    blocks = generator.program()
    make, see = OBJECTS_OF[about](blocks, generator.rng) if about in OBJECTS_OF else ([], [])
    lines = ["", f"g{seed}() ->", "    S = self(),", *(f"    {text}," for text in make)]
    for worker, block in enumerate(blocks[1:], 1):
        lines.append(f"    {{P{worker}, M{worker}}} = spawn_monitor(fun() ->")
        lines += [f"        do({number}, fun() -> {text} end)," for number, text in block]
        lines.append("        y(), exit(seen()) end),")
    lines += [f"    do({number}, fun() -> {text} end)," for number, text in blocks[0]]
    monitors = ", ".join(f"M{n}" for n in range(1, len(blocks)))
    lines += ["    y(),", f"    Ends = gather([{monitors}]),",
              "    {%s}." % ", ".join(["Ends", "seen()", *see])]
    return "\n".join(lines) + "\n"


def to_module(module, seeds, about="signals"):
    """One module with a function g<seed> and its test t_g<seed> for each seed."""
    text = f"-module({module}).\n-compile([export_all, nowarn_export_all]).\n" + HELP
    text += VOCABULARIES[about][2]
    for seed in seeds:
        text += to_function(seed, about) + f"t_g{seed}() -> erlang:display(num(g{seed}())).\n"
    return text


def to_known_module(text):
    """A module of programs written by hand, with what is needed to run them."""
    names = re.findall(r"^(\w+)\(\) ->", text, re.M)
    tests = "".join(f"t_{name}() -> erlang:display(num({name}())).\n" for name in names)
    return text + HELP + HELP_SIGNALS + tests
