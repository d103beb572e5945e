%% Three processes wait equally long, and a message for the last one comes when their time is over. Two
%% runs were left out, in which the last one has ended before its message comes, and another one begins
%% to wait behind that: whether the message would have been taken was asked of two different runs.
-module(waits_that_end_together).
-export([run/0]).

run() ->
    [{_, M1}, {_, M2}, {P, M3}] =
        [spawn_monitor(fun() -> receive {_, V, _} -> V after 10 -> none end end) || _ <- [1, 2, 3]],
    erlang:send_after(10, P, {a, 2, x}),
    [receive {'DOWN', M, _, _, R} -> R end || M <- [M1, M2, M3]].
