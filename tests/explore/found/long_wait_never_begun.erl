%% A process has a message when it begins to wait for one with a long timeout, so the timer is not
%% started; in another order it is, beside the short timer of the other process. Only dfs saw both
%% timers and learned that it matters when they are started.
-module(long_wait_never_begun).
-export([run/0]).

run() ->
    S = self(),
    {P, M} = spawn_monitor(fun() ->
        S ! a,
        receive b -> ok after 2000 -> none end end),
    P ! b,
    Got = receive a -> a after 10 -> none end,
    receive {'DOWN', M, _, _, _} -> erlang:display(Got) end.
