%% Tests that sleep. Only the first one fails because its own sleep may end early.
-module(sleeping).
-export([lets_others_work/0, helpers_race/0, loses_a_message/0]).

lets_others_work() ->
    ets:new(t, [named_table, public]),
    spawn(fun() -> ets:insert(t, {done, 1}) end),
    timer:sleep(50),
    [{done, 1}] = ets:lookup(t, done).

%% The test waits long enough; which helper is first is open all the same.
helpers_race() ->
    ets:new(t, [named_table, public]),
    Test = self(),
    spawn(fun() -> timer:sleep(10), ets:insert(t, {done, 1}) end),
    spawn(fun() -> timer:sleep(10), Test ! ets:lookup(t, done) end),
    timer:sleep(50),
    receive [{done, 1}] -> ok; [] -> exit(lost) end.

%% A timeout of a receive that waits for something is not a sleep.
loses_a_message() ->
    Test = self(),
    spawn(fun() -> Test ! reply end),
    receive reply -> ok after 50 -> exit(timeout) end.
