%% Different elements.
-module(atomic_array_index).
-export([copy/1]).

copy(A) -> atomics:put(A, 2, atomics:get(A, 1)).
