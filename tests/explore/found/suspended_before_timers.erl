%% What a suspended process would do next was left out where nobody let it go on. So the timer that it
%% would start did not seem to depend on the end of another timer, and the run in which it is started
%% behind that end, before the process is suspended, was taken for one in which it is started before.
-module(suspended_before_timers).
-export([run/0]).

run() ->
    S = self(),
    {_, M} = spawn_monitor(fun() -> erlang:send_after(5, S, a) end),
    P = spawn(fun() -> erlang:send_after(5, self(), b) end),
    erlang:suspend_process(P),
    receive {'DOWN', M, _, _, _} -> ok end,
    erlang:display(receive a -> a after 0 -> none end),
    receive never -> ok end.
