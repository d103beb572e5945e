%% Monitors, aliases, registered names, timers, process_info.
-module(t_monitor).
-export([monitor_normal/0, monitor_reason/0, monitor_dead/0, monitor_name/0, monitor_no_name/0,
         monitor_self/0, monitor_many/0, monitor_bad/0, demonitor/0, demonitor_flush/0,
         demonitor_info/0, demonitor_flush_info/0, demonitor_unknown/0, monitor_tag/0,
         monitor_alias/0, monitor_alias_deactivated/0, monitor_alias_explicit/0,
         monitor_alias_demonitor/0, alias_basic/0, alias_reply/0, alias_explicit/0,
         alias_from_other/0, alias_taken_in/0,
         alias_bad/0, send_to_plain_ref/0, spawn_monitor_alias/0,
         gen_call_shape/0, register_whereis/0, register_twice/0, register_dead/0,
         register_bad/0, registered_list/0, name_freed_on_exit/0, send_by_name/0, send_after/0,
         send_after_name/0, send_after_zero/0, start_timer/0, timers_in_order/0, cancel_timer/0,
         cancel_fired/0, cancel_options/0, cancel_async_no_info/0, read_timer/0,
         read_timer_async/0, timer_to_dead/0, timer_abs/0, timer_bad/0, sleeping_order/0,
         time_moves/0, time_units/0, convert_time/0, system_time_shapes/0, unique_integers/0,
         refs_unique/0, ref_text/0, info_self/0, info_links/0, info_monitors/0,
         info_dictionary/0, info_registered/0, info_initial_call/0, info_current/0,
         info_status/0, info_messages/0, info_list/0, info_keys/0, info_dead/0, info_bad/0,
         info_group_leader/0, info_numbers/0, info_trap_exit/0, info_parent/0]).
-include("t.hrl").

idle(process) -> spawn(fun() -> receive stop -> ok end end).
down(M) -> receive {'DOWN', M, T, _, R} -> {T, R} end.

monitor_normal() -> down(monitor(process, spawn(fun() -> ok end))).
monitor_reason() -> P = idle(process), M = monitor(process, P), exit(P, boom), down(M).
monitor_dead() -> P = spawn(fun() -> ok end), tlib:await_down(P), down(monitor(process, P)).

monitor_name() ->
    P = spawn(fun() -> register(t_mon_name, self()), receive stop -> ok end end),
    tlib:until(fun() -> whereis(t_mon_name) =:= P end),
    M = monitor(process, t_mon_name),
    P ! stop,
    receive {'DOWN', M, process, O, R} -> {O =:= {t_mon_name, node()}, R} end.

monitor_no_name() ->
    M = monitor(process, no_such_name_x),
    receive {'DOWN', M, process, O, R} -> {O, R} end.

monitor_self() -> M = monitor(process, self()), demonitor(M).

monitor_many() ->
    P = idle(process),
    Ms = [monitor(process, P) || _ <- [1, 2, 3]],
    P ! stop,
    [down(M) || M <- Ms].

monitor_bad() ->
    [?TRY(monitor(process, ?ID(1))), ?TRY(monitor(?ID(nosuch), self())), ?TRY(demonitor(?ID(a))),
     ?TRY(demonitor(make_ref(), ?ID([bad])))].

demonitor() ->
    P = idle(process),
    M = monitor(process, P),
    R = demonitor(M),
    P ! stop,
    tlib:await_down(P),
    {R, tlib:drain([])}.

demonitor_flush() ->
    P = spawn(fun() -> ok end),
    M = monitor(process, P),
    tlib:await_down(P),
    R = demonitor(M, [flush]),
    {R, tlib:drain([])}.

demonitor_info() ->
    P = idle(process),
    M = monitor(process, P),
    A = demonitor(M, [info]),
    B = demonitor(M, [info]),
    {A, B}.

demonitor_flush_info() ->
    P = spawn(fun() -> ok end),
    M = monitor(process, P),
    tlib:await_down(P),
    {demonitor(M, [flush, info]), tlib:drain([])}.

