%% Three timers and three ends whose order the test can see. A run was left out in which the last timer
%% comes before the sleep: the branch to which it belonged had been left out of account, because the
%% rest of the first run with this reversal had two ends in another order.
-module(timer_before_sleep).
-export([run/0]).

run() ->
    [spawn_monitor(fun() -> erlang:send_after(T, nobody, late) end) || T <- [10, 2000, 10]],
    receive never -> ok after 2000 -> ok end.
