%% The first digits of pi, worked out by one process and printed by another: the small benchmark
%% of the Concuerror paper, written anew (a spigot over big integers). There is no bug; it shows
%% how few interleavings matter when two processes only pass messages one way.
%%
%% expect: pidigits8 --strategy dpor => proved,executions=1
%% expect: pidigits8 --strategy bounded --bound 2 => proved
%% expect: pidigits4 --strategy dfs => proved
-module(pidigits).
-export([pidigits8/0, pidigits4/0]).

pidigits8() -> run(8).
pidigits4() -> run(4).

run(N) ->
    Printer = spawn(fun() -> print([]) end),
    digits(N, 1, 0, 1, 1, 3, 3, Printer),
    Printer ! eof.

print(Digits) ->
    receive
        {digit, D} -> print([$0 + D | Digits]);
        eof -> io:put_chars([lists:reverse(Digits), $\n])
    end.

%% Gibbons' unbounded spigot: when the next digit is certain it is sent, else a term is consumed.
digits(0, _, _, _, _, _, _, _) ->
    ok;
digits(Left, Q, R, T, K, D, X, Printer) when 4 * Q + R - T < D * T ->
    Printer ! {digit, D},
    Next = (10 * (3 * Q + R)) div T - 10 * D,
    digits(Left - 1, Q * 10, 10 * (R - D * T), T, K, Next, X, Printer);
digits(Left, Q, R, T, K, _, X, Printer) ->
    D = (Q * (7 * K + 2) + R * X) div (T * X),
    digits(Left, Q * K, (2 * Q + R) * X, T * X, K + 1, D, X + 2, Printer).
