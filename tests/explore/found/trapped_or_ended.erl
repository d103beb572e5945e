%% An exit signal that found its receiver trapping exits ends the receiver if it comes before
%% process_flag, and then the link of a third process is refused. The search expected the signal to
%% stay harmless, and a schedule could not be followed (--delivery async).
-module(trapped_or_ended).
-export([run/0]).

run() ->
    {P, M} = spawn_monitor(fun() ->
        spawn_monitor(fun() -> exit(self(), kill) end),
        process_flag(trap_exit, true),
        exit(one) end),
    {_, N} = spawn_monitor(fun() ->
        spawn_monitor(fun() -> exit(P, oops) end),
        spawn_link(fun() -> link(P) end),
        exit(two) end),
    erlang:display([receive {'DOWN', R, _, _, Why} -> Why end || R <- [M, N]]).
