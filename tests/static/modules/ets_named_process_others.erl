%% The same, but clients write the table, too.
-module(ets_named_process_others).
-export([start/0, reset/1]).

start() -> spawn(fun() -> init() end).

reset(Key) -> ets:insert(ets_named_process_others, {Key, 0}).

init() ->
    register(ets_named_process_others, self()),
    ets:new(ets_named_process_others, [named_table, public]),
    loop().

loop() ->
    receive
        {inc, Key} ->
            [{_, N}] = ets:lookup(ets_named_process_others, Key),      %% read: a
            ets:insert(ets_named_process_others, {Key, N + 1}),        %% write: a
            loop()
    end.
