%% EUnit with fixtures: set-up and clean-up are run once per leaf and not explored, each leaf test
%% is explored. One leaf has a race (two increments by lookup and insert), the others have none.
%%
%% expect: eunit => bug,assertion
%% expect: plain_test => proved
-module(fixtures_tests).
-include_lib("eunit/include/eunit.hrl").

plain_test() ->
    ?assertEqual(3, length([1, 2, 3])).

counter_test_() ->
    {foreach, fun new/0, fun ets:delete/1,
     [fun one_increment/1, fun atomic_increments/1, fun racing_increments/1]}.

grouped_test_() ->
    {setup, fun new/0, fun ets:delete/1,
     fun(Table) ->
             {inorder, [{"empty", ?_assertEqual([], ets:lookup(Table, other))},
                        {timeout, 10, ?_assert(ets:insert_new(Table, {other, 1}))},
                        {spawn, ?_assertEqual(1, ets:info(Table, size) - 1)}]}
     end}.

parallel_test_() ->
    {inparallel, [?_assertEqual(I, identity(I)) || I <- [1, 2]]}.

with_test_() ->
    {with, 7, [fun(X) -> ?assertEqual(7, identity(X)) end]}.

identity(X) -> X.

new() ->
    Table = ets:new(counter, [public]),
    ets:insert(Table, {n, 0}),
    Table.

one_increment(Table) ->
    {"one process", fun() -> run(Table, 1, fun increment/1) end}.

atomic_increments(Table) ->
    {"two processes, one step each",
     fun() -> run(Table, 2, fun(T) -> ets:update_counter(T, n, 1) end) end}.

racing_increments(Table) ->
    {"two processes, two steps each", fun() -> run(Table, 2, fun increment/1) end}.

increment(Table) ->
    [{n, N}] = ets:lookup(Table, n),
    ets:insert(Table, {n, N + 1}).

run(Table, Count, Increment) ->
    Monitors = [spawn_monitor(fun() -> Increment(Table) end) || _ <- lists:seq(1, Count)],
    [receive {'DOWN', M, process, _, _} -> ok end || {_, M} <- Monitors],
    ?assertEqual([{n, Count}], ets:lookup(Table, n)).
