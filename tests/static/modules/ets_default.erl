%% Without a word on access a table is protected.
-module(ets_default).
-export([init/0, inc/1]).

init() -> ets:new(ets_default, [named_table]).

inc(Key) ->
    [{_, N}] = ets:lookup(ets_default, Key),
    ets:insert(ets_default, {Key, N + 1}).
