%% Processes that receive selectively: many orders of two receives are not possible, and the receives
%% themselves show it, so that almost no schedule is run in vain.
-module(selective).
-export([phases/0, guarded/0, mixed/0]).

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
