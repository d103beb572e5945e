%% Exceptions: try, catch, after, raise, classes, reasons.
-module(t_exception).
-export([classes/0, try_of/0, try_clause/0, default_class/0, pattern_in_catch/0, old_catch/0,
         old_catch_error/0, old_catch_arith/0, nested_catch/0, after_runs/0,
         after_value_ignored/0, after_raises/0, after_in_order/0, catch_and_after/0,
         catch_raises/0, of_not_protected/0, rethrow/0, rethrow_unmatched/0, raise_classes/0,
         raise_bad/0, error_with_args/0, error_with_options/0, exit_normal/0, throw_values/0,
         builtin_reasons/0, uncaught_error/0, uncaught_exit/0, uncaught_throw/0,
         uncaught_arith/0, uncaught_badmatch/0, uncaught_undef/0, uncaught_function_clause/0,
         deep_unwind/0, many_tries/0, try_in_loop/0, nested_three/0, variables_across/0,
         receive_in_try/0, exception_in_fun/0, exception_in_comprehension/0,
         catch_in_arguments/0, catch_with_registers/0, catch_tail/0, maybe_badarg_info/0,
         nif_error/0, exit_signal_to_self/0, exit_kill_in_child/0, child_reasons/0,
         format_exception/0]).
-export([fail/1]).
-include("t.hrl").

fail({error, R}) -> error(R);
fail({exit, R}) -> exit(R);
fail({throw, R}) -> throw(R);
fail(Value) -> Value.

classes() ->
    [try fail(?ID(X)) of V -> {value, V} catch C:R -> {C, R} end
     || X <- [1, {error, e}, {exit, x}, {throw, t}]].

try_of() ->
    [try fail(?ID(X)) of 1 -> one; {a, Y} -> Y catch throw:T -> {thrown, T} end
     || X <- [1, {a, b}, {throw, t}]].

try_clause() -> ?TRY(try ?ID(3) of 1 -> one catch _:_ -> caught end).

default_class() ->
    [?TRY(try fail(?ID(X)) catch R -> {thrown, R} end)
     || X <- [{throw, t}, {error, e}, {exit, x}]].

pattern_in_catch() ->
    [?TRY(try fail(?ID(X)) catch error:{a, Y} -> Y; exit:Z when is_atom(Z) -> {exited, Z} end)
     || X <- [{error, {a, 1}}, {error, b}, {exit, x}, {exit, 1}]].

old_catch() -> [catch fail(?ID(X)) || X <- [1, {throw, t}, {exit, x}]].
old_catch_error() -> {'EXIT', {R, S}} = (catch fail(?ID({error, e}))), {R, is_list(S)}.
old_catch_arith() -> {'EXIT', {R, [{M, F, _, _} | _]}} = (catch 1 + ?ID(a)), {R, M, F}.
nested_catch() -> catch {catch throw(?ID(a)), catch exit(?ID(b)), throw(?ID(c))}.

after_runs() ->
    [begin R = ?TRY(try fail(?ID(X)) after self() ! {after_ran, X} end), {R, tlib:drain([])} end
     || X <- [1, {error, e}, {throw, t}, {exit, x}]].

after_value_ignored() -> try ?ID(1) after ?ID(2) end.
after_raises() -> ?TRY(try error(first) after throw(second) end).
after_in_order() -> try try self() ! a after self() ! b end after self() ! c end, tlib:drain([]).

catch_and_after() ->
    R = try fail(?ID({error, e})) catch error:E -> {caught, E} after self() ! ran end,
    {R, tlib:drain([])}.

catch_raises() ->
    R = ?TRY(try error(a) catch error:a -> throw(b) after self() ! ran end),
    {R, tlib:drain([])}.

of_not_protected() -> ?TRY(try ?ID(1) of 1 -> throw(from_of) catch throw:_ -> wrong end).
rethrow() -> ?TRY(try error(deep) catch C:R:S -> erlang:raise(C, R, S) end).

rethrow_unmatched() ->
    [?TRY(try fail(?ID(X)) catch throw:special -> s end) || X <- [{throw, other}, {error, e}]].

raise_classes() -> [?TRY(erlang:raise(C, r, [])) || C <- [error, exit, throw]].

raise_bad() ->
    [erlang:raise(?ID(C), r, ?ID(S)) || {C, S} <- [{bad, []}, {error, a}, {error, [x]}, {1, []}]].

