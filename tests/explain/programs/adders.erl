%% The collector ends when it has seen `stop`, with results still in its mailbox.
-module(adders).
-export([test/0]).

collector(Sum, Boss) ->
    receive
        stop -> Boss ! {sum, Sum};
        {add, N, From} -> From ! {added, N}, collector(Sum + N, Boss)
    end.

adder(C, N) ->
    C ! {add, N, self()},
    receive {added, N} -> ok end.

test() ->
    Me = self(),
    C = spawn(fun() -> collector(0, Me) end),
    Adders = [spawn_monitor(fun() -> adder(C, N) end) || N <- [1, 2]],
    C ! stop,
    receive {sum, _} -> ok end,
    [receive {'DOWN', R, process, P, _} -> ok end || {P, R} <- Adders],
    ok.
