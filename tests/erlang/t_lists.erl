%% The lists module: its native functions and the rest.
-module(t_lists).
-export([natives/0, natives_bad/0, keyfind_odd/0, sort_sizes/0, sort_stable/0, sort_fun/0,
         usort_fun/0, sort_large/0, ukeysort/0, merges/0, append_concat/0, deletes/0, folds/0,
         predicates/0, maps/0, seqs/0, sublists/0, prefixes/0, min_max_sum/0, zips/0,
         duplicates/0, rotations/0, keymap/0, bad_arguments/0, proplists/0, orddicts/0,
         ordsets/0, queues/0, queue_many/0, sofs_relation/0]).
-include("t.hrl").

natives() ->
    {lists:member(2, [1, 2]), lists:member(2.0, [1, 2]), lists:member(x, []),
     lists:reverse([1, 2, 3]), lists:reverse([1, 2], [3]), lists:reverse([], tail),
     lists:keyfind(b, 1, [{a, 1}, {b, 2}]), lists:keyfind(1, 2, [{a, 1.0}]),
     lists:keymember(2, 2, [{a, 1}, {b, 2}]), lists:keysearch(z, 1, [])}.

natives_bad() ->
    [?TRY(lists:member(a, ?ID([b | c]))), ?TRY(lists:member(a, ?ID(x))),
     ?TRY(lists:reverse(?ID(a))), ?TRY(lists:reverse(?ID([a | b]))),
     ?TRY(lists:keyfind(a, ?ID(0), [])), ?TRY(lists:keyfind(a, 1, ?ID(x))),
     ?TRY(lists:keyfind(a, 1, ?ID([{b} | c])))].

keyfind_odd() ->
    {lists:keyfind(a, 1, [x, {}, {b}, {a}]), lists:keyfind(1, 1, [{1.0, x}]),
     lists:keyfind(k, 3, [{a}, {1, 2, k}])}.

sort_sizes() ->
    [lists:sort([(I * 7919) rem 101 || I <- lists:seq(1, N)]) || N <- [0, 1, 2, 3, 10, 50]].

sort_stable() -> lists:keysort(1, [{I rem 3, I} || I <- lists:seq(1, 20)]).
sort_fun() -> lists:sort(fun(A, B) -> A >= B end, [3, 1, 2, 3]).
usort_fun() -> lists:usort(fun(A, B) -> abs(A) =< abs(B) end, [3, -3, 1, 2, -1]).

sort_large() ->
    L = [erlang:phash2(I) || I <- lists:seq(1, 2000)],
    S = lists:sort(L),
    {hd(S), lists:last(S), length(lists:usort(L))}.

ukeysort() -> lists:ukeysort(1, [{b, 1}, {a, 2}, {b, 3}, {a, 4}]).

merges() ->
    {lists:merge([1, 3], [2, 4]), lists:umerge([1, 2], [2, 3]), lists:merge3([1, 4], [2, 5], [3]),
     lists:merge([[1], [3], [2]]), lists:keymerge(1, [{a, 1}], [{a, 2}, {b, 1}])}.

append_concat() ->
    {lists:append([[1], [2, 3], []]), lists:append([1], [2]), lists:concat([a, 1, "s", 2.5]),
     lists:flatten([1, [2, [3]], []]), lists:flatten([1, [2]], [x]),
     lists:flatlength([1, [2, [3, 4]]])}.

deletes() ->
    {lists:delete(2, [1, 2, 3, 2]), lists:keydelete(b, 1, [{a}, {b}, {b}]),
     lists:keyreplace(a, 1, [{a, 1}, {b, 2}], {c, 3}), lists:keystore(z, 1, [{a}], {z, 1}),
     lists:keytake(b, 1, [{a}, {b, 2}]), lists:keytake(x, 1, []), lists:subtract([1, 2, 3], [2])}.

folds() ->
    {lists:foldl(fun(X, A) -> A - X end, 0, [1, 2, 3]),
     lists:foldr(fun(X, A) -> X - A end, 0, [1, 2, 3]),
     lists:mapfoldl(fun(X, A) -> {X * A, A + X} end, 1, [1, 2, 3]),
     lists:mapfoldr(fun(X, A) -> {X * A, A + X} end, 1, [1, 2, 3])}.

predicates() ->
    {lists:all(fun is_atom/1, [a, b]), lists:any(fun is_atom/1, [1, b]),
     lists:all(fun is_atom/1, []), lists:partition(fun(X) -> X > 2 end, [1, 2, 3, 4]),
     lists:splitwith(fun(X) -> X < 3 end, [1, 2, 3, 1]),
     lists:takewhile(fun(X) -> X < 3 end, [1, 2, 3, 1]),
     lists:dropwhile(fun(X) -> X < 3 end, [1, 2, 3, 1]),
     lists:search(fun(X) -> X > 1 end, [1, 2]), lists:search(fun(X) -> X > 5 end, [1])}.

maps() ->
    {lists:map(fun(X) -> -X end, [1, 2]), lists:filter(fun(X) -> X > 1 end, [1, 2]),
     lists:filtermap(fun(1) -> true; (2) -> {true, two}; (_) -> false end, [1, 2, 3]),
     lists:flatmap(fun(X) -> [X, X] end, [1, 2]), lists:foreach(fun(_) -> ok end, [1])}.

