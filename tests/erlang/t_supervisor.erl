%% supervisor, proc_lib, application, timer, gen_event from the stock .beam files.
-module(t_supervisor).
-export([start_children/0, restart_permanent/0, restart_permanent_normal/0, transient_normal/0,
         transient_crash/0, transient_shutdown/0, temporary_crash/0, one_for_all/0,
         rest_for_one/0, one_for_one_others_stay/0, intensity_exceeded/0, intensity_zero/0,
         simple_one_for_one/0, start_child_dynamic/0, terminate_restart_delete/0,
         get_childspec/0, child_fails_to_start/0, child_start_undef/0, later_child_fails/0,
         shutdown_brutal/0, shutdown_timeout/0, shutdown_order/0, nested_supervisors/0,
         significant_any/0, check_specs/0, bad_flags/0, child_answers/0,
         proc_lib_start/0, proc_lib_start_link_crash/0, proc_lib_start_timeout/0,
         proc_lib_stop/0, proc_lib_hibernate/0, proc_lib_crash_reason/0,
         proc_lib_error_reason/0, event_basic/0, event_several/0, event_crash/0, event_remove/0,
         event_call_remove/0, event_sup_handler/0, event_bad_handler/0, event_info/0,
         event_swap/0, timer_send_after/0, timer_apply_after/0, timer_interval/0,
         timer_cancel/0, timer_sleep/0, timer_conversions/0, timer_tc/0, timer_kill_after/0,
         timer_exit_after/0, app_start_stop/0, app_env/0, app_missing/0, app_key/0,
         app_ensure_all/0]).
-export([init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2, code_change/3,
         worker/2, failing/1, stubborn/1]).
-include("t.hrl").

%% Children: a worker registers under its name and does what it is told.
worker(Name, Parent) ->
    {ok, proc_lib:spawn_link(fun() -> register(Name, self()), Parent ! {started, Name},
                                 worker_loop(Name) end)}.

worker_loop(Name) ->
    receive {exit, R} -> exit(R); {get, F} -> F ! {name, Name}, worker_loop(Name) end.

failing(Reason) -> {error, Reason}.

stubborn(Parent) ->
    {ok, spawn_link(fun() -> process_flag(trap_exit, true), Parent ! {started, stubborn},
                        receive {'EXIT', _, shutdown} -> receive after infinity -> ok end end end)}.

init({Flags, Children}) -> {ok, {Flags, Children}};
init(Handler) -> {ok, Handler}.
handle_event(crash, _) -> error(handler_crashed);
handle_event({remove, X}, _) -> _ = X, remove_handler;
handle_event({swap, To}, S) -> {swap_handler, [swapping, S], S, t_supervisor, To};
handle_event(E, {P, L}) -> P ! {event, E}, {ok, {P, [E | L]}}.
handle_call(get, {P, L}) -> {ok, L, {P, L}};
handle_call(stop_me, {P, L}) -> _ = P, {remove_handler, {removed, L}}.
handle_info(M, {P, L}) -> P ! {info, M}, {ok, {P, L}}.
terminate(R, {P, _}) -> P ! {terminated, R}, {term, R};
terminate(_, _) -> ok.
code_change(_, S, _) -> {ok, S}.

spec(Name) -> spec(Name, permanent).
spec(Name, Restart) ->
    #{id => Name, start => {t_supervisor, worker, [Name, self()]}, restart => Restart,
     shutdown => 100}.

sup(Flags, Children) ->
    {ok, S} = supervisor:start_link(t_supervisor, {Flags, Children}),
    unlink(S),
    S.

stop(S) -> M = monitor(process, S), exit(S, shutdown), receive {'DOWN', M, _, _, R} -> R end.
started(Names) -> [receive {started, N} -> N end || N <- Names].

kill(Name, Reason) ->
    P = whereis(Name),
    M = monitor(process, P),
    P ! {exit, Reason},
    receive {'DOWN', M, _, _, _} -> P end.

counts(S) -> lists:sort(supervisor:count_children(S)).
which(S) -> lists:sort([{Id, is_pid(P), T, M} || {Id, P, T, M} <- supervisor:which_children(S)]).

alive(S) ->
    tlib:until(fun() ->
                   [] =:= [P || {_, P, _, _} <- supervisor:which_children(S), not is_pid(P)] end).

