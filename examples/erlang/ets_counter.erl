%% N processes increment a counter in an ETS table by lookup and insert: updates get lost.
%%
%% classes_N/0 only counts how many different outcomes the search has to look at; lost_update_N/0
%% asserts the sum and is wrong; update_counter_N/0 does it in one step.
%%
%% expect: classes_2 --strategy dpor => proved,executions=3
%% expect: classes_3 --strategy dpor => proved,executions=25
%% expect: classes_4 --strategy dpor => proved,executions=363
%% expect: classes_5 --strategy dpor => proved,executions=8401
%% expect: lost_update_2 => bug,abnormal-exit
%% expect: lost_update_3 => bug,abnormal-exit
%% expect: update_counter_2 => proved
%% expect: update_counter_3 => proved
-module(ets_counter).
-export([classes_2/0, classes_3/0, classes_4/0, classes_5/0, lost_update_2/0, lost_update_3/0,
         update_counter_2/0, update_counter_3/0]).

classes_2() -> together(2, fun increment/1).
classes_3() -> together(3, fun increment/1).
classes_4() -> together(4, fun increment/1).
classes_5() -> together(5, fun increment/1).

lost_update_2() -> [{k, 2}] = count(2, fun increment/1).
lost_update_3() -> [{k, 3}] = count(3, fun increment/1).

update_counter_2() -> [{k, 2}] = count(2, fun increment_at_once/1).
update_counter_3() -> [{k, 3}] = count(3, fun increment_at_once/1).

count(N, Increment) ->
    ets:lookup(together(N, Increment), k).

together(N, Increment) ->
    Table = ets:new(counter, [public]),
    ets:insert(Table, {k, 0}),
    Monitors = [spawn_monitor(fun() -> Increment(Table) end) || _ <- lists:seq(1, N)],
    [receive {'DOWN', M, process, _, _} -> ok end || {_, M} <- Monitors],
    Table.

increment(Table) ->
    [{k, V}] = ets:lookup(Table, k),
    ets:insert(Table, {k, V + 1}).

increment_at_once(Table) ->
    ets:update_counter(Table, k, 1).
