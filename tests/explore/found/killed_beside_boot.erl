%% The call of module global starts the system processes within the step that sends the message. One of
%% them ended in that step, and was still on the list of processes to be asked what they can do now: the
%% rest of that list was lost. The test never noticed that the DOWN message had come.
-module(killed_beside_boot).
-export([run/0]).

run() ->
    S = self(),
    {P, M} = spawn_monitor(fun() -> S ! {a, 1, x}, catch global:whereis_name(n1) end),
    exit(P, kill),
    receive {'DOWN', M, _, _, R} -> erlang:display(R) end.
