%% Funs whose code is purged, while it is purged, and afterwards.
-module(t_purge).
-export([fun_of_deleted/0, fun_of_purged/0, loaded_again/0, other_code/0, replaced/0, literal_fun/0,
         loaded_from_file/0,
         spawned/0, own_handler/0, purger_process/0, call_while_purged/0, purge_by_others/0]).
-export([undefined_lambda/3, undefined_function/3]).
-include("t.hrl").

%% A module t_purged with add/1, which returns a fun that adds its argument and N; const/0, a fun
%% without free variables; and waiting/1, a fun that calls another one in the middle.
code(N) ->
    Source = ["-module(t_purged). -export([add/1, const/0, waiting/1]).\n",
              io_lib:format("add(A) -> fun(X) -> A + X + ~w end.\n", [N]),
              io_lib:format("const() -> fun() -> ~w end.\n", [N]),
              "waiting(A) -> fun(F) -> F(), A end.\n"],
    {ok, Tokens, _} = erl_scan:string(lists:flatten(Source)),
    {ok, t_purged, Bytes} = compile:forms(forms(Tokens, []), []),
    Bytes.

forms([], []) -> [];
forms([{dot, _} = Dot | Rest], Form) ->
    {ok, Parsed} = erl_parse:parse_form(lists:reverse(Form, [Dot])),
    [Parsed | forms(Rest, [])];
forms([Token | Rest], Form) -> forms(Rest, [Token | Form]).

load(N) -> {module, t_purged} = code:load_binary(t_purged, "t_purged.erl", code(N)).

forget() -> code:purge(t_purged), code:delete(t_purged), code:purge(t_purged).

%% How the call ends, and the first place of the stack: without code it is the fun itself.
call(F, Args) ->
    try apply(F, Args)
    catch
        Class:Reason:Stack ->
            Who = element(1, hd(Stack)),
            {Class, Reason, if is_function(Who) -> a_fun; true -> Who end}
    end.

show(F) -> [erlang:fun_info(F, Item) || Item <- [module, name, arity, env, type]].

fun_of_deleted() ->
    load(0),
    F = t_purged:add(1),
    true = erlang:delete_module(t_purged),
    Result = {F(1), show(F), erlang:function_exported(t_purged, add, 1)},
    forget(),
    Result.

fun_of_purged() ->
    load(0),
    F = t_purged:add(1),
    forget(),
    {call(F, [1]), show(F), call(F, [1, 2]), is_function(F, 1), F =:= binary_to_term(term_to_binary(F))}.

loaded_again() ->
    load(0),
    F = t_purged:add(1),
    forget(),
    load(0),
    Result = {call(F, [1]), show(F), F =:= t_purged:add(1)},
    forget(),
    Result.

other_code() ->
    load(0),
    F = t_purged:add(1),
    forget(),
    load(1),
    Result = {call(F, [1]) =:= {error, {badfun, F}, ?MODULE}, show(F), F =:= t_purged:add(1),
              (t_purged:add(1))(1)},
    forget(),
    Result.

%% The call of a fun loads its module again where that is on the path, but not while it is purged.
loaded_from_file() ->
    F = otp_callbacks:adder(1),
    true = erlang:delete_module(otp_callbacks),
    Ref = make_ref(),
    erts_code_purger ! {test_purge, otp_callbacks, self(), true, Ref},
    receive {started, Ref} -> ok end,
    {Pid, Down} = spawn_monitor(fun() -> exit({called, F(2)}) end),
    Waiting = wait_until_suspended(Pid, 100),
    erts_code_purger ! {continue, Ref},
    receive {continued, Ref} -> ok end,
    IsLoaded = erlang:module_loaded(otp_callbacks),
    erts_code_purger ! {complete, Ref},
    Result = receive {test_purge, Answer, Ref} -> Answer end,
    End = receive {'DOWN', Down, process, _, Reason} -> Reason end,
    {Waiting, IsLoaded, Result, End, erlang:module_loaded(otp_callbacks), F(3)}.

