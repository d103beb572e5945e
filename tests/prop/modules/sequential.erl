%% A property that makes its commands with PropEr itself.
-module(sequential).
-export([prop_run/0]).

prop_run() ->
    proper:forall(proper_types:integer(), fun(_) ->
        {_, _, Result} = proper_statem:run_commands(counter, []),
        Result =:= ok
    end).
