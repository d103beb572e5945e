-module(ets_update_element).
-export([init/0, inc/1]).

init() -> ets:new(ets_update_element, [named_table, public]).

inc(Key) ->
    N = ets:lookup_element(ets_update_element, Key, 2),        %% read: a
    ets:update_element(ets_update_element, Key, {2, N + 1}).   %% write: a
