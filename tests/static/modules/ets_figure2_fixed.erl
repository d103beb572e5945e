%% The repair: one atomic operation.
-module(ets_figure2_fixed).
-export([run/0]).

run() ->
    Tab = ets:new(some_tab_name, [public]),
    Fun = fun() -> ets:update_counter(Tab, some_key, 42, {some_key, 0}) end,
    [spawn(Fun) || _ <- lists:seq(1, 3)].
