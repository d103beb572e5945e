%% A question waits until the own message has arrived (--delivery async). If its process is killed
%% meanwhile, the message could have arrived earlier. The target noted that only when the DOWN message,
%% which goes the same way, had arrived, too; and that one needs the kill: dpor proved the program, with
%% a certificate, and had seen one outcome of two.
-module(asked_before_the_end).
-export([run/0]).

run() ->
    S = self(),
    {P, M} = spawn_monitor(fun() ->
        S ! x,
        exit(process_info(S, message_queue_len)) end),
    exit(P, kill),
    erlang:display(receive {'DOWN', M, _, _, Why} -> Why end).
