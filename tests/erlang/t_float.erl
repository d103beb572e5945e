%% Floats: arithmetic, conversion, printing, mixed comparison with integers.
-module(t_float).
-export([add_edges/0, sub_edges/0, mul_edges/0, div_edges/0, negate_edges/0, abs_edges/0,
         trunc_edges/0, round_halves/0, floor_negative/0, mixed_compare/0, mixed_add/0,
         mixed_mul/0, mixed_div/0, mixed_sort/0, mixed_usort/0, to_float/0, overflow/0,
         underflow/0, negative_zero/0, exact_zero/0, zero_key/0, print_edges/0, to_list/0,
         to_list_decimals/0, to_list_compact/0, to_list_scientific/0, to_list_short/0,
         to_binary/0, to_binary_decimals/0, to_binary_short/0, from_list/0, from_binary/0,
         round_trip/0, string_to_float/0, format_e/0, format_f/0, format_g/0, format_w/0,
         math_functions/0, math_inverse/0, math_errors/0, math_logs/0, math_pow/0, math_two/0,
         constants_in_code/0, float_loop/0, polynomial/0, mixed_polynomial/0, horner/0,
         newton/0, mandelbrot/0, float_guards/0, failed_guard_arith/0, is_float_list/0,
         match_float/0, bits_of_floats/0, bits_of_small_floats/0, bits_of_half_floats/0,
         floats_of_bits/0, nan_does_not_match/0, inf_does_not_match/0]).
-include("t.hrl").

-define(EDGES, [0.0, 1.0, -1.0, 0.1, -0.5, 1.5, 2.5, -2.5, 1.0e10, 1.0e-10, 1.0e100, 1.0e-300,
                1.7976931348623157e308, 2.2250738585072014e-308, 5.0e-324, 3.141592653589793,
                123456789.123456789, 9007199254740992.0, 9007199254740993.0]).
-define(MIXED, [0, 1, -1, 1.0, 2.5, 9007199254740992, 9007199254740993, 9007199254740992.0,
                1 bsl 60, 1152921504606846976.0, 1 bsl 1023, 8.98846567431158e307, 1 bsl 1100,
                -(1 bsl 1100), 1.0e300, 0.5, 576460752303423487, 576460752303423488.0]).

add_edges() -> tlib:pairs(fun(A, B) -> A + B end, ?EDGES, ?EDGES).
sub_edges() -> tlib:pairs(fun(A, B) -> A - B end, ?EDGES, ?EDGES).
mul_edges() -> tlib:pairs(fun(A, B) -> A * B end, ?EDGES, ?EDGES).
div_edges() -> tlib:pairs(fun(A, B) -> A / B end, ?EDGES, ?EDGES).
negate_edges() -> [-A || A <- ?EDGES].
abs_edges() -> [abs(-A) || A <- ?EDGES].
trunc_edges() -> [{trunc(A), round(A), floor(A), ceil(A)} || A <- ?EDGES].

round_halves() ->
    [round(X) || X <- [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999999999999994, 4503599627370497.5]].

floor_negative() -> [{floor(X), ceil(X), trunc(X)} || X <- [-0.1, -1.0, -1.9, 1.9, -1.0e20, 5, -5]].
mixed_compare() -> [[comparisons(A, B) || B <- ?MIXED] || A <- ?MIXED].

comparisons(A, B) ->
    lists:foldl(fun(true, N) -> 2 * N + 1; (false, N) -> 2 * N end, 0,
                [A < B, A =< B, A == B, A =:= B, A > B, A >= B]).

mixed_add() -> tlib:pairs(fun(A, B) -> A + B end, ?MIXED, [0.0, 1.5]).
mixed_mul() -> tlib:pairs(fun(A, B) -> A * B end, ?MIXED, [1.0, 0.5]).
mixed_div() -> tlib:pairs(fun(A, B) -> A / B end, ?MIXED, [1, 3, 2.0]).
mixed_sort() -> lists:sort(?MIXED).
mixed_usort() -> lists:usort(?MIXED).
to_float() -> [?TRY(float(X)) || X <- ?MIXED].

