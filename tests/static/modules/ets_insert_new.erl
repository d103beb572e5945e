%% insert_new looks and writes at once.
-module(ets_insert_new).
-export([init/0, ensure/1]).

init() -> ets:new(ets_insert_new, [named_table, public]).

ensure(Key) ->
    case ets:lookup(ets_insert_new, Key) of
        [] -> ets:insert_new(ets_insert_new, {Key, 0});
        _ -> true
    end.
