%% Two polls at one place in the code, each for the end that its own monitor tells of. The first end is
%% flushed; that the second poll would have taken it was believed, because they shared a bit.
-module(called_twice).
-export([run/0]).

call(P) ->
    M = monitor(process, P),
    receive {'DOWN', M, _, _, R} -> {down, R} after 0 -> demonitor(M, [flush]), none end.

run() ->
    P = spawn(fun() -> ok end),
    erlang:display({call(P), call(P)}).
