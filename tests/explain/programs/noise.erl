%% A process that polls its mailbox for a word gets another one.
-module(noise).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! {go, now} end),
    wait().

wait() ->
    receive
        go -> ok
    after 50 -> wait()
    end.
