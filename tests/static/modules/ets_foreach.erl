%% Through a library function that runs a fun.
-module(ets_foreach).
-export([init/0, bump/1]).

init() -> ets:new(ets_foreach, [named_table, public]).

bump(Keys) ->
    lists:foreach(
      fun(K) ->
              [{_, N}] = ets:lookup(ets_foreach, K),  %% read: a
              ets:insert(ets_foreach, {K, N + 1})     %% write: a
      end, Keys).
