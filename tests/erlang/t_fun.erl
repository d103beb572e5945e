%% Funs: local, external, with free variables; comprehensions; calls.
-module(t_fun).
-export([simple/0, free_variables/0, many_free/0, nested/0, recursive/0, recursive_free/0,
         clauses/0, local_reference/0, external_reference/0, external_print/0,
         computed_external/0, external_undefined/0, bad_function/0, bad_arity/0,
         function_clause_in_fun/0, fun_info/0, fun_info_local/0, fun_info_local_name/0,
         fun_info_local_pid/0, fun_info_mfa/0, fun_info_bad/0, fun_to_list_external/0,
         fun_printed/0, make_fun/0, is_builtin/0, unloaded/0, unloaded_handled/0, undefined_lambda/3, undefined_function/3, equality/0, as_keys/0, send_fun/0,
         fun_in_process/0, higher_order/0, map_fold/0, apply_fun/0, tail_call_fun/0,
         shadowing/0, closures_list/0, y_combinator/0, church/0, sixteen_free/0,
         list_comprehension/0, comprehension_filter/0, comprehension_nested/0,
         comprehension_dependent/0, comprehension_pattern/0, comprehension_bad/0,
         comprehension_guard_fails/0, comprehension_bool_call/0, pythagorean/0,
         binary_comprehension/0, binary_from_list/0, binary_bits/0,
         binary_to_list_comprehension/0, binary_comprehension_filter/0,
         binary_comprehension_pattern/0, binary_comprehension_nested/0,
         binary_comprehension_odd_tail/0, binary_comprehension_unaligned/0,
         binary_comprehension_binary/0, mixed_generators/0, sieve/0]).
-export([plus/2, captured/1]).
-include("t.hrl").

plus(A, B) -> A + B.
captured(X) -> fun(Y) -> {X, Y} end.

simple() -> F = fun(X) -> X + 1 end, {F(1), F(?ID(2)), (fun() -> ok end)()}.
free_variables() -> A = ?ID(1), B = ?ID("b"), C = ?ID({c}), F = fun(X) -> {A, B, C, X} end, F(x).

many_free() ->
    [A, B, C, D, E, G, H, I] = ?ID([1, 2, 3, 4, 5, 6, 7, 8]),
    F = fun(X, Y) -> [X, A, B, C, D, E, G, H, I, Y] end,
    F(first, last).

nested() -> F = fun(X) -> fun(Y) -> fun(Z) -> {X, Y, Z} end end end, ((F(1))(2))(3).
recursive() -> F = fun Fact(0) -> 1; Fact(N) -> N * Fact(N - 1) end, F(10).

recursive_free() ->
    K = ?ID(3),
    F = fun Loop(0, Acc) -> Acc; Loop(N, Acc) -> Loop(N - 1, [N * K | Acc]) end,
    F(5, []).

clauses() ->
    F = fun(0) -> zero; (X) when X > 0 -> positive; (_) -> negative end,
    [F(X) || X <- [0, 1, -1]].

local_reference() -> F = fun plus/2, {F(1, 2), is_function(F, 2)}.
external_reference() -> F = fun lists:reverse/1, {F([1, 2]), F}.
external_print() -> {fun lists:map/2, fun t_fun:plus/2, fun erlang:'+'/2}.
computed_external() -> M = ?ID(t_fun), F = ?ID(plus), A = ?ID(2), (fun M:F/A)(3, 4).

external_undefined() ->
    [?TRY((fun lists:nosuch/1)(1)), ?TRY((fun nomod:f/0)()), ?TRY((?ID(fun nomod:f/2))(1, 2))].

