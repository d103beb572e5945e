%% Containers of stdlib: sets, dict, gb_trees, gb_sets, array, digraph, rand with fixed seeds.
-module(t_containers).
-export([sets_v1/0, sets_v2/0, sets_large/0, sets_order/0, dicts/0, dict_order/0, dict_large/0,
         gb_trees/0, gb_tree_shape/0, gb_tree_iterator/0, gb_sets/0, gb_sets_large/0, arrays/0,
         array_large/0, digraphs/0, rand_algorithms/0, rand_integer_seed/0, rand_floats/0,
         rand_process/0, rand_big_range/0, rand_bytes/0, rand_jump/0, rand_export/0, rand_mwc/0,
         rand_shuffle/0, wichmann_hill/0, erl_eval/0, erl_scan/0, erl_parse/0, erl_parse_error/0,
         erl_parse_term/0, erl_syntax_abstract/0, pretty/0, compile_forms/0]).
-include("t.hrl").

sets_v1() -> sets_ops(sets:new(), sets:from_list([2, 5])).
sets_v2() -> sets_ops(sets:new([{version, 2}]), sets:from_list([2, 5], [{version, 2}])).

sets_ops(Empty, B) ->
    A = lists:foldl(fun sets:add_element/2, Empty, [3, 1, 2, 3]),
    L = fun(S) -> lists:sort(sets:to_list(S)) end,
    {L(A), sets:size(A), sets:is_element(1, A), L(sets:union(A, B)), L(sets:intersection(A, B)),
     L(sets:subtract(A, B)), sets:is_subset(B, A), L(sets:del_element(1, A)),
     L(sets:filter(fun(X) -> X > 1 end, A)), sets:fold(fun(X, S) -> X + S end, 0, A),
     sets:is_disjoint(A, B), sets:is_set(A), sets:is_empty(Empty)}.

sets_large() ->
    S = sets:from_list(lists:seq(1, 1000)),
    T = sets:from_list(lists:seq(500, 1500)),
    {sets:size(sets:union(S, T)), sets:size(sets:intersection(S, T)),
     lists:sum(sets:to_list(sets:subtract(S, T)))}.

sets_order() -> sets:to_list(sets:from_list([a, 1, "x", {t}, 2.5, <<"b">>])).

dicts() ->
    D = dict:from_list([{a, 1}, {b, 2}, {c, 3}]),
    L = fun(X) -> lists:sort(dict:to_list(X)) end,
    {L(D), dict:fetch(a, D), dict:find(z, D), L(dict:store(d, 4, D)), L(dict:erase(a, D)),
     L(dict:update(a, fun(X) -> X * 10 end, D)), L(dict:append(l, x, D)), dict:size(D),
     L(dict:map(fun(_, V) -> -V end, D)), dict:fold(fun(_, V, A) -> V + A end, 0, D),
     L(dict:filter(fun(_, V) -> V > 1 end, D)), L(dict:merge(fun(_, A, B) -> A + B end, D, D)),
     L(dict:update_counter(a, 5, D)), dict:is_key(a, D), ?TRY(dict:fetch(z, D)),
     dict:take(a, dict:new())}.

dict_order() -> dict:to_list(dict:from_list([{I, I} || I <- lists:seq(1, 50)])).

dict_large() ->
    D = lists:foldl(fun(I, A) -> dict:store(I rem 300, I, A) end, dict:new(), lists:seq(1, 2000)),
    {dict:size(D), dict:fetch(7, D), dict:fold(fun(_, V, A) -> V + A end, 0, D)}.

gb_trees() ->
    T = gb_trees:from_orddict([{I, I * I} || I <- lists:seq(1, 10)]),
    {gb_trees:get(3, T), gb_trees:lookup(11, T), gb_trees:size(T), gb_trees:smallest(T),
     gb_trees:largest(T), gb_trees:keys(gb_trees:delete(5, T)),
     gb_trees:to_list(gb_trees:update(1, x, T)), gb_trees:values(T),
     gb_trees:take_smallest(gb_trees:from_orddict([{a, 1}])), ?TRY(gb_trees:insert(1, x, T)),
     ?TRY(gb_trees:get(99, T)), gb_trees:is_defined(1, T)}.

