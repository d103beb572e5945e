-module(ets_protected).
-export([init/0, inc/1]).

init() -> ets:new(ets_protected, [named_table, protected, set]).

inc(Key) ->
    [{_, N}] = ets:lookup(ets_protected, Key),
    ets:insert(ets_protected, {Key, N + 1}).
