%% Objects that are inserted between the two are lost.
-module(ets_drain).
-export([init/0, drain/0]).

init() -> ets:new(ets_drain, [named_table, public]).

drain() ->
    All = ets:tab2list(ets_drain),              %% read: a
    ets:delete_all_objects(ets_drain),          %% write: a
    All.
