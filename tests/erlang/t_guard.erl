%% Guards: type tests, guard functions, failure inside guards, boolean operators.
-module(t_guard).
-export([type_tests/0, type_tests_special/0, classify/0, function_arity/0, function_arity_bad/0,
         records/0, size_guards/0, element_guards/0, list_guards/0, map_guards/0,
         arith_guards/0, semicolons/0, failing_alternative/0, boolean_operators/0,
         boolean_errors/0, short_circuit/0, nested_boolean/0, bool_values/0, if_expressions/0,
         if_clause/0, binary_part_guard/0, self_guard/0, float_guard/0, min_max_outside/0,
         in_comprehension/0, guard_bif_in_body/0, body_errors/0]).
-include("t.hrl").
-record(point, {x, y}).

-define(VALUES, [1, 1.5, 1 bsl 70, a, true, "str", [], [a | b], {}, {a}, {point, 1, 2}, #{},
    #{k => v},
                 <<>>, <<"bin">>, <<1:3>>, fun lists:map/2]).

type_tests() ->
    [[is_integer(V), is_float(V), is_number(V), is_atom(V), is_boolean(V), is_list(V),
      is_tuple(V), is_map(V), is_binary(V), is_bitstring(V), is_function(V), is_function(V, 2),
      is_pid(V), is_reference(V), is_port(V)] || V <- ?VALUES].

type_tests_special() ->
    [[is_pid(V), is_reference(V), is_function(V), is_port(V), is_atom(V)]
     || V <- [self(), make_ref(), fun() -> ok end, ok]].

