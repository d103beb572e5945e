%% Wrong: the process may have ended before it is traced.
-module(late_for_the_dead).
-export([test/0, count/1, looks/0]).

test() ->
    1 = erlang:trace_pattern({?MODULE, count, 1}, true, [local]),
    Pid = spawn(fun() -> receive never -> ok after 0 -> count(0) end end),
    1 = erlang:trace(Pid, true, [call]),
    receive {trace, Pid, call, _} -> ok end.

count(0) -> done.

%% Wrong: nobody sends it.
looks() -> receive stop -> ok after 0 -> timer:sleep(10), looks() end.
