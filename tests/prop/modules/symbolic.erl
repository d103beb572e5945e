%% The state of the model holds symbolic calls of results: made as soon as the results are known.
-module(symbolic).
-export([initial_state/0, command/1, precondition/2, next_state/3, postcondition/3]).
-export([box/1, row/1]).

initial_state() -> #{box => [], row => []}.

command(_) ->
    proper_types:oneof([{call, ?MODULE, box, [proper_types:integer()]},
                        {call, ?MODULE, row, [proper_types:integer()]}]).

precondition(_, _) -> true.

next_state(#{box := Boxes} = S, V, {call, _, box, _}) ->
    S#{box := [{call, erlang, element, [2, V]} | Boxes]};
next_state(#{row := Rows} = S, V, {call, _, row, _}) ->
    S#{row := [{call, erlang, hd, [V]} | Rows]}.

postcondition(#{box := Boxes}, {call, _, box, [N]}, Result) ->
    lists:all(fun is_integer/1, Boxes) andalso Result =:= {box, N};
postcondition(#{row := Rows}, {call, _, row, [N]}, Result) ->
    lists:all(fun is_integer/1, Rows) andalso Result =:= [N, N].

box(N) -> {box, N}.
row(N) -> [N, N].