gb_tree_shape() ->
    lists:foldl(fun(I, T) -> gb_trees:enter((I * 37) rem 53, I, T) end, gb_trees:empty(),
                lists:seq(1, 40)).

gb_tree_iterator() ->
    I = gb_trees:iterator(gb_trees:from_orddict([{1, a}, {2, b}])),
    {K, V, J} = gb_trees:next(I),
    {K, V, element(1, gb_trees:next(J)),
     gb_trees:next(gb_trees:iterator_from(5, gb_trees:empty()))}.

gb_sets() ->
    A = gb_sets:from_list([3, 1, 2, 3]),
    B = gb_sets:from_list([2, 9]),
    {gb_sets:to_list(A), gb_sets:size(A), gb_sets:to_list(gb_sets:union(A, B)),
     gb_sets:to_list(gb_sets:intersection(A, B)), gb_sets:to_list(gb_sets:difference(A, B)),
     gb_sets:is_member(1, A), gb_sets:smallest(A), gb_sets:take_largest(A),
     gb_sets:fold(fun(X, S) -> X + S end, 0, A), gb_sets:is_subset(B, A),
     gb_sets:to_list(gb_sets:delete_any(7, A))}.

gb_sets_large() ->
    S = gb_sets:from_list([(I * 7919) rem 1009 || I <- lists:seq(1, 1000)]),
    {gb_sets:size(S), gb_sets:smallest(S), gb_sets:largest(S)}.

arrays() ->
    A = array:from_list([a, b, c]),
    {array:get(1, A), array:to_list(array:set(5, z, A)), array:size(A),
     array:to_list(array:resize(2, A)), array:foldl(fun(I, V, Acc) -> [{I, V} | Acc] end, [], A),
     array:sparse_to_orddict(array:set(100, x, array:new())), array:is_fix(array:new(5)),
     array:to_list(array:map(fun(I, V) -> {I, V} end, A)), ?TRY(array:get(5, array:fix(A))),
     array:default(array:new({default, 0})), array:to_list(array:reset(0, A))}.

array_large() ->
    A = lists:foldl(fun(I, X) -> array:set(I, I * I, X) end, array:new(), lists:seq(0, 999)),
    {array:size(A), array:get(999, A), array:foldl(fun(_, V, S) -> S + V end, 0, A)}.

digraphs() ->
    G = digraph:new(),
    [digraph:add_vertex(G, V) || V <- [a, b, c, d]],
    [digraph:add_edge(G, X, Y) || {X, Y} <- [{a, b}, {b, c}, {a, c}, {c, d}]],
    R = {lists:sort(digraph:vertices(G)), digraph:get_short_path(G, a, d),
         digraph:get_cycle(G, a), digraph_utils:topsort(G) =/= false,
         lists:sort(digraph_utils:reachable([b], G)), digraph:out_degree(G, a),
         digraph_utils:is_acyclic(G)},
    digraph:delete(G),
    R.

rand_algorithms() ->
    [{A, begin S = rand:seed_s(A, {1, 2, 3}), numbers(S, 5) end}
     || A <- [exsss, exrop, exro928ss, exsp, exs1024s, mwc59 | []] -- [mwc59]].

numbers(_, 0) -> [];
numbers(S, N) -> {X, T} = rand:uniform_s(1000000, S), [X | numbers(T, N - 1)].
rand_integer_seed() -> numbers(rand:seed_s(exsss, 42), 10).

rand_floats() ->
    S0 = rand:seed_s(exsss, 7),
    {A, S1} = rand:uniform_s(S0),
    {B, S2} = rand:uniform_real_s(S1),
    {C, _} = rand:normal_s(S2),
    {A, B, C}.

