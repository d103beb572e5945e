%% gen_server from the stock .beam files.
-module(t_gen_server).
-export([start_results/0, start_bad_return/0, start_crash/0, start_exit/0, start_throw/0,
         start_link_crash/0, start_monitor/0, start_named/0, start_via_global/0,
         start_timeout/0, call_reply/0, call_noreply/0, call_deferred/0, call_stop_reply/0,
         call_stop/0, call_crash/0, call_exit/0, call_throw/0, call_bad_return/0,
         call_timeout/0, call_timeout_no_late_reply/0, call_dead/0, call_noname/0, call_self/0,
         cast/0, cast_stop/0, cast_dead/0, info/0, info_timeout/0, info_timeout_cancelled/0,
         continue_from_init/0, continue_from_call/0, continue_from_cast/0, hibernate/0, stop/0,
         stop_reason/0, stop_dead/0, terminate_on_crash/0, parent_exit/0, linked_exit_info/0,
         multi_call/0, abcast/0, send_request/0, wait_response/0, request_collection/0,
         sys_get_state/0, sys_suspend/0, sys_status/0, sys_change_code/0, sys_terminate/0,
         sys_statistics/0, sys_log/0, sys_install/0, many_callers/0, initial_call/0,
         translate/0, dictionary/0, enter_loop/0, reply_after_exit/0]).
-include("t.hrl").

start(Fun) -> gen_server:start(otp_callbacks, {server, Fun}, []).
server(State) -> {ok, P} = start(fun() -> {ok, State} end), P.
do(P, Fun) -> gen_server:call(P, {do, Fun}).
strip({R, [{_, _, _, _} | _]}) -> {R, stack};
strip({error, {R, S}}) when is_list(S) -> {error, strip({R, S})};
strip({exit, {R, {gen_server, call, [_ | A]}}}) -> {exit, {strip(R), call, length(A)}};
strip(R) -> R.
call(P, Fun) -> strip(?TRY(do(P, Fun))).

start_results() ->
    [begin R = start(F), case R of {ok, P} -> {ok, is_pid(P)}; _ -> R end end
     || F <- [fun() -> {ok, s} end, fun() -> {ok, s, infinity} end, fun() -> ignore end,
              fun() -> {stop, why} end, fun() -> {ok, s, hibernate} end,
              fun() -> {ok, [], {continue, c}} end]].

start_bad_return() -> start(fun() -> nonsense end).
start_crash() -> {error, {R, _}} = start(fun() -> error(in_init) end), R.
start_exit() -> start(fun() -> exit(in_init) end).
start_throw() -> start(fun() -> throw({stop, thrown}) end).

start_link_crash() ->
    process_flag(trap_exit, true),
    R = gen_server:start_link(otp_callbacks, {server, fun() -> {stop, bad} end}, []),
    {R, receive {'EXIT', _, X} -> X after 1000 -> none end}.

start_monitor() ->
    {ok, {P, M}} = gen_server:start_monitor(otp_callbacks, {server, fun() -> {ok, s} end}, []),
    gen_server:stop(P),
    receive {'DOWN', M, process, P, R} -> R end.

start_named() ->
    {ok, P} = gen_server:start({local, t_gs_name}, otp_callbacks,
                               {server, fun() -> {ok, named} end}, []),
    R = {whereis(t_gs_name) =:= P, gen_server:call(t_gs_name, get),
         element(1, gen_server:start({local, t_gs_name}, otp_callbacks,
                                     {server, fun() -> {ok, x} end}, []))},
    gen_server:stop(t_gs_name),
    R.

start_via_global() ->
    {ok, P} = gen_server:start({global, t_gs_global}, otp_callbacks,
                               {server, fun() -> {ok, g} end}, []),
    R = {gen_server:call({global, t_gs_global}, get), global:whereis_name(t_gs_global) =:= P},
    gen_server:stop(P),
    R.

start_timeout() ->
    gen_server:start(otp_callbacks, {server, fun() -> receive after infinity -> ok end end},
                     [{timeout, 5}]).

call_reply() ->
    P = server([]),
    {gen_server:call(P, get), do(P, fun(_, S) -> {reply, r, [x | S]} end),
     gen_server:call(P, get)}.

call_noreply() -> do(server([]), fun(From, S) -> gen_server:reply(From, later), {noreply, S} end).

