%% A timer that fires beside an unrelated step of the process that cancels it. Whether the process that the
%% timer is for lives was a part of the cancellation only if the timer fired behind that step: three
%% classes, where there are two.
-module(cancelled_behind_timer).
-export([run/0]).

run() ->
    Self = self(),
    Table = ets:new(table, [public]),
    {_, M} = spawn_monitor(fun() ->
        Timer = erlang:send_after(5, Self, late),
        ets:last(Table),
        erlang:cancel_timer(Timer) end),
    receive {'DOWN', M, _, _, _} -> ok end.