demonitor_unknown() -> demonitor(make_ref()).

monitor_tag() ->
    P = idle(process),
    M = monitor(process, P, [{tag, my_down}]),
    P ! stop,
    receive {my_down, M, process, P, R} -> R end.

monitor_alias() ->
    S = self(),
    P = spawn(fun() -> receive {ask, A} -> A ! {A, answer} end end),
    M = monitor(process, P, [{alias, reply_demonitor}]),
    _ = S,
    P ! {ask, M},
    receive {M, X} -> X end.

monitor_alias_deactivated() ->
    P = spawn(fun() -> receive {ask, A} -> A ! {A, 1}, A ! {A, 2} end end),
    M = monitor(process, P, [{alias, reply_demonitor}]),
    P ! {ask, M},
    X = receive {M, V} -> V end,
    tlib:await_down(P),
    {X, tlib:drain([])}.

monitor_alias_explicit() ->
    P = spawn(fun() -> receive {ask, A} -> A ! {A, 1}, A ! {A, 2} end end),
    M = monitor(process, P, [{alias, explicit_unalias}]),
    P ! {ask, M},
    X = receive {M, 1} -> ok end,
    Y = receive {M, 2} -> ok end,
    {X, Y, unalias(M), unalias(M)}.

monitor_alias_demonitor() ->
    P = idle(process),
    M = monitor(process, P, [{alias, demonitor}]),
    M ! a,
    demonitor(M),
    M ! b,
    tlib:drain([]).

alias_basic() ->
    A = erlang:alias(),
    A ! one,
    R = unalias(A),
    A ! two,
    {R, unalias(A), tlib:drain([])}.

alias_reply() -> A = alias([reply]), A ! one, A ! two, {tlib:drain([]), unalias(A)}.
alias_explicit() -> A = alias([explicit_unalias]), A ! one, A ! two, {tlib:drain([]), unalias(A)}.
alias_from_other() -> A = erlang:alias(), spawn(fun() -> A ! {from, other} end), receive M -> M end.

%% A message that was taken in before its alias ended stays.
alias_taken_in() ->
    [taken_in(fun(A) -> A ! one, Step() end)
     || Step <- [fun() -> ok end, fun() -> receive after 0 -> ok end end,
                 fun() -> receive after 1 -> ok end end,
                 fun() -> receive foo -> ok after 0 -> ok end end,
                 fun() -> process_info(self(), message_queue_len) end,
                 fun() -> process_info(self(), status) end, fun() -> erlang:yield() end,
                 fun() -> is_process_alive(whereis(init)) end,
                 fun() -> self() ! x, receive x -> ok end end]]
    ++ [taken_in(fun(A) ->
            {_, M} = spawn_monitor(fun() -> A ! one end),
            receive {'DOWN', M, _, _, _} -> ok end end)].

taken_in(Fun) ->
    A = alias(),
    Fun(A),
    unalias(A),
    receive one -> kept after 0 -> none end.

alias_bad() -> [?TRY(alias(?ID([bad]))), ?TRY(unalias(?ID(a))), unalias(make_ref())].
send_to_plain_ref() -> R = make_ref(), R ! x =:= x andalso tlib:drain([]).

spawn_monitor_alias() ->
    {P, M} = spawn_opt(fun() -> receive {r, A} -> A ! {hi, A} end end,
                       [{monitor, [{alias, reply_demonitor}]}]),
    P ! {r, M},
    receive {hi, M} -> tlib:drain([]) end.

gen_call_shape() ->
    P = spawn(fun() ->
                  receive {'$gen_call', {_, [alias | A] = T}, Q} -> A ! {T, {reply, Q}} end end),
    gen:call(P, '$gen_call', question, 1000).

register_whereis() ->
    P = idle(process),
    {register(t_reg_a, P), whereis(t_reg_a) =:= P, unregister(t_reg_a), whereis(t_reg_a)}.

register_twice() ->
    P = idle(process),
    Q = idle(process),
    register(t_reg_b, P),
    R = [?TRY(register(t_reg_b, Q)), ?TRY(register(t_reg_c, P))],
    unregister(t_reg_b),
    R.

