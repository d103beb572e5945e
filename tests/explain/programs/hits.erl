-module(hits).
-export([test/0]).
count(Page) ->
    case ets:lookup(hits, Page) of
        [] -> ets:insert(hits, {Page, 1});
        [{_, N}] -> ets:insert(hits, {Page, N + 1})
    end.
test() ->
    ets:new(hits, [named_table, public]),
    Refs = [spawn_monitor(fun() -> count(index) end) || _ <- [1, 2]],
    [receive {'DOWN', R, process, P, normal} -> ok end || {P, R} <- Refs],
    [{index, 2}] = ets:lookup(hits, index).
