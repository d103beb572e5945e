%% Stack traces: which frames, arguments, lines; what tail calls leave out.
-module(t_stack).
-export([error_here/0, error_args/0, error_none/0, bif_arguments/0, bif_in_body/0, bif_tail/0,
         arith/0, arith_tail/0, undef/0, undef_module/0, undef_tail/0, function_clause/0,
         case_clause/0, badmatch/0, badfun/0, badarity/0, bad_apply/0, through_lists/0,
         through_foldl/0, nested_calls/0, deep_limit/0, depth_flag/0, exit_stack/0,
         throw_stack/0, raise_custom/0, reraise/0, unmatched_catch_keeps/0, after_keeps/0,
         in_comprehension/0, comprehension_filter/0, badkey/0, badmap/0, binary_construct/0,
         ets_badarg/0, send_badarg/0, stdlib_badarg/0, stdlib_function_clause/0, spawn_trace/0,
         spawn_mfa_trace/0, spawn_undef/0, nocatch_trace/0, current/0, error_info/0,
         error_info_ets/0, error_info_binary/0, format_error/0, old_catch_trace/0,
         tail_through_apply/0, fun_names/0]).
-export([tail/1, body/1, thrice/1]).
-include("t.hrl").

stack(Fun) ->
    try Fun() of
        V -> {returned, V}
    catch
        C:R:S -> {C, R, [frame(F) || F <- lists:takewhile(fun is_ours/1, S)]}
    end.

is_ours({t_stack, stack, _, _}) -> false;
is_ours({reference, _, _, _}) -> false;
is_ours(_) -> true.
frame({M, F, A, I}) when is_list(A), M =/= t_stack -> {M, F, A, proplists:get_value(line, I)};
frame({M, F, A, I}) ->
    case M of
        t_stack -> {M, F, A, proplists:get_value(line, I), proplists:get_value(file, I)};
        _ -> {M, F, A}
    end.

tail(X) -> body(X).
body(X) -> Y = element(1, X), {ok, Y}.
thrice(X) -> {body(X), 1}.

error_here() -> stack(fun() -> error(here) end).
error_args() -> stack(fun() -> error(here, [some, arguments]) end).
error_none() -> stack(fun() -> error(here, none) end).
bif_arguments() -> stack(fun() -> X = element(?ID(3), ?ID({a})), {X} end).
bif_in_body() -> stack(fun() -> [thrice(?ID([]))] end).
bif_tail() -> stack(fun() -> tail(?ID(1)) end).
arith() -> stack(fun() -> X = ?ID(a) + ?ID(1), {X} end).
arith_tail() -> stack(fun() -> ?ID(a) * 2 end).
undef() -> stack(fun() -> {(?ID(lists)):nosuch(1, 2)} end).
undef_module() -> stack(fun() -> {no_such_module:f(?ID(x))} end).
undef_tail() -> stack(fun() -> no_such_module:f(?ID(x)) end).
function_clause() -> stack(fun() -> {only(?ID(2), ?ID(b))} end).
only(1, a) -> ok.
case_clause() -> stack(fun() -> case ?ID(x) of y -> ok end end).
badmatch() -> stack(fun() -> {ok, V} = ?ID(error), V end).
badfun() -> stack(fun() -> {(?ID(1))(2)} end).

badarity() ->
    {error, {badarity, {F, A}}, S} = stack(fun() -> {(?ID(fun() -> x end))(2)} end),
    {is_function(F), A, S}.

bad_apply() -> stack(fun() -> {apply(?ID(1), x, [])} end).
through_lists() -> stack(fun() -> lists:map(fun(X) -> 1 / X end, [1, 0]) end).
through_foldl() -> stack(fun() -> lists:foldl(fun(X, A) -> A + X end, 0, [1, x]) end).
nested_calls() -> stack(fun() -> level1(?ID(3)) end).
level1(X) -> {level2(X - 1)}.
level2(X) -> [level3(X - 1)].
level3(X) -> X / (X - 1).
deep_limit() -> {_, _, S} = stack(fun() -> deep(50) end), length(S).
deep(0) -> error(bottom);
deep(N) -> {deep(N - 1)}.

