%% Maps, small (up to 32 keys) and large.
-module(t_map).
-export([build/0, build_duplicate/0, update/0, update_missing/0, update_same_value/0, match/0,
         match_computed_key/0, match_many/0, keys_exact/0, key_kinds/0, order_small/0,
         keys_values/0, get/0, get_bad/0, put_remove/0, put_bad/0, update_fun/0, from_list/0,
         merge/0, merge_with/0, intersect/0, fold/0, map_filter/0, with_without/0, groups/0,
         iterator/0, foreach/0, size_edges/0, large_lookup/0, large_sum/0, large_sorted/0,
         large_printed/0, large_keys_sorted/0, large_update/0, large_update_missing/0,
         large_remove_to_small/0, grow_and_shrink/0, grow_in_two_orders/0, large_equal_floats/0,
         large_compare/0, large_merge/0, large_term_keys/0, large_match/0, large_iterator/0,
         large_filter/0, large_values/0, large_atoms/0, large_take/0, collisions/0,
         nested_update/0, as_set/0, count_words/0, float_keys/0, erlang_bifs/0,
         variable_key_update/0, literal_map_update/0, guards_in_maps/0, keys_in_order/0]).
-include("t.hrl").

large(N) -> maps:from_list([{I, I * I} || I <- lists:seq(1, N)]).

