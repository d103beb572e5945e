%% The same name on both ends, whatever the fun is.
-module(reg_unknown_same).
-export([foo/2, taker/1]).

foo(Fun, N) ->
    case whereis(N) of                          %% read: a [--unknown-calls follow]
        undefined -> Fun(N);
        Pid -> Pid
    end.

taker(Name) -> register(Name, self()).          %% write: a [--unknown-calls follow]
