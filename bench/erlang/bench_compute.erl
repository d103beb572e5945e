%% Pure computation: calls, lists, floats, exceptions, text.
-module(bench_compute).
-export([fib/1, sort/1, reverse/1, float/1, throw/1, format/1]).

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).

%% Numbers of a fixed generator, so that both VMs sort the same list; its products stay small.
sort(Size) ->
    lists:nth(Size div 2 + 1, lists:sort(scatter(Size, 12345, []))).

scatter(0, _, Numbers) -> Numbers;
scatter(N, X, Numbers) -> scatter(N - 1, X * 48271 rem 2147483647, [X | Numbers]).

%% The naive reverse of 30 elements, Size times: 496 calls each.
reverse(Size) ->
    reverse_often(Size, lists:seq(1, 30), []).

reverse_often(0, _, Last) -> Last;
reverse_often(N, List, _) -> reverse_often(N - 1, List, reverse_naively(List)).

reverse_naively([]) -> [];
reverse_naively([Head | Tail]) -> append(reverse_naively(Tail), [Head]).

append([], Tail) -> Tail;
append([Head | Rest], Tail) -> [Head | append(Rest, Tail)].

float(Size) ->
    multiply_add(Size, 0.5).

multiply_add(0, X) -> X;
multiply_add(N, X) -> multiply_add(N - 1, X * 0.999 + 0.25).

throw(Size) ->
    throw_often(Size, 0).

throw_often(0, Sum) ->
    Sum;
throw_often(N, Sum) ->
    Caught =
        try fail(N)
        catch throw:{failed, _} -> 1
        end,
    throw_often(N - 1, Sum + Caught).

fail(N) when N > 0 -> erlang:throw({failed, N});
fail(N) -> N.

format(Size) ->
    format_often(Size, 0).

format_often(0, Length) ->
    Length;
format_often(N, Length) ->
    Text = io_lib:format("~p", [{row, N, [a, "text", <<"bytes">>], 1.5}]),
    format_often(N - 1, Length + iolist_size(Text)).
