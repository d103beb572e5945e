-module(atomic_array_fixed).
-export([start/0]).

start() ->
    A = atomics:new(2, []),
    [spawn(fun() -> atomics:add(A, 1, 1) end) || _ <- [1, 2]],
    A.