register_dead() -> P = spawn(fun() -> ok end), tlib:await_down(P), ?TRY(register(t_reg_d, P)).

register_bad() ->
    [?TRY(register(?ID(undefined), self())), ?TRY(register(?ID("x"), self())),
     ?TRY(register(x, ?ID(a))), ?TRY(unregister(?ID(t_nosuch))), ?TRY(whereis(?ID(1)))].

registered_list() ->
    register(t_reg_e, self()),
    R = lists:member(t_reg_e, registered()),
    unregister(t_reg_e),
    {R, lists:member(t_reg_e, registered())}.

name_freed_on_exit() ->
    P = idle(process),
    register(t_reg_f, P),
    P ! stop,
    tlib:await_down(P),
    whereis(t_reg_f).

send_by_name() ->
    register(t_reg_g, self()),
    t_reg_g ! hi,
    unregister(t_reg_g),
    {tlib:drain([]), ?TRY(t_reg_g ! hi)}.

send_after() -> R = erlang:send_after(1, self(), tick), {is_reference(R), receive X -> X end}.

send_after_name() ->
    register(t_timer_name, self()),
    erlang:send_after(1, t_timer_name, tick),
    X = receive Y -> Y end,
    unregister(t_timer_name),
    X.

send_after_zero() -> erlang:send_after(0, self(), now), receive X -> X end.
start_timer() -> R = erlang:start_timer(1, self(), msg), receive {timeout, R, M} -> M end.

timers_in_order() ->
    [erlang:send_after(T, self(), T) || T <- [30, 1, 15]],
    [receive X -> X end || _ <- [1, 2, 3]].

cancel_timer() ->
    R = erlang:send_after(100000, self(), never),
    L = erlang:cancel_timer(R),
    {L > 90000, erlang:cancel_timer(R), tlib:drain([])}.

cancel_fired() -> R = erlang:send_after(0, self(), x), receive x -> ok end, erlang:cancel_timer(R).

cancel_options() ->
    R = erlang:send_after(100000, self(), never),
    A = erlang:cancel_timer(R, [{info, false}]),
    Q = erlang:send_after(100000, self(), never),
    B = erlang:cancel_timer(Q, [{async, true}]),
    receive {cancel_timer, Q, L} -> {A, B, is_integer(L)} end.

cancel_async_no_info() ->
    R = erlang:send_after(100000, self(), never),
    {erlang:cancel_timer(R, [{async, true}, {info, false}]), tlib:drain([])}.

read_timer() ->
    R = erlang:start_timer(100000, self(), m),
    L = erlang:read_timer(R),
    erlang:cancel_timer(R),
    {L > 90000, L =< 100000, erlang:read_timer(R), erlang:read_timer(make_ref())}.

read_timer_async() ->
    R = erlang:start_timer(100000, self(), m),
    ok = erlang:read_timer(R, [{async, true}]),
    receive {read_timer, R, L} -> is_integer(L) end.

timer_to_dead() ->
    P = spawn(fun() -> ok end),
    tlib:await_down(P),
    erlang:send_after(1, P, x),
    receive after 5 -> ok end.

timer_abs() ->
    T = erlang:monotonic_time(millisecond) + 2,
    erlang:start_timer(T, self(), absolute, [{abs, true}]),
    receive {timeout, _, M} -> M end.

timer_bad() ->
    [?TRY(erlang:send_after(?ID(-1), self(), x)), ?TRY(erlang:send_after(?ID(a), self(), x)),
     ?TRY(erlang:start_timer(1, ?ID("x"), x)), ?TRY(erlang:cancel_timer(?ID(a))),
     ?TRY(erlang:send_after(1 bsl 80, self(), x))].

sleeping_order() ->
    S = self(),
    [spawn(fun() -> receive after T -> S ! T end end) || T <- [40, 5, 20]],
    [receive X -> X end || _ <- [1, 2, 3]].