overflow() ->
    [?TRY(?ID(1.0e308) * ?ID(10.0)), ?TRY(?ID(1.0e308) + ?ID(1.0e308)), ?TRY(?ID(1.0) / ?ID(0.0)),
     ?TRY(?ID(1.0) / ?ID(0)), ?TRY(?ID(0.0) / ?ID(0.0)), ?TRY(float(?ID(1 bsl 2000))),
     ?TRY(?ID(1 bsl 2000) / ?ID(2)), ?TRY(?ID(1 bsl 2000) * ?ID(1.0))].

underflow() -> {?ID(5.0e-324) / 2, ?ID(1.0e-300) * ?ID(1.0e-300)}.
negative_zero() -> Z = ?ID(0.0) * -1, {Z == 0.0, Z == 0, 0.0 + Z == 0.0, math:atan2(Z, -1.0)}.
exact_zero() -> ?ID(0.0) =:= ?ID(-0.0).
zero_key() -> maps:size(#{?ID(0.0) => a, ?ID(-0.0) => b}).
print_edges() -> ?EDGES.
to_list() -> [float_to_list(X) || X <- ?EDGES].

to_list_decimals() ->
    [float_to_list(X, [{decimals, D}]) || X <- [0.0, 1.0, -3.14159, 1.0e10, 0.005, 1.5, 2.675],
     D <- [0, 1, 2, 10]].

to_list_compact() ->
    [float_to_list(X, [{decimals, 8}, compact]) || X <- [0.0, 1.5, -2.25, 0.1, 123.000001]].

to_list_scientific() ->
    [float_to_list(X, [{scientific, D}]) || X <- [0.0, 1.5, -12345.678, 1.0e-7], D <- [0, 3, 20]].

to_list_short() -> [float_to_list(X, [short]) || X <- ?EDGES].
to_binary() -> [float_to_binary(X) || X <- [0.0, 1.5, -2.0e10]].
to_binary_decimals() -> [float_to_binary(X, [{decimals, 4}, compact]) || X <- [0.0, 1.5, -2.0e10]].
to_binary_short() -> [float_to_binary(X, [short]) || X <- ?EDGES].

from_list() ->
    [?TRY(list_to_float(S)) || S <- ["1.0", "-1.5e10", "1.0e-5", "1", "1.", ".5", "1e5", "+2.5",
                                     "1.0e400", "", "abc", "1.5x", "0.0", "-0.0e0"]].

from_binary() -> [?TRY(binary_to_float(S)) || S <- [<<"1.0">>, <<"2.5E3">>, <<"x">>, <<"3">>]].
round_trip() -> [list_to_float(float_to_list(X, [short])) =:= X || X <- ?EDGES].
string_to_float() -> [string:to_float(S) || S <- ["1.5abc", "-2.0e3,", "5", "x", "", <<"1.25 y">>]].

format_e() ->
    [lists:flatten(io_lib:format("~e ~.3e ~10.4e", [X, X, X])) || X <- [1.5, -0.001, 1.0e50]].

format_f() ->
    [lists:flatten(io_lib:format("~f ~.3f ~10.2f", [X, X, X])) || X <- [1.5, -0.001, 1.0e10]].

format_g() ->
    [lists:flatten(io_lib:format("~g ~.3g ~12.4g", [X, X, X]))
     || X <- [1.5, -0.001, 1.0e10, 1.0e-10]].

format_w() ->
    [lists:flatten(io_lib:format("~w ~p ~W", [X, X, X, 5])) || X <- [1.5, -0.0001, 1.0e22]].

math_functions() ->
    [{F, ?TRY(math:F(X))} || F <- [sin, cos, tan, exp, sqrt, floor, ceil],
     X <- [0, 0.5, 1, 2.25]].

math_inverse() ->
    [{F, ?TRY(math:F(X))} || F <- [asin, acos, atan, sinh, cosh, tanh, asinh], X <- [0, 0.5, 1]].

math_errors() ->
    [?TRY(math:sqrt(-1)), ?TRY(math:log(0)), ?TRY(math:log(-1)), ?TRY(math:acos(2)),
     ?TRY(math:exp(10000)), ?TRY(math:fmod(1, 0)), ?TRY(math:sqrt(a)), ?TRY(math:atanh(1)),
     ?TRY(math:acosh(0.5)), ?TRY(math:log2(0))].

math_logs() ->
    [math:log(2.5), math:log2(8), math:log10(1000), math:log2(1 bsl 60), math:log10(1.0e10)].

math_pow() -> [?TRY(math:pow(A, B)) || A <- [0, 1, 2, 2.5, -2], B <- [0, 1, 10, -1, 0.5, -0.5]].

math_two() ->
    [math:atan2(1, 2), math:fmod(7.5, 2), math:fmod(-7, 3), math:erf(0.5), math:erfc(0.5),
     math:pi()].

constants_in_code() -> X = ?ID(2.0), {X + 1, 1 + X, X * 0.5, X / 4, 4 / X, X - 0.25, -X, X * X * X}.
float_loop() -> float_loop(1000, 0.0, 1.0).
float_loop(0, Sum, _) -> Sum;
float_loop(N, Sum, X) -> float_loop(N - 1, Sum + X * 0.5, X * 0.99 + 0.001).
polynomial() -> [3.0 * X * X - 2.0 * X + 1.0 || X <- [0.0, 0.5, -1.5, 1.0e5]].
mixed_polynomial() -> [3 * X * X - 2 * X + 1 || X <- [0.0, 0.5, -1.5, 4, 1 bsl 30]].
horner() -> lists:foldl(fun(C, Acc) -> Acc * 1.1 + C end, 0.0, [1, 2.5, -3, 4.0e-5]).
newton() -> newton(2.0, 1.0, 20).
newton(_, X, 0) -> X;
newton(N, X, K) -> newton(N, (X + N / X) / 2, K - 1).
mandelbrot() -> [escape(X / 4, Y / 4, 0.0, 0.0, 0) || Y <- lists:seq(-4, 4), X <- lists:seq(-8, 2)].
escape(_, _, _, _, 50) -> 50;
escape(_, _, Zr, Zi, N) when Zr * Zr + Zi * Zi > 4.0 -> N;
escape(Cr, Ci, Zr, Zi, N) -> escape(Cr, Ci, Zr * Zr - Zi * Zi + Cr, 2.0 * Zr * Zi + Ci, N + 1).
float_guards() -> [guard(X) || X <- [1.0, 0.5, -1.0, 3, a, 1 bsl 70]].
guard(X) when is_float(X), X > 0.75 -> big_float;
guard(X) when X + 0.5 > 3.0, is_number(X) -> sum;
guard(X) when X * 2.0 < -1.0 -> product;
guard(_) -> none.
failed_guard_arith() -> [guard2(X) || X <- [1.0e308, a, 0.0, 2.0]].
guard2(X) when X * 10.0 > 1.0 -> yes;
guard2(X) when 1.0 / X > 0.1 -> small;
guard2(_) -> failed.
is_float_list() -> [is_float(X) || X <- [1, 1.0, a, -0.0]].
match_float() -> [match(X) || X <- [1.0, 1, 2.5, 0.0, -0.0]].
match(1.0) -> one;
match(2.5) -> two_and_half;
match(0.0) -> zero;
match(_) -> other.
bits_of_floats() -> [<<X/float>> || X <- ?EDGES].
bits_of_small_floats() -> [<<X:32/float>> || X <- [0.0, 1.0, -2.5, 0.1, 1.0e10]].
bits_of_half_floats() -> [<<X:16/float>> || X <- [0.0, 1.0, -2.5, 0.1, 65504.0]].
floats_of_bits() -> [F || <<F/float>> <= <<1:64, 16#3ff0000000000000:64, 16#7fe0000000000000:64>>].
nan_does_not_match() -> case ?ID(<<16#7ff8000000000000:64>>) of <<F/float>> -> F; _ -> no end.
inf_does_not_match() -> case ?ID(<<16#7ff0000000000000:64>>) of <<F/float>> -> F; _ -> no end.
