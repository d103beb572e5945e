%% A walk over the table that deletes as it goes.
-module(ets_next_delete).
-export([init/0, clear/0]).

init() -> ets:new(ets_next_delete, [named_table, public, ordered_set]).

clear() -> clear(ets:first(ets_next_delete)).   %% read: a

clear('$end_of_table') -> ok;
clear(Key) ->
    Next = ets:next(ets_next_delete, Key),      %% read: a
    ets:delete(ets_next_delete, Key),           %% write: a
    clear(Next).
