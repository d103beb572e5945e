%% A counter in a table; add/1 reads and then writes. The smallest test: two additions in
%% parallel that give the same.
-module(lossy).
-export([initial_state/0, command/1, precondition/2, next_state/3, postcondition/3, setup/0]).
-export([add/1]).

initial_state() -> 0.
command(_) -> {call, ?MODULE, add, [proper_types:integer(1, 100)]}.
precondition(_, _) -> true.
next_state(S, _, {call, _, add, [N]}) -> S + N.
postcondition(S, {call, _, add, [N]}, Result) -> Result =:= S + N.

setup() -> ets:new(?MODULE, [named_table, public]), ets:insert(?MODULE, {n, 0}).

add(N) ->
    [{n, Old}] = ets:lookup(?MODULE, n),
    ets:insert(?MODULE, {n, Old + N}),
    Old + N.
