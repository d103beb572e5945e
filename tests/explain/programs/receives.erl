%% The receive in which a process waits is named by its own line and patterns, wherever the compiler has
%% put it.
-module(receives).
-export([clauses/0, sequence/0, sorted/0, nested/0, in_funs/0, in_list/0, alike/0, timed/0]).

%% receives in two clauses
wait(fast) ->
    receive
        {fast, X} -> X
    end;
wait(slow) ->
    receive
        {slow, Y} -> Y
    end.

clauses() ->
    Me = self(),
    spawn(fun() -> Me ! {fast, 1} end),
    spawn(fun() -> Me ! {slow, 1} end),
    R = receive M -> M end,
    case R of
        {slow, _} -> wait(slow);
        {fast, _} -> wait(slow)
    end.

%% two in sequence
collect() ->
    A = receive {a, V} -> V end,
    B = receive {b, W} -> W end,
    {A, B}.

sequence() ->
    Me = self(),
    spawn(fun() -> Me ! {a, 1} end),
    spawn(fun() -> Me ! {b, 1} end),
    receive {b, _} -> ok; {a, _} -> ok end,
    collect().

%% many clauses: integer first
w(3) -> receive three -> ok end;
w(1) -> receive one -> ok end;
w(2) -> receive two -> ok end.

sorted() ->
    Me = self(),
    spawn(fun() -> Me ! 1 end),
    spawn(fun() -> Me ! 2 end),
    N = receive X -> X end,
    if N =:= 1 -> ok; true -> w(N) end.

%% case with nested receives, after
c(K) ->
    receive
        {go, K} ->
            receive
                {done, K} -> ok
            end;
        stop ->
            receive
                {stopped, K} -> ok
            end
    end.

nested() ->
    Me = self(),
    spawn(fun() -> Me ! {go, 1} end),
    spawn(fun() -> Me ! stop end),
    spawn(fun() -> Me ! {done, 1} end),
    c(1).

%% two funs of one function
in_funs() ->
    Me = self(),
    A = spawn(fun() -> receive {first, X} -> Me ! X end end),
    B = spawn(fun() -> receive {second, X} -> Me ! X end end),
    spawn(fun() -> exit(B, kill) end),
    A ! {first, 1},
    B ! {second, 2},
    receive 1 -> ok end,
    receive 2 -> ok end.

%% in a list comprehension
in_list() ->
    Me = self(),
    spawn(fun() -> Me ! {part, 1} end),
    spawn(fun() -> Me ! {part, 2} end),
    _ = receive {part, N} -> N end,
    if N =:= 1 -> ok; true -> [receive {part, I, end_of_it} -> I end || I <- [1, 2]] end.

%% the same patterns twice, told apart by the calls around them
alike() ->
    Me = self(),
    P = spawn(fun() -> Me ! {answer, 1}, receive go -> Me ! {answer, 2} end end),
    spawn(fun() -> exit(P, kill) end),
    receive {answer, _} -> ok end,
    erlang:display(half),
    P ! go,
    receive {answer, _} -> ok end,
    erlang:display(done).

%% a constant pattern, with timeouts
timed() ->
    Me = self(),
    spawn(fun() -> Me ! {reply, 1} end),
    spawn(fun() -> Me ! {reply, 2} end),
    A = receive {reply, X} -> X after 10 -> none end,
    receive {reply, 2} -> ok after 20 -> exit({late, A}) end.