classify() -> [classify(V) || V <- ?VALUES].
classify(V) when is_integer(V) -> integer;
classify(V) when is_float(V) -> float;
classify(V) when is_boolean(V) -> boolean;
classify(V) when is_atom(V) -> atom;
classify([]) -> nil;
classify([_ | T]) when is_list(T) -> list;
classify([_ | _]) -> improper;
classify(#point{x = X}) -> {point, X};
classify(V) when is_tuple(V), tuple_size(V) =:= 0 -> empty_tuple;
classify(V) when is_tuple(V) -> tuple;
classify(V) when is_map(V), map_size(V) =:= 0 -> empty_map;
classify(V) when is_map(V) -> map;
classify(V) when is_binary(V) -> binary;
classify(V) when is_bitstring(V) -> bitstring;
classify(V) when is_function(V, 2) -> fun2;
classify(_) -> other.

function_arity() ->
    Fs = [fun() -> a end, fun(_) -> a end, fun erlang:self/0, fun lists:foldl/3],
    [[is_function(F, N) || N <- [0, 1, 2, 3]] || F <- Fs].

function_arity_bad() -> [?TRY(is_function(?ID(fun() -> a end), ?ID(N))) || N <- [-1, a, 1 bsl 70]].

records() ->
    [{is_record(V, point), is_record(V, point, 3), is_record(V, point, 2)}
     || V <- [#point{}, {point}, {point, 1, 2}, {pint, 1, 2}, point, ?ID(#point{x = 1})]].

size_guards() -> [size_guard(V) || V <- ?VALUES].
size_guard(V) when tuple_size(V) > 1 -> big_tuple;
size_guard(V) when byte_size(V) > 1 -> big_binary;
size_guard(V) when bit_size(V) =:= 3 -> three_bits;
size_guard(V) when map_size(V) =:= 1 -> one_key;
size_guard(V) when length(V) =:= 3 -> three;
size_guard(V) when size(V) =:= 1 -> size_one;
size_guard(_) -> none.
element_guards() -> [element_guard(V) || V <- [{a, 1}, {b}, {}, x, {a, 2, 3}, {1, a}]].
element_guard(V) when element(1, V) =:= a, element(2, V) =:= 1 -> a1;
element_guard(V) when element(1, V) =:= a -> a;
element_guard(V) when element(2, V) =:= a -> second;
element_guard(_) -> none.
list_guards() -> [list_guard(V) || V <- [[1, 2], [a], [], x, [[b]]]].
list_guard(V) when hd(V) =:= 1, tl(V) =:= [2] -> one_two;
list_guard(V) when hd(hd(V)) =:= b -> nested;
list_guard(V) when hd(V) =:= a -> a;
list_guard(_) -> none.
map_guards() -> [map_guard(V) || V <- [#{a => 1}, #{a => 2}, #{b => 1}, #{}, x]].
map_guard(M) when map_get(a, M) =:= 1 -> a1;
map_guard(M) when is_map_key(a, M) -> a;
map_guard(M) when is_map_key(b, M) -> b;
map_guard(_) -> none.
arith_guards() -> [arith_guard(V) || V <- [1, 2, 10, a, 0, 1.5, -3]].
arith_guard(V) when V rem 2 =:= 0, V div 2 =:= 1 -> two;
arith_guard(V) when 10 div V =:= 1 -> ten_ish;
arith_guard(V) when abs(V) =:= 3 -> three;
arith_guard(V) when trunc(V) =:= 1 -> one_ish;
arith_guard(V) when round(V * 2) =:= 0 -> zero;
arith_guard(_) -> none.
semicolons() -> [semi(V) || V <- [1, a, "x", {1}, {a}]].
semi(V) when is_integer(V); is_atom(V) -> simple;
semi(V) when hd(V) =:= $x; element(1, V) =:= a -> found;
semi(_) -> none.
failing_alternative() -> [alternative(V) || V <- [1, a, {}]].
alternative(V) when length(V) > 0; V =:= a -> yes;
alternative(V) when length(V) > 0 orelse V =:= 1 -> unreachable;
alternative(_) -> no.

boolean_operators() ->
    [{A and B, A or B, A xor B, not A} || A <- [true, false], B <- [true, false]].

boolean_errors() ->
    [?TRY(?ID(1) and ?ID(true)), ?TRY(?ID(true) or ?ID(a)), ?TRY(not ?ID(x)),
     ?TRY(?ID(true) xor ?ID(1)), ?TRY(?ID(1) andalso true), ?TRY(?ID(x) orelse true),
     ?TRY(?ID(false) and ?ID(1)), ?TRY(?ID(true) andalso 5), ?TRY(?ID(false) orelse 5)].

short_circuit() ->
    [?TRY(?ID(false) andalso exit(no)), ?TRY(?ID(true) orelse exit(no)),
     ?TRY(?ID(true) andalso exit(yes)), ?TRY(?ID(false) orelse exit(yes))].

nested_boolean() -> [nested(A, B) || A <- [1, 5, 10], B <- [a, "l", 7]].
nested(A, B) when (A > 3 andalso is_atom(B)) orelse (A < 3 andalso not is_atom(B)) -> one;
nested(A, B) when not (A =:= 10 orelse is_list(B)), is_integer(B) xor (A =:= 5) -> two;
nested(_, _) -> three.
bool_values() -> [begin B = X > 2, {B, not B, is_boolean(B)} end || X <- [1, 2, 3]].

if_expressions() ->
    [if X > 10 -> big; X > 5 -> medium; X < 0 -> negative; true -> small end
     || X <- [-1, 0, 6, 11, a]].

if_clause() -> ?TRY(if_only(?ID(1))).
if_only(X) -> if X > 5 -> yes; X < 0 -> no end.
binary_part_guard() -> [part(B) || B <- [<<"abc">>, <<"xbc">>, <<"a">>, <<>>, x]].
part(B) when binary_part(B, 1, 2) =:= <<"bc">>, binary_part(B, {0, 1}) =:= <<"a">> -> abc;
part(B) when binary_part(B, 1, 2) =:= <<"bc">> -> bc;
part(_) -> none.
self_guard() -> P = self(), if P =:= self(), node() =:= node(P) -> same; true -> different end.
float_guard() -> [if float(X) =:= 1.0 -> one; true -> other end || X <- [1, 1.0, 2, a]].
min_max_outside() -> [min(1, a), max(1, a), min([], {}), max(1, 1.0), min(1.0, 1)].
in_comprehension() -> [X || X <- ?VALUES, is_tuple(X) orelse is_list(X)].
guard_bif_in_body() -> [?TRY(hd(?ID(V))) || V <- [[1], [], a]].

body_errors() ->
    [?TRY(tl(?ID([]))), ?TRY(element(?ID(3), ?ID({1, 2}))), ?TRY(element(?ID(0), {a})),
     ?TRY(tuple_size(?ID([]))), ?TRY(byte_size(?ID(a))), ?TRY(bit_size(?ID(1))),
     ?TRY(length(?ID([a | b]))), ?TRY(map_size(?ID(a))), ?TRY(size(?ID([]))),
     ?TRY(map_get(k, ?ID(#{}))), ?TRY(map_get(k, ?ID(x))), ?TRY(is_map_key(k, ?ID(x))),
     ?TRY(abs(?ID(a))), ?TRY(trunc(?ID(a))), ?TRY(float(?ID(a))), ?TRY(hd(?ID(a))),
     ?TRY(binary_part(?ID(<<1>>), ?ID(0), ?ID(2))), ?TRY(element(?ID(a), {1}))].
