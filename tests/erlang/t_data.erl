%% Tuples, records, lists, atoms: building, taking apart, matching.
-module(t_data).
-export([tuple_build/0, tuple_element/0, tuple_element_variable/0, tuple_setelement/0,
         tuple_setelement_chain/0, tuple_setelement_bad/0, tuple_append/0, tuple_append_bad/0,
         tuple_lists/0, tuple_lists_bad/0, make_tuple/0, large_tuple/0, large_tuple_list/0,
         tuple_match/0, tuple_arity_select/0, record_build/0, record_update/0,
         record_update_many/0, record_access/0, record_match/0, record_bad/0,
         record_info_values/0, record_nested/0, list_build/0, list_match/0, prefix_match/0,
         append_subtract/0, append_bad/0, subtract_large/0, subtract_duplicates/0, hd_tl/0,
         lengths/0, improper/0, naive_reverse/0, flatten_own/0, quick_sort/0, permutations/0,
         queens/0, atoms_to_text/0, atoms_from_text/0, atoms_unicode/0, atoms_bad/0, atom_255/0,
         atom_select/0, mixed_select/0, binding_twice/0, match_failures/0, case_failures/0,
         function_clauses/0, alias_patterns/0, swap_variables/0, many_arguments/0,
         many_live_values/0, deep_recursion/0, mutual_recursion/0, apply_forms/0, apply_bad/0]).
-include("t.hrl").
-record(r, {a, b = 2, c = "c", d}).
-record(wide, {f1, f2, f3, f4, f5, f6, f7, f8, f9, f10}).

tuple_build() -> X = ?ID(1), {X, {X, [X]}, {}, {X, X, X, X, X, X, X, X}}.
tuple_element() -> T = ?ID({a, b, c}), {element(1, T), element(2, T), element(3, T)}.
tuple_element_variable() -> T = ?ID({a, b, c}), [element(I, T) || I <- [3, 2, 1]].
tuple_setelement() -> T = ?ID({a, b, c}), {setelement(1, T, x), setelement(?ID(3), T, y), T}.

tuple_setelement_chain() ->
    T = ?ID({a, b, c, d}),
    setelement(1, setelement(2, setelement(4, T, z), y), x).

tuple_setelement_bad() ->
    [?TRY(setelement(?ID(I), ?ID(T), x))
     || {I, T} <- [{0, {a}}, {2, {a}}, {a, {a}}, {1, [a]}, {-1, {a}}]].

tuple_append() ->
    {erlang:append_element({a}, b), erlang:append_element({}, x),
     erlang:insert_element(1, {a, b}, x), erlang:insert_element(3, {a, b}, x),
     erlang:delete_element(1, {a, b}), erlang:delete_element(2, {a, b})}.

tuple_append_bad() ->
    [?TRY(erlang:append_element(?ID([]), a)), ?TRY(erlang:insert_element(4, {a, b}, c)),
     ?TRY(erlang:delete_element(3, {a, b})), ?TRY(erlang:delete_element(1, {}))].

tuple_lists() ->
    {tuple_to_list({a, {b}, "c"}), list_to_tuple([1, [2], {3}]), tuple_to_list({}),
     list_to_tuple([])}.

tuple_lists_bad() ->
    [?TRY(tuple_to_list(?ID([]))), ?TRY(list_to_tuple(?ID([a | b]))),
     ?TRY(list_to_tuple(?ID({})))].

make_tuple() ->
    {erlang:make_tuple(3, x), erlang:make_tuple(0, x),
     erlang:make_tuple(5, d, [{2, two}, {5, five}]), ?TRY(erlang:make_tuple(-1, x)),
     ?TRY(erlang:make_tuple(2, x, [{3, y}]))}.

large_tuple() ->
    T = erlang:make_tuple(1000, 0),
    U = setelement(1000, setelement(1, T, first), last),
    {tuple_size(U), element(1, U), element(1000, U), element(500, U)}.

large_tuple_list() -> L = lists:seq(1, 300), tuple_to_list(list_to_tuple(L)) =:= L.

tuple_match() ->
    [tm(X) || X <- [{a}, {a, b}, {a, {b, c}}, {x, 1, 2}, {x, 1, 1}, {}, [], {1, 2, 3, 4}]].

