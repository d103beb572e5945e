-module(ets_other_table).
-export([init/0, move/1]).

init() ->
    ets:new(ets_other_from, [named_table, public]),
    ets:new(ets_other_to, [named_table, public]).

move(Key) ->
    [{_, N}] = ets:lookup(ets_other_from, Key),
    ets:insert(ets_other_to, {Key, N}).
