%% The step of a suspended process that looks at the clock was not recognised in a schedule: at the
%% end of the run it was known by another object.
-module(suspended_before_clock).
-export([run/0]).

run() ->
    {P, M} = spawn_monitor(fun() -> erlang:monotonic_time(millisecond) end),
    erlang:display(erlang:suspend_process(P)),
    receive {'DOWN', M, _, _, Reason} -> erlang:display(Reason) end.