depth_flag() ->
    Old = erlang:system_flag(backtrace_depth, 3),
    {_, _, S} = stack(fun() -> deep(50) end),
    {Old, length(S), erlang:system_flag(backtrace_depth, Old)}.

exit_stack() -> stack(fun() -> exit(bye) end).
throw_stack() -> stack(fun() -> {throw(ball)} end).

raise_custom() ->
    stack(fun() -> erlang:raise(error, custom,
                                [{m, f, 2, [{file, "x"}, {line, 7}]}, {m, g, [a], []}]) end).

reraise() -> stack(fun() -> try level1(?ID(3)) catch C:R:S -> erlang:raise(C, R, S) end end).
unmatched_catch_keeps() -> stack(fun() -> try level1(?ID(3)) catch throw:_ -> x end end).
after_keeps() -> stack(fun() -> try level1(?ID(3)) after ?ID(1) end end).
in_comprehension() -> stack(fun() -> [10 div X || X <- ?ID([1, 0])] end).
comprehension_filter() -> stack(fun() -> [X || X <- ?ID([1, 2]), bad_filter(X)] end).
bad_filter(X) -> if X < 2 -> true end.
badkey() -> stack(fun() -> {maps:get(k, ?ID(#{}))} end).
badmap() -> stack(fun() -> (?ID(x))#{a => 1} end).
binary_construct() -> stack(fun() -> <<(?ID(a)):8>> end).
ets_badarg() -> stack(fun() -> {ets:lookup(?ID(no_such_table), key)} end).
send_badarg() -> stack(fun() -> {?ID(no_such_name) ! hello} end).
stdlib_badarg() -> stack(fun() -> {lists:nth(?ID(0), [a])} end).
stdlib_function_clause() -> stack(fun() -> {lists:last(?ID([]))} end).

spawn_trace() ->
    {P, M} = spawn_monitor(fun() -> {level1(?ID(3))} end),
    receive {'DOWN', M, process, P, {R, S}} -> {R, [{Mo, F, A} || {Mo, F, A, _} <- S]} end.

spawn_mfa_trace() ->
    {P, M} = spawn_monitor(t_stack, body, [?ID(1)]),
    receive {'DOWN', M, process, P, {R, S}} -> {R, [{Mo, F, A} || {Mo, F, A, _} <- S]} end.

spawn_undef() ->
    {P, M} = spawn_monitor(no_such_module, f, [1]),
    receive {'DOWN', M, process, P, R} -> R end.

nocatch_trace() ->
    {P, M} = spawn_monitor(fun() -> throw(?ID(x)) end),
    receive {'DOWN', M, process, P, {R, S}} -> {R, [{Mo, F, A} || {Mo, F, A, _} <- S]} end.

current() ->
    {current_stacktrace, S} = process_info(self(), current_stacktrace),
    [{F, A} || {M, F, A, _} <- S, M =:= t_stack].

info([{_, _, _, I} | _]) -> proplists:get_value(error_info, I).
error_info() -> try atom_to_list(?ID(1)) catch error:_:S -> info(S) end.
error_info_ets() -> try ets:lookup(?ID(nope), 1) catch error:_:S -> info(S) end.
error_info_binary() -> try <<(?ID(a)):8>> catch error:_:S -> info(S) end.

format_error() ->
    try atom_to_list(?ID(1)) catch error:R:S -> erl_erts_errors:format_error(R, S) end.

old_catch_trace() -> {'EXIT', {R, S}} = (catch level1(?ID(3))), {R, tlib:trace(S, [t_stack])}.
tail_through_apply() -> stack(fun() -> apply(t_stack, tail, [?ID(1)]) end).
fun_names() -> F = fun Named(X) -> {hd(X), Named} end, stack(fun() -> F(?ID([])) end).
