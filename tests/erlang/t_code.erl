%% Code: loading, purging, exports, module information, old and current versions, on_load.
-module(t_code).
-export([load_and_call/0, load_twice/0, old_code_runs/0, check_process_code/0, purge_kills/0,
         soft_purge/0, third_version_needs_purge/0, delete/0, exported/0, is_loaded/0,
         fun_of_old_code/0, external_fun_follows/0, load_bad/0, load_wrong_name/0,
         load_file_missing/0, ensure_loaded/0, information/0, module_info_functions/0,
         module_md5/0, get_module_info_bad/0, on_load_ok/0, on_load_fails/0,
         undefined_function_handler/0, error_handler_custom/0, beam_lib_chunks/0,
         beam_lib_info/0, mock_in_the_middle/0, purge_nothing/0, stack_of_loaded/0,
         pre_loaded/0, file_of_loaded/0, purger/0]).
-export([helper/1]).
-vsn(7).
-author(nobody).
-include("t.hrl").

helper(X) -> X.

%% A module t_made with f/0 returning a value and loop/0 that serves until told otherwise.
source(Value) ->
    ["-module(t_made). -export([f/0, loop/1, upgrade/1]).",
     io_lib:format("f() -> ~w.", [Value]),
     "loop(P) -> receive {ask, F} -> F ! {answer, f()}, loop(P); "
     "next -> t_made:loop(P); stop -> P ! stopped end.",
     "upgrade(X) -> {upgraded, X, f()}."].

compiled(Lines) ->
    Forms = [begin {ok, Ts, _} = erl_scan:string(lists:flatten(L)), Ts end
             || L <- split_forms(Lines)],
    {ok, M, B} = compile:forms([begin {ok, F} = erl_parse:parse_form(Ts), F end || Ts <- Forms],
                               []),
    {M, B}.

split_forms(Lines) ->
    [S ++ "." || L <- Lines,
     S <- string:split(string:trim(lists:flatten(L), trailing, "."), ". ", all)].

load(Value) -> {M, B} = compiled(source(Value)), code:load_binary(M, "t_made.erl", B).
forget(_) -> code:purge(t_made), code:delete(t_made), code:purge(t_made).
ask(P) -> P ! {ask, self()}, receive {answer, A} -> A end.

load_and_call() -> {load(one), t_made:f(), forget(x), ?TRY(t_made:f())}.
load_twice() -> load(one), A = t_made:f(), load(two), B = t_made:f(), forget(x), {A, B}.

old_code_runs() ->
    load(one),
    P = spawn(fun() -> t_made:loop(self()) end),
    A = ask(P),
    load(two),
    B = ask(P),
    P ! next,
    C = ask(P),
    R = {A, B, C, erlang:check_old_code(t_made), erlang:check_process_code(P, t_made)},
    exit(P, kill),
    forget(x),
    R.

check_process_code() ->
    load(one),
    P = spawn(fun() -> t_made:loop(self()) end),
    ask(P),
    load(two),
    R = erlang:check_process_code(P, t_made),
    exit(P, kill),
    forget(x),
    R.

purge_kills() ->
    load(one),
    {P, M} = spawn_monitor(fun() -> t_made:loop(self()) end),
    ask(P),
    load(two),
    A = code:purge(t_made),
    R = receive {'DOWN', M, _, _, X} -> X end,
    forget(x),
    {A, R}.

soft_purge() ->
    load(one),
    P = spawn(fun() -> t_made:loop(self()) end),
    ask(P),
    load(two),
    A = code:soft_purge(t_made),
    exit(P, kill),
    tlib:await_down(P),
    B = code:soft_purge(t_made),
    forget(x),
    {A, B}.

third_version_needs_purge() ->
    load(one),
    load(two),
    R = load(three),
    A = t_made:f(),
    forget(x),
    {R, A}.

delete() ->
    load(one),
    A = code:delete(t_made),
    B = ?TRY(t_made:f()),
    C = code:delete(t_made),
    code:purge(t_made),
    {A, B, C}.

exported() ->
    A = erlang:function_exported(t_made, f, 0),
    load(x),
    B = {erlang:function_exported(t_made, f, 0), erlang:function_exported(t_made, f, 1)},
    forget(x),
    {A, B, erlang:function_exported(t_made, f, 0), erlang:function_exported(t_code, helper, 1),
     erlang:function_exported(lists, nosuch, 3), erlang:function_exported(erlang, self, 0)}.

is_loaded() ->
    load(x),
    A = {element(1, code:is_loaded(t_made)), erlang:module_loaded(t_made),
         lists:member(t_made, erlang:loaded())},
    forget(x),
    {A, code:is_loaded(t_made), erlang:module_loaded(t_made)}.

fun_of_old_code() ->
    {M, B} = compiled(["-module(t_made). -export([g/1]).", "g(X) -> fun() -> {X, one} end."]),
    code:load_binary(M, "x", B),
    F = t_made:g(1),
    A = F(),
    load(two),
    C = F(),
    forget(x),
    {A, C}.

external_fun_follows() ->
    load(one),
    F = fun t_made:f/0,
    A = F(),
    load(two),
    B = F(),
    forget(x),
    {A, B, ?TRY(F())}.

