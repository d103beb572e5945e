%% Two calls of a library, each the last of its function: no frame of the program is left on the stack.
-module(tails).
-export([two/0, same/0]).

two() ->
    Me = self(),
    spawn(fun() -> Me ! a end),
    spawn(fun() -> Me ! b end),
    spawn(fun() -> Me ! c end),
    go(receive X -> X end).

go(a) -> lists:last([]);
go(b) -> lists:nth(1, []);
go(c) -> ok.

%% The same call in every schedule, with other arguments.
same() ->
    Me = self(),
    spawn(fun() -> Me ! 1 end),
    spawn(fun() -> Me ! 2 end),
    spawn(fun() -> Me ! c end),
    nth(receive X -> X end).

nth(c) -> ok;
nth(N) -> lists:nth(N, []).
