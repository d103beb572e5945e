%% A state machine whose only property looks at the commands and does not run them.
-module(lengths).
-export([initial_state/0, command/1, precondition/2, next_state/3, postcondition/3]).
-export([step/0, prop_short/0]).

prop_short() ->
    proper:forall(proper_statem:commands(?MODULE), fun(Commands) -> length(Commands) < 1000 end).

initial_state() -> none.
command(_) -> {call, ?MODULE, step, []}.
precondition(_, _) -> true.
next_state(S, _, _) -> S.
postcondition(_, _, _) -> false.

step() -> ok.
