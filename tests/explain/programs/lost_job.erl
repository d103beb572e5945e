%% The worker empties its mailbox when it begins, and so loses a job that came early.
-module(lost_job).
-export([test/0]).
worker() ->
    receive {job, From, N} -> From ! {result, N * N} end.
test() ->
    Me = self(),
    P = spawn(fun() -> init(Me) end),
    P ! {job, self(), 3},
    receive ready -> ok end,
    receive {result, 9} -> ok end.
init(Parent) ->
    flush(),
    Parent ! ready,
    worker().
flush() -> receive _ -> flush() after 0 -> ok end.
