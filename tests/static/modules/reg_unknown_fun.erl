%% Section 4.2 of the paper: what Fun is, nobody knows here.
-module(reg_unknown_fun).
-export([foo/3, taker/1]).

foo(Fun, N, M) ->
    case whereis(N) of                          %% read: a [--unknown-calls follow --all]
        undefined -> Fun(M);
        Pid -> Pid
    end.

taker(Name) -> register(Name, self()).          %% write: a [--unknown-calls follow --all]
