%% The skeleton of a graph computation, one of the actor programs of the Bita paper, written anew:
%% vertices are processes, each holds a number and tells its neighbours when it becomes smaller;
%% in the end all hold the smallest. A coordinator finds out when that is.
%%
%% early/0 is wrong: a vertex reports that it is idle when it has handled a signal, and the
%% coordinator believes it is over when each vertex has said so once; but a vertex may be woken
%% again. early_counted/0 counts: a vertex announces each signal before it sends it, and the
%% coordinator waits until as many have been handled as were announced. That is right on one node,
%% where a message is there when it is sent, and wrong between nodes: the announcement may arrive
%% after the news that a neighbour has handled the signal, and the count is zero too early. In
%% early_fixed/0 a vertex sends its signals only when its announcement has arrived.
%%
%% expect: early => bug,abnormal-exit
%% expect: early --strategy coverage --criterion all --max-runs 10 => bug
%% expect: early_counted --max-runs 5000 => no-bug-found
%% expect: early_counted --delivery async --strategy coverage --max-runs 50 => bug
%% expect: early_fixed --max-runs 5000 => no-bug-found
%% expect: early_fixed --delivery async --strategy coverage --max-runs 300 => no-bug-found
%% expect: early_fixed --delivery async --strategy random --max-runs 3000 => no-bug-found
-module(bita_graph).
-export([early/0, early_counted/0, early_fixed/0]).

early() -> compute(idle_once).
early_counted() -> compute(counted).
early_fixed() -> compute(confirmed).

%% Three vertices in a line, the smallest number at one end.
compute(Kind) ->
    Coordinator = self(),
    Vertices = [spawn(fun() -> vertex_starts(Kind, Value, Coordinator) end) || Value <- [3, 2, 1]],
    [A, B, C] = Vertices,
    [V ! {neighbours, Ns} || {V, Ns} <- [{A, [B]}, {B, [A, C]}, {C, [B]}]],
    wait_for_end(Kind, Vertices),
    [1, 1, 1] = [ask(V) || V <- Vertices],
    [V ! stop || V <- Vertices].

ask(Vertex) ->
    Vertex ! {value, self()},
    receive {value, Vertex, Value} -> Value end.

wait_for_end(idle_once, Vertices) ->
    [receive {idle, V} -> ok end || V <- Vertices];
wait_for_end(_, Vertices) ->
    %% Each vertex owes the handling of its neighbours message.
    count(length(Vertices)).

count(0) -> ok;
count(Open) ->
    receive
        {announced, N} -> count(Open + N);
        {announced, N, From, Ref} -> From ! {noted, Ref}, count(Open + N);
        handled -> count(Open - 1)
    end.

vertex_starts(Kind, Value, Coordinator) ->
    receive
        {neighbours, Neighbours} ->
            signal(Kind, Value, Neighbours, Coordinator),
            vertex(Kind, Value, Neighbours, Coordinator)
    end.

vertex(Kind, Value, Neighbours, Coordinator) ->
    receive
        {signal, New} when New < Value ->
            signal(Kind, New, Neighbours, Coordinator),
            vertex(Kind, New, Neighbours, Coordinator);
        {signal, _} ->
            signal(Kind, Value, [], Coordinator),
            vertex(Kind, Value, Neighbours, Coordinator);
        {value, From} ->
            From ! {value, self(), Value},
            vertex(Kind, Value, Neighbours, Coordinator);
        stop ->
            ok
    end.

%% Tells the neighbours, and then the coordinator that this message has been handled.
signal(idle_once, Value, Neighbours, Coordinator) ->
    [V ! {signal, Value} || V <- Neighbours],
    Coordinator ! {idle, self()};
signal(counted, Value, Neighbours, Coordinator) ->
    Coordinator ! {announced, length(Neighbours)},
    [V ! {signal, Value} || V <- Neighbours],
    Coordinator ! handled;
signal(confirmed, Value, Neighbours, Coordinator) ->
    Ref = make_ref(),
    Coordinator ! {announced, length(Neighbours), self(), Ref},
    receive {noted, Ref} -> ok end,
    [V ! {signal, Value} || V <- Neighbours],
    Coordinator ! handled.
