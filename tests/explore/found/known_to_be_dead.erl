%% A process that a signal has ended is listed until it begins to die, or until somebody has asked
%% whether it is alive. Asking was not a step on the list of processes: one class had two outcomes,
%% and dpor proved the program with two outcomes of three (with asynchronous delivery, five of six).
-module(known_to_be_dead).
-export([run/0]).

run() ->
    P = spawn(fun() -> receive stop -> ok end end),
    exit(P, kill),
    {_, M} = spawn_monitor(fun() -> exit(is_process_alive(P)) end),
    {_, N} = spawn_monitor(fun() -> exit(length(processes())) end),
    erlang:display([receive {'DOWN', R, _, _, Why} -> Why end || R <- [M, N]]).