load_bad() ->
    [element(1, code:load_binary(t_bad, "x", B))
     || B <- [<<>>, <<"garbage">>, <<"FOR1", 0, 0, 0, 4, "BEAM">>]].

load_wrong_name() -> {_, B} = compiled(source(x)), code:load_binary(t_other, "x", B).

load_file_missing() ->
    {code:load_file(no_such_module_q), code:ensure_loaded(no_such_module_q),
     code:which(no_such_module_q)}.

ensure_loaded() -> {code:ensure_loaded(lists), code:ensure_loaded(t_code)}.

information() ->
    {lists:member({helper, 1}, t_code:module_info(exports)), t_code:module_info(module),
     lists:keyfind(vsn, 1, t_code:module_info(attributes)),
     lists:keyfind(author, 1, t_code:module_info(attributes)), is_binary(t_code:module_info(md5)),
     is_list(t_code:module_info(compile)), [K || {K, _} <- t_code:module_info()],
     ?TRY(t_code:module_info(nosuch))}.

module_info_functions() ->
    L = t_code:module_info(functions),
    {lists:member({split_forms, 1}, L) orelse lists:member({helper, 1}, L), length(L) > 10}.

module_md5() ->
    {_, B} = compiled(source(x)),
    code:module_md5(B) =:= erlang:md5(<<>>) orelse byte_size(code:module_md5(B)).

get_module_info_bad() -> ?TRY(erlang:get_module_info(no_such_module_q)).

on_load_ok() ->
    {M, B} = compiled(["-module(t_made). -export([v/0]). -on_load(init/0).",
                       "init() -> persistent_term:put(t_made_loaded, yes), ok.",
                       "v() -> persistent_term:get(t_made_loaded)."]),
    R = code:load_binary(M, "x", B),
    V = t_made:v(),
    persistent_term:erase(t_made_loaded),
    forget(x),
    {R, V}.

on_load_fails() ->
    {M, B} = compiled(["-module(t_made). -export([v/0]). -on_load(init/0).",
                       "init() -> {error, no}.", "v() -> 1."]),
    R = code:load_binary(M, "x", B),
    {R, code:is_loaded(t_made)}.

undefined_function_handler() -> ?TRY(apply(t_code, no_such_function_here, [1, 2])).

error_handler_custom() ->
    {M, B} = compiled(["-module(t_made). -export([undefined_function/3]).",
                       "undefined_function(M, F, A) -> {handled, M, F, A}."]),
    code:load_binary(M, "x", B),
    process_flag(error_handler, t_made),
    R = (?ID(nowhere_module)):foo(1, 2),
    process_flag(error_handler, error_handler),
    forget(x),
    R.

beam_lib_chunks() ->
    {_, B} = compiled(source(x)),
    {ok, {M, [{exports, E}, {attributes, A}]}} = beam_lib:chunks(B, [exports, attributes]),
    {M, lists:sort(E), [K || {K, _} <- A]}.

beam_lib_info() ->
    {_, B} = compiled(source(x)),
    I = beam_lib:info(B),
    {lists:keyfind(module, 1, I),
     lists:member("Code", [N || {N, _, _} <- proplists:get_value(chunks, I)])}.

mock_in_the_middle() ->
    load(original),
    P = spawn(fun() -> receive {go, F} -> F ! {answer, t_made:f()} end end),
    load(mocked),
    P ! {go, self()},
    R = receive {answer, A} -> A end,
    load(original),
    Q = t_made:f(),
    forget(x),
    {R, Q}.

%% Whether there was old code, and whether a process that ran it was killed.
purger() ->
    load(one),
    P = spawn(fun() -> t_made:loop(self()) end),
    ask(P),
    A = erts_code_purger:purge(t_made),
    load(two),
    B = {erts_code_purger:soft_purge(t_made), erlang:check_old_code(t_made)},
    Ref = monitor(process, P),
    C = erts_code_purger:purge(t_made),
    D = receive {'DOWN', Ref, _, _, Reason} -> Reason end,
    load(three),
    E = {erts_code_purger:purge(t_made), erts_code_purger:purge(t_made)},
    F = {erts_code_purger:purge(t_never_there), erts_code_purger:soft_purge(t_never_there)},
    forget(x),
    {A, B, C, D, E, F, ?TRY(erts_code_purger:purge(7))}.

purge_nothing() ->
    {code:purge(t_never_there), code:delete(t_never_there), erlang:check_old_code(t_never_there)}.

stack_of_loaded() ->
    {M, B} = compiled(["-module(t_made). -export([bad/1]).", "bad(X) -> {1 + X}."]),
    code:load_binary(M, "x", B),
    R = try t_made:bad(a) catch error:badarith:S ->
            [{N, F, A} || {N, F, A, _} <- S, N =:= t_made] end,
    forget(x),
    R.

pre_loaded() -> lists:member(erlang, erlang:pre_loaded()).

%% The same bytes, under another name each time. The tool "cover" marks its modules by an atom.
file_of_loaded() ->
    {M, B} = compiled(source(one)),
    R = [begin
             {module, M} = code:load_binary(M, File, B),
             {code:which(M), code:is_loaded(M), lists:keyfind(M, 1, code:all_loaded())}
         end || File <- ["first.beam", cover_compiled, "second.beam", ""]],
    forget(x),
    R.
