-module(atomic_array).
-export([start/0]).

start() ->
    A = atomics:new(1, []),
    [spawn(fun() -> bump(A) end) || _ <- [1, 2]],
    A.

bump(A) ->
    N = atomics:get(A, 1),                      %% read: a
    atomics:put(A, 1, N + 1).                   %% write: a
