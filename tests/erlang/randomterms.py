"""Random Erlang functions for the comparison with the real erl.

Each function is a small program of one family, written as source text from one seeded generator, so
that a seed and a count name the same programs for ever. A call that may raise is wrapped: the
results are terms; every operand goes through `tlib:id` so that the compiler cannot work them out.
"""

import random
import re

PER_MODULE = 50
EDGES = [0, 1, -1, 2, 7, 255, 256, 65535, 65536, 2**31, 2**32, 2**58, 2**59 - 1, 2**59, -2**59,
         -2**59 - 1, 2**60, 2**63 - 1, 2**63, 2**64, -2**64, 2**100, -2**127, 10**30]
FLOATS = ["0.0", "1.0", "-1.5", "0.1", "1.0e10", "-2.5e-7", "1.0e300", "9007199254740993.0", "4.0"]
ATOMS = ["a", "b", "ok", "error", "true", "false", "undefined", "'A b'", "''", "zz", "'é'"]
ARITHMETIC = ["+", "-", "*", "div", "rem", "/", "band", "bor", "bxor"]
COMPARISONS = ["<", "=<", ">", ">=", "==", "=:=", "/=", "=/="]

MAP_KEYS = ["a", "b", "1", "2.0"]

# The parts that the families choose from. N, K and V stand for a variable, a key and a value.
GUARDS = ["is_integer(N)", "N > 1", "length(N) > 0", "N =:= a", "is_atom(N); N + 1 > 2",
          "element(1, N) =:= a", "is_map(N), map_size(N) > 0", "not is_list(N) andalso N < b"]
MAP_STEPS = ["M#{?ID(K) => V}", "maps:put(?ID(K), V, M)", "maps:remove(?ID(K), M)",
             "maps:merge(M, #{K => V})", "case M of #{K := _} -> M#{K := new}; _ -> M end",
             "maps:filter(fun(_, X) -> X =/= V end, M)", "maps:map(fun(_, X) -> [X] end, M)"]
MESSAGES = ["{a, 1}", "{a, 2}", "{b, 1}", "b", "1", "2.5", "{c, [x]}", "#{k => v}"]
RECEIVED = ["{a, X}", "{b, X}", "b", "X when is_integer(X)", "{_, X}", "#{k := X}",
            "X when is_float(X)"]
FAILURES = ["throw(a)", "exit(b)", "error(c)", "?ID(d)", "?ID(1) + ?ID(x)", "hd(?ID([]))",
            "begin {ok} = ?ID(no) end"]
CATCHES = ["throw:a -> caught_a", "exit:_ -> caught_exit", "error:badarith -> caught_arith",
           "error:{badmatch, _} -> caught_match", "_:c -> caught_c"]
TABLE_CALLS = ["ets:insert(T, {K, V})", "ets:insert_new(T, {K, V})", "ets:delete(T, K)",
               "ets:take(T, K)", "ets:lookup(T, K)", "ets:member(T, K)",
               "ets:delete_object(T, {K, V})", "ets:update_counter(T, K, 3)",
               "ets:update_element(T, K, {2, V})", "lists:sort(ets:match(T, {'$1', V}))",
               "ets:select_count(T, [{{'$1', V}, [], [true]}])", "ets:match_delete(T, {'_', V})",
               "ets:insert(T, [{K, V}, {b, V}])", "ets:info(T, size)",
               "lists:sort(ets:tab2list(T))"]
LIST_CALLS = ["lists:reverse(L)", "L ++ L", "L -- lists:sublist(L, 3)", "lists:usort(L)",
              "lists:nthtail(length(L) div 2, L)", "lists:flatten([L, [L]])",
              "lists:keyfind(a, 1, L)", "lists:member(1.0, L)", "lists:uniq(L)",
              "lists:partition(fun is_atom/1, L)", "lists:zip(L, lists:seq(1, length(L)))",
              "maps:to_list(maps:from_keys(lists:sublist(L, 8), x))",
              "[X || X <- L, is_tuple(X)]", "lists:foldl(fun(X, A) -> [A | X] end, [], L)",
              "list_to_tuple(L)", "?TRY(iolist_to_binary(L))", "?TRY(lists:sum(L))",
              "lists:sort(fun(A, B) -> A > B end, L)"]