error_with_args() -> ?TRY(error(reason, [1, 2])).
error_with_options() -> ?TRY(error(reason, [a], [{error_info, #{cause => x}}])).
exit_normal() -> [?TRY(exit(normal)), ?TRY(exit({shutdown, x}))].
throw_values() -> [?TRY(throw(V)) || V <- [a, {b}, "c", <<"d">>, #{e => 1}, 1.5, 1 bsl 70]].

builtin_reasons() ->
    [?TRY(1 + ?ID(a)), ?TRY(?ID(a) + 1), ?TRY(hd(?ID([]))), ?TRY(element(5, ?ID({}))),
     ?TRY(list_to_atom(?ID(1))), ?TRY(atom_to_list(?ID(1))), ?TRY((?ID(x)):f()),
     ?TRY((?ID(1)):f()), ?TRY(lists:nosuch()), ?TRY((?ID(1))()), ?TRY(case ?ID(1) of 2 -> a end),
     ?TRY(begin 2 = ?ID(1) end), ?TRY(if_none(?ID(1))), ?TRY(clause(?ID(1))),
     ?TRY(maps:get(a, ?ID(#{}))), ?TRY((?ID(#{}))#{a := 1}), ?TRY((?ID(1))#{a => 1}),
     ?TRY(1 div ?ID(0)), ?TRY(binary_to_atom(?ID(1), utf8)), ?TRY(list_to_integer(?ID("x"))),
     ?TRY(length(?ID(1))), ?TRY(tuple_to_list(?ID(1))), ?TRY(?ID(1) bsl ?ID(1 bsl 65)),
     ?TRY(erlang:nosuch()), ?TRY(spawn(?ID(1))), ?TRY(?ID(nosuchname) ! x),
     ?TRY(register(?ID(1), self())), ?TRY(ets:lookup(?ID(notable), k))].

if_none(X) -> if X > 5 -> yes end.
clause(a) -> ok.
uncaught_error() -> error(deliberate).
uncaught_exit() -> exit({deliberate, "exit"}).
uncaught_throw() -> throw({deliberate, <<"throw">>}).
uncaught_arith() -> 1 / ?ID(0).
uncaught_badmatch() -> {ok, _} = ?ID({error, enoent}).
uncaught_undef() -> (?ID(nomodule)):nofunction(1, 2).
uncaught_function_clause() -> clause(?ID(b)).
deep_unwind() -> try unwind(1000) catch throw:{bottom, N} -> N end.
unwind(0) -> throw({bottom, 0});
unwind(N) -> X = unwind(N - 1), X + 1.

many_tries() ->
    lists:sum([try case N rem 3 of 0 -> throw(1); 1 -> exit(2); 2 -> error(3) end catch throw:X ->
                   X; exit:X -> X * 10; error:X -> X * 100 end || N <- lists:seq(1, 300)]).

try_in_loop() -> loop(1000, 0).
loop(0, Acc) -> Acc;
loop(N, Acc) -> loop(N - 1, try half(N) catch error:odd -> Acc after ok end + Acc).
half(N) when N rem 2 =:= 0 -> 1;
half(_) -> error(odd).

nested_three() ->
    try try try throw(a) catch throw:a -> exit(b) end catch exit:b -> error(c) end catch error:c ->
        all end.

variables_across() -> X = ?ID(1), Y = try Z = ?ID(2), X + Z catch _:_ -> 0 end, {X, Y}.

receive_in_try() ->
    self() ! boom,
    try receive boom -> throw(got) after 0 -> none end catch throw:V -> V end.

exception_in_fun() -> F = fun() -> error(inside) end, ?TRY(lists:foreach(fun(_) -> F() end, [1])).
exception_in_comprehension() -> ?TRY([10 div X || X <- [5, 2, 0, 1]]).

catch_in_arguments() ->
    {catch error(a), ok, 1} =/= {ok},
    element(2, {(catch throw(x)), (catch throw(y))}).

catch_with_registers() -> A = ?ID(1), B = ?ID(2), C = (catch throw(?ID(3))), {A, B, C, A + B + C}.
catch_tail() -> catch_tail(?ID(5)).
catch_tail(N) -> catch id_or_throw(N).
id_or_throw(N) when N > 3 -> throw({big, N});
id_or_throw(N) -> N.

maybe_badarg_info() ->
    try atom_to_list(?ID(1)) catch error:badarg:S -> [{M, F, A, I} | _] = S,
        {M, F, A, lists:keymember(error_info, 1, I)} end.

nif_error() -> ?TRY(erlang:nif_error(not_loaded)).
exit_signal_to_self() -> ?TRY(begin exit(self(), normal), survived end).
exit_kill_in_child() -> tlib:await_down(spawn(fun() -> exit(kill) end)).

child_reasons() ->
    [strip(tlib:await_down(spawn(fun() -> fail(X) end)))
     || X <- [1, {exit, x}, {error, e}, {throw, t}]].

strip({R, [{_, _, _, _} | _]}) -> {R, stack};
strip(R) -> R.

format_exception() ->
    [lists:flatten(erl_error:format_exception(C, R, []))
     || {C, R} <- [{error, badarg}, {exit, x}, {throw, t}, {error, {badmatch, 1}}, {error, undef},
                   {error, function_clause}, {error, {case_clause, x}}]].