rand_process() ->
    rand:seed(exsss, {10, 20, 30}),
    [rand:uniform(100) || _ <- lists:seq(1, 10)] ++ [rand:uniform(), rand:normal()].

rand_big_range() ->
    S = rand:seed_s(exsss, 5),
    [begin {X, _} = rand:uniform_s(R, S), X end
     || R <- [1, 2, 3, 1 bsl 57, 1 bsl 58, 1 bsl 64, 1 bsl 100]].

rand_bytes() -> {B, _} = rand:bytes_s(20, rand:seed_s(exsss, 9)), B.
rand_jump() -> S = rand:jump(rand:seed_s(exsss, 3)), numbers(S, 3).
rand_export() -> rand:export_seed_s(rand:seed_s(exsss, 11)).
rand_mwc() -> mwc(rand:mwc59_seed(17), 5).
mwc(_, 0) -> [];
mwc(C, N) -> [rand:mwc59_value32(C) | mwc(rand:mwc59(C), N - 1)].

rand_shuffle() ->
    rand:seed(exsss, 1),
    [X || {_, X} <- lists:sort([{rand:uniform(), X} || X <- lists:seq(1, 20)])].

wichmann_hill() -> [begin {X, _} = random_s({A, B, C}), X end || {A, B, C} <- [{1, 2, 3}]].

random_s({A, B, C}) ->
    B1 = (A * 171) rem 30269,
    B2 = (B * 172) rem 30307,
    B3 = (C * 170) rem 30323,
    R = B1 / 30269 + B2 / 30307 + B3 / 30323,
    {R - trunc(R), {B1, B2, B3}}.

erl_eval() ->
    Text = "X = 5, Y = [A * X || A <- [1,2,3]], {Y, lists:sum(Y), fun(Z) -> Z + X end(1)}.",
    {ok, Ts, _} = erl_scan:string(Text),
    {ok, Es} = erl_parse:parse_exprs(Ts),
    {value, V, Bs} = erl_eval:exprs(Es, []),
    {V, lists:sort(erl_eval:bindings(Bs))}.

erl_scan() ->
    Text = "foo(X) when X > 1.5e3 -> \"str\\n\", 'At om', $c, 16#ff, <<1:2>>, #{a => b}. % c",
    {ok, Ts, _} = erl_scan:string(Text),
    [case T of {A, _} -> A; {A, _, V} -> {A, V} end || T <- Ts].

erl_parse() ->
    {ok, Ts, _} = erl_scan:string("f(X, [H|T]) when is_atom(X) -> {X, T}; f(_, _) -> ok."),
    {ok, F} = erl_parse:parse_form(Ts),
    lists:flatten(erl_pp:form(F)).

erl_parse_error() ->
    {ok, Ts, _} = erl_scan:string("f( -> ."),
    {error, {_, M, D}} = erl_parse:parse_form(Ts),
    lists:flatten(M:format_error(D)).

erl_parse_term() ->
    {ok, Ts, _} = erl_scan:string("{a, [1, \"x\"], #{k => <<1, 2>>}, -5}."),
    erl_parse:parse_term(Ts).

erl_syntax_abstract() -> erl_parse:abstract({a, [1, 2.5, "s"], <<"b">>, #{k => v}}).

pretty() ->
    lists:flatten(io_lib:format("~p",
                                [lists:duplicate(10, {some_long_atom, "string", [1, 2, 3]})])).

compile_forms() ->
    Fs = [{attribute, 1, module, t_compiled}, {attribute, 1, export, [{f, 1}]},
          {function, 2, f, 1,
           [{clause, 2, [{var, 2, 'X'}], [], [{op, 2, '+', {var, 2, 'X'}, {integer, 2, 1}}]}]}],
    {ok, t_compiled, B} = compile:forms(Fs, []),
    {module, t_compiled} = code:load_binary(t_compiled, "x", B),
    R = t_compiled:f(41),
    code:purge(t_compiled),
    code:delete(t_compiled),
    R.