time_moves() ->
    A = erlang:monotonic_time(millisecond),
    receive after 3 -> ok end,
    B = erlang:monotonic_time(millisecond),
    B - A >= 3.

time_units() ->
    [is_integer(erlang:monotonic_time(U))
     || U <- [second, millisecond, microsecond, nanosecond, native, 1000]] ++ [
        ?TRY(erlang:monotonic_time(?ID(year)))].

convert_time() ->
    [erlang:convert_time_unit(T, F, U) || T <- [0, 1, 1500, -1500],
     {F, U} <- [{millisecond, second}, {second, millisecond}, {microsecond, nanosecond},
                {100, 1000}]].

system_time_shapes() ->
    {M, S, U} = os:timestamp(),
    {is_integer(M), S < 1000000, U < 1000000, is_integer(erlang:system_time()),
     is_integer(os:system_time(second)), is_integer(erlang:time_offset())}.

unique_integers() ->
    A = erlang:unique_integer([monotonic]),
    B = erlang:unique_integer([monotonic]),
    C = erlang:unique_integer([positive]),
    {A < B, C > 0, erlang:unique_integer() =/= erlang:unique_integer()}.

refs_unique() -> L = [make_ref() || _ <- lists:seq(1, 100)], length(lists:usort(L)).
ref_text() -> R = make_ref(), L = ref_to_list(R), {lists:prefix("#Ref<", L), list_to_ref(L) =:= R}.

info_self() ->
    [process_info(self(), I)
     || I <- [trap_exit, priority, status, message_queue_len, messages, error_handler]].

info_links() ->
    P = spawn_link(fun() -> receive stop -> ok end end),
    {links, L} = process_info(self(), links),
    R = lists:member(P, L),
    P ! stop,
    R.

info_monitors() ->
    P = idle(process),
    monitor(process, P),
    {{monitors, [{process, Q}]}, {monitored_by, [S]}} = {process_info(self(), monitors),
                                                         process_info(P, monitored_by)},
    {P =:= Q, S =:= self()}.

info_dictionary() ->
    P = spawn(fun() -> put(a, 1), receive {q, F} -> F ! ok, receive stop -> ok end end end),
    P ! {q, self()},
    receive ok -> ok end,
    process_info(P, dictionary).

info_registered() ->
    P = idle(process),
    A = process_info(P, registered_name),
    register(t_info_name, P),
    B = process_info(P, registered_name),
    unregister(t_info_name),
    {A, B}.

info_initial_call() ->
    P = spawn(lists, last, [[1]]),
    Q = idle(process),
    {process_info(Q, initial_call), is_pid(P)}.

info_current() ->
    P = idle(process),
    tlib:until(fun() -> process_info(P, status) =:= {status, waiting} end),
    {current_function, {M, _, A}} = process_info(P, current_function),
    {M, A}.

info_status() ->
    P = idle(process),
    tlib:until(fun() -> process_info(P, status) =:= {status, waiting} end),
    process_info(P, status).

info_messages() ->
    P = spawn(fun() -> receive never -> ok end end),
    P ! a,
    P ! {b, 1},
    {process_info(P, messages), process_info(P, message_queue_len)}.

info_list() -> process_info(self(), [trap_exit, registered_name, status]).
info_keys() -> [K || {K, _} <- process_info(self())].

info_dead() ->
    P = spawn(fun() -> ok end),
    tlib:await_down(P),
    {process_info(P), process_info(P, status), process_info(P, [links])}.

info_bad() ->
    [?TRY(process_info(?ID(a), status)), ?TRY(process_info(self(), ?ID(nosuch))),
     ?TRY(process_info(self(), [?ID(nosuch)]))].

info_group_leader() -> {group_leader, G} = process_info(self(), group_leader), G =:= group_leader().

info_numbers() ->
    [is_integer(element(2, process_info(self(), I)))
     || I <- [heap_size, stack_size, total_heap_size, reductions, memory]].

info_trap_exit() -> process_flag(trap_exit, true), process_info(self(), trap_exit).
info_parent() -> S = self(), P = idle(process), {parent, Q} = process_info(P, parent), S =:= Q.
