%% A plain process with a name of its own: a second one could not register. All accesses are in it.
-module(ets_named_process).
-export([start/0, inc/1]).

start() -> spawn(fun init/0).

inc(Key) -> ets_named_process ! {inc, Key}.

init() ->
    register(ets_named_process, self()),
    ets:new(ets_named_process, [named_table, public]),
    loop().

loop() ->
    receive
        {inc, Key} ->
            N = case ets:lookup(ets_named_process, Key) of [] -> 0; [{_, V}] -> V end,
            ets:insert(ets_named_process, {Key, N + 1}),
            loop()
    end.
