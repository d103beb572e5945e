-module(ets_named).
-export([init/0, inc/1]).

init() -> ets:new(ets_named, [named_table, public, set]).

inc(Key) ->
    N = case ets:lookup(ets_named, Key) of      %% read: a
            [] -> 0;
            [{_, V}] -> V
        end,
    ets:insert(ets_named, {Key, N + 1}).        %% write: a
