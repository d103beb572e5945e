%% Two processes race for one line, which then ends in one of two ways; and the same in order.
-module(reasons).
-export([both/0, fixed/0]).

both() ->
    Self = self(),
    spawn(fun() -> Self ! {first, 1} end),
    spawn(fun() -> Self ! {second, 2} end),
    receive {Which, N} -> exit({Which, N}) end.

fixed() ->
    ok.
