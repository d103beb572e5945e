%% Calls that are right, and a clean-up that is not.
-module(unclean).
-export([initial_state/0, command/1, precondition/2, next_state/3, postcondition/3, setup/0,
         cleanup/0]).
-export([nop/0]).

initial_state() -> [].
command(_) -> {call, ?MODULE, nop, []}.
precondition(_, _) -> true.
next_state(S, _, _) -> S.
postcondition(_, _, Result) -> Result =:= ok.

setup() -> ok.
cleanup() -> error(full).

nop() -> ok.
