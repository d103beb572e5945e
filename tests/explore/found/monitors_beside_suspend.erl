%% Where suspending is possible, a question for the monitors of another process has more accesses than
%% an event has room for (--delivery async): it depends on everything, and also looks at the mailbox.
%% Only its first access to the mailbox was asked whether it tells two messages apart, so the question
%% beside a DOWN and a message was left out.
-module(monitors_beside_suspend).
-export([run/0]).

run() ->
    S = self(),
    {_, M1} = spawn_monitor(fun() -> catch erlang:suspend_process(S), S ! {seen, 1} end),
    {P2, _} = spawn_monitor(fun() -> S ! {seen, 2, length(element(2, process_info(S, monitors)))} end),
    spawn_monitor(fun() -> catch erlang:suspend_process(P2), S ! {seen, 3} end),
    receive {'DOWN', M1, _, _, _} -> ok end,
    erlang:display([receive {seen, 1} -> ok after 0 -> none end,
                    receive {seen, 2, N} -> N end,
                    receive {seen, 3} -> ok end]).
