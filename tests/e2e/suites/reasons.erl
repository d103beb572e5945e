%% Two processes race for one line, which then ends in one of two ways; and the same in order. Two
%% loops without end.
-module(reasons).
-export([both/0, numbers/0, first/0, second/0, fixed/0]).

both() ->
    Self = self(),
    spawn(fun() -> Self ! {first, 1} end),
    spawn(fun() -> Self ! {second, 2} end),
    receive {Which, N} -> exit({Which, N}) end.

numbers() ->
    Self = self(),
    spawn(fun() -> Self ! 1 end),
    spawn(fun() -> Self ! 2 end),
    receive N -> exit({bad, N}) end.

first() -> go_first(1).

second() -> go_second(1).

go_first(N) -> go_first(-N).

go_second(N) -> go_second(-N).

fixed() ->
    ok.