call_deferred() ->
    P = server(none),
    S = self(),
    spawn(fun() -> S ! {r, do(P, fun(From, _) -> {noreply, From} end)} end),
    tlib:until(fun() -> gen_server:call(P, get) =/= none end),
    gen_server:reply(gen_server:call(P, get), deferred),
    receive {r, R} -> R end.

call_stop_reply() ->
    P = server([]),
    M = monitor(process, P),
    R = do(P, fun(_, S) -> {stop, normal, bye, S} end),
    receive {'DOWN', M, _, _, X} -> {R, X} end.

call_stop() -> call(server([]), fun(_, S) -> {stop, reason, S} end).
call_crash() -> call(server([]), fun(_, _) -> error(boom) end).
call_exit() -> call(server([]), fun(_, _) -> exit(leaving) end).
call_throw() -> do(server([]), fun(_, S) -> throw({reply, thrown, S}) end).
call_bad_return() -> call(server([]), fun(_, _) -> nonsense end).

call_timeout() ->
    P = server([]),
    strip(?TRY(gen_server:call(P,
                               {do, fun(_, S) -> receive after 200 -> {reply, late, S} end end},
                               5))).

call_timeout_no_late_reply() ->
    P = server([]),
    ?TRY(gen_server:call(P, {do, fun(_, S) -> receive after 30 -> {reply, late, S} end end}, 2)),
    gen_server:call(P, get),
    tlib:drain([]).

call_dead() -> P = server([]), gen_server:stop(P), strip(?TRY(gen_server:call(P, get))).
call_noname() -> strip(?TRY(gen_server:call(no_such_server, get))).

call_self() ->
    P = server([]),
    call(P, fun(_, S) -> {reply, ?TRY(gen_server:call(self(), get)) =/= x, S} end).

cast() -> P = server([]), {gen_server:cast(P, a), gen_server:cast(P, b), gen_server:call(P, get)}.

cast_stop() ->
    P = server([]),
    M = monitor(process, P),
    gen_server:cast(P, {do, fun(S) -> {stop, {shutdown, x}, S} end}),
    receive {'DOWN', M, _, _, R} -> R end.

cast_dead() ->
    P = server([]),
    gen_server:stop(P),
    {gen_server:cast(P, a), gen_server:cast(no_such_server, a)}.

info() -> P = server([]), P ! hello, P ! {x, 1}, gen_server:call(P, get).

info_timeout() ->
    P = server([]),
    do(P, fun(_, S) -> {reply, ok, S, 1} end),
    tlib:until(fun() -> receive after 3 -> ok end, gen_server:call(P, get) =/= [] end),
    gen_server:call(P, get).

info_timeout_cancelled() ->
    P = server([]),
    do(P, fun(_, S) -> {reply, ok, S, 50} end),
    gen_server:call(P, get).

continue_from_init() ->
    {ok, P} = start(fun() -> {ok, [], {continue, init}} end),
    gen_server:call(P, get).

continue_from_call() ->
    P = server([]),
    R = do(P, fun(_, S) -> {reply, first, S, {continue, c}} end),
    {R, gen_server:call(P, get)}.

continue_from_cast() ->
    P = server([]),
    gen_server:cast(P, {do, fun(S) -> {noreply, S, {continue, cc}} end}),
    gen_server:call(P, get).

hibernate() ->
    P = server(s),
    do(P, fun(_, S) -> {reply, ok, S, hibernate} end),
    gen_server:call(P, get).

stop() ->
    P = server({notify, self(), srv}),
    R = gen_server:stop(P),
    receive {terminated, W, X} -> {R, W, X} end.

stop_reason() ->
    P = server({notify, self(), srv}),
    M = monitor(process, P),
    R = gen_server:stop(P, {shutdown, why}, 1000),
    receive {terminated, _, X} -> receive {'DOWN', M, _, _, Y} -> {R, X, Y} end end.

stop_dead() -> P = server([]), gen_server:stop(P), strip(?TRY(gen_server:stop(P))).

terminate_on_crash() ->
    P = server({notify, self(), srv}),
    gen_server:cast(P, {do, fun(_) -> error(oops) end}),
    receive {terminated, _, {R, _}} -> R end.

parent_exit() ->
    S = self(),
    spawn(fun() -> {ok, P} = gen_server:start_link(otp_callbacks,
                                                   {server,
                                                    fun() -> process_flag(trap_exit, true),
                                                        {ok, {notify, S, child}} end}, []), S ! P,
              exit(parent_gone) end),
    receive P when is_pid(P) -> ok end,
    receive {terminated, child, R} -> R end.

