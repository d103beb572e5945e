%% Used by cross_facade; no race by itself.
-module(cross_writer).
-export([store/2]).

store(Key, N) -> ets:insert(cross_table, {Key, N}). %% write: a [cross_facade]
