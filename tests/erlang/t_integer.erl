%% Integers: small, big, and the edges between them.
-module(t_integer).
-export([add_edges/0, sub_edges/0, mul_edges/0, div_edges/0, rem_edges/0, slash_edges/0,
         band_edges/0, bor_edges/0, bxor_edges/0, bnot_edges/0, negate_edges/0, plus_edges/0,
         abs_edges/0, bsl_edges/0, bsr_edges/0, bsl_negative/0, bsr_negative/0,
         bsr_huge_shift/0, bsl_huge_shift/0, compare_edges/0, min_max/0, constant_operands/0,
         small_to_big_and_back/0, div_signs/0, div_big_signs/0, div_by_zero/0, bad_types/0,
         bad_arith/0, factorials/0, factorial_200/0, factorial_quotients/0, fib_20/0, powers/0,
         modular_power/0, gcds/0, big_mul_square/0, big_identity/0, big_shift_round_trip/0,
         big_bits/0, to_list_bases/0, to_list/0, to_binary/0, to_binary_bases/0,
         list_round_trip/0, from_list/0, from_list_bases/0, from_binary/0, from_binary_bases/0,
         string_to_integer/0, list_to_integer_rest/0, int_literals/0, is_integer_guard/0,
         integer_range_guard/0, select_val_ints/0, collatz_lengths/0, isqrt_big/0, ackermann/0,
         sum_loop/0, overflow_in_loop/0, checksum/0, xorshift/0]).
-include("t.hrl").

-define(SMALL_MAX, 576460752303423487).
-define(SMALL_MIN, -576460752303423488).
-define(EDGES, [0, 1, -1, 2, -2, 7, -7, 255, 256, 65535, 65536, 2147483647, -2147483648,
                4294967295, 4294967296, ?SMALL_MAX, ?SMALL_MIN, ?SMALL_MAX + 1, ?SMALL_MIN - 1,
                9223372036854775807, -9223372036854775808, 9223372036854775808,
                18446744073709551615, 18446744073709551616, -18446744073709551616,
                123456789012345678901234567890, -123456789012345678901234567890]).
-define(FEW, [0, 1, -1, 7, -7, 65536, ?SMALL_MAX, ?SMALL_MIN, 9223372036854775808,
              -123456789012345678901234567890]).

add_edges() -> tlib:pairs(fun(A, B) -> A + B end, ?EDGES, ?EDGES).
sub_edges() -> tlib:pairs(fun(A, B) -> A - B end, ?EDGES, ?EDGES).
mul_edges() -> tlib:pairs(fun(A, B) -> A * B end, ?EDGES, ?FEW).
div_edges() -> tlib:pairs(fun(A, B) -> A div B end, ?EDGES, ?EDGES).
rem_edges() -> tlib:pairs(fun(A, B) -> A rem B end, ?EDGES, ?EDGES).
slash_edges() -> tlib:pairs(fun(A, B) -> A / B end, ?EDGES, ?EDGES).
band_edges() -> tlib:pairs(fun(A, B) -> A band B end, ?EDGES, ?EDGES).
bor_edges() -> tlib:pairs(fun(A, B) -> A bor B end, ?EDGES, ?EDGES).
bxor_edges() -> tlib:pairs(fun(A, B) -> A bxor B end, ?EDGES, ?EDGES).
bnot_edges() -> [bnot A || A <- ?EDGES].
negate_edges() -> [-A || A <- ?EDGES].
plus_edges() -> [+A || A <- ?EDGES].
abs_edges() -> [abs(A) || A <- ?EDGES].
bsl_edges() -> tlib:pairs(fun(A, B) -> A bsl B end, ?EDGES, [0, 1, 5, 58, 59, 60, 63, 64, 65, 200]).
bsr_edges() -> tlib:pairs(fun(A, B) -> A bsr B end, ?EDGES, [0, 1, 5, 58, 59, 60, 63, 64, 65, 200]).
bsl_negative() -> tlib:pairs(fun(A, B) -> A bsl B end, ?EDGES, [-1, -5, -59, -64, -200]).
bsr_negative() -> tlib:pairs(fun(A, B) -> A bsr B end, ?EDGES, [-1, -5, -59, -64, -200]).
bsr_huge_shift() -> tlib:pairs(fun(A, B) -> A bsr B end, ?EDGES, [1 bsl 70, 1 bsl 62]).

bsl_huge_shift() ->
    [?TRY(?ID(0) bsl ?ID(1 bsl 70)), ?TRY(?ID(1) bsl ?ID(1 bsl 70)),
     ?TRY(?ID(1) bsl ?ID(1 bsl 62)), ?TRY(?ID(-1) bsr ?ID(-(1 bsl 70)))].

