%% Used by cross_owner; alone, the table's creation is not seen.
-module(cross_user).
-export([inc/2]).

inc(T, K) ->
    [{_, N}] = ets:lookup(T, K),                %% read: a [cross_owner] [--all]
    ets:insert(T, {K, N + 1}).                  %% write: a [cross_owner] [--all]