TEXT_CALLS = ["string:split(S, K, all)", "string:uppercase(S)", "string:reverse(S)",
              "string:length(S)", "unicode:characters_to_binary(S)", "string:find(S, K)",
              "string:trim(S)", "re:run(S, \"[a-c]+\", [unicode, global, {capture, all, list}])",
              "re:replace(S, \"[a1 ]\", \"<&>\", [unicode, global, {return, list}])",
              "string:lexemes(S, \" ,\")", "?TRY(list_to_integer(S))", "?TRY(list_to_atom(S))",
              "string:to_integer(S)", "lists:flatten(io_lib:format(\"~tp ~ts\", [S, S]))",
              "re:split(S, \"[ ,]\", [unicode, {return, list}])", "string:titlecase(S)",
              "base64:encode(unicode:characters_to_binary(S))",
              "uri_string:quote(unicode:characters_to_binary(S))"]

# The functions that the generated modules share.
HELPERS = """corrupt(B, Position, Byte) ->
    P = 1 + Position rem (byte_size(B) - 1),
    <<H:P/binary, _, T/binary>> = B,
    case ?TRY(binary_to_term(<<H/binary, Byte, T/binary>>)) of
        {error, badarg} -> bad;
        Term -> {ok, is_function(Term) orelse is_pid(Term) orelse Term}
    end.

without_traces({'EXIT', {Reason, [{_, _, _, _} | _]}}) -> {'EXIT', without_traces(Reason)};
without_traces([H | T]) -> [without_traces(H) | without_traces(T)];
without_traces(Term) when is_tuple(Term) ->
    list_to_tuple(without_traces(tuple_to_list(Term)));
without_traces(Term) -> Term.
"""


