%% Without a name there can be many such processes.
-module(ets_spawned_process).
-export([create/0, start/0]).

create() -> ets:new(ets_spawned_process, [named_table, public]).

start() -> spawn(fun() -> loop() end).

loop() ->
    receive
        {inc, Key} ->
            [{_, N}] = ets:lookup(ets_spawned_process, Key),           %% read: a
            ets:insert(ets_spawned_process, {Key, N + 1}),             %% write: a
            loop()
    end.