bad_function() -> [?TRY((?ID(X))(1)) || X <- [1, a, {lists, map}, "x", #{}]].
bad_arity() -> [?TRY((?ID(fun lists:map/2))(1)), fun_arity(?TRY((?ID(fun(X) -> X end))()))].
fun_arity({error, {badarity, {F, Args}}}) -> {badarity, is_function(F), Args}.
function_clause_in_fun() -> F = fun(1) -> ok end, ?TRY(F(?ID(2))).
fun_info() -> [{K, V} || {K, V} <- erlang:fun_info(fun lists:map/2), K =/= pid].

fun_info_local() ->
    X = ?ID(5),
    F = fun(Y) -> X + Y end,
    [erlang:fun_info(F, K) || K <- [type, arity, module, env, new_index, index]].

fun_info_local_name() -> {name, N} = erlang:fun_info(fun(Y) -> Y end, name), N.
fun_info_local_pid() -> {pid, P} = erlang:fun_info(fun(Y) -> Y end, pid), P =:= self().
fun_info_mfa() -> {erlang:fun_info_mfa(?ID(captured(1))), ?TRY(erlang:fun_info_mfa(?ID(a)))}.

fun_info_bad() ->
    [?TRY(erlang:fun_info(?ID(a), arity)), ?TRY(erlang:fun_info(fun lists:map/2, ?ID(nosuch)))].

fun_to_list_external() -> erlang:fun_to_list(fun lists:map/2).
fun_printed() -> captured(?ID(1)).

make_fun() ->
    F = erlang:make_fun(lists, sum, 1),
    {F([1, 2, 3]), F =:= fun lists:sum/1, ?TRY(erlang:make_fun(a, b, ?ID(-1)))}.

is_builtin() -> [erlang:is_builtin(erlang, M, A) || {M, A} <- [{self, 0}, {nosuch, 0}, {'+', 2}]].
equality() -> {captured(1) =:= captured(1), captured(1) =:= captured(2), fun plus/2 =:= fun plus/2}.
as_keys() -> M = #{fun lists:map/2 => a, fun lists:foldl/3 => b}, maps:get(fun lists:map/2, M).
send_fun() -> self() ! captured(9), receive F -> F(8) end.

fun_in_process() ->
    S = self(),
    X = ?ID([1, 2]),
    spawn(fun() -> S ! {got, X ++ [3]} end),
    receive {got, L} -> L end.

higher_order() ->
    Compose = fun(F, G) -> fun(X) -> F(G(X)) end end,
    (Compose(fun(X) -> X * 2 end, fun(X) -> X + 1 end))(5).

map_fold() ->
    {lists:map(fun(X) -> X * X end, [1, 2, 3]),
     lists:foldl(fun(X, A) -> [X | A] end, [], [1, 2, 3]),
     lists:foldr(fun(X, A) -> [X | A] end, [], [1, 2, 3]),
     lists:filter(fun(X) -> X > 1 end, [1, 2, 3])}.

apply_fun() ->
    {apply(fun(A, B) -> A - B end, [5, 3]), apply(fun plus/2, [1, 1]),
     apply(t_fun, plus, [2, 2])}.

tail_call_fun() -> F = fun(G, N) -> case N of 0 -> done; _ -> G(G, N - 1) end end, F(F, 10000).
shadowing() -> X = ?ID(1), F = fun(X) -> X + 1 end, {X, F(10)}.
closures_list() -> Fs = [fun() -> I * I end || I <- [1, 2, 3]], [F() || F <- Fs].

y_combinator() ->
    Y = fun(F) -> (fun(X) -> X(X) end)(fun(X) -> F(fun(A) -> (X(X))(A) end) end) end,
    (Y(fun(Self) -> fun(0) -> 1; (N) -> N * Self(N - 1) end end))(6).

church() ->
    Two = fun(F) -> fun(X) -> F(F(X)) end end,
    Three = fun(F) -> fun(X) -> F(F(F(X))) end end,
    ((Two(Three))(fun(N) -> N + 1 end))(0).

sixteen_free() ->
    [A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P] = ?ID(lists:seq(1, 16)),
    (fun(X) -> A + B + C + D + E + F + G + H + I + J + K + L + M + N + O + P + X end)(100).

list_comprehension() -> [X * 2 || X <- [1, 2, 3]].
comprehension_filter() -> [X || X <- lists:seq(1, 20), X rem 2 =:= 0, X > 5].
comprehension_nested() -> [{X, Y} || X <- [1, 2, 3], Y <- [a, b], X =/= 2].
comprehension_dependent() -> [{X, Y} || X <- [1, 2, 3], Y <- lists:seq(1, X)].
comprehension_pattern() -> [V || {ok, V} <- [{ok, 1}, error, {ok, 2}, {no, 3}]].

comprehension_bad() ->
    [?TRY([X || X <- ?ID(a)]), ?TRY([X || X <- ?ID([1 | 2])]), ?TRY([X || X <- [1], ?ID(5)]),
     ?TRY([X || <<X>> <= ?ID(a)])].

comprehension_guard_fails() -> [X || X <- [a, 1, {}, 2], X + 1 > 0].
comprehension_bool_call() -> [X || X <- [1, 2, 3, 4], lists:member(X, [2, 4])].

pythagorean() ->
    [{A, B, C} || A <- lists:seq(1, 20), B <- lists:seq(A, 20), C <- lists:seq(B, 20),
     A * A + B * B =:= C * C].

binary_comprehension() -> << <<(X + 1)>> || <<X>> <= <<1, 2, 3>> >>.
binary_from_list() -> << <<X:16>> || X <- [1, 2, 300] >>.
binary_bits() -> << <<(1 - B):1>> || <<B:1>> <= <<16#AA>> >>.
binary_to_list_comprehension() -> [X || <<X:4>> <= <<16#12, 16#34>>].
binary_comprehension_filter() -> << <<X>> || <<X>> <= <<"hello world">>, X =/= $o >>.
binary_comprehension_pattern() -> [{A, B} || <<1:4, A:4, B:8>> <= <<16#12, 5, 16#23, 6, 16#14, 7>>].
binary_comprehension_nested() -> << <<A, B>> || <<A>> <= <<1, 2>>, B <- [8, 9] >>.
binary_comprehension_odd_tail() -> [X || <<X:3>> <= <<1:3, 2:3, 3:3, 1:1>>].
binary_comprehension_unaligned() -> << <<X:3>> || X <- [1, 2, 3, 4, 5] >>.
binary_comprehension_binary() -> << <<B/binary, $,>> || B <- [<<"a">>, <<"bc">>, <<>>] >>.
mixed_generators() -> [{X, Y} || <<X>> <= <<1, 2>>, Y <- [a, b]].
sieve() -> sieve(lists:seq(2, 60)).
sieve([]) -> [];
sieve([P | T]) -> [P | sieve([X || X <- T, X rem P =/= 0])].

with_free(X, Y) -> fun(Z) -> {X, Y, Z} end.

%% In the external format of OTP 25 the atom of the module is ATOM_EXT, later it is UTF-8.
unloaded() ->
    F = with_free(?ID(1), ?ID(2)),
    <<131, $p, Size:32, 1, Uniq:16/binary, Index:32, 2:32, Tag, Rest/binary>> = term_to_binary(F),
    Skipped = case Tag of 100 -> 2; 119 -> 1 end,
    <<L:Skipped/unit:8, _:L/binary, Numbers/binary>> = Rest,
    Make = fun(Module, U, I, Numbers1) ->
                   Body = <<1, U/binary, I:32, 2:32, 119, (byte_size(Module)), Module/binary,
                            Numbers1/binary>>,
                   binary_to_term(<<131, $p, (byte_size(Body) + 4):32, Body/binary>>)
           end,
    Missing = Make(<<"t_fun_missing">>, Uniq, Index, Numbers),
    Other = Make(<<"t_fun">>, Uniq, Index + 1000, Numbers),
    true = Size > 0,
    [{is_function(G), is_function(G, 1), is_function(G, 2), ?TRY(apply(G, ?ID([1, 2]))),
      erlang:fun_info(G, env), erlang:fun_info(G, name), erlang:fun_info(G, arity),
      erlang:fun_info(G, module), element(2, erlang:fun_info_mfa(G)),
      G =:= binary_to_term(term_to_binary(G)), G =:= F, size(term_to_binary(G)) =:=
          size(term_to_binary(F)) + size(atom_to_binary(element(2, erlang:fun_info(G, module)))) - 5,
      maps:get(binary_to_term(term_to_binary(G)), #{G => 1, F => 2}),
      erts_debug:flat_size(G) =:= erts_debug:flat_size(F)}
     || G <- [Missing, Other]] ++
    [try Missing(7) catch error:undef:Stack -> {M, A, I} = hd(Stack), {M =:= Missing, A, I} end,
     try Other(7) catch error:{badfun, B} -> B =:= Other end,
     Make(<<"t_fun">>, Uniq, Index, Numbers) =:= F,
     (Make(<<"t_fun">>, Uniq, Index, Numbers))(3),
     ?TRY(binary_to_term(<<131, $p, 300:32, 0, Uniq/binary, 0:32, 256:32, Tag, Rest/binary>>))].

undefined_lambda(Module, Fun, Args) -> {Module, is_function(Fun, length(Args)), Args}.
undefined_function(Module, Function, Args) -> error_handler:undefined_function(Module, Function, Args).

%% The process has an error_handler of its own.
unloaded_handled() ->
    Module = <<"t_fun_missing">>,
    Pid = binary:part(term_to_binary(self()), 1, size(term_to_binary(self())) - 1),
    Body = <<2, 0:128, 0:32, 0:32, 119, (byte_size(Module)), Module/binary, 97, 0, 97, 5, Pid/binary>>,
    Fun = binary_to_term(<<131, $p, (byte_size(Body) + 4):32, Body/binary>>),
    Old = process_flag(error_handler, ?MODULE),
    Results = {Fun(1, 2), ?TRY(apply(Fun, ?ID([1]))), [Fun(X, X) || X <- [a, b]], handled(Fun)},
    process_flag(error_handler, Old),
    Results.

handled(Fun) ->
    X = ?ID(1),
    _ = ?ID({X, X}),
    Fun(X, last).