compare_edges() -> [[comparisons(A, B) || B <- ?EDGES] || A <- ?EDGES].

comparisons(A, B) ->
    lists:foldl(fun(true, N) -> 2 * N + 1; (false, N) -> 2 * N end, 0,
                [A < B, A =< B, A == B, A =:= B, A /= B, A =/= B, A > B, A >= B]).

min_max() -> [[{min(A, B) =:= A, max(A, B) =:= A} || B <- ?FEW] || A <- ?FEW].

constant_operands() ->
    X = ?ID(41),
    {X + 1, 1 + X, X - 1, 1 - X, X * 3, 3 * X, X div 4, 400 div X, X rem 4, 400 rem X, X band 15,
     15 band X, X bor 64, X bxor 255, X bsl 3, X bsr 3, bnot X}.

small_to_big_and_back() ->
    Max = ?ID(?SMALL_MAX),
    Min = ?ID(?SMALL_MIN),
    {Max + 1, Max + 1 - 1, Min - 1, Min - 1 + 1, Max * 2 div 2 =:= Max, -Min, abs(Min),
     Min div -1, Min rem -1, (Max + 1) =:= -Min}.

div_signs() -> [{A div B, A rem B} || A <- [7, -7, 8, -8], B <- [2, -2, 3, -3]].

div_big_signs() ->
    Big = ?ID(1 bsl 100 + 12345),
    [{A div B, A rem B} || A <- [Big, -Big], B <- [7, -7, 1 bsl 61, -(1 bsl 61), Big, -Big]].

div_by_zero() ->
    [?TRY(?ID(1) div ?ID(0)), ?TRY(?ID(1) rem ?ID(0)), ?TRY(?ID(1 bsl 80) div ?ID(0)),
     ?TRY(?ID(1 bsl 80) rem ?ID(0)), ?TRY(?ID(1) / ?ID(0))].