tm({a}) -> one;
tm({a, {b, X}}) -> {nested, X};
tm({a, X}) -> {two, X};
tm({x, Y, Y}) -> {same, Y};
tm({x, _, Y}) -> {different, Y};
tm({}) -> empty;
tm({_, _, _, _}) -> four;
tm(_) -> other.
tuple_arity_select() -> [tuple_kind(T) || T <- [{}, {1}, {1, 2}, {1, 2, 3}, {1, 2, 3, 4}, x]].
tuple_kind({}) -> 0;
tuple_kind({A}) -> A;
tuple_kind({A, B}) -> A + B;
tuple_kind({A, B, C}) -> A + B + C;
tuple_kind(_) -> none.
record_build() -> {#r{}, #r{a = 1}, #r{d = x, c = y}, #wide{f5 = 5, _ = 0}}.
record_update() -> R = ?ID(#r{a = 1}), {R#r{a = 2}, R#r{a = 3, d = 4}, R#r{b = R#r.a}}.
record_update_many() -> W = ?ID(#wide{}), W#wide{f1 = 1, f3 = 3, f10 = 10}.
record_access() -> R = ?ID(#r{a = {x, y}}), {R#r.a, R#r.b, element(1, R#r.a), #r.c}.
record_match() -> [rm(X) || X <- [#r{a = 1}, #r{a = 2, d = 2}, #r{}, {r, 1}, r]].
rm(#r{a = 1, b = B}) -> {one, B};
rm(#r{a = X, d = X}) when X =/= undefined -> {same, X};
rm(#r{}) -> r;
rm(_) -> no.

record_bad() ->
    [?TRY((?ID(x))#r.a), ?TRY((?ID({r, 1}))#r.a), ?TRY((?ID({}))#r{a = 1}),
     ?TRY((?ID(#wide{}))#r{b = 1})].

record_info_values() -> {record_info(fields, r), record_info(size, r), record_info(size, wide)}.
record_nested() -> R = #r{a = #r{b = 7}}, {R#r.a#r.b, R#r{a = (R#r.a)#r{b = 8}}}.

list_build() -> X = ?ID(1), {[X], [X, X | X], [[X] | [X]], [a, b, c], [] , [X | []]}.
list_match() -> [lm(L) || L <- [[], [1], [1, 2], [1, 2, 3], [1 | 2], [a, a], "ab", x, [[1]]]].
lm([]) -> nil;
lm([X, X]) -> {same, X};
lm([[Y]]) -> {nested, Y};
lm([X]) -> {one, X};
lm("ab") -> ab;
lm([X, Y]) -> {two, X, Y};
lm([X | Y]) when not is_list(Y) -> {improper, X, Y};
lm([X | T]) -> {more, X, length(T)};
lm(_) -> no.
prefix_match() -> [pm(S) || S <- ["hello world", "help", "hell", "", "x"]].
pm("hello " ++ Rest) -> {hello, Rest};
pm("hel" ++ Rest) -> {hel, Rest};
pm([C | _]) -> C;
pm([]) -> empty.

append_subtract() ->
    {?ID([1, 2]) ++ ?ID([3]), ?ID([]) ++ ?ID(x), ?ID([1]) ++ ?ID(x), [1, 2, 3, 2, 1] -- [2, 1],
     [1, 2, 3] -- [], [] -- [1], [1, 1.0, 2] -- [1.0], [a, b, c] -- [c, c, a]}.

append_bad() ->
    [?TRY(?ID(a) ++ ?ID([])), ?TRY(?ID([a | b]) ++ ?ID([c])), ?TRY(?ID([1]) -- ?ID(a)),
     ?TRY(?ID(a) -- ?ID([])), ?TRY(?ID([1 | 2]) -- ?ID([1]))].

subtract_large() -> lists:seq(1, 2000) -- lists:seq(1, 2000, 2) =:= lists:seq(2, 2000, 2).
subtract_duplicates() -> [1, 2, 1, 2, 1, 2] -- [2, 2].
hd_tl() -> L = ?ID([a, b | c]), {hd(L), tl(L), hd(tl(L)), tl(tl(L))}.
lengths() -> [length([]), length([a]), length(lists:seq(1, 1000)), ?TRY(length(?ID([a | b])))].
improper() -> L = [1, 2 | 3], [H | T] = ?ID(L), {H, T, is_list(L), ?TRY(length(?ID(L)))}.
nrev(L) -> nrev_(L).
nrev_([]) -> [];
nrev_([H | T]) -> nrev_(T) ++ [H].
naive_reverse() -> nrev(lists:seq(1, 50)).
flatten_own() -> flat([1, [2, [3, []], 4], [[[]]], [5 | []]], []).
flat([], Acc) -> Acc;
flat([H | T], Acc) -> flat(H, flat(T, Acc));
flat(X, Acc) -> [X | Acc].
quick_sort() -> qs([5, 3, 9, 1, 5, 2.0, a, -1]).
qs([]) -> [];
qs([P | T]) -> qs([X || X <- T, X < P]) ++ [P] ++ qs([X || X <- T, X >= P]).
permutations() -> perms([1, 2, 3]).
perms([]) -> [[]];
perms(L) -> [[H | T] || H <- L, T <- perms(L -- [H])].
queens() -> length(queens(6, 6)).
queens(_, 0) -> [[]];
queens(N, K) -> [[Q | Qs] || Qs <- queens(N, K - 1), Q <- lists:seq(1, N), safe(Q, 1, Qs)].
safe(_, _, []) -> true;
safe(Q, D, [P | Ps]) -> Q =/= P andalso abs(Q - P) =/= D andalso safe(Q, D + 1, Ps).

atoms_to_text() ->
    [{atom_to_list(A), atom_to_binary(A), atom_to_binary(A, latin1)}
     || A <- [a, 'A b', '', 'é', true]].

atoms_from_text() ->
    {list_to_atom("new atom"), binary_to_atom(<<"bin">>), binary_to_atom(<<233>>, latin1),
     list_to_existing_atom("true"), binary_to_existing_atom(<<"false">>, utf8)}.

atoms_unicode() ->
    {list_to_atom([26085, 26412]), atom_to_list('日本'), atom_to_binary('日本', utf8),
     ?TRY(atom_to_binary('日本', latin1)), length(atom_to_list('日本'))}.

atoms_bad() ->
    [?TRY(list_to_atom(?ID(a))), ?TRY(list_to_atom([a])),
     ?TRY(list_to_atom(lists:duplicate(256, $a))), ?TRY(binary_to_atom(<<255>>, utf8)),
     ?TRY(list_to_existing_atom("no such atom at all")), ?TRY(atom_to_list(?ID("x"))),
     ?TRY(binary_to_existing_atom(<<"nor this one here">>, latin1))].

atom_255() -> length(atom_to_list(list_to_atom(lists:duplicate(255, $a)))).
atom_select() -> [color(C) || C <- [red, green, blue, 'RED', 1, "red"]].
color(red) -> 16#f00;
color(green) -> 16#0f0;
color(blue) -> 16#00f;
color(_) -> none.
mixed_select() -> [sel(X) || X <- [1, a, 1.0, "x", b, 2, {}]].
sel(1) -> one;
sel(a) -> atom_a;
sel(2) -> two;
sel(b) -> atom_b;
sel(1.0) -> float_one;
sel("x") -> x;
sel(_) -> other.
binding_twice() -> X = ?ID({1, {1, 2}}), {A, {A, B}} = X, {A, B}.

match_failures() ->
    [?TRY(begin {a, _} = ?ID({b, 1}) end), ?TRY(begin [] = ?ID([1]) end),
     ?TRY(begin 1 = ?ID(1.0) end), ?TRY(begin #{k := _} = ?ID(#{}) end)].

case_failures() -> [?TRY(case ?ID(1) of 2 -> ok end), ?TRY(case ?ID({x}) of {y} -> ok end)].
function_clauses() -> [?TRY(only_one(?ID(2))), ?TRY(only_pair(?ID(a), ?ID(b)))].
only_one(1) -> ok.
only_pair(1, 2) -> ok.
alias_patterns() -> {X, _} = Y = ?ID({1, 2}), [H | _] = Z = "abc", {X, Y, H, Z}.
swap_variables() -> swap(?ID(1), ?ID(2), ?ID(3)).
swap(A, B, C) -> tuple3(C, A, B).
tuple3(A, B, C) -> {A, B, C}.
many_arguments() -> many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16).

many(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P) ->
    X = tlib:id(P),
    Y = tlib:id(A),
    [X, Y, A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P].

many_live_values() ->
    A = ?ID(1),
    B = ?ID({2}),
    C = ?ID([3]),
    D = ?ID(4.0),
    E = ?ID(<<5>>),
    F = ?ID(#{6 => 6}),
    G = ?ID("7"),
    H = ?ID(1 bsl 64),
    [A, B, C, D, E, F, G, H | ?ID([A, B, C, D])].

deep_recursion() -> deep(20000).
deep(0) -> 0;
deep(N) -> 1 + deep(N - 1).
mutual_recursion() -> {even(10001), odd(10001)}.
even(0) -> true;
even(N) -> odd(N - 1).
odd(0) -> false;
odd(N) -> even(N - 1).

apply_forms() ->
    M = ?ID(lists),
    F = ?ID(reverse),
    {M:F([1, 2]), apply(M, F, [[3, 4]]), apply(fun lists:sum/1, [[1, 2]]),
     lists:(?ID(max))([4, 9]), (?ID(erlang)):length([a]), apply(?ID(erlang), '+', [1, 2])}.

apply_bad() ->
    [?TRY(apply(?ID(lists), nosuch, [])), ?TRY(apply(?ID(nomodule), f, [1])),
     ?TRY(apply(?ID(1), f, [])), ?TRY(apply(?ID(lists), reverse, ?ID(a))),
     ?TRY(apply(?ID(lists), ?ID(1), [])), ?TRY(apply(?ID(lists), map, ?ID([a | b])))].
