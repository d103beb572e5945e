"""Random Erlang functions for the comparison with the real erl.

Each function is a small program of one family, written as source text from one seeded generator, so
that a seed and a count name the same programs for ever. What may raise is wrapped, so the results
are terms; every operand goes through `tlib:id` so that the compiler cannot work them out.
"""

import random

PER_MODULE = 50
EDGES = [0, 1, -1, 2, 7, 255, 256, 65535, 65536, 2**31, 2**32, 2**58, 2**59 - 1, 2**59, -2**59,
         -2**59 - 1, 2**60, 2**63 - 1, 2**63, 2**64, -2**64, 2**100, -2**127, 10**30]
FLOATS = ["0.0", "1.0", "-1.5", "0.1", "1.0e10", "-2.5e-7", "1.0e300", "9007199254740993.0", "4.0"]
ATOMS = ["a", "b", "ok", "error", "true", "false", "undefined", "'A b'", "''", "zz", "'é'"]
ARITHMETIC = ["+", "-", "*", "div", "rem", "/", "band", "bor", "bxor"]
COMPARISONS = ["<", "=<", ">", ">=", "==", "=:=", "/=", "=/="]

CORRUPT = """corrupt(B, Position, Byte) ->
    P = 1 + Position rem (byte_size(B) - 1),
    <<H:P/binary, _, T/binary>> = B,
    case ?TRY(binary_to_term(<<H/binary, Byte, T/binary>>, [safe])) of
        {error, badarg} -> bad;
        Term -> {ok, is_function(Term) orelse is_pid(Term) orelse Term}
    end.
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

    def opaque(self, text):
        return f"?ID({text})"

    def expression(self, depth):
        r = self.rng
        if depth == 0:
            return self.opaque(r.choice([str(self.integer()), str(self.integer()), r.choice(FLOATS)]))
        kind = r.random()
        if kind < 0.75:
            return f"({self.expression(depth - 1)} {r.choice(ARITHMETIC)} {self.expression(depth - 1)})"
        if kind < 0.85:
            return f"({self.expression(depth - 1)} {r.choice(['bsl', 'bsr'])} {r.randint(-70, 70)})"
        return f"{r.choice(['abs', 'trunc', 'round', 'floor', 'ceil', '-', 'bnot '])}({self.expression(depth - 1)})"

    def arithmetic(self):
        return "[" + ", ".join(f"?TRY({self.expression(self.rng.randint(1, 4))})" for _ in range(4)) + "]"

    def comparison(self):
        a, b = self.term(), self.term()
        return (f"A = {self.opaque(a)}, B = {self.opaque(b)}, "
                + "{" + ", ".join(f"A {c} B" for c in COMPARISONS) + ", min(A, B), max(A, B)}")

    def sorting(self):
        terms = ",".join(self.term(2) for _ in range(self.rng.randint(2, 12)))
        return f"L = {self.opaque('[' + terms + ']')}, {{lists:sort(L), lists:usort(L), lists:max(L)}}"

    def external(self):
        return (f"T = {self.opaque(self.term(4))}, B = term_to_binary(T), "
                "{B, binary_to_term(B) =:= T, binary_to_term(term_to_binary(T, [compressed])) =:= T, "
                "erlang:phash2(T), erlang:phash(T, 1000), erlang:external_size(T)}")

    def truncated(self):
        return (f"B = term_to_binary({self.opaque(self.term(3))}), "
                f"[?TRY(binary_to_term(binary:part(B, 0, N))) || N <- lists:seq(0, byte_size(B) - 1, {self.rng.randint(1, 4)})]")

    def corrupted(self):
        r = self.rng
        changes = ", ".join(f"{{{r.randint(0, 60)}, {r.randint(0, 255)}}}" for _ in range(6))
        return (f"B = term_to_binary({self.opaque(self.term(3))}), [corrupt(B, P, X) || {{P, X}} <- [{changes}]]")

    def printing(self):
        return (f"T = {self.opaque(self.term(4))}, "
                "[lists:flatten(io_lib:format(F, [T])) || F <- [\"~p\", \"~w\", \"~tp\", \"~30p\"]]")

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
        return (f"B = <<{build}>>, case ?ID(B) of <<{pattern}, Rest/bits>> -> {{B, [{values}], Rest}}; "
                "Other -> {no, Other} end")

    def slices(self):
        r = self.rng
        sizes = [r.randint(0, 40) for _ in range(r.randint(1, 5))]
        pattern = ", ".join(f"V{i}:{s}{r.choice(['', '/little', '/signed', '/bits'])}" for i, s in enumerate(sizes))
        values = ", ".join(f"V{i}" for i in range(len(sizes)))
        data = f"<<{r.getrandbits(160)}:160>>"
        return f"case ?ID({data}) of <<_:{r.randint(0, 9)}, {pattern}, R/bits>> -> {{[{values}], R}}; _ -> short end"

    def map_steps(self):
        r = self.rng
        keys = [self.simple() for _ in range(6)] + [str(i) for i in range(40)]
        big = r.random() < 0.3
        steps = [f"M0 = maps:from_list([{{I, I * I}} || I <- lists:seq(1, {r.randint(20, 60)})])" if big else "M0 = ?ID(#{})"]
        count = r.randint(3, 15)
        for i in range(count):
            k, v = r.choice(keys), self.term(1)
            steps.append(f"M{i + 1} = " + r.choice([
                f"M{i}#{{?ID({k}) => {v}}}", f"maps:put(?ID({k}), {v}, M{i})", f"maps:remove(?ID({k}), M{i})",
                f"maps:merge(M{i}, #{{{k} => {v}}})", f"case M{i} of #{{{k} := _}} -> M{i}#{{{k} := new}}; _ -> M{i} end",
                f"maps:filter(fun(_, X) -> X =/= {v} end, M{i})", f"maps:map(fun(_, X) -> [X] end, M{i})"]))
        return (", ".join(steps) + f", {{map_size(M{count}), lists:sort(maps:to_list(M{count})), "
                f"erlang:phash2(M{count}), M0 < M{count}, M{count} =:= maps:from_list(maps:to_list(M{count}))}}")

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
        return "#{" + ",".join(f"{r.choice(['a', 'b', '1', '2.0'])} := {p}" for p in inner) + "}"

    def clauses(self):
        r = self.rng
        clauses = []
        for i in range(r.randint(2, 6)):
            names = []
            p = self.pattern(2, names)
            guard = ""
            if names and r.random() < 0.5:
                n = r.choice(names)
                guard = " when " + r.choice([f"is_integer({n})", f"{n} > 1", f"length({n}) > 0", f"{n} =:= a", f"is_atom({n}); {n} + 1 > 2",
                                            f"element(1, {n}) =:= a", f"is_map({n}), map_size({n}) > 0", f"not is_list({n}) andalso {n} < b"])
            body = "{" + ",".join([str(i)] + sorted(set(names))) + "}"
            clauses.append(f"{p}{guard} -> {body}")
        return clauses

    def matching(self):
        small = ["0", "1", "2", "a", "b", "1.0", "[]", "{}", "<<1>>"]
        r = self.rng

        def value(depth):
            if depth == 0 or r.random() < 0.3:
                return r.choice(small)
            inner = [value(depth - 1) for _ in range(r.randint(0, 3))]
            return r.choice(["{" + ",".join(inner) + "}", "[" + ",".join(inner) + "]",
                             "#{" + ",".join(f"{r.choice(['a', 'b', '1', '2.0'])} => {x}" for x in inner) + "}"])
        terms = ",".join(value(3) for _ in range(12))
        return f"[case ?ID(T) of {'; '.join(self.clauses())}; _ -> none end || T <- [{terms}]]"

    def receiving(self):
        r = self.rng
        messages = [r.choice(["{a, 1}", "{a, 2}", "{b, 1}", "b", "1", "2.5", "{c, [x]}", "#{k => v}"]) for _ in range(r.randint(1, 10))]
        patterns = [r.choice(["{a, X}", "{b, X}", "b", "X when is_integer(X)", "{_, X}", "#{k := X}", "X when is_float(X)"]) for _ in range(r.randint(1, 6))]
        sends = ", ".join(f"self() ! {m}" for m in messages)
        receives = ", ".join(f"R{i} = receive {p} -> {'X' if 'X' in p else 'matched'} after 0 -> none end".replace("X", f"X{i}") for i, p in enumerate(patterns))
        return f"{sends}, {receives}, {{[{', '.join(f'R{i}' for i in range(len(patterns)))}], tlib:drain([])}}"

    def failing(self, depth):
        r = self.rng
        if depth == 0:
            return r.choice(["throw(a)", "exit(b)", "error(c)", "?ID(d)", "?ID(1) + ?ID(x)", "hd(?ID([]))", "begin {ok} = ?ID(no) end"])
        inner = self.failing(depth - 1)
        catches = r.sample(["throw:a -> caught_a", "exit:_ -> caught_exit", "error:badarith -> caught_arith", "error:{badmatch, _} -> caught_match", "_:c -> caught_c", "throw:_ -> " + self.failing(0)], r.randint(1, 3))
        catches.sort(key=lambda c: c.startswith("throw:_"))
        forms = [f"try {inner} catch {'; '.join(catches)} end", f"try {inner} after self() ! {depth} end", f"(catch {inner})",
                 f"try {inner} of d -> {self.failing(0)}; [] -> nil; _ -> value catch {catches[0]} after self() ! x end", f"[{inner}, 1]"]
        return r.choice(forms)

    def exceptions(self):
        return (f"R = ?TRY({self.failing(self.rng.randint(1, 4))}), "
                "{case R of {'EXIT', {E, [_ | _]}} -> {'EXIT', E}; [{'EXIT', {E, [_ | _]}}, 1] -> {list, E}; _ -> R end, tlib:drain([])}")

    def tables(self):
        r = self.rng
        kind = r.choice(["set", "ordered_set", "bag", "duplicate_bag"])
        keys = ["1", "1.0", "2", "a", "b", "{x}", "\"s\""]
        steps = []
        for _ in range(r.randint(3, 14)):
            k, v = r.choice(keys), r.choice(["1", "2", "x"])
            steps.append(r.choice([f"ets:insert(T, {{{k}, {v}}})", f"ets:insert_new(T, {{{k}, {v}}})", f"ets:delete(T, {k})", f"ets:take(T, {k})",
                                   f"ets:lookup(T, {k})", f"ets:member(T, {k})", f"ets:delete_object(T, {{{k}, {v}}})", f"ets:update_counter(T, {k}, 3)",
                                   f"ets:update_element(T, {k}, {{2, {v}}})", f"lists:sort(ets:match(T, {{'$1', {v}}}))", f"ets:select_count(T, [{{{{'$1', '_'}}, [{{'>', '$1', {k if k[0] != '{' else 'a'}}}], [true]}}])",
                                   f"ets:match_delete(T, {{'_', {v}}})", f"ets:insert(T, [{{{k}, {v}}}, {{b, {v}}}])", "ets:info(T, size)", "lists:sort(ets:tab2list(T))"]))
        body = ", ".join(f"?TRY({s})" for s in steps)
        return f"T = ets:new(t, [{kind}]), R = [{body}], {{R, lists:sort(ets:tab2list(T))}}"

    def list_functions(self):
        r = self.rng
        items = ",".join(self.term(1) for _ in range(r.randint(0, 10)))
        calls = r.sample(["lists:reverse(L)", "L ++ L", "L -- lists:sublist(L, 3)", "lists:usort(L)", "lists:nthtail(length(L) div 2, L)", "lists:flatten([L, [L]])",
                          "lists:keyfind(a, 1, L)", "lists:member(1.0, L)", "lists:partition(fun is_atom/1, L)", "lists:zip(L, lists:seq(1, length(L)))", "lists:uniq(L)",
                          "maps:to_list(maps:from_keys(lists:sublist(L, 8), x))", "[X || X <- L, is_tuple(X)]", "lists:foldl(fun(X, A) -> [A | X] end, [], L)", "list_to_tuple(L)",
                          "?TRY(iolist_to_binary(L))", "?TRY(lists:sum(L))", "lists:sort(fun(A, B) -> A > B end, L)"], 5)
        return f"L = ?ID([{items}]), {{{', '.join(calls)}}}"

    def texts(self):
        r = self.rng
        text = "".join(r.choices("abcABC 01,.é日\n", k=r.randint(0, 14))).replace("\n", "\\n")
        other = r.choice("abc ,.é1")
        calls = r.sample([f"string:split(S, \"{other}\", all)", "string:uppercase(S)", "string:reverse(S)", "string:length(S)", "unicode:characters_to_binary(S)", f"string:find(S, \"{other}\")",
                          "string:trim(S)", f"re:run(S, \"[a-c]+\", [unicode, global, {{capture, all, list}}])", f"re:replace(S, \"{other if other != '.' else 'a'}\", \"<&>\", [unicode, global, {{return, list}}])",
                          "string:lexemes(S, \" ,\")", "?TRY(list_to_integer(S))", "?TRY(list_to_atom(S))", "string:to_integer(S)", "lists:flatten(io_lib:format(\"~tp ~ts\", [S, S]))", "re:split(S, \"[ ,]\", [unicode, {return, list}])",
                          "base64:encode(unicode:characters_to_binary(S))", "string:titlecase(S)", "uri_string:quote(unicode:characters_to_binary(S))"], 5)
        return f"S = ?ID(\"{text}\"), {{{', '.join(calls)}}}"

    def families(self):
        return [self.arithmetic, self.comparison, self.sorting, self.external, self.truncated, self.corrupted, self.printing, self.segments, self.slices,
                self.map_steps, self.matching, self.receiving, self.exceptions, self.tables, self.list_functions, self.texts]


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
        text = [f"-module({name}).", f"-export([{exports}]).", "-include(\"t.hrl\").", "-compile([nowarn_unused_vars, nowarn_unused_function])."]
        text += [f"{n}() -> {body}." for n, body in part] + [CORRUPT]
        path = out / f"{name}.erl"
        path.write_text("%% -*- coding: utf-8 -*-\n" + "\n".join(text) + "\n", encoding="utf-8")
        paths.append(path)
    return paths