bad_types() ->
    Bad = [a, 1.5, "x", <<>>, {}, #{}],
    [[?TRY(?ID(B) div 2), ?TRY(2 rem ?ID(B)), ?TRY(?ID(B) band 1), ?TRY(1 bor ?ID(B)),
      ?TRY(?ID(B) bxor 1), ?TRY(?ID(B) bsl 1), ?TRY(1 bsr ?ID(B)), ?TRY(bnot ?ID(B))]
     || B <- Bad].

bad_arith() ->
    Bad = [a, "x", <<>>, {}, #{}],
    [[?TRY(?ID(B) + 1), ?TRY(1 - ?ID(B)), ?TRY(?ID(B) * 2), ?TRY(1 / ?ID(B)), ?TRY(-?ID(B)),
      ?TRY(+ ?ID(B))] || B <- Bad].

factorial(0) -> 1;
factorial(N) -> N * factorial(N - 1).
factorials() -> [factorial(N) || N <- lists:seq(0, 30)].
factorial_200() -> factorial(200).
factorial_quotients() -> [factorial(100) div factorial(100 - N) || N <- lists:seq(1, 10)].

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).
fib_20() -> fib(20).

power(_, 0) -> 1;
power(B, N) when N rem 2 =:= 0 -> power(B * B, N div 2);
power(B, N) -> B * power(B, N - 1).
powers() -> [power(B, N) || B <- [2, -3, 10, 997], N <- [0, 1, 10, 60, 64, 130]].
modular_power() -> mod_power(?ID(123456789), power(10, 30) + 57, power(10, 40) + 121).
mod_power(_, 0, _) -> 1;
mod_power(B, E, M) when E band 1 =:= 1 -> B * mod_power(B, E - 1, M) rem M;
mod_power(B, E, M) -> mod_power(B * B rem M, E bsr 1, M).

gcd(A, 0) -> abs(A);
gcd(A, B) -> gcd(B, A rem B).
gcds() -> [gcd(power(2, 80) * 15, power(6, 40)), gcd(1071, 462), gcd(-12, 18)].

big_mul_square() -> A = ?ID(power(3, 500)), A * A - power(9, 500).

big_identity() ->
    As = [power(7, N) + N || N <- [20, 50, 120]],
    [begin Q = A div B, R = A rem B, Q * B + R =:= A end || A <- As, B <- As].

big_shift_round_trip() -> [((1 bsl N) + 1) bsr N || N <- [59, 60, 63, 64, 127, 128, 1000]].

big_bits() ->
    A = ?ID(16#123456789ABCDEF0123456789ABCDEF),
    B = ?ID(-16#FEDCBA9876543210FEDCBA),
    {A band B, A bor B, A bxor B, bnot A, B band 16#FFFF, B bsr 17, B bsl 17, A bsr 100}.

to_list_bases() ->
    [integer_to_list(N, B) || N <- [0, 1, -1, 255, -123456789, 1 bsl 70],
     B <- [2, 8, 10, 16, 36]].

to_list() -> [integer_to_list(N) || N <- ?EDGES].
to_binary() -> [integer_to_binary(N) || N <- ?EDGES].
to_binary_bases() -> [integer_to_binary(N, B) || N <- [0, -255, 1 bsl 70], B <- [2, 7, 16, 36]].
list_round_trip() -> [list_to_integer(integer_to_list(N)) =:= N || N <- ?EDGES].

from_list() ->
    [?TRY(list_to_integer(S)) || S <- ["0", "-0", "+5", "-17", "007", "", "-", "+", "1a", " 1",
                                       "1 ", "12345678901234567890123", "--1", a]].

from_list_bases() ->
    [?TRY(list_to_integer(S, B)) || {S, B} <- [{"ff", 16}, {"FF", 16}, {"-zz", 36}, {"102", 2},
                                               {"1", 1}, {"1", 37}, {"777", 8},
                                               {"123456789ABCDEF0123", 16}]].

from_binary() ->
    [?TRY(binary_to_integer(S))
     || S <- [<<"42">>, <<"-42">>, <<"+42">>, <<>>, <<"4x">>, <<"99999999999999999999">>, "42"]].

from_binary_bases() ->
    [?TRY(binary_to_integer(S, B))
     || {S, B} <- [{<<"zz">>, 36}, {<<"-1010">>, 2}, {<<"G">>, 16}, {<<"1">>, 99}]].

string_to_integer() ->
    [string:to_integer(S) || S <- ["12abc", "abc", "-5 x", "+7", "", "0x10", <<"34rest">>]].

list_to_integer_rest() -> [string:list_to_integer(S) || S <- ["12x", "x", ""]].

int_literals() -> {16#FF, 2#1010, 36#ZZ, $a, $\n, 1_000_000, -16#8000000000000000}.
is_integer_guard() -> [is_integer(X) || X <- [1, 1.0, 1 bsl 70, a, "1"]].
integer_range_guard() -> [in_range(X) || X <- [-1, 0, 5, 10, 11, 5.0, a, 1 bsl 80]].
in_range(X) when is_integer(X), X >= 0, X =< 10 -> inside;
in_range(X) when is_integer(X) -> outside;
in_range(_) -> other.

select_val_ints() -> [kind(X) || X <- [0, 1, 2, 3, 100, -1, 1 bsl 64, 1.0]].
kind(0) -> zero;
kind(1) -> one;
kind(2) -> two;
kind(3) -> three;
kind(100) -> hundred;
kind(-1) -> minus_one;
kind(18446744073709551616) -> huge;
kind(_) -> other.

collatz(1, N) -> N;
collatz(X, N) when X rem 2 =:= 0 -> collatz(X div 2, N + 1);
collatz(X, N) -> collatz(3 * X + 1, N + 1).
collatz_lengths() -> [collatz(X, 0) || X <- lists:seq(1, 30)].

isqrt(N) -> isqrt(N, N).
isqrt(N, X) ->
    Y = (X + N div X) div 2,
    if Y >= X -> X;
       true -> isqrt(N, Y)
    end.

isqrt_big() -> isqrt(?ID(power(10, 100) * 2)).
ackermann() -> [ack(M, N) || M <- [0, 1, 2], N <- [0, 3, 5]].
ack(0, N) -> N + 1;
ack(M, 0) -> ack(M - 1, 1);
ack(M, N) -> ack(M - 1, ack(M, N - 1)).

sum_loop() -> sum(100000, 0).
sum(0, Acc) -> Acc;
sum(N, Acc) -> sum(N - 1, Acc + N).
overflow_in_loop() -> grow(100, ?SMALL_MAX - 50).
grow(0, X) -> X;
grow(N, X) -> grow(N - 1, X + 1).

checksum() ->
    lists:foldl(fun(X, Acc) -> (Acc * 31 + X) band 16#FFFFFFFF end, 7, lists:seq(1, 1000)).

xorshift() -> xorshift(10, 16#123456789ABCDEF).
xorshift(0, X) -> [X];
xorshift(N, X0) ->
    X1 = (X0 bxor (X0 bsl 13)) band 16#FFFFFFFFFFFFFFFF,
    X2 = X1 bxor (X1 bsr 7),
    X3 = (X2 bxor (X2 bsl 17)) band 16#FFFFFFFFFFFFFFFF,
    [X3 | xorshift(N - 1, X3)].