class Programs:
    """The families. Each method returns the body of one function of arity 0."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def integer(self):
        r = self.rng
        kind = r.random()
        if kind < 0.5:
            return r.choice(EDGES) + r.randint(-2, 2)
        if kind < 0.8:
            return r.randint(-1000, 1000)
        return r.randint(-2**r.randint(1, 140), 2**r.randint(1, 140))

    def binary(self):
        r = self.rng
        parts = [str(r.randint(0, 255)) for _ in range(r.randint(0, 6))]
        if r.random() < 0.3:
            size = r.randint(1, 7)
            parts.append(f"{r.randint(0, 2**size - 1)}:{size}")
        return "<<" + ",".join(parts) + ">>"

    def simple(self):
        r = self.rng
        return r.choice([lambda: str(self.integer()), lambda: str(r.randint(-9, 9)),
                         lambda: r.choice(FLOATS), lambda: r.choice(ATOMS), self.binary,
                         lambda: "\"" + "".join(r.choices("abc xyz", k=r.randint(0, 5))) + "\""])()

    def term(self, depth=3):
        r = self.rng
        if depth == 0 or r.random() < 0.3:
            return self.simple()
        inner = [self.term(depth - 1) for _ in range(r.randint(0, 4))]
        kind = r.random()
        if kind < 0.35:
            return "{" + ",".join(inner) + "}"
        if kind < 0.7:
            tail = "|" + self.simple() if inner and r.random() < 0.1 else ""
            return "[" + ",".join(inner) + tail + "]"
        keys = [self.term(depth - 2) if depth > 1 else self.simple() for _ in inner]
        return "#{" + ",".join(f"{k} => {v}" for k, v in zip(keys, inner)) + "}"

    def fill(self, template, **parts):
        """The template with its single capital letters replaced."""
        return re.sub(r"\b[A-Z]\b", lambda m: parts.get(m.group(), m.group()), template)

    def opaque(self, text):
        return f"?ID({text})"

    def expression(self, depth):
        r = self.rng
        if depth == 0:
            return self.opaque(r.choice([str(self.integer()), str(self.integer()),
                r.choice(FLOATS)]))
        kind = r.random()
        if kind < 0.75:
            left, right = self.expression(depth - 1), self.expression(depth - 1)
            return f"({left} {r.choice(ARITHMETIC)} {right})"
        if kind < 0.85:
            return f"({self.expression(depth - 1)} {r.choice(['bsl', 'bsr'])} {r.randint(-70, 70)})"
        function = r.choice(["abs", "trunc", "round", "floor", "ceil", "-", "bnot "])
        return f"{function}({self.expression(depth - 1)})"

    def arithmetic(self):
        return "[" + ", ".join(f"?TRY({self.expression(self.rng.randint(1, 4))})"
            for _ in range(4)) + "]"

    def comparison(self):
        a, b = self.term(), self.term()
        return (f"A = {self.opaque(a)}, B = {self.opaque(b)}, "
                + "{" + ", ".join(f"A {c} B" for c in COMPARISONS) + ", min(A, B), max(A, B)}")

    def sorting(self):
        terms = ",".join(self.term(2) for _ in range(self.rng.randint(2, 12)))
        return f"L = ?ID([{terms}]), {{lists:sort(L), lists:usort(L), lists:max(L)}}"

    def external(self):
        return (f"T = {self.opaque(self.term(4))}, B = term_to_binary(T), "
                "{B, binary_to_term(B) =:= T, "
                "binary_to_term(term_to_binary(T, [compressed])) =:= T, "
                "erlang:phash2(T), erlang:phash(T, 1000), erlang:external_size(T)}")

    def truncated(self):
        return (f"B = term_to_binary({self.opaque(self.term(3))}), "
                "[?TRY(binary_to_term(binary:part(B, 0, N))) "
                f"|| N <- lists:seq(0, byte_size(B) - 1, {self.rng.randint(1, 4)})]")

    def corrupted(self):
        r = self.rng
        # 73 to 76 are tags of the real one's own, never written, and not checked when read.
        values = [v for v in range(256) if not 73 <= v <= 76]
        changes = ", ".join(f"{{{r.randint(0, 60)}, {r.choice(values)}}}" for _ in range(6))
        return (f"B = term_to_binary({self.opaque(self.term(3))}), "
                f"[corrupt(B, P, X) || {{P, X}} <- [{changes}]]")

    def printing(self):
        return (f"T = {self.opaque(self.term(4))}, "
                "[lists:flatten(io_lib:format(F, [T])) "
                "|| F <- [\"~p\", \"~w\", \"~tp\", \"~30p\"]]")

    def segment(self):
        """A segment as (construction, pattern, variable or None)."""
        r = self.rng
        name = f"V{r.randint(0, 10**6)}"
        kind = r.random()
        flags = r.choice(["", "/little", "/signed", "/signed-little", "/big"])
        if kind < 0.6:
            size = r.choice([1, 3, 4, 7, 8, 8, 12, 16, 16, 24, 32, 33, 48, 64, 65, 100])
            return f"({self.opaque(self.integer())}):{size}{flags}", f"{name}:{size}{flags}", name
        if kind < 0.75:
            size, sign = r.choice([32, 64]), r.choice(["", "-little"])
            value = r.choice(["1.5", "-0.25", "1.0e10", "3"])
            return f"({self.opaque(value)}):{size}/float{sign}", f"{name}:{size}/float{sign}", name
        if kind < 0.9:
            count = r.randint(0, 5)
            data = ",".join(str(r.randint(0, 255)) for _ in range(count))
            return f"({self.opaque('<<' + data + '>>')})/binary", f"{name}:{count}/binary", name
        utf = r.choice(["utf8", "utf16", "utf32", "utf16-little"])
        return f"({self.opaque(r.choice([65, 233, 26085, 65536]))})/{utf}", f"{name}/{utf}", name

    def segments(self):
        parts = [self.segment() for _ in range(self.rng.randint(1, 6))]
        build = ", ".join(p[0] for p in parts)
        pattern = ", ".join(p[1] for p in parts)
        values = ", ".join(p[2] for p in parts)
        return (f"B = <<{build}>>, case ?ID(B) of "
                f"<<{pattern}, Rest/bits>> -> {{B, [{values}], Rest}}; "
                "Other -> {no, Other} end")

    def slices(self):
        r = self.rng
        sizes = [r.randint(0, 40) for _ in range(r.randint(1, 5))]
        pattern = ", ".join(f"V{i}:{s}{r.choice(['', '/little', '/signed', '/bits'])}" for i,
            s in enumerate(sizes))
        values = ", ".join(f"V{i}" for i in range(len(sizes)))
        data = f"<<{r.getrandbits(160)}:160>>"
        return (f"case ?ID({data}) of <<_:{r.randint(0, 9)}, {pattern}, R/bits>> -> "
                f"{{[{values}], R}}; _ -> short end")

    def map_steps(self):
        r = self.rng
        keys = [self.simple() for _ in range(6)] + [str(i) for i in range(40)]
        large = f"maps:from_keys(lists:seq(1, {r.randint(20, 60)}), x)"
        steps = [f"M0 = ?ID({r.choice(['#{}', '#{}', large])})"]
        count = r.randint(3, 15)
        for i in range(count):
            step = self.fill(r.choice(MAP_STEPS), K=r.choice(keys), V=self.term(1), M=f"M{i}")
            steps.append(f"M{i + 1} = {step}")
        return (", ".join(steps) + f", M = M{count}, {{map_size(M), lists:sort(maps:to_list(M)), "
                "erlang:phash2(M), M0 < M, M =:= maps:from_list(maps:to_list(M))}")

    def pattern(self, depth, names):
        r = self.rng
        kind = r.random()
        if depth == 0 or kind < 0.4:
            if r.random() < 0.5:
                names.append(r.choice("XYZW"))
                return names[-1]
            return r.choice(["_", str(r.randint(0, 3)), r.choice(ATOMS), "1.0", "<<1>>"])
        inner = [self.pattern(depth - 1, names) for _ in range(r.randint(0, 3))]
        if kind < 0.6:
            return "{" + ",".join(inner) + "}"
        if kind < 0.8:
            tail = "|" + self.pattern(0, names) if inner and r.random() < 0.5 else ""
            return "[" + ",".join(inner) + tail + "]"
        return "#{" + ",".join(f"{r.choice(MAP_KEYS)} := {p}" for p in inner) + "}"

    def clause(self, number):
        names = []
        pattern = self.pattern(2, names)
        guard = ""
        if names and self.rng.random() < 0.5:
            guard = " when " + self.fill(self.rng.choice(GUARDS), N=self.rng.choice(names))
        return f"{pattern}{guard} -> {{{','.join([str(number)] + sorted(set(names)))}}}"

    def small_value(self, depth):
        r = self.rng
        if depth == 0 or r.random() < 0.3:
            return r.choice(["0", "1", "2", "a", "b", "1.0", "[]", "{}", "<<1>>"])
        inner = [self.small_value(depth - 1) for _ in range(r.randint(0, 3))]
        pairs = ",".join(f"{r.choice(MAP_KEYS)} => {x}" for x in inner)
        return r.choice(["{" + ",".join(inner) + "}", "[" + ",".join(inner) + "]",
                         "#{" + pairs + "}"])

    def matching(self):
        clauses = "; ".join(self.clause(i) for i in range(self.rng.randint(2, 6)))
        terms = ",".join(self.small_value(3) for _ in range(12))
        return f"[case ?ID(T) of {clauses}; _ -> none end || T <- [{terms}]]"

    def receiving(self):
        r = self.rng
        sends = ", ".join(f"self() ! {m}" for m in r.choices(MESSAGES, k=r.randint(1, 10)))
        patterns = r.choices(RECEIVED, k=r.randint(1, 6))
        receives = ", ".join(self.receive(i, p) for i, p in enumerate(patterns))
        results = ", ".join(f"R{i}" for i in range(len(patterns)))
        return f"{sends}, {receives}, {{[{results}], tlib:drain([])}}"

    def receive(self, i, pattern):
        body = "X" if "X" in pattern else "matched"
        text = f"receive {pattern} -> {body} after 0 -> none end"
        return f"R{i} = " + self.fill(text, X=f"X{i}")

    def failing(self, depth):
        r = self.rng
        if depth == 0:
            return r.choice(FAILURES)
        inner = self.failing(depth - 1)
        catches = r.sample(CATCHES, r.randint(1, 3))
        if r.random() < 0.3:
            catches.append("throw:_ -> " + self.failing(0))
        return r.choice([
            f"try {inner} catch {'; '.join(catches)} end",
            f"try {inner} after self() ! {depth} end",
            f"try {inner} of d -> {self.failing(0)}; [] -> nil; _ -> value "
            f"catch {catches[0]} after self() ! x end",
            f"(catch {inner})",
            f"[{inner}, 1]"])

    def exceptions(self):
        return (f"R = ?TRY({self.failing(self.rng.randint(1, 4))}), "
                "{without_traces(R), tlib:drain([])}")

    def tables(self):
        r = self.rng
        kind = r.choice(["set", "ordered_set", "bag", "duplicate_bag"])
        keys = ["1", "2", "a", "b", "{x}", "\"s\""]
        if kind == "ordered_set":  # elsewhere 1 and 1.0 are two keys that no sorting tells apart
            keys.append("1.0")
        steps = [self.fill(r.choice(TABLE_CALLS), K=r.choice(keys), V=r.choice(["1", "2", "x"]))
                 for _ in range(r.randint(3, 14))]
        body = ", ".join(f"?TRY({step})" for step in steps)
        return f"T = ets:new(t, [{kind}]), R = [{body}], {{R, lists:sort(ets:tab2list(T))}}"

    def list_functions(self):
        items = ",".join(self.term(1) for _ in range(self.rng.randint(0, 10)))
        return f"L = ?ID([{items}]), {{{', '.join(self.rng.sample(LIST_CALLS, 5))}}}"

    def texts(self):
        r = self.rng
        text = "".join(r.choices("abcABC 01,.é日\n", k=r.randint(0, 14))).replace("\n", "\\n")
        key = f"\"{r.choice('abc ,.é1')}\""
        calls = ", ".join(self.fill(call, K=key) for call in r.sample(TEXT_CALLS, 5))
        return f"S = ?ID(\"{text}\"), {{{calls}}}"

    def families(self):
        return [self.arithmetic, self.comparison, self.sorting, self.external, self.truncated,
                self.corrupted, self.printing, self.segments, self.slices, self.map_steps,
                self.matching, self.receiving, self.exceptions, self.tables,
                self.list_functions, self.texts]


def write_modules(out, count, seed):
    """Writes the modules t_random_0.erl … and their helper; returns the paths."""
    here = __file__.rsplit("/", 1)[0]
    for shared in ("t.hrl", "tlib.erl"):
        (out / shared).write_text(open(f"{here}/{shared}", encoding="utf-8").read())
    programs = Programs(seed)
    families = programs.families()
    functions = []
    for i in range(count):
        family = families[i % len(families)]
        functions.append((f"{family.__name__}_{i}", family()))
    paths = [out / "tlib.erl"]
    for m in range(0, count, PER_MODULE):
        part = functions[m:m + PER_MODULE]
        name = f"t_random_{m // PER_MODULE}"
        exports = ", ".join(f"{n}/0" for n, _ in part)
        text = [f"-module({name}).", f"-export([{exports}]).", "-include(\"t.hrl\").",
                "-compile([nowarn_unused_vars, nowarn_unused_function])."]
        text += [f"{n}() -> {body}." for n, body in part] + [HELPERS]
        path = out / f"{name}.erl"
        path.write_text("%% -*- coding: utf-8 -*-\n" + "\n".join(text) + "\n", encoding="utf-8")
        paths.append(path)
    return paths
