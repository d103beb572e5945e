%% Two classic programs over ETS whose number of different executions is known exactly.
%%
%% readers_N: N readers and one writer of one key: 2^N. lastzero_N: writer j sets a[j] to
%% a[j-1] + 1 and a reader walks down from a[N] to the first zero. No bugs.
%%
%% expect: readers_4 --strategy dpor => proved,executions=16
%% expect: readers_8 --strategy dpor => proved,executions=256
%% expect: readers_10 --strategy dpor => proved,executions=1024
%% expect: readers_12 --strategy dpor => proved,executions=4096
%% expect: lastzero_8 --strategy dpor => proved,executions=704
%% expect: lastzero_10 --strategy dpor => proved,executions=3328
-module(ets_readers).
-export([readers_4/0, readers_8/0, readers_10/0, readers_12/0, lastzero_4/0, lastzero_8/0,
         lastzero_10/0, lastzero_12/0]).

readers_4() -> readers(4).
readers_8() -> readers(8).
readers_10() -> readers(10).
readers_12() -> readers(12).
lastzero_4() -> lastzero(4).
lastzero_8() -> lastzero(8).
lastzero_10() -> lastzero(10).
lastzero_12() -> lastzero(12).

readers(N) ->
    Table = ets:new(shared, [public]),
    ets:insert(Table, {k, 0}),
    Write = fun() -> ets:insert(Table, {k, 1}) end,
    Read = fun() -> ets:lookup(Table, k) end,
    run([Write | lists:duplicate(N, Read)]).

lastzero(N) ->
    Table = ets:new(shared, [public]),
    ets:insert(Table, [{I, 0} || I <- lists:seq(0, N)]),
    Write = fun(J) -> fun() -> ets:insert(Table, {J, value(Table, J - 1) + 1}) end end,
    Writers = [Write(J) || J <- lists:seq(1, N)],
    run([fun() -> find_zero(Table, N) end | Writers]).

find_zero(Table, I) ->
    case value(Table, I) of
        0 -> I;
        _ -> find_zero(Table, I - 1)
    end.

value(Table, I) ->
    [{I, V}] = ets:lookup(Table, I),
    V.

run(Funs) ->
    Monitors = [spawn_monitor(Fun) || Fun <- Funs],
    [receive {'DOWN', M, process, _, _} -> ok end || {_, M} <- Monitors].
