%% The order of all terms, and the two equalities.
-module(t_order).
-export([sort_all/0, usort_all/0, sort_reverse/0, less_matrix/0, equal_matrix/0, exact_matrix/0,
         consistency/0, min_max_all/0, funs_pids_refs/0, atoms_by_text/0, utf8_atom_order/0,
         list_prefix_order/0, tuple_size_first/0, map_order/0, bitstring_order/0, deep_equal/0,
         deep_lists/0, long_lists/0, big_versus_float/0, float_between/0, branches/0,
         constants/0, compare_in_case/0, keysort/0, sort_large_mixed/0, refs_equal/0,
         pids_equal/0, funs_equal/0]).
-include("t.hrl").

-define(TERMS, [1, 1.0, -1, 0, 0.5, 1 bsl 70, -(1 bsl 70), a, b, ab, '', 'B', 'é', true, false, nil,
                {}, {1}, {1, 2}, {2}, {a}, {1.0}, {a, b, c}, {{}, {}}, #{}, #{a => 1}, #{a => 1.0},
                #{b => 1}, #{a => 2}, #{1 => a}, #{1.0 => a}, #{a => 1, b => 2}, #{a => 1, c => 2},
                [], [1], [1.0], [2], [1, 2], [a], [[]], [1 | 2], [1 | a], "ab", "abc", <<>>, <<1>>,
                <<1, 2>>, <<2>>, <<1:1>>, <<0:1>>, <<1:9>>, <<"abc">>]).

sort_all() -> lists:sort(?TERMS).
usort_all() -> lists:usort(?TERMS).
sort_reverse() -> lists:reverse(lists:sort(fun(A, B) -> A >= B end, ?TERMS)).
less_matrix() -> [[bit(A < B) || B <- ?TERMS] || A <- ?TERMS].
equal_matrix() -> [[bit(A == B) || B <- ?TERMS] || A <- ?TERMS].
exact_matrix() -> [[bit(A =:= B) || B <- ?TERMS] || A <- ?TERMS].
bit(true) -> 1;
bit(false) -> 0.

consistency() ->
    [{A, B} || A <- ?TERMS, B <- ?TERMS,
               [A < B, A == B, A > B] -- [false, false] =/= [true]
                   orelse (A =< B) =/= (A < B orelse A == B)
                   orelse (A >= B) =/= not (A < B) orelse (A /= B) =/= not (A == B)
                   orelse (A =/= B) =/= not (A =:= B)].

min_max_all() -> {lists:min(?TERMS), lists:max(?TERMS)}.

funs_pids_refs() ->
    Terms = [a, make_ref(), fun() -> ok end, self(), {}, 1, [], <<>>, #{}],
    [kind(T) || T <- lists:sort(Terms)].

kind(T) when is_number(T) -> number;
kind(T) when is_atom(T) -> atom;
kind(T) when is_reference(T) -> reference;
kind(T) when is_function(T) -> function;
kind(T) when is_pid(T) -> pid;
kind(T) when is_tuple(T) -> tuple;
kind(T) when is_map(T) -> map;
kind([]) -> nil;
kind(T) when is_list(T) -> list;
kind(T) when is_bitstring(T) -> bitstring.
atoms_by_text() -> lists:sort([zz, a, 'A', aa, ab, 'Z', '_', '1', 'é', 'aé', '日本', '']).
utf8_atom_order() -> ['ÿ' < 'Ā', 'z' < 'é', list_to_atom([16#10fffd]) > list_to_atom([16#fffd])].

list_prefix_order() ->
    ["ab" < "abc", "abd" > "abc", [] < [a], [1, 2] < [1, 3, 0], [1 | 5] < [1, 2]].

tuple_size_first() -> [{1, 2} > {9}, {} < {0}, {1, 2, 3} > {9, 9}].

map_order() ->
    [#{a => 9} < #{b => 1}, #{a => 1} < #{a => 2}, #{a => 1, b => 1} > #{z => 9},
     #{1 => a} < #{1.0 => a}, #{1 => a} == #{1 => a}, #{1 => 1} == #{1 => 1.0},
     #{1 => 1} == #{1.0 => 1}, #{2 => a} < #{1.5 => a}].

bitstring_order() ->
    lists:sort([<<5:3>>, <<>>, <<0>>, <<0:1>>, <<255>>, <<1:1>>, <<0, 0>>, <<128>>]).

deep_equal() ->
    T = fun(X) -> {[X, #{k => [X]}], {X, <<"b">>}} end,
    [T(1) == T(1.0), T(1) =:= T(1.0), T(1) =:= T(1), T(1) < T(1.5)].

deep_lists() ->
    A = lists:foldl(fun(_, Acc) -> [Acc] end, [], lists:seq(1, 2000)),
    B = lists:foldl(fun(_, Acc) -> [Acc] end, [], lists:seq(1, 2000)),
    {A =:= B, A == B, A < [B], [A] > B}.

long_lists() ->
    L = lists:seq(1, 3000),
    {L =:= lists:seq(1, 3000), L < L ++ [1], L == lists:map(fun float/1, L)}.

big_versus_float() ->
    [?ID(X) == ?ID(Y) || X <- [1 bsl 53, (1 bsl 53) + 1, 1 bsl 64],
     Y <- [9007199254740992.0, 18446744073709551616.0]].

float_between() ->
    [?ID(X) < ?ID(Y) || X <- [1, 2, 1 bsl 64], Y <- [1.5, 1.0e19, 1.8446744073709552e19]].

branches() -> [[branch(A, B) || B <- [1, 1.0, a, {}]] || A <- [1, 1.0, a, {}]].
branch(A, B) when A =:= B -> same;
branch(A, B) when A == B -> equal;
branch(A, B) when A < B -> less;
branch(_, _) -> greater.

constants() ->
    X = ?ID(5),
    {X < 6, 6 < X, X == 5.0, X =:= 5, X /= a, X >= 5, 5 >= X, X =< [], {} > X, X =/= 5}.

compare_in_case() ->
    [case A =:= B of true -> eq; false when A < B -> lt; false -> gt end || A <- [1, "a", <<>>],
     B <- [1, "a", <<>>]].

keysort() -> lists:keysort(2, [{a, 2}, {b, 1.0}, {c, 1}, {d, x}, {e, []}, {f, 2.0}]).

sort_large_mixed() ->
    L = [{I rem 7, I rem 3, -I} || I <- lists:seq(1, 200)],
    lists:sort(L) =:= lists:usort(L) andalso lists:sublist(lists:sort(L), 10).

refs_equal() -> R1 = make_ref(), R2 = make_ref(), {R1 =:= R1, R1 == R2, (R1 < R2) orelse (R2 < R1)}.
pids_equal() -> {self() =:= self(), self() == spawn(fun() -> ok end)}.

funs_equal() ->
    F = fun(X) -> fun() -> X end end,
    {F(1) =:= F(1), F(1) =:= F(2), F(1) == F(1.0), fun lists:map/2 =:= fun lists:map/2,
     fun lists:map/2 == fun lists:foldl/3}.
