%% A worker that ends badly, of which its owner is told.
-module(watched).
-export([test/0]).

test() ->
    {_, Monitor} = spawn_monitor(fun worker/0),
    receive {'DOWN', Monitor, process, _, _} -> ok end.

worker() -> exit(bad).
