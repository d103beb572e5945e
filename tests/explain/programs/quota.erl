%% Two processes count hits with a lookup and an insert.
-module(quota).
-export([test/0, two_tables/0]).

hit(Tab, User) ->
    case ets:lookup(Tab, User) of
        [] -> ets:insert(Tab, {User, 1});
        [{_, N}] -> ets:insert(Tab, {User, N + 1})
    end.

test() ->
    hit_twice(ets:new(quota, [public])).

two_tables() ->
    ets:insert(ets:new(quota, [public]), {alice, 0}),
    hit_twice(ets:new(quota, [public])).

hit_twice(Tab) ->
    Refs = [element(2, spawn_monitor(fun() -> hit(Tab, alice) end)) || _ <- [1, 2]],
    [receive {'DOWN', Ref, process, _, normal} -> ok end || Ref <- Refs],
    [{alice, 2}] = ets:lookup(Tab, alice),
    ok.
