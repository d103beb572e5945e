%% A search of about a second: long enough for workers to get parts of it.
-module(rows).
-export([table/0, messages/0]).

%% Three processes read, write and read one row of a table; a fourth reads it.
table() ->
    Test = self(),
    Table = ets:new(t, [public]),
    ets:insert(Table, {x, 0}),
    [spawn(fun() ->
                   [{x, N}] = ets:lookup(Table, x),
                   ets:insert(Table, {x, N + 1}),
                   [{x, M}] = ets:lookup(Table, x),
                   Test ! {done, M}
           end) || _ <- [1, 2, 3]],
    spawn(fun() -> Test ! {done, ets:lookup(Table, x)} end),
    [receive {done, _} -> ok end || _ <- [1, 2, 3, 4]].

%% Five processes tell a sixth their number, and it tells them in which order.
messages() ->
    Test = self(),
    Server = spawn(fun() -> answer(0) end),
    [spawn(fun() ->
                   Server ! {self(), N},
                   receive {order, Order} -> Test ! {done, Order} end
           end) || N <- [1, 2, 3, 4, 5]],
    [receive {done, _} -> ok end || _ <- [1, 2, 3, 4, 5]],
    exit(Server, kill).

answer(Order) ->
    receive {From, _} -> From ! {order, Order}, answer(Order + 1) end.
