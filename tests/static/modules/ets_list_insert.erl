%% One of several objects inserted at once has the key.
-module(ets_list_insert).
-export([init/0, inc/1]).

init() -> ets:new(ets_list_insert, [named_table, public]).

inc(Key) ->
    [{_, N}] = ets:lookup(ets_list_insert, Key),                    %% read: a
    ets:insert(ets_list_insert, [{last, Key}, {Key, N + 1}]).       %% write: a
