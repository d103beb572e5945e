%% Processes that receive selectively: many orders of two receives are not possible, and the receives
%% themselves show it, so that almost no schedule is run in vain.
-module(selective).
-export([phases/0, guarded/0, mixed/0, stopped/0, by_table/0, by_dictionary/0]).

%% First all of one kind, then all of the other, whatever the order in which they came.
phases() ->
    Self = self(),
    Collector = spawn(fun() -> collect(Self) end),
    [spawn(fun() -> Collector ! {Kind, N} end) || Kind <- [late, early], N <- [1, 2]],
    receive {collected, Early, Late} -> 2 = length(Early), 2 = length(Late) end.

collect(Main) ->
    Early = [receive {early, N} -> N end || _ <- [1, 2]],
    Late = [receive {late, N} -> N end || _ <- [1, 2]],
    Main ! {collected, Early, Late}.

%% A request waits until the guard lets it in.
guarded() ->
    Self = self(),
    Gate = spawn(fun() -> gate(1) end),
    [spawn(fun() -> visit(Gate, Self) end) || _ <- [1, 2, 3]],
    [receive left -> ok end || _ <- [1, 2, 3]].

visit(Gate, Main) ->
    Gate ! {enter, self()},
    receive welcome -> Gate ! leave end,
    Main ! left.

gate(Free) ->
    receive
        {enter, Pid} when Free > 0 -> Pid ! welcome, gate(Free - 1);
        leave -> gate(Free + 1)
    end.

%% A process that takes messages as they come beside one that does not.
mixed() ->
    Self = self(),
    Log = spawn(fun() -> log(4, [], Self) end),
    Picky = spawn(fun() -> picky(Log) end),
    [spawn(fun() -> Picky ! M, Log ! {seen, M} end) || M <- [a, b]],
    receive {log, Lines} -> 4 = length(Lines) end.

picky(Log) ->
    receive b -> Log ! {took, b} end,
    receive a -> Log ! {took, a} end.

log(0, Lines, Main) -> Main ! {log, Lines};
log(N, Lines, Main) -> receive {_, _} = Line -> log(N - 1, [Line | Lines], Main) end.

%% A server whose state never changes: if its last message ended it, the message does so whenever it
%% comes.
stopped() ->
    Server = spawn(fun serve/0),
    Clients = [spawn_monitor(fun() -> Server ! {work, N} end) || N <- [1, 2]],
    [receive {'DOWN', M, process, _, normal} -> ok end || {_, M} <- Clients],
    Server ! stop.

serve() ->
    receive
        {work, _} -> serve();
        stop -> ok
    end.

%% Its state never changes either, but a table decides whether a message ends it.
by_table() ->
    Table = ets:new(table, [public]),
    ets:insert(Table, {left, 2}),
    {Server, Monitor} = spawn_monitor(fun() -> look(Table) end),
    [spawn(fun() -> Server ! {ask, N} end) || N <- [1, 2]],
    receive {'DOWN', Monitor, process, _, normal} -> ok end.

look(Table) ->
    receive {ask, _} -> ok end,
    case ets:update_counter(Table, left, -1) of
        0 -> ok;
        _ -> look(Table)
    end.

%% The dictionary of the process decides.
by_dictionary() ->
    Server = spawn(fun() -> put(left, 2), count() end),
    [spawn(fun() -> Server ! {ask, N} end) || N <- [1, 2]],
    ok.

count() ->
    receive {ask, _} -> ok end,
    case put(left, get(left) - 1) of
        1 -> ok;
        _ -> count()
    end.
