%% link/1 with a process that has ended answers the process that traps exits by a message, which comes
%% before or behind the messages of others. Both orders were one class, which was certified.
-module(refused_link_or_message).
-export([run/0]).

run() ->
    S = self(),
    process_flag(trap_exit, true),
    {P, M} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', M, _, _, _} -> ok end,
    spawn(fun() -> S ! x end),
    link(P),
    erlang:display(receive {'EXIT', _, Reason} -> Reason; Message -> Message end).