build() -> X = ?ID(1), {#{}, #{a => X}, #{X => a, "s" => b, <<"b">> => c, {X} => d, 1.0 => e}}.
build_duplicate() -> #{?ID(a) => 1, ?ID(a) => 2, b => 3}.
update() -> M = ?ID(#{a => 1, b => 2}), {M#{a => 9}, M#{c => 3}, M#{a := 8}, M#{a := 7, c => 5}, M}.

update_missing() ->
    [?TRY((?ID(#{a => 1}))#{b := 2}), ?TRY((?ID(x))#{a => 1}), ?TRY((?ID([]))#{a := 1}),
     ?TRY((?ID(#{}))#{(?ID(k)) := 1})].

update_same_value() -> M = ?ID(#{a => 1}), M#{a := 1} =:= M.
match() -> [m(X) || X <- [#{a => 1}, #{a => 2, b => 3}, #{b => 3}, #{}, x, #{a => #{c => 5}}]].
m(#{a := #{c := C}}) -> {nested, C};
m(#{a := 1}) -> one;
m(#{a := A, b := B}) -> {A, B};
m(#{b := B}) -> {b, B};
m(#{}) -> map;
m(_) -> no.
match_computed_key() -> K = ?ID({k, 1}), #{K := V, b := W} = ?ID(#{{k, 1} => v, b => w}), {V, W}.

match_many() ->
    #{a := A, c := C, e := E} = ?ID(#{a => 1, b => 2, c => 3, d => 4, e => 5}),
    {A, C, E}.

keys_exact() -> M = ?ID(#{1 => int, 1.0 => float}), {map_size(M), maps:get(1, M), maps:get(1.0, M)}.

key_kinds() ->
    Keys = [a, 1, 1.0, 1 bsl 70, "s", <<"b">>, {t}, [], #{}, #{k => v}, <<1:3>>],
    M = maps:from_list([{K, I} || {K, I} <- lists:zip(Keys, lists:seq(1, length(Keys)))]),
    [maps:get(K, M) || K <- Keys].

order_small() ->
    maps:to_list(#{b => 1, a => 2, 2 => 3, 1.5 => 4, "l" => 5, {} => 6, <<>> => 7, 'Z' => 8}).

keys_values() -> M = #{c => 1, a => 2, b => 3}, {maps:keys(M), maps:values(M), maps:to_list(M)}.

get() ->
    M = ?ID(#{a => 1}),
    {maps:get(a, M), maps:get(b, M, none), maps:find(a, M), maps:find(b, M), maps:is_key(a, M),
     maps:is_key(b, M)}.

get_bad() ->
    [?TRY(maps:get(b, ?ID(#{a => 1}))), ?TRY(maps:get(a, ?ID(x))), ?TRY(maps:find(a, ?ID(x))),
     ?TRY(maps:is_key(a, ?ID(1))), ?TRY(maps:get(a, ?ID(1), d))].

put_remove() ->
    M = #{a => 1},
    {maps:put(b, 2, M), maps:put(a, 3, M), maps:remove(a, M), maps:remove(z, M), maps:take(a, M),
     maps:take(z, M)}.

put_bad() ->
    [?TRY(maps:put(a, 1, ?ID(x))), ?TRY(maps:remove(a, ?ID(x))), ?TRY(maps:take(a, ?ID(x))),
     ?TRY(maps:update(z, 1, #{a => 1})), ?TRY(maps:update(z, 1, ?ID(x))), ?TRY(maps:keys(?ID(x))),
     ?TRY(maps:values(?ID(x))), ?TRY(maps:size(?ID(x))), ?TRY(maps:to_list(?ID(x))),
     ?TRY(maps:merge(?ID(x), #{})), ?TRY(maps:merge(#{}, ?ID(y))), ?TRY(maps:from_list(?ID([a]))),
     ?TRY(maps:from_list(?ID([{a, b} | c]))), ?TRY(maps:from_keys(?ID(a), 1))].

update_fun() ->
    {maps:update(a, 2, #{a => 1}), maps:update_with(a, fun(X) -> X + 1 end, #{a => 1}),
     maps:update_with(b, fun(X) -> X end, 0, #{a => 1}),
     ?TRY(maps:update_with(z, fun(X) -> X end, #{}))}.

from_list() ->
    {maps:from_list([{a, 1}, {b, 2}, {a, 3}]), maps:from_list([]), maps:from_keys([x, y], 0)}.

merge() ->
    {maps:merge(#{a => 1, b => 1}, #{b => 2, c => 2}), maps:merge(#{}, #{a => 1}),
     maps:merge(#{a => 1}, #{})}.

merge_with() ->
    maps:merge_with(fun(K, A, B) -> {K, A, B} end, #{a => 1, b => 1}, #{b => 2, c => 2}).

intersect() ->
    {maps:intersect(#{a => 1, b => 2}, #{b => 3, c => 4}),
     maps:intersect_with(fun(_, A, B) -> A + B end, #{a => 1, b => 2}, #{b => 3})}.

fold() -> maps:fold(fun(K, V, Acc) -> [{K, V} | Acc] end, [], #{c => 1, a => 2, b => 3}).

map_filter() ->
    M = #{a => 1, b => 2, c => 3},
    {maps:map(fun(_, V) -> V * 2 end, M), maps:filter(fun(_, V) -> V rem 2 =:= 1 end, M),
     maps:filtermap(fun(_, 1) -> false; (_, 2) -> {true, two}; (_, _) -> true end, M)}.

with_without() -> M = #{a => 1, b => 2, c => 3}, {maps:with([a, c, z], M), maps:without([a, z], M)}.

groups() ->
    {maps:groups_from_list(fun(X) -> X rem 3 end, lists:seq(1, 10)),
     maps:groups_from_list(fun(X) -> X rem 2 end, fun(X) -> X * X end, [1, 2, 3, 4])}.

iterator() ->
    I = maps:iterator(#{a => 1, b => 2}),
    {K1, V1, I1} = maps:next(I),
    {K2, V2, I2} = maps:next(I1),
    {K1, V1, K2, V2, maps:next(I2)}.

foreach() -> maps:foreach(fun(K, V) -> self() ! {K, V} end, #{a => 1, b => 2}), tlib:drain([]).
size_edges() -> [map_size(large(N)) || N <- [0, 1, 31, 32, 33, 34, 100]].
large_lookup() -> M = large(1000), [maps:get(K, M, none) || K <- [1, 2, 500, 999, 1000, 1001, a]].
large_sum() -> maps:fold(fun(_, V, Acc) -> V + Acc end, 0, large(500)).
large_sorted() -> lists:sort(maps:to_list(large(40))).
large_printed() -> large(40).
large_keys_sorted() -> lists:sort(maps:keys(large(100))) =:= lists:seq(1, 100).

large_update() ->
    M = large(100),
    tlib:sorted(M#{50 := x, 101 => y}) =:= lists:sort([{101, y},
                                                       {50, x} | lists:keydelete(50, 1,
                                                           tlib:sorted(M))]).

large_update_missing() -> ?TRY((large(100))#{0 := x}).

large_remove_to_small() ->
    M = lists:foldl(fun maps:remove/2, large(40), lists:seq(5, 40)),
    {map_size(M), M}.

grow_and_shrink() ->
    M = lists:foldl(fun(I, Acc) -> maps:put(I, I, Acc) end, #{}, lists:seq(1, 300)),
    N = lists:foldl(fun(I, Acc) -> maps:remove(I, Acc) end, M, lists:seq(2, 300)),
    {map_size(M), N}.

grow_in_two_orders() ->
    A = maps:from_list([{I, I} || I <- lists:seq(1, 200)]),
    B = lists:foldl(fun(I, Acc) -> Acc#{I => I} end, #{}, lists:seq(200, 1, -1)),
    {A =:= B, A == B, erlang:phash2(A) =:= erlang:phash2(B), maps:to_list(A) =:= maps:to_list(B)}.

large_equal_floats() ->
    A = large(50),
    B = maps:map(fun(_, V) -> float(V) end, A),
    {A == B, A =:= B}.

large_compare() -> A = large(50), B = A#{50 := 0}, {A > B, B < A, A < A#{51 => 0}, max(A, B) =:= A}.

large_merge() ->
    A = large(40),
    B = maps:from_list([{I, neg} || I <- lists:seq(30, 60)]),
    M = maps:merge(A, B),
    {map_size(M), maps:get(29, M), maps:get(30, M), maps:get(60, M)}.

large_term_keys() ->
    M = maps:from_list([{{I, integer_to_list(I)}, <<I>>} || I <- lists:seq(1, 64)]),
    [maps:get({I, integer_to_list(I)}, M) || I <- [1, 33, 64]].

large_match() -> #{7 := A, 77 := B} = large(100), {A, B}.

large_iterator() ->
    L = iterate(maps:next(maps:iterator(large(100))), []),
    {length(L), lists:sort(L) =:= tlib:sorted(large(100))}.

iterate(none, Acc) -> Acc;
iterate({K, V, I}, Acc) -> iterate(maps:next(I), [{K, V} | Acc]).
large_filter() -> tlib:sorted(maps:filter(fun(K, _) -> K rem 10 =:= 0 end, large(100))).
large_values() -> lists:sum(maps:values(large(100))).

large_atoms() ->
    M = maps:from_list([{list_to_atom("k" ++ integer_to_list(I)), I} || I <- lists:seq(1, 50)]),
    {maps:get(k7, M), map_size(M), lists:sum(maps:values(M))}.

large_take() -> {V, M} = maps:take(77, large(100)), {V, map_size(M), maps:is_key(77, M)}.

collisions() ->
    M = maps:from_list([{K, K} || K <- [1, 1.0 | [{X, Y} || X <- lists:seq(1, 30),
                                                  Y <- lists:seq(1, 30)]]]),
    {map_size(M), maps:get({30, 30}, M), maps:get(1.0, M), maps:get(1, M)}.

nested_update() ->
    M = #{a => #{b => #{c => 1}}},
    #{a := #{b := B} = A} = M,
    M#{a := A#{b := B#{c := 2, d => 3}}}.

as_set() -> maps:keys(maps:from_keys([c, a, b, a], [])).

count_words() ->
    lists:foldl(fun(W, M) -> maps:update_with(W, fun(N) -> N + 1 end, 1, M) end, #{},
                string:lexemes("the cat and the dog and the end", " ")).

float_keys() -> maps:to_list(#{1.5 => a, 2 => b, 1 => c, 2.5 => d, -1 => e, 0.0 => f}).

erlang_bifs() ->
    {erlang:map_get(a, #{a => 1}), erlang:is_map_key(a, #{a => 1}), erlang:map_size(#{a => 1}),
     erts_internal:map_to_tuple_keys(#{b => 1, a => 2})}.

variable_key_update() ->
    K = ?ID(k),
    M = ?ID(#{k => 1, j => 2}),
    {M#{K := 3}, M#{K => 4}, M#{{K} => 5}}.

literal_map_update() -> X = ?ID(9), #{a => 1, b => X, c => 3}.

guards_in_maps() ->
    [case M of #{n := N} when N > 5 -> big; #{n := _} -> small; _ -> none end
     || M <- [#{n => 1}, #{n => 10}, #{}]].

keys_in_order() ->
    maps:keys(maps:from_list([{K, x} || K <- [3, 1, 2, b, a, "z", {1}, [] , 0.5]])).
