%% group_leader/2 waits until earlier signals of its process have arrived. In a program that also
%% suspends processes it touches more objects than an event has room for, and the channel of those
%% signals was lost: a schedule could not be followed (--delivery async).
-module(group_leader_of_suspender).
-export([run/0]).

run() ->
    S = self(),
    {P, M} = spawn_monitor(fun() ->
        Held = try erlang:suspend_process(S) catch _:R -> R end,
        S ! {held, Held} end),
    monitor(process, P),
    Led = try group_leader(P, P) catch _:R -> R end,
    receive {'DOWN', M, _, _, _} -> ok end,
    erlang:display({Led, receive {held, H} -> H after 0 -> none end}).
