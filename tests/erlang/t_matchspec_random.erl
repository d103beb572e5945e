%% Generated match specs and tables: every way of selecting, compared with the real one. The
%% generator
%% is seeded, so both sides see the same specs. The seeds are chosen: some generated specs make
%% the real one (OTP 25) crash or return garbage ('$$' together with a variable for the whole
%% object).
-module(t_matchspec_random).
-export([s1/0, s2/0, s3/0, s4/0, s5/0, s6/0, s7/0, s8/0]).

s1() -> run(1).
s2() -> run(2).
s3() -> run(3).
s4() -> run(4).
s5() -> run(5).
s6() -> run(6).
s7() -> run(7).
s8() -> run(8).

run(Seed) -> rand:seed(exsss, {Seed, 5, 7}), [one() || _ <- lists:seq(1, 30)].

u(N) -> rand:uniform(N).
pick(L) -> lists:nth(u(length(L)), L).

%% ---- terms ----

atom() -> pick([a, b, c, true, false, undefined, '_x', '$', '$$x']).
value(0) -> pick([atom(), u(5) - 2, float(u(3)), <<"bin">>, <<1:3>>, [], 1 bsl 70, {}]);
value(D) ->
    case u(9) of
        1 -> {value(D - 1)};
        2 -> {value(D - 1), value(D - 1)};
        3 -> [value(D - 1) | pick([[], [value(D - 1)], value(0)])];
        4 -> #{value(0) => value(D - 1)};
        5 -> #{a => value(D - 1), b => 1};
        _ -> value(0)
    end.

key() ->
    case u(6) of
        1 -> value(1);
        2 -> {a, u(3)};
        _ -> pick([1, 2, 3, 1.0, 2.0, a, b])
    end.

object() -> list_to_tuple([key() | [value(2) || _ <- lists:seq(1, u(3) - 1)]]).

%% ---- heads ----

variable() -> pick(['$1', '$2', '$3', '$0']).

pattern(0) ->
    case u(5) of
        1 -> '_';
        N when N < 4 -> variable();
        _ -> value(0)
    end;
pattern(D) ->
    case u(9) of
        1 -> {pattern(D - 1)};
        2 -> {pattern(D - 1), pattern(D - 1)};
        3 -> [pattern(D - 1) | pick([[], [pattern(D - 1)], pattern(0)])];
        4 -> #{a => pattern(D - 1)};
        5 -> #{value(0) => pattern(0), b => pattern(0)};
        _ -> pattern(0)
    end.

head() ->
    case u(8) of
        1 -> '_';
        2 -> pattern(2);
        _ -> list_to_tuple([head_key() | [pattern(1) || _ <- lists:seq(1, u(3) - 1)]])
    end.

head_key() ->
    case u(4) of
        1 -> key();
        2 -> pattern(1);
        _ -> variable()
    end.

variables(T) when is_tuple(T) -> lists:append([variables(X) || X <- tuple_to_list(T)]);
variables([H | T]) -> variables(H) ++ variables(T);
variables(M) when is_map(M) -> lists:append([variables(V) || V <- maps:values(M)]);
variables(A) when A =:= '$0'; A =:= '$1'; A =:= '$2'; A =:= '$3' -> [A];
variables(_) -> [].

%% ---- guards and bodies ----

one_argument() ->
    pick([is_atom, is_float, is_integer, is_list, is_number, is_pid, is_port, is_reference,
          is_tuple, is_map, is_binary, is_function, abs, hd, length, node, round, size, map_size,
          bit_size, byte_size, tl, trunc, float, '+', '-', 'bnot', 'not', 'and', 'or', 'andalso',
          'orelse', const]).

two_arguments() ->
    pick(['+', '-', '*', '/', 'div', 'rem', 'band', 'bor', 'bxor', 'bsl', 'bsr', '>', '>=', '<',
          '=<', '=:=', '==', '=/=', '/=', 'xor', 'and', 'or', 'andalso', 'orelse', element,
          is_map_key, map_get, binary_part]).

expression(0) ->
    case u(7) of
        1 -> '$_';
        2 -> value(0);
        3 -> pick([true, false]);
        _ -> case u(40) of 1 -> '$1'; _ -> pick(get(variables)) end
    end;
expression(D) ->
    E = fun() -> expression(D - 1) end,
    case u(12) of
        N when N < 3 -> {one_argument(), E()};
        N when N < 5 -> {two_arguments(), E(), E()};
        5 -> {{E()}};
        6 -> {{E(), E()}};
        7 -> [E() | pick([[], E()])];
        8 -> #{value(0) => E()};
        9 -> {const, value(2)};
        10 -> {pick(['and', 'or', 'andalso', 'orelse']), E(), E(), E()};
        11 -> pick([{{}}, {node}, {is_record, E(), a, 2}, {element, u(3), E()}, value(1)]);
        _ -> expression(0)
    end.

condition() ->
    case u(3) of
        1 -> {two_arguments(), expression(1), expression(1)};
        2 -> {one_argument(), expression(0)};
        _ -> expression(2)
    end.

clause() ->
    H = head(),
    put(variables, case variables(H) of [] -> ['$_']; V -> V end),
    {H, [condition() || _ <- lists:seq(1, pick([0, 0, 1, 2]))],
     [expression(u(3)) || _ <- lists:seq(1, pick([1, 1, 1, 1, 2]))]}.

replacement() ->
    pick(['$_', {{'$1', expression(1)}}, {{'$2', expression(1)}}, {{{{a, '$1'}}, x}},
          {const, object()}, {{key(), expression(1)}}]).

%% ---- one case ----

catching(F) -> try F() catch C:R -> {C, R} end.
sorted(ordered_set, L) -> L;
sorted(_, L) when is_list(L) -> lists:sort(fun before/2, L);
sorted(_, X) -> X.
before(A, B) -> {A, erlang:phash2(A)} =< {B, erlang:phash2(B)}.
chunks('$end_of_table', _) -> [];
chunks({L, C}, F) -> L ++ chunks(F(C), F).

one() ->
    Type = pick([set, ordered_set, bag, duplicate_bag]),
    T = ets:new(t, [Type]),
    Objects = [object() || _ <- lists:seq(1, u(8))],
    [ets:insert(T, O) || O <- Objects],
    Spec = [clause() || _ <- lists:seq(1, pick([1, 1, 1, 2, 3]))],
    Limit = u(3),
    Run = [ fun() -> ets:select(T, Spec) end,
           fun() -> chunks(ets:select(T, Spec, Limit), fun ets:select/1) end,
           fun() -> ets:select_reverse(T, Spec) end, fun() -> ets:match(T, head()) end,
           fun() -> ets:match_object(T, head()) end, fun() -> {ets:select_count(T, Spec)} end,
           fun() -> {ets:match_spec_run(Objects, ets:match_spec_compile(Spec))} end,
           fun() -> {ets:select_replace(T, [{H, G, [replacement()]} || {H, G, _} <- Spec])} end,
           fun() -> ets:tab2list(T) end,
           fun() -> {ets:select_delete(T, [{H, G, [true]} || {H, G, _} <- Spec])} end,
           fun() -> ets:tab2list(T) end],
    Results = [sorted(Type, catching(F)) || F <- Run],
    ets:delete(T),
    Results.
