%% ETS: what each function says is wrong: reason and cause (error_info) as the real one gives them.
-module(t_ets_errors).
-export([no_table/0, no_access/0, deleted_table/0, counters/0, counter_defaults/0, elements/0,
         lookup_elements/0, inserts/0, options/0, settings/0, names/0, giving/0, fixing/0,
         walking/0, slots/0, specs/0, limits/0, continuations/0, replacing/0, bag_lists/0,
         bag_chunks/0, chunk_ends/0, messages/0]).
-include("t.hrl").

%% {Class, Reason, Cause} of the first frame, or the value.
why(F) ->
    try F()
    catch C:R:S ->
        {_, _, _, I} = hd(S),
        {C, R, maps:get(cause, proplists:get_value(error_info, I, #{}), none)}
    end.
-define(WHY(Expression), why(fun() -> Expression end)).

fill(Options) -> T = ets:new(t, Options), ets:insert(T, [{1, a}, {2, b}, {3, c}]), T.
spec() -> [{'_', [], ['$_']}].

%% In another process, with a table of ours.
other(Options, F) ->
    S = self(),
    T = fill(Options),
    R = make_ref(),
    spawn(fun() -> S ! {R, why(fun() -> F(T) end)} end),
    receive {R, X} -> X end.

no_table() ->
    [[why(fun() -> apply(ets, F, [T | A]) end) || T <- [nope, {a}, 1, make_ref()]]
     || {F, A} <- [{lookup, [1]}, {insert, [{1}]}, {member, [1]}, {delete, []}, {delete, [1]},
                   {take, [1]}, {first, []}, {next, [1]}, {last, []}, {prev, [1]}, {slot, [0]},
                   {match, ['_']}, {match_object, ['_']}, {select, [spec()]}, {tab2list, []},
                   {update_counter, [1, 1]}, {update_element, [1, {2, x}]}, {info, []},
                   {info, [size]}, {lookup_element, [1, 1]}, {rename, [x]},
                   {safe_fixtable, [true]}, {select_count, [spec()]}, {insert_new, [{1}]},
                   {delete_object, [{1}]}, {delete_all_objects, []}]].

no_access() ->
    [other([P], F) || P <- [private, protected], F <- [ fun(T) -> ets:lookup(T, 1) end,
                                                       fun(T) -> ets:insert(T, {1}) end,
                                                       fun(T) -> ets:delete(T) end,
                                                       fun(T) -> ets:rename(T, x), ok end,
                                                       fun(T) -> ets:info(T, size) end,
                                                       fun(T) -> ets:safe_fixtable(T, true) end,
                                                       fun(T) -> ets:setopts(T, []) end,
                                                       fun(T) -> ets:give_away(T, self(), a) end,
                                                       fun(T) ->
                                                           lists:sort(ets:select(T, spec())) end,
                                                       fun(T) ->
                                                           ets:select_delete(T, spec()) end]].

deleted_table() ->
    T = fill([]),
    ets:delete(T),
    [?WHY(ets:lookup(T, 1)), ?WHY(ets:info(T)), ?WHY(ets:info(T, size)), ?WHY(ets:delete(T)),
     ?WHY(ets:whereis(T))].

counters() ->
    T = fill([]),
    B = fill([bag]),
    ets:insert(T, {n, 1, 2.0}),
    [?WHY(ets:update_counter(T, K, Op)) || {K, Op} <- [ {1, {2, 1}}, {9, {2, 1}}, {1, {9, 1}},
                                                       {1, {1, 1}}, {1, {0, 1}}, {1, ?ID(x)},
                                                       {1, ?ID({2, a})}, {1, []}, {n, {3, 1}},
                                                       {n, ?ID({2, 1.0})}, {n, ?ID([{2, 1} | x])},
                                                       {n, ?ID({2, 1, a, 0})}, {n, {2, 5, 3, 0}},
                                                       {n, [{2, 1}, {9, 1}]}, {n, {2, 0}}]] ++ [
        ?WHY(ets:update_counter(B, 1, 1)), ets:lookup(T, n)].

counter_defaults() ->
    T = fill([]),
    [?WHY(ets:update_counter(T, K, Op, D)) || {K, Op, D} <- [ {8, [], {a, b}}, {1, 1, ?ID(a)},
         {7, 1, ?ID(a)}, {7, {3, 1}, {a}}, {7, {2, 1}, {a, b}}, {6, {2, 1, 2, 0}, {a, 3}},
         {5, {2, -1}, {a, 3}}]] ++ lists:sort(ets:tab2list(T)).

elements() ->
    T = fill([]),
    B = fill([bag]),
    [?WHY(ets:update_element(T, K, ?ID(E))) || {K, E} <- [ {1, {2, x}}, {9, {2, x}}, {1, {1, x}},
                                                          {1, {7, x}}, {1, []}, {9, []}, {1, x},
                                                          {9, x}, {1, [{2, y} | z]},
                                                          {1, [{2, y}, {0, 1}]}, {1, {a, 1}}]] ++ [
        ?WHY(ets:update_element(B, 1, {2, x})), ets:lookup(T, 1)].

lookup_elements() ->
    T = fill([]),
    B = fill([bag]),
    [?WHY(ets:lookup_element(X, K, ?ID(P))) || X <- [T, B],
     {K, P} <- [{9, 1}, {1, 0}, {1, a}, {1, 2}]] ++ [?WHY(ets:lookup_element(T, 1, 9))].

inserts() ->
    T = fill([]),
    K = ets:new(k, [{keypos, 2}]),
    [?WHY(ets:F(X, ?ID(O))) || F <- [insert, insert_new], X <- [T, K],
     O <- [a, {}, {1}, [], [{1} | a], [{1}, a], {a, b}]] ++ [?WHY(ets:delete_object(T, ?ID(O)))
        || O <- [a, {}, [{1}]]].

options() ->
    [case ?WHY(ets:new(?ID(N), ?ID(O))) of R when is_reference(R) -> ok; X -> X end
     || {N, O} <- [ {a, [{keypos, 0}]}, {1, []}, {a, b}, {a, [c]}, {a, [set | x]},
                   {a, [{heir, none}]}, {a, [{heir, x, x}]}, {a, [{write_concurrency, auto}]},
                   {a, [{write_concurrency, x}]}, {a, [{read_concurrency, x}]},
                   {a, [{compressed, true}]}, {a, [{keypos, 1 bsl 70}]},
                   {a, [private, public, bag, set]}, {ac_tab, [named_table]}]].

settings() ->
    T = fill([]),
    [?WHY(ets:setopts(T, ?ID(O))) || O <- [[], {protection, public}, [{protection, private}], bad,
                                           [{heir, a, b}], {protection, foo},
                                           [{heir, none}, {heir, none}]]].

names() ->
    T = ets:new(t_names, []),
    ets:new(t_names, [named_table]),
    U = ets:new(t_other, [named_table]),
    R = [?WHY(ets:rename(T, ?ID(1))), ?WHY(ets:rename(T, t_names)) =:= T, ets:info(T, name),
         ?WHY(ets:rename(t_names, t_names)), ?WHY(ets:rename(U, t_names)),
         ?WHY(ets:rename(t_names, t_third)), ets:whereis(t_names),
         [?WHY(ets:whereis(?ID(X))) || X <- [1, make_ref(), nope]]],
    ets:delete(t_third),
    ets:delete(t_other),
    R.

giving() ->
    T = fill([]),
    P = spawn(fun() -> ok end),
    tlib:await_down(P),
    [?WHY(ets:give_away(T, ?ID(X), x)) || X <- [self(), a, P]].

fixing() ->
    T = fill([]),
    [?WHY(ets:safe_fixtable(T, ?ID(a))), ?WHY(ets:safe_fixtable(T, false)), ets:info(T, fixed)].

walking() ->
    [[?WHY(ets:next(T, 99)), ?WHY(ets:prev(T, 99)), ?WHY(ets:next(T, a))]
     || T <- [fill([]), fill([ordered_set]), fill([bag])]].

slots() -> T = fill([ordered_set]), [?WHY(ets:slot(T, ?ID(I))) || I <- [0, 2, 3, 4, 100, -1, a]].

specs() ->
    T = fill([]),
    [[?WHY(ets:F(T, ?ID(S))) || S <- [a, [a], [{'_', [], []}], [{'_', [], ['$1']}],
                                      [{'_', [{foo, 1}], [x]}], [{'_', x, [x]}],
                                      [{'_', [], [{}]}], []]]
     || F <- [select, select_count, select_delete, select_reverse]] ++ [
        ?WHY(ets:match_spec_compile(?ID(S))) || S <- [[], a, [{'$1', [], ['$2']}]]] ++ [
        ?WHY(ets:match_spec_run(?ID(L), make_ref())) || L <- [[], a]].

limits() ->
    T = fill([]),
    [?WHY(ets:F(T, A, ?ID(L)))
     || {F, A} <- [{select, spec()}, {match, '_'}, {match_object, '_'}, {select_reverse, spec()}],
     L <- [0, -1, a, 1 bsl 70]].

continuations() ->
    [?WHY(ets:F(?ID(C))) || F <- [select, match, match_object, select_reverse],
     C <- ['$end_of_table', a, {a}, {}]].

replacing() ->
    [begin T = fill([Type]), R = ?WHY(ets:select_replace(T, S)),
         {R, lists:sort(ets:tab2list(T))} end || Type <- [set, ordered_set, bag, duplicate_bag],
     S <- [ [{{1, '$1'}, [], [{{1, {{'$1'}}}}]}], [{{1, '$1'}, [], [{{2, '$1'}}]}],
           [{{'$1', '_'}, [], [{{'$1', z}}]}], [{'_', [], ['$_']}],
           [{{'$1', '_'}, [], [{const, {1, 2}}]}], [{{1, '_'}, [], [{const, {1, 2}}]}],
           [{{'$1', '_'}, [], [{{'$1', {element, 1, a}}}]}],
           [{{'$1', '$2'}, [], [{{'$1', '$2', '$1'}}]}], [{{'$1', '$2'}, [], [x]}], []]].

bag_lists() ->
    [begin
         T = ets:new(t, [Type]), ets:insert(T, {k, 0}), ets:insert(T, [{k, 1}, {k, 2}, {k, 0}]),
         ets:insert_new(T, [{j, 1}, {j, 2}]), ets:delete_object(T, {k, 1}), ets:insert(T, {k, 1}),
         [ets:lookup(T, K) || K <- [k, j]]
     end || Type <- [bag, duplicate_bag]].

bag_chunks() ->
    T = ets:new(t, [duplicate_bag]),
    [ets:insert(T, {k, I}) || I <- lists:seq(1, 7)],
    [length(chunks(ets:select(T, [{{k, '$1'}, [], ['$1']}], N), [])) || N <- [1, 2, 7, 8]] ++ [
        lists:sort(lists:append(chunks(ets:select(T, spec(), 3), [])))].

chunks('$end_of_table', Acc) -> lists:reverse(Acc);
chunks({L, C}, Acc) -> chunks(ets:select(C), [L | Acc]).

chunk_ends() ->
    T = fill([ordered_set]),
    [begin {L, C} = ets:F(T, S, N), {L, C =:= '$end_of_table'} end
     || F <- [select, select_reverse], N <- [1, 3, 4],
     S <- [spec(), [{{1, '_'}, [], ['$_']}], [{{1, '_'}, [], [x]}, {{3, '_'}, [], [y]}]]].

messages() ->
    [erlang:match_spec_test({a, 1}, ?ID(S), table) || S <- [
        [{{'$1', '_'}, [], [{const, a, b}]}], [{{'$1', '_'}, [], [{'and'}]}],
        [{{'$1', '_'}, [], [{foo, 1}]}], [{{'$1', '_'}, [], [{}]}], [{{'$1', '_'}, [], [{1, 2}]}],
        [{{'$1', #{'$1' => 1}}, [], [1]}], [{{'$1', #{'_' => 1}}, [], [1]}],
        [{{'$1', 2}, x, [1]}], [{{'$1', 2}, [true | x], [1]}], [{{'$1', 2}, [], [1 | x]}],
        [{{'$1', 2}, [], []}], [a], a, [], [{'_', [], [1]} | x],
        [{{'$1', '$2'}, ['$7'], ['$3', '$4']}, {'_', ['$7'], [x]}],
        [{{'$1', '$2'}, [], ['$2']}], [{{'$1', b}, [], ['$1']}]]].
