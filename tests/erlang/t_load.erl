%% Loading code without the compiler: modules are assembled on the spot.
-module(t_load).
-export([load_and_call/0, load_twice/0, old_code_runs/0, process_in_old_code/0, purge_kills/0,
         soft_purge/0, third_version/0, delete/0, exported/0, is_loaded/0,
         external_fun_follows/0, mock_in_the_middle/0, on_load_ok/0, on_load_refuses/0,
         on_load_keeps_old/0, wrong_name/0, truncated/0, undefined_in_old_and_new/0]).
-include("t.hrl").

%% A module t_made2 whose f/0 gives a value, and whose loop/1 answers with it; `next` makes the
%% loop go on in the newest code.
made(Value) ->
    assemble:beam( [{module, t_made2}, {exports, [{f, 0}, {loop, 1}]}, {function, f, 0},
                    {move, {atom, Value}, {x, 0}}, return, {function, loop, 1}, {allocate, 2, 1},
                    {init_yregs, {list, [{y, 1}]}}, {move, {x, 0}, {y, 0}}, {label, look},
                    {loop_rec, {f, sleep}, {x, 0}},
                    {is_eq_exact, {f, other}, {x, 0}, {atom, next}}, remove_message,
                    {move, {y, 0}, {x, 0}}, {call_ext_last, 1, {extfunc, t_made2, loop, 1}, 2},
                    {label, other}, {is_tuple, {f, skip}, {x, 0}},
                    {test_arity, {f, skip}, {x, 0}, 2}, {get_tuple_element, {x, 0}, 1, {x, 1}},
                    remove_message, {move, {x, 1}, {y, 1}}, {call, 0, {entry, f, 0}},
                    {test_heap, 3, 1}, {put_tuple2, {x, 1}, {list, [{atom, answer}, {x, 0}]}},
                    {move, {y, 1}, {x, 0}}, send, {move, {y, 0}, {x, 0}},
                    {call_last, 1, {entry, loop, 1}, 2}, {label, skip}, {loop_rec_end, {f, look}},
                    {label, sleep}, {wait, {f, look}}]).

with_on_load(Result) ->
    assemble:beam( [{module, t_made2}, {exports, [{f, 0}]}, {function, f, 0},
                    {move, {atom, loaded}, {x, 0}}, return, {function, init, 0}, on_load,
                    {move, {atom, Result}, {x, 0}}, return]).

load(Value) -> code:load_binary(t_made2, "made.erl", made(Value)).
forget(_) -> code:purge(t_made2), code:delete(t_made2), code:purge(t_made2).
served(_) -> P = spawn(fun() -> t_made2:loop(x) end), P.
ask(P) -> P ! {ask, self()}, receive {answer, A} -> A end.

load_and_call() -> {load(one), t_made2:f(), forget(x), ?TRY(t_made2:f())}.
load_twice() -> load(one), A = t_made2:f(), load(two), B = t_made2:f(), forget(x), {A, B}.

old_code_runs() ->
    load(one),
    P = served(x),
    A = ask(P),
    load(two),
    B = ask(P),
    P ! next,
    C = ask(P),
    R = {A, B, C, erlang:check_old_code(t_made2), erlang:check_process_code(P, t_made2)},
    exit(P, kill),
    forget(x),
    R.

process_in_old_code() ->
    load(one),
    P = served(x),
    ask(P),
    load(two),
    R = erlang:check_process_code(P, t_made2),
    exit(P, kill),
    forget(x),
    R.

purge_kills() ->
    load(one),
    P = served(x),
    ask(P),
    M = monitor(process, P),
    load(two),
    A = code:purge(t_made2),
    R = receive {'DOWN', M, _, _, X} -> X end,
    forget(x),
    {A, R}.

soft_purge() ->
    load(one),
    P = served(x),
    ask(P),
    load(two),
    A = code:soft_purge(t_made2),
    exit(P, kill),
    tlib:await_down(P),
    B = code:soft_purge(t_made2),
    forget(x),
    {A, B}.

third_version() -> load(one), load(two), R = load(three), A = t_made2:f(), forget(x), {R, A}.

delete() ->
    load(one),
    A = code:delete(t_made2),
    B = ?TRY(t_made2:f()),
    C = code:delete(t_made2),
    code:purge(t_made2),
    {A, B, C}.

exported() ->
    A = erlang:function_exported(t_made2, f, 0),
    load(x),
    B = {erlang:function_exported(t_made2, f, 0), erlang:function_exported(t_made2, f, 1)},
    forget(x),
    {A, B, erlang:function_exported(t_made2, f, 0)}.

is_loaded() ->
    load(x),
    A = {erlang:module_loaded(t_made2), lists:member(t_made2, erlang:loaded())},
    forget(x),
    {A, code:is_loaded(t_made2), erlang:module_loaded(t_made2)}.

external_fun_follows() ->
    load(one),
    F = fun t_made2:f/0,
    A = F(),
    load(two),
    B = F(),
    forget(x),
    {A, B, ?TRY(F())}.

mock_in_the_middle() ->
    load(original),
    P = spawn(fun() -> receive {go, F} -> F ! {answer, t_made2:f()} end end),
    load(mocked),
    P ! {go, self()},
    R = receive {answer, A} -> A end,
    load(original),
    Q = t_made2:f(),
    forget(x),
    {R, Q}.

on_load_ok() ->
    R = code:load_binary(t_made2, "x", with_on_load(ok)),
    A = t_made2:f(),
    forget(x),
    {R, A}.

on_load_refuses() ->
    {code:load_binary(t_made2, "x", with_on_load(no)), code:is_loaded(t_made2),
     ?TRY(t_made2:f())}.

on_load_keeps_old() ->
    load(old),
    R = code:load_binary(t_made2, "x", with_on_load(no)),
    A = t_made2:f(),
    forget(x),
    {R, A}.

wrong_name() -> code:load_binary(t_other, "x", made(x)).

truncated() ->
    B = made(x),
    lists:usort([element(1, code:load_binary(t_made2, "x", binary:part(B, 0, N)))
                 || N <- lists:seq(0, byte_size(B) - 4, 16)]).

undefined_in_old_and_new() ->
    load(one),
    P = served(x),
    ask(P),
    code:delete(t_made2),
    A = ask(P),
    B = ?TRY(t_made2:f()),
    exit(P, kill),
    forget(x),
    {A, B}.
