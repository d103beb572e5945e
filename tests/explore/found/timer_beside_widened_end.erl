%% The end of the test, after which no timer fires, had more accesses than room, so it depended on every
%% step; then it was taken for the end of the run, which keeps back nothing that was blocked. Classes
%% in which the timer fires were left out, and the rest was certified.
-module(timer_beside_widened_end).
-export([run/0]).

run() ->
    S = self(),
    P = spawn(fun() -> erlang:send_after(5, S, a) end),
    erlang:display(length(processes())),
    erlang:suspend_process(P).
