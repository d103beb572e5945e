-module(ets_other_key).
-export([init/0, next/0]).

init() -> ets:new(ets_other_key, [named_table, public]).

next() ->
    [{_, N}] = ets:lookup(ets_other_key, old),
    ets:insert(ets_other_key, {new, N}).
