%% A little of every family of instructions, for the disassembler's golden test and as the
%% seed of the .beam fuzzer. small.beam beside it was compiled once, with
%%   erlc +deterministic +no_debug_info small.erl
%% by OTP 25, and is kept, so that the expected text does not depend on the installed compiler.
-module(small).
-behaviour(gen_server).
-export([sum/1, classify/1, bits/1, build/2, maps/2, floats/2, ask/2, safe/1, closures/1,
         update/1, big/0, init/1, handle_call/3, handle_cast/2]).
-record(r, {a, b = 2, c = "c"}).

sum([H | T]) -> H + sum(T);
sum([]) -> 0.

classify(X) when is_atom(X) -> atom;
classify({}) -> empty;
classify({_}) -> one;
classify({ok, _, _}) -> three;
classify(X) when X > 3, X =< 10 -> middle;
classify("abc") -> text;
classify(1) -> one;
classify(2) -> two;
classify('strange atom') -> 'Ünï';
classify(_) -> other.

bits(<<A:8, B:4/little-signed, "xyz", Rest/bitstring>>) -> {A, B, Rest};
bits(<<C/utf8, _/binary>>) -> C.

build(A, B) -> <<A:16, "hello", B/binary, A/utf8>>.

maps(M, K) ->
    #{K := V, key := W} = M,
    M#{V => W, key := [1, 2.5, <<"bin">>, #{}]}.

floats(A, B) when is_float(A), is_float(B) -> A * B - 1.0 / A.

ask(Pid, Msg) ->
    Ref = make_ref(),
    Pid ! {self(), Ref, Msg},
    receive {Ref, Answer} -> Answer after 1000 -> timeout end.

safe(F) ->
    try F() of
        ok -> catch F()
    catch
        throw:T:S -> {T, S};
        error:_ -> error
    end.

closures(L) ->
    N = length(L),
    lists:map(fun(X) -> X + N end, L) ++ lists:map(fun erlang:abs/1, L).

update(R = #r{a = A}) -> R#r{b = A, c = A}.

big() -> [123456789012345678901234567890, -5, 70000, -1 bsl 70].

init(_) -> {ok, ets:new(small, [named_table, public])}.
handle_call(X, _, S) -> {reply, X, S}.
handle_cast(_, S) -> {noreply, S}.
