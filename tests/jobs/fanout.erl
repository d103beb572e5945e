%% Programs with many classes, for searches with several processes.
-module(fanout).
-export([clients/0, table/0, store/0, polls/0, many_clients/0, wide_table/0]).

%% Clients ask a server, which counts, and report to the test.
clients() ->
    clients([1, 2, 3, 4]).

%% For measuring: 518400 classes.
many_clients() ->
    clients([1, 2, 3, 4, 5, 6]).

clients(Numbers) ->
    Server = spawn(fun() -> count(0) end),
    Test = self(),
    Clients = [spawn(fun() ->
                             Server ! {add, self(), N},
                             receive {Server, Sum} -> Test ! {done, Sum} end
                     end) || N <- Numbers],
    [receive {done, _} -> ok end || _ <- Clients],
    exit(Server, kill).

count(N) ->
    receive {add, From, More} -> From ! {self(), N + More}, count(N + More) end.

%% Processes read and write one row of a table; only their ends are messages.
table() ->
    table([1, 2, 3]).

wide_table() ->
    table([1, 2, 3, 4]).

table(Numbers) ->
    Test = self(),
    Table = ets:new(t, [public]),
    ets:insert(Table, {x, 0}),
    [spawn(fun() ->
                   [{x, N}] = ets:lookup(Table, x),
                   ets:insert(Table, {x, N + 1}),
                   [{x, M}] = ets:lookup(Table, x),
                   Test ! {done, M}
           end) || _ <- Numbers],
    [receive {done, _} -> ok end || _ <- Numbers].

%% A store with two kinds of requests, of which one has no answer.
store() ->
    Test = self(),
    Store = spawn(fun() -> keep(#{}) end),
    [spawn(fun() ->
                   Store ! {put, Key, Key},
                   Store ! {get, Key, self()},
                   receive {value, _} -> Test ! done end
           end) || Key <- [a, b, c]],
    [receive done -> ok end || _ <- [a, b, c]],
    exit(Store, kill).

keep(Map) ->
    receive
        {put, Key, Value} -> keep(Map#{Key => Value});
        {get, Key, From} -> From ! {value, maps:get(Key, Map, none)}, keep(Map)
    end.

%% A process polls for one kind of message while others send both kinds.
polls() ->
    Poller = spawn(fun() -> poll(6) end),
    [spawn(fun() -> Poller ! a, Poller ! b end) || _ <- [1, 2, 3]],
    ok.

poll(0) ->
    ok;
poll(N) ->
    receive a -> ok after 0 -> ok end,
    receive a -> poll(N - 1); b -> poll(N - 1) end.
