%% Figure 2 of the paper, left: a counter in a public table.
-module(ets_figure2).
-export([run/0]).

run() ->
    Tab = ets:new(some_tab_name, [public]),
    Inc = compute_inc(),
    Fun = fun() -> ets_inc(Tab, Inc) end,
    spawn_some_processes(Fun).

compute_inc() -> 42.

spawn_some_processes(Fun) -> [spawn(Fun) || _ <- lists:seq(1, 3)].

ets_inc(Tab, Inc) ->
    case ets:lookup(Tab, some_key) of           %% read: a
        [] ->
            ets:insert(Tab, {some_key, Inc});   %% write: a
        [{some_key, OldValue}] ->
            NewValue = OldValue + Inc,
            ets:insert(Tab, {some_key, NewValue}) %% write: a
    end.
