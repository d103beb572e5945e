-module(transfer).
-export([test/0]).
account(B) -> receive
    {withdraw, N, From} when N =< B -> From ! {self(), ok}, account(B - N);
    {withdraw, _, From} -> From ! {self(), no}, account(B);
    {deposit, N} -> account(B + N);
    {balance, From} -> From ! {self(), B}, account(B) end.
balance(A) -> A ! {balance, self()}, receive {A, B} -> B end.
transfer(A, B, N) ->
    case balance(A) >= N of
        true -> A ! {withdraw, N, self()}, B ! {deposit, N}, receive {A, ok} -> ok; {A, no} -> failed end;
        false -> failed
    end.
test() ->
    A = spawn(fun() -> account(100) end), B = spawn(fun() -> account(0) end),
    Ps = [spawn_monitor(fun() -> transfer(A, B, 80) end) || _ <- [1, 2]],
    [receive {'DOWN', R, process, P, _} -> ok end || {P, R} <- Ps],
    100 = balance(A) + balance(B).
