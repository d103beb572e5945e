%% The table's name and both operations are hidden in small functions.
-module(ets_wrapper).
-export([init/0, inc/1]).

tab() -> ets_wrapper_table.

init() -> create(tab(), [public]).

create(Name, Options) -> ets:new(Name, [named_table | Options]).

fetch(Key) ->
    case ets:lookup(tab(), Key) of              %% read: a
        [{_, V}] -> V;
        [] -> 0
    end.

store(Key, Value) -> ets:insert(tab(), {Key, Value}).  %% write: a

inc(Key) -> store(Key, fetch(Key) + 1).