seqs() ->
    {lists:seq(1, 5), lists:seq(5, 1, -2), lists:seq(1, 0), lists:seq(3, 2), lists:seq(1, 10, 4),
     lists:seq(5, 5, 0), ?TRY(lists:seq(1, 5, 0)), ?TRY(lists:seq(5, 1))}.

sublists() ->
    {lists:sublist([1, 2, 3, 4], 2), lists:sublist([1, 2, 3, 4], 2, 2), lists:sublist([1], 5),
     lists:nthtail(2, [a, b, c]), lists:nth(2, [a, b]), lists:last([1, 2]),
     lists:droplast([1, 2, 3]), lists:split(1, [a, b, c]), ?TRY(lists:split(5, [a])),
     lists:sublist([a, b, c], 4, 1)}.

prefixes() ->
    {lists:prefix("ab", "abc"), lists:prefix("b", "abc"), lists:suffix("bc", "abc"),
     lists:suffix("", "x")}.

min_max_sum() ->
    {lists:max([1, a, 2.0]), lists:min([[], {}, b]), lists:sum([1, 2.5, 3]), lists:sum([]),
     ?TRY(lists:max([])), ?TRY(lists:sum([a]))}.

zips() ->
    {lists:zip([1, 2], [a, b]), lists:unzip([{1, a}, {2, b}]), lists:zip3([1], [2], [3]),
     lists:unzip3([{1, 2, 3}]), lists:zipwith(fun(A, B) -> A + B end, [1, 2], [3, 4]),
     lists:zipwith3(fun(A, B, C) -> {A, B, C} end, [1], [2], [3]), ?TRY(lists:zip([1], []))}.

duplicates() ->
    {lists:duplicate(3, x), lists:duplicate(0, x), lists:uniq([b, a, b, 1, 1.0]),
     lists:uniq(fun(X) -> X rem 3 end, [1, 2, 4, 5, 6]), lists:join(s, [1, 2, 3]),
     lists:join(s, []), lists:enumerate([a, b]), lists:enumerate(5, [a])}.

rotations() -> [begin {A, B} = lists:split(N, [1, 2, 3, 4]), B ++ A end || N <- [0, 1, 2, 3]].
keymap() -> lists:keymap(fun(X) -> X * 2 end, 2, [{a, 1}, {b, 2}]).

bad_arguments() ->
    [?TRY(lists:map(?ID(x), [1])), ?TRY(lists:foldl(fun(_) -> ok end, 0, ?ID([1]))) =/= ok,
     ?TRY(lists:nth(3, [1])), ?TRY(lists:seq(a, 2)),
     ?TRY(lists:foldl(fun(X, A) -> X + A end, 0, ?ID(a)))].

proplists() ->
    P = [{a, 1}, b, {c, x, y}, {a, 2}, {d, false}],
    {proplists:get_value(a, P), proplists:get_value(b, P), proplists:get_value(z, P, def),
     proplists:get_all_values(a, P), proplists:is_defined(b, P), proplists:get_bool(b, P),
     proplists:get_bool(d, P), proplists:delete(a, P), proplists:get_keys([{x, 1}]),
     proplists:lookup(c, P), proplists:lookup_all(a, P), proplists:unfold([b, {a, 1}]),
     proplists:compact([{a, true}, {b, 1}]), proplists:to_map([a, {b, 2}]),
     proplists:split([{a, 1}, {b, 2}, c], [a, c])}.

orddicts() ->
    D = orddict:from_list([{b, 2}, {a, 1}]),
    {D, orddict:store(c, 3, D), orddict:fetch(a, D), orddict:find(z, D),
     orddict:update(a, fun(X) -> X + 1 end, D), orddict:append(l, x, orddict:new()),
     orddict:merge(fun(_, A, B) -> A + B end, D, D), orddict:erase(a, D),
     orddict:update_counter(n, 1, D)}.

ordsets() ->
    A = ordsets:from_list([3, 1, 2, 3]),
    B = [2, 5],
    {A, ordsets:union(A, B), ordsets:intersection(A, B), ordsets:subtract(A, B),
     ordsets:is_subset([1], A), ordsets:add_element(0, A), ordsets:del_element(1, A),
     ordsets:is_disjoint(A, [9]), ordsets:fold(fun(X, S) -> X + S end, 0, A)}.

queues() ->
    Q = queue:in(c, queue:in(b, queue:in(a, queue:new()))),
    {queue:to_list(Q), queue:out(Q), queue:len(Q), queue:peek(Q), queue:peek_r(Q),
     queue:to_list(queue:reverse(Q)), queue:is_empty(queue:new()), queue:out(queue:new()),
     queue:to_list(queue:filter(fun(X) -> X =/= b end, Q)), queue:to_list(queue:join(Q, Q)),
     queue:member(b, Q), queue:out_r(Q), queue:head(Q), queue:to_list(queue:in_r(z, Q)),
     ?TRY(queue:head(queue:new()))}.

queue_many() -> Q = lists:foldl(fun queue:in/2, queue:new(), lists:seq(1, 100)), drain_queue(Q, 0).

drain_queue(Q, Sum) ->
    case queue:out(Q) of {{value, X}, R} -> drain_queue(R, Sum * 3 + X); {empty, _} -> Sum end.

sofs_relation() ->
    R = sofs:relation([{1, a}, {2, b}, {2, c}]),
    {sofs:to_external(sofs:image(R, sofs:set([2]))), sofs:to_external(sofs:domain(R)),
     sofs:to_external(sofs:converse(R))}.
