%% Nobody else knows the array.
-module(atomic_array_local).
-export([sum/1]).

sum(L) ->
    A = atomics:new(1, []),
    lists:foreach(fun(X) -> atomics:put(A, 1, atomics:get(A, 1) + X) end, L),
    atomics:get(A, 1).
