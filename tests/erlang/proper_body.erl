%% A PropEr state machine over a counter in the process dictionary of a server, for t_tools.
-module(proper_body).
-export([initial_state/0, command/1, precondition/2, postcondition/3, next_state/3]).
-export([check/2, increment/1, reset/0]).

%% Runs the model against the counter; `Limit` is where a wrong counter begins to lie.
check(Limit, Tests) ->
    proper:quickcheck(
      proper:forall(proper_statem:commands(?MODULE),
                    fun(Commands) ->
                            put(counter, {0, Limit}),
                            {_, _, Result} = proper_statem:run_commands(?MODULE, Commands),
                            Result =:= ok
                    end),
      [quiet, {numtests, Tests}, {max_size, 20}]).

increment(By) ->
    {N, Limit} = get(counter),
    put(counter, {N + By, Limit}),
    min(N + By, Limit).

reset() ->
    {_, Limit} = get(counter),
    put(counter, {0, Limit}),
    0.

initial_state() -> 0.

command(_) ->
    proper_types:oneof([{call, ?MODULE, increment, [proper_types:range(1, 5)]},
                        {call, ?MODULE, reset, []}]).

precondition(_, _) -> true.

postcondition(N, {call, _, increment, [By]}, Result) -> Result =:= N + By;
postcondition(_, {call, _, reset, []}, Result) -> Result =:= 0.

next_state(N, _, {call, _, increment, [By]}) -> N + By;
next_state(_, _, {call, _, reset, []}) -> 0.
