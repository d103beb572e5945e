%% Take the first: two processes get the same one.
-module(ets_first_delete).
-export([init/0, pop/0]).

init() -> ets:new(ets_first_delete, [named_table, public, ordered_set]).

pop() ->
    case ets:first(ets_first_delete) of         %% read: a
        '$end_of_table' -> empty;
        Key -> ets:delete(ets_first_delete, Key), Key  %% write: a
    end.