linked_exit_info() ->
    P = server([]),
    do(P, fun(_, S) -> process_flag(trap_exit, true), spawn_link(fun() -> exit(child) end),
              {reply, ok, S} end),
    tlib:until(fun() -> gen_server:call(P, get) =/= [] end),
    [{info, {'EXIT', _, R}}] = gen_server:call(P, get),
    R.

multi_call() ->
    {ok, P} = gen_server:start({local, t_gs_multi}, otp_callbacks, {server, fun() -> {ok, m} end},
                               []),
    R = gen_server:multi_call([node()], t_gs_multi, get),
    gen_server:stop(P),
    R =:= {[{node(), m}], []}.

abcast() ->
    {ok, P} = gen_server:start({local, t_gs_abcast}, otp_callbacks,
                               {server, fun() -> {ok, []} end}, []),
    A = gen_server:abcast([node()], t_gs_abcast, hi),
    R = gen_server:call(P, get),
    gen_server:stop(P),
    {A, R}.

send_request() ->
    P = server(v),
    R = gen_server:send_request(P, get),
    {gen_server:receive_response(R, 1000), gen_server:check_response(x, R)}.

wait_response() -> P = server(v), gen_server:wait_response(gen_server:send_request(P, get), 1000).

request_collection() ->
    P = server(v),
    C = gen_server:send_request(P, get, l2,
                                gen_server:send_request(P, get, l1, gen_server:reqids_new())),
    {gen_server:reqids_size(C), begin {{reply, A}, L, C2} = gen_server:receive_response(C, 1000,
                                        true), {A, lists:member(L, [l1, l2]),
                                                gen_server:reqids_size(C2)} end}.

sys_get_state() ->
    P = server([a, b]),
    {sys:get_state(P), sys:replace_state(P, fun(S) -> [c | S] end), sys:get_state(P)}.

sys_suspend() ->
    P = server([]),
    sys:suspend(P),
    gen_server:cast(P, x),
    A = sys:get_state(P),
    sys:resume(P),
    {A, gen_server:call(P, get)}.

sys_status() ->
    {status, P, {module, gen_server}, [_, S, Parent, _, _]} = sys:get_status(server([])),
    {is_pid(P), S, is_pid(Parent)}.

sys_change_code() ->
    P = server(s),
    sys:suspend(P),
    R = sys:change_code(P, otp_callbacks, old, extra),
    sys:resume(P),
    {R, sys:get_state(P)}.

sys_terminate() ->
    P = server({notify, self(), t}),
    sys:terminate(P, because),
    receive {terminated, t, R} -> R end.

sys_statistics() ->
    P = server([]),
    sys:statistics(P, true),
    gen_server:call(P, get),
    {ok, L} = sys:statistics(P, get),
    {lists:keyfind(messages_in, 1, L), lists:keyfind(messages_out, 1, L)}.

sys_log() ->
    P = server([]),
    sys:log(P, true),
    gen_server:cast(P, m),
    gen_server:call(P, get),
    {ok, L} = sys:log(P, get),
    length(L).

sys_install() ->
    P = server([]),
    S = self(),
    sys:install(P, {fun(St, Ev, _) -> S ! {ev, element(1, Ev)}, St end, s}),
    gen_server:cast(P, m),
    gen_server:call(P, get),
    tlib:drain([]).

many_callers() ->
    P = server(0),
    Ps = [spawn_monitor(fun() -> exit({r, do(P, fun(_, N) -> {reply, N, N + 1} end)}) end)
          || _ <- lists:seq(1, 20)],
    {lists:sort([receive {'DOWN', M, _, _, {r, V}} -> V end || {_, M} <- Ps]),
     gen_server:call(P, get)}.

initial_call() -> P = server([]), proc_lib:initial_call(P).
translate() -> P = server([]), proc_lib:translate_initial_call(P).

dictionary() ->
    P = server([]),
    {dictionary, D} = process_info(P, dictionary),
    {lists:keyfind('$initial_call', 1, D),
     [is_pid(A) || A <- proplists:get_value('$ancestors', D)]}.

enter_loop() ->
    S = self(),
    P = proc_lib:spawn(fun() -> S ! ready, gen_server:enter_loop(otp_callbacks, [], entered) end),
    receive ready -> ok end,
    gen_server:call(P, get).

reply_after_exit() ->
    P = server([]),
    gen_server:call(P, {do, fun(F, S) -> gen_server:reply(F, early), {stop, normal, S} end}).
