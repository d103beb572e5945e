%% Three exit signals to P, of which two come too late. The last one also depends on the first, and
%% the link of Q comes before or behind each of them.
-module(late_signals).
-export([run/0]).

run() ->
    {P, M} = spawn_monitor(fun() ->
        spawn_link(fun() -> exit(kill) end),
        exit(one) end),
    {_, N} = spawn_monitor(fun() ->
        link(P),
        exit(two) end),
    link(P),
    erlang:display([receive {'DOWN', R, _, _, Why} -> Why end || R <- [M, N]]).
