%% A public table that nobody else ever gets to know.
-module(ets_local).
-export([count/1]).

count(Items) ->
    T = ets:new(scratch, [public]),
    lists:foreach(fun(I) -> inc(T, I) end, Items),
    L = ets:tab2list(T),
    ets:delete(T),
    L.

inc(T, I) ->
    case ets:lookup(T, I) of
        [] -> ets:insert(T, {I, 1});
        [{_, N}] -> ets:insert(T, {I, N + 1})
    end.
