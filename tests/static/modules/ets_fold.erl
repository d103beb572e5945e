%% Read all in one place, write each in a fun that maps:fold runs.
-module(ets_fold).
-export([init/0, bump/2]).

init() -> ets:new(ets_fold, [named_table, public]).

bump(Key, Map) ->
    [{_, Old}] = ets:lookup(ets_fold, Key),     %% read: a
    maps:fold(fun(_, V, _) -> ets:insert(ets_fold, {Key, Old + V}) end, ok, Map).  %% write: a
