%% The DOWN of a process that is not there comes from the caller itself, and arrives before the end of
%% the caller's wait. A timer that is due later fired before both: out of the order of deadlines.
-module(own_signal_before_timer).
-export([run/0]).

run() ->
    S = self(),
    {_, M} = spawn_monitor(fun() -> S ! told end),
    monitor(process, nobody),
    erlang:send_after(10, nobody_else, x),
    receive after 5 -> ok end,
    receive {'DOWN', M, _, _, _} -> ok end,
    erlang:display(receive told -> told after 0 -> nothing end).
