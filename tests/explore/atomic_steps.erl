%% Functions of several visible operations each, for atomic.erl.
-module(atomic_steps).
-export([new/0, increment/1, increment_and_raise/1, update/2, fill/2, set/2, value/1, start/0,
         call/1]).

new() ->
    T = ets:new(counter, [public]),
    ets:insert(T, {n, 0}),
    T.

increment(T) ->
    [{n, N}] = ets:lookup(T, n),
    ets:insert(T, {n, N + 1}).

increment_and_raise(T) ->
    increment(T),
    error(on_purpose).

update(T, Fun) ->
    [{n, N}] = ets:lookup(T, n),
    ets:insert(T, {n, Fun(N)}).

fill(T, Count) ->
    [ets:insert(T, {K, self()}) || K <- lists:seq(1, Count)].

set(T, N) -> ets:insert(T, {n, N}).

value(T) ->
    [{n, N}] = ets:lookup(T, n),
    N.

start() -> spawn(fun() -> serve(1) end).

serve(N) ->
    receive {Ref, Pid} -> Pid ! {Ref, N} end,
    serve(N + 1).

call(Server) ->
    Ref = make_ref(),
    Server ! {Ref, self()},
    receive {Ref, N} -> N end.
