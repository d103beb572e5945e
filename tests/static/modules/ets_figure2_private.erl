%% Figure 2 with a table that only its owner may write.
-module(ets_figure2_private).
-export([run/0]).

run() ->
    Tab = ets:new(some_tab_name, [protected]),
    Fun = fun() -> ets_inc(Tab, 42) end,
    [spawn(Fun) || _ <- lists:seq(1, 3)].

ets_inc(Tab, Inc) ->
    case ets:lookup(Tab, some_key) of
        [] -> ets:insert(Tab, {some_key, Inc});
        [{some_key, Old}] -> ets:insert(Tab, {some_key, Old + Inc})
    end.
