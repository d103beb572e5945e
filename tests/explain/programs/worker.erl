%% A worker that is stopped before it gets its job.
-module(worker).
-export([test/0, named/0, work/1]).

work(Boss) ->
    receive
        {job, N} -> Boss ! {done, N}, work(Boss);
        stop -> ok
    end.

test() ->
    Boss = self(),
    W = spawn(?MODULE, work, [Boss]),
    spawn(fun() -> W ! {job, 1} end),
    spawn(fun() -> W ! stop end),
    receive {done, 1} -> ok end.

%% Funs in messages.
named() ->
    Self = self(),
    W = spawn(fun() -> receive {run, F} -> F(Self) end end),
    [spawn(fun() -> W ! {run, F} end) || F <- [fun work/1, fun(B) -> B ! early end, fun(B) -> work(B) end]],
    spawn(fun() -> W ! stop end),
    receive early -> ok end.
