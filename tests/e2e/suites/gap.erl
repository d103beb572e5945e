%% The search leaves five runs out if it looks only at orders of messages that somebody can tell.
%% (Once that is mended, another such program is wanted here.)
-module(gap).
-export([heirs/0]).

heirs() ->
    S = self(),
    {P, M1} = spawn_monitor(fun() -> S ! {seen, 1, x} end),
    {_, M2} = spawn_monitor(fun() ->
        spawn_monitor(fun() -> ets:new(t, [{heir, P, x}]) end),
        S ! {seen, 2, x} end),
    {_, M3} = spawn_monitor(fun() ->
        spawn_monitor(fun() -> ets:new(t, [{heir, S, x}]) end),
        S ! {seen, 3, x} end),
    look_after([{M1, 1}, {M2, 2}, {M3, 3}]).

look_after([]) -> ok;
look_after([{M, N} | Rest]) ->
    receive {'DOWN', M, _, _, _} -> ok end,
    receive {seen, N, _} -> ok after 0 -> ok end,
    look_after(Rest).