%% code:load_binary/3 purges the code before the last.
replaced() ->
    load(0),
    F = t_purged:add(1),
    load(1),
    Old = call(F, [1]),
    G = t_purged:add(1),
    load(2),
    Result = {Old, element(1, call(F, [1])), call(G, [1]), show(F), show(G)},
    forget(),
    Result.

literal_fun() ->
    load(7),
    F = t_purged:const(),
    Seven = F(),
    forget(),
    {Seven, call(F, []), show(F)}.

spawned() ->
    load(0),
    F = t_purged:const(),
    forget(),
    {Pid, Ref} = spawn_monitor(F),
    receive {'DOWN', Ref, process, Pid, {Why, [{Who, Args, []} | _]}} -> {Why, Who =:= F, Args} end.

undefined_lambda(Module, Fun, Args) -> {Module, erlang:fun_info(Fun, name), Args}.
undefined_function(Module, Function, Args) ->
    error_handler:undefined_function(Module, Function, Args).

%% It is asked only when there is no code of the module at all.
own_handler() ->
    load(0),
    F = t_purged:add(1),
    forget(),
    Old = process_flag(error_handler, ?MODULE),
    Without = F(1),
    load(1),
    With = element(1, call(F, [1])),
    process_flag(error_handler, Old),
    forget(),
    {Without, With}.

%% ---- the process that purges ----

purger_process() ->
    Pid = whereis(erts_code_purger),
    load(0),
    Ref = make_ref(),
    Pid ! {purge, t_purged, self(), Ref},
    A = receive {reply, purge, R1, Ref} -> R1 end,
    erlang:delete_module(t_purged),
    erts_code_purger ! {soft_purge, t_purged, self(), Ref},
    B = receive {reply, soft_purge, R2, Ref} -> R2 end,
    load(0),
    erlang:delete_module(t_purged),
    Pid ! garbage,
    Pid ! {purge, t_purged, self(), Ref},
    C = receive {reply, purge, R3, Ref} -> R3 end,
    {is_pid(Pid), A, B, C, process_info(Pid, trap_exit), process_info(Pid, registered_name)}.

call_while_purged() -> [call_while_purged(Hard) || Hard <- [true, false]].

call_while_purged(Hard) ->
    load(0),
    Me = self(),
    F = t_purged:add(1),
    W = t_purged:waiting(done),
    {Inside, InsideRef} = spawn_monitor(fun() ->
                                            exit(W(fun() ->
                                                       Me ! inside,
                                                       receive go_on -> ok end
                                                   end))
                                        end),
    receive inside -> ok end,
    true = erlang:delete_module(t_purged),
    Ref = make_ref(),
    erts_code_purger ! {test_purge, t_purged, self(), Hard, Ref},
    receive {started, Ref} -> ok end,
    Callers = [spawn_monitor(fun() -> exit({called, call(F, [N])}) end) || N <- [1, 2]],
    Waiting = [wait_until_suspended(Pid, 100) || {Pid, _} <- Callers],
    erts_code_purger ! {continue, Ref},
    receive {continued, Ref} -> ok end,
    erts_code_purger ! {complete, Ref},
    Result = receive {test_purge, Answer, Ref} -> Answer end,
    Inside ! go_on,
    Ends = [receive {'DOWN', R, process, _, Reason} -> Reason end
            || R <- [InsideRef | [R || {_, R} <- Callers]]],
    forget(),
    {Hard, Waiting, Result, Ends}.

wait_until_suspended(Pid, N) ->
    case process_info(Pid, [status, current_function]) of
        [{status, suspended}, Function] -> Function;
        _ when N > 0 -> receive after 20 -> wait_until_suspended(Pid, N - 1) end;
        Other -> Other
    end.

purge_by_others() ->
    [?TRY(erts_internal:purge_module(t_purged, Step)) || Step <- [prepare, abort, complete]].
