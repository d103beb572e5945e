%% Cases that fail by ct:fail, in the last call and before it.
-module(fails_SUITE).
-export([all/0, tail/1, inner/1]).
all() -> [tail, inner].
tail(_) ->
    Self = self(),
    spawn(fun() -> Self ! a end),
    receive a -> ct:fail("not ~p", [good]) end.
inner(_) ->
    Self = self(),
    spawn(fun() -> Self ! a end),
    receive a -> ct:fail(not_good) end,
    ok.