start_children() ->
    S = sup(#{}, [spec(ta), spec(tb)]),
    R = {started([ta, tb]), counts(S), which(S)},
    {R, stop(S)}.

restart_permanent() ->
    S = sup(#{intensity => 5}, [spec(ta)]),
    started([ta]),
    P = kill(ta, crash),
    R = started([ta]),
    Q = whereis(ta),
    {R, P =/= Q, stop(S)}.

restart_permanent_normal() ->
    S = sup(#{intensity => 5}, [spec(ta)]),
    started([ta]),
    kill(ta, normal),
    {started([ta]), stop(S)}.

transient_normal() ->
    S = sup(#{intensity => 5}, [spec(ta, transient)]),
    started([ta]),
    kill(ta, normal),
    R = which(S),
    {R, stop(S)}.

transient_crash() ->
    S = sup(#{intensity => 5}, [spec(ta, transient)]),
    started([ta]),
    kill(ta, crash),
    {started([ta]), stop(S)}.

transient_shutdown() ->
    S = sup(#{intensity => 5}, [spec(ta, transient)]),
    started([ta]),
    kill(ta, {shutdown, x}),
    {which(S), stop(S)}.

temporary_crash() ->
    S = sup(#{intensity => 5}, [spec(ta, temporary)]),
    started([ta]),
    kill(ta, crash),
    {which(S), stop(S)}.

one_for_all() ->
    S = sup(#{strategy => one_for_all, intensity => 5}, [spec(ta), spec(tb), spec(tc)]),
    started([ta, tb, tc]),
    [A, B, C] = [whereis(N) || N <- [ta, tb, tc]],
    kill(tb, crash),
    R = started([ta, tb, tc]),
    {R, [whereis(N) =/= P || {N, P} <- [{ta, A}, {tb, B}, {tc, C}]], stop(S)}.

rest_for_one() ->
    S = sup(#{strategy => rest_for_one, intensity => 5}, [spec(ta), spec(tb), spec(tc)]),
    started([ta, tb, tc]),
    [A, B, C] = [whereis(N) || N <- [ta, tb, tc]],
    kill(tb, crash),
    R = started([tb, tc]),
    {R, [whereis(N) =/= P || {N, P} <- [{ta, A}, {tb, B}, {tc, C}]], stop(S)}.

one_for_one_others_stay() ->
    S = sup(#{intensity => 5}, [spec(ta), spec(tb)]),
    started([ta, tb]),
    B = whereis(tb),
    kill(ta, crash),
    started([ta]),
    {whereis(tb) =:= B, stop(S)}.

intensity_exceeded() ->
    S = sup(#{intensity => 2, period => 10}, [spec(ta)]),
    M = monitor(process, S),
    started([ta]),
    [begin kill(ta, crash), started([ta]) end || _ <- [1, 2]],
    kill(ta, crash),
    receive {'DOWN', M, _, _, R} -> {R, whereis(ta)} end.

intensity_zero() ->
    S = sup(#{intensity => 0, period => 1}, [spec(ta), spec(tb)]),
    M = monitor(process, S),
    started([ta, tb]),
    kill(ta, crash),
    receive {'DOWN', M, _, _, R} -> {R, whereis(tb)} end.

simple_one_for_one() ->
    S = sup(#{strategy => simple_one_for_one, intensity => 3},
            [#{id => w, start => {t_supervisor, worker, []}, restart => temporary}]),
    {ok, P} = supervisor:start_child(S, [dyn1, self()]),
    {ok, _} = supervisor:start_child(S, [dyn2, self()]),
    started([dyn1, dyn2]),
    A = counts(S),
    R = supervisor:terminate_child(S, P),
    {A, R, counts(S), stop(S)}.

start_child_dynamic() ->
    S = sup(#{}, []),
    R1 = supervisor:start_child(S, spec(ta)),
    started([ta]),
    R2 = supervisor:start_child(S, spec(ta)),
    {element(1, R1), case R2 of {error, {already_started, P}} -> is_pid(P) end, which(S),
     stop(S)}.

terminate_restart_delete() ->
    S = sup(#{}, [spec(ta)]),
    started([ta]),
    A = supervisor:terminate_child(S, ta),
    B = which(S),
    C = element(1, supervisor:restart_child(S, ta)),
    started([ta]),
    D = supervisor:delete_child(S, ta),
    supervisor:terminate_child(S, ta),
    E = supervisor:delete_child(S, ta),
    {A, B, C, D, E, which(S), supervisor:terminate_child(S, nochild),
     supervisor:restart_child(S, nochild), stop(S)}.

get_childspec() ->
    S = sup(#{}, [spec(ta)]),
    started([ta]),
    {ok, C} = supervisor:get_childspec(S, ta),
    R = maps:remove(start, C),
    {R, supervisor:get_childspec(S, no), stop(S)}.

child_fails_to_start() ->
    process_flag(trap_exit, true),
    supervisor:start_link(t_supervisor,
                          {#{}, [#{id => f, start => {t_supervisor, failing, [nope]}}]}).

child_start_undef() ->
    process_flag(trap_exit, true),
    {error, {shutdown, {failed_to_start_child, f, R}}} = supervisor:start_link(t_supervisor,
        {#{}, [#{id => f, start => {t_supervisor, nosuch, []}}]}),
    element(1, element(2, R)).

later_child_fails() ->
    process_flag(trap_exit, true),
    R = supervisor:start_link(t_supervisor, {#{}, [spec(ta),
                                                   #{id => f,
                                                    start => {t_supervisor, failing, [nope]}}]}),
    {R, whereis(ta)}.

shutdown_brutal() ->
    S = sup(#{},
            [#{id => s, start => {t_supervisor, stubborn, [self()]}, shutdown => brutal_kill}]),
    started([stubborn]),
    stop(S).

shutdown_timeout() ->
    S = sup(#{}, [#{id => s, start => {t_supervisor, stubborn, [self()]}, shutdown => 5}]),
    started([stubborn]),
    stop(S).

shutdown_order() ->
    T = self(),
    Child = fun(N) -> #{id => N, start => {proc_lib, start_link,
                                           [erlang, apply,
                                            [fun() -> process_flag(trap_exit, true),
                                                 proc_lib:init_ack({ok, self()}),
                                                 receive {'EXIT', _, R} -> T ! {down, N, R} end end,
                                             []]]}, shutdown => 1000} end,
    S = sup(#{}, [Child(a), Child(b), Child(c)]),
    stop(S),
    tlib:drain([]).

nested_supervisors() ->
    I = {#{intensity => 3}, [spec(inner)]},
    S = sup(#{intensity => 3}, [#{id => isup,
                                 start => {supervisor, start_link, [t_supervisor, I]},
                                 type => supervisor}]),
    started([inner]),
    kill(inner, crash),
    started([inner]),
    {which(S), counts(S), stop(S), whereis(inner)}.

significant_any() ->
    S = sup(#{auto_shutdown => any_significant},
            [(spec(ta, transient))#{significant => true}, spec(tb)]),
    M = monitor(process, S),
    started([ta, tb]),
    kill(ta, normal),
    receive {'DOWN', M, _, _, R} -> R end.

check_specs() ->
    [supervisor:check_childspecs(C) || C <- [[spec(a)], [spec(a), spec(a)], [#{id => x}], [bad],
                                             [{a, {m, f, []}, permanent, 10, worker, [m]}]]].

bad_flags() ->
    process_flag(trap_exit, true),
    [supervisor:start_link(t_supervisor, {F, []})
     || F <- [#{strategy => silly}, #{intensity => -1}, bad]].

child_answers() ->
    S = sup(#{}, [spec(ta)]),
    started([ta]),
    ta ! {get, self()},
    R = receive {name, N} -> N end,
    {R, stop(S), whereis(ta)}.

proc_lib_start() -> proc_lib:start(otp_callbacks, start_proc, [self(), {ok, x}]).

proc_lib_start_link_crash() ->
    process_flag(trap_exit, true),
    proc_lib:start_link(erlang, exit, [early]).

proc_lib_start_timeout() -> proc_lib:start(timer, sleep, [infinity], 5).

proc_lib_stop() ->
    P = proc_lib:spawn(fun() -> receive after infinity -> ok end end),
    ?TRY(proc_lib:stop(P, normal, 5)).

proc_lib_hibernate() ->
    S = self(),
    P = proc_lib:spawn(fun() -> proc_lib:hibernate(t_receive, woken, [S, hib]) end),
    P ! wake,
    receive R -> R end.

proc_lib_crash_reason() -> tlib:await_down(proc_lib:spawn(fun() -> exit(custom) end)).
proc_lib_error_reason() -> {R, _} = tlib:await_down(proc_lib:spawn(fun() -> error(custom) end)), R.

event_basic() ->
    {ok, E} = gen_event:start(),
    A = gen_event:add_handler(E, t_supervisor, {self(), []}),
    gen_event:notify(E, one),
    gen_event:sync_notify(E, two),
    R = gen_event:call(E, t_supervisor, get),
    {A, R, gen_event:which_handlers(E), tlib:drain([]), gen_event:stop(E)}.

event_several() ->
    {ok, E} = gen_event:start(),
    [gen_event:add_handler(E, {t_supervisor, I}, {self(), []}) || I <- [1, 2]],
    gen_event:sync_notify(E, x),
    L = tlib:drain([]),
    {lists:sort(gen_event:which_handlers(E)), L,
     gen_event:delete_handler(E, {t_supervisor, 1}, why), gen_event:which_handlers(E)}.

event_crash() ->
    {ok, E} = gen_event:start(),
    gen_event:add_handler(E, t_supervisor, {self(), []}),
    gen_event:sync_notify(E, crash),
    {gen_event:which_handlers(E), gen_event:call(E, t_supervisor, get)}.

event_remove() ->
    {ok, E} = gen_event:start(),
    gen_event:add_handler(E, t_supervisor, {self(), []}),
    gen_event:sync_notify(E, {remove, x}),
    {gen_event:which_handlers(E), tlib:drain([])}.

event_call_remove() ->
    {ok, E} = gen_event:start(),
    gen_event:add_handler(E, t_supervisor, {self(), []}),
    {gen_event:call(E, t_supervisor, stop_me), gen_event:which_handlers(E)}.

event_sup_handler() ->
    {ok, E} = gen_event:start(),
    gen_event:add_sup_handler(E, t_supervisor, {self(), []}),
    gen_event:delete_handler(E, t_supervisor, gone),
    [M || {gen_event_EXIT, _, _} = M <- tlib:drain([])].

event_bad_handler() ->
    {ok, E} = gen_event:start(),
    {gen_event:call(E, nohandler, get), gen_event:delete_handler(E, nohandler, x),
     element(1, gen_event:add_handler(E, no_such_module_x, []))}.

event_info() ->
    {ok, E} = gen_event:start(),
    gen_event:add_handler(E, t_supervisor, {self(), []}),
    E ! hello,
    receive X -> X end.

event_swap() ->
    {ok, E} = gen_event:start(),
    gen_event:add_handler(E, {t_supervisor, a}, {self(), []}),
    R = gen_event:swap_handler(E, {{t_supervisor, a}, arg}, {{t_supervisor, b}, x}),
    {R, gen_event:which_handlers(E)}.

timer_send_after() -> {ok, _} = timer:send_after(1, hello), receive X -> X end.

timer_apply_after() ->
    {ok, _} = timer:apply_after(1, erlang, send, [self(), applied]),
    receive X -> X end.

timer_interval() ->
    {ok, T} = timer:send_interval(2, tick),
    L = [receive X -> X end || _ <- [1, 2, 3]],
    {L, timer:cancel(T)}.

timer_cancel() -> {ok, T} = timer:send_after(100000, never), timer:cancel(T).
timer_sleep() -> timer:sleep(2).

timer_conversions() ->
    {timer:seconds(2), timer:minutes(1), timer:hours(1), timer:hms(1, 2, 3),
     timer:now_diff({1, 2, 3}, {1, 1, 0})}.

timer_tc() -> {T, V} = timer:tc(fun() -> 42 end), {is_integer(T), V}.

timer_kill_after() ->
    P = spawn(fun() -> receive after infinity -> ok end end),
    timer:kill_after(1, P),
    tlib:await_down(P).

timer_exit_after() ->
    P = spawn(fun() -> receive after infinity -> ok end end),
    timer:exit_after(1, P, because),
    tlib:await_down(P).

app_start_stop() ->
    application:load({application, t_app, [{description, "d"}, {vsn, "1"}, {modules, []},
                                           {registered, []}, {applications, [kernel, stdlib]},
                                           {env, [{k, v}]}, {mod, {otp_callbacks, args}}]}),
    A = application:start(t_app),
    B = gen_server:call(t_otp_app_worker, get),
    C = application:get_env(t_app, k),
    D = application:start(t_app),
    E = lists:keymember(t_app, 1, application:which_applications()),
    F = application:stop(t_app),
    G = whereis(t_otp_app_worker),
    application:unload(t_app),
    {A, B, C, D, E, F, G}.

app_env() ->
    application:load({application, t_app2,
                      [{vsn, "1"}, {applications, [kernel]}, {env, [{a, 1}]}]}),
    A = {application:get_env(t_app2, a), application:get_env(t_app2, b),
         application:get_env(t_app2, b, d)},
    application:set_env(t_app2, b, 2),
    B = lists:sort(application:get_all_env(t_app2)),
    application:unset_env(t_app2, a),
    R = {A, B, application:get_env(t_app2, a)},
    application:unload(t_app2),
    R.

app_missing() -> {error, {M, _}} = application:start(no_such_application), M.
app_key() -> {ok, V} = application:get_key(stdlib, vsn), is_list(V).
app_ensure_all() -> application:ensure_all_started(stdlib).
