%% Keys are tuples that differ in one place.
-module(ets_other_key_tuple).
-export([init/0, copy/1]).

init() -> ets:new(ets_other_key_tuple, [named_table, public]).

copy(Id) ->
    [{_, N}] = ets:lookup(ets_other_key_tuple, {name, Id}),
    ets:insert(ets_other_key_tuple, {{title, Id}, N}).
