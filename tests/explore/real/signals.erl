%% Signals between processes whose order or moment of arrival a program can tell. Each function is
%% a program whose value is its outcome; the line before it lists all of its outcomes.
%% tests/explore/beside explores each of them and runs it on the real `erl`, which must show no
%% other. Calls of y() are where the real one delays for a random while.
-module(signals).
-compile([export_all, nowarn_export_all]).

idle() -> receive stop -> ok end.

%% ---- signals of one process to another keep their order ----

%% outcomes: noproc
monitor_after_kill() ->
    P = spawn(fun idle/0),
    exit(P, kill),
    M = monitor(process, P),
    receive {'DOWN', M, process, _, R} -> R end.

%% outcomes: noproc
monitor_after_exit() ->
    P = spawn(fun idle/0),
    exit(P, bye),
    M = monitor(process, P),
    receive {'DOWN', M, process, _, R} -> R end.

%% outcomes: noproc
monitor_name_after_kill() ->
    P = spawn(fun idle/0),
    register(signals_name, P),
    exit(P, kill),
    M = monitor(process, signals_name),
    receive {'DOWN', M, process, _, R} -> R end.

%% A request to a killed process is never answered.
%% outcomes: noproc
call_after_kill() ->
    P = spawn(fun() -> receive {R, From} -> From ! R end end),
    exit(P, kill),
    M = monitor(process, P),
    P ! {M, self()},
    receive M -> answered; {'DOWN', M, _, _, W} -> W end.

%% outcomes: noproc
link_after_kill() ->
    process_flag(trap_exit, true),
    P = spawn(fun idle/0),
    exit(P, kill),
    link(P),
    receive {'EXIT', P, R} -> R end.

%% Either the process is known to be dead, or the link is refused by a signal, which may come late.
%% outcomes: [noproc], [true], noproc
link_after_kill_untrapped() ->
    P = spawn(fun idle/0),
    {_, M} = spawn_monitor(fun() ->
                                   exit(P, kill),
                                   y(),
                                   V = try link(P) catch error:E -> E end,
                                   y(),
                                   exit([V])
                           end),
    receive {'DOWN', M, process, _, R} -> R end.

%% A second link/1 fails as soon as the other process is ending, also where the exit signal of the first
%% link is still on its way.
%% outcomes: [noproc, noproc], [true, noproc], [true, true], oops
%% async: [noproc, noproc], [true, noproc], [true, true], noproc, oops
linked_twice() ->
    P = spawn(fun() -> y(), exit(oops) end),
    {_, M} = spawn_monitor(fun() ->
                                   V = try link(P) catch error:E -> E end,
                                   y(),
                                   W = try link(P) catch error:F -> F end,
                                   exit([V, W])
                           end),
    receive {'DOWN', M, process, _, R} -> R end.

%% outcomes: {false, undefined, undefined, false, badarg}
asked_after_kill() ->
    P = spawn(fun idle/0),
    exit(P, kill),
    {is_process_alive(P), process_info(P), process_info(P, status), erlang:garbage_collect(P),
     try group_leader(self(), P) catch error:E -> E end}.

%% outcomes: badarg
leader_after_kill() ->
    P = spawn(fun idle/0),
    exit(P, kill),
    try group_leader(self(), P) catch error:E -> E end.

%% outcomes: false
collected_after_kill() ->
    P = spawn(fun idle/0),
    exit(P, kill),
    erlang:garbage_collect(P).

%% Suspending acts at once with --delivery async, too.
%% outcomes: badarg
%% async: badarg, true
suspended_after_kill() ->
    P = spawn(fun idle/0),
    exit(P, kill),
    try erlang:suspend_process(P) catch error:E -> E end.

%% Giving a name sends no signal.
%% outcomes: badarg, true
named_after_kill() ->
    P = spawn(fun idle/0),
    exit(P, kill),
    y(),
    try register(signals_name, P) catch error:E -> E end.

%% outcomes: {false, killed}, {true, none}
demonitor_after_kill() ->
    P = spawn(fun idle/0),
    M = monitor(process, P),
    exit(P, kill),
    y(),
    X = demonitor(M, [info]),
    {X, receive {'DOWN', M, _, _, R} -> R after 0 -> none end}.

%% outcomes: killed, none
unlink_after_kill() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun idle/0),
    exit(P, kill),
    y(),
    unlink(P),
    receive {'EXIT', P, R} -> R after 0 -> none end.

%% outcomes: killed, noproc
monitor_by_another() ->
    P = spawn(fun idle/0),
    {_, M} = spawn_monitor(fun() ->
                                   y(),
                                   N = monitor(process, P),
                                   receive {'DOWN', N, process, _, R} -> exit(R) end
                           end),
    y(),
    exit(P, kill),
    receive {'DOWN', M, process, _, R} -> R end.

%% ---- the answer noproc is a signal of its own ----

%% outcomes: false, true
demonitor_of_no_name() ->
    M = monitor(process, signals_nobody),
    y(),
    demonitor(M, [flush, info]).

%% outcomes: none, {down, noproc}
demonitor_leaves_message() ->
    M = monitor(process, signals_nobody),
    y(),
    demonitor(M),
    receive {'DOWN', M, _, _, R} -> {down, R} after 0 -> none end.

%% A process that finds no message has taken all signals that are there.
%% outcomes: noproc
no_name_at_once() ->
    M = monitor(process, signals_nobody),
    receive {'DOWN', M, _, _, R} -> R after 0 -> none end.

%% outcomes: none, x
no_name_or_message() ->
    S = self(),
    spawn(fun() -> y(), S ! x end),
    monitor(process, signals_nobody),
    y(),
    receive x -> x after 0 -> none end.

%% outcomes: {none, noproc}, {x, noproc}
message_then_no_name() ->
    S = self(),
    spawn(fun() -> y(), S ! x end),
    monitor(process, signals_nobody),
    y(),
    A = receive x -> x after 0 -> none end,
    {A, receive {'DOWN', _, _, _, R} -> R after 0 -> none end}.

%% A process that is gone may still have to answer.
%% outcomes: none, noproc
nobody_at_once() ->
    {P, N} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', N, _, _, _} -> ok end,
    M = monitor(process, P),
    receive {'DOWN', M, _, _, R} -> R after 0 -> none end.

%% outcomes: {message_queue_len, 0}, {message_queue_len, 1}
no_name_asked() ->
    monitor(process, signals_nobody),
    y(),
    process_info(self(), message_queue_len).

%% outcomes: noproc, none
exiting_not_at_once() ->
    P = spawn(fun idle/0),
    exit(P, kill),
    y(),
    M = monitor(process, P),
    y(),
    receive {'DOWN', M, _, _, R} -> R after 0 -> none end.

%% outcomes: noproc
link_to_nobody() ->
    process_flag(trap_exit, true),
    {P, M} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', M, _, _, _} -> ok end,
    link(P),
    receive {'EXIT', P, R} -> R end.

%% outcomes: noproc
link_to_nobody_at_once() ->
    process_flag(trap_exit, true),
    {P, M} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', M, _, _, _} -> ok end,
    link(P),
    receive {'EXIT', P, R} -> R after 0 -> none end.

%% ---- demonitor with flush is a step ----

%% outcomes: 1, 2
monitor_seen() ->
    S = self(),
    {P, M} = spawn_monitor(fun() ->
                                   y(),
                                   {monitors, L} = process_info(S, monitors),
                                   exit({seen, length(L)})
                           end),
    y(),
    N = monitor(process, P),
    y(),
    demonitor(N, [flush]),
    receive {'DOWN', M, process, _, {seen, X}} -> X end.

%% outcomes: 0, 1, undefined
queue_of_flushing() ->
    P = spawn(fun() ->
                      {_, M} = spawn_monitor(fun() -> ok end),
                      y(),
                      demonitor(M, [flush])
              end),
    y(),
    case process_info(P, message_queue_len) of {_, N} -> N; undefined -> undefined end.

%% outcomes: 0, 1, undefined
queue_of_flushing_later() ->
    P = spawn(fun() ->
                      {_, M} = spawn_monitor(fun() -> ok end),
                      whereis(signals_name),
                      y(),
                      demonitor(M, [flush])
              end),
    y(),
    case process_info(P, message_queue_len) of {_, N} -> N; undefined -> undefined end.

%% outcomes: false, true
watched_while_flushing() ->
    C = spawn(fun idle/0),
    P = spawn(fun() -> M = monitor(process, C), y(), demonitor(M, [flush]) end),
    y(),
    R = process_info(C, monitored_by),
    C ! stop,
    R =:= {monitored_by, [P]}.

%% The monitor goes with the process that set it up.
%% outcomes: 0, 1
watched_by_the_dying() ->
    S = self(),
    {_, M} = spawn_monitor(fun() ->
                                   y(),
                                   {_, L} = process_info(S, monitored_by),
                                   exit({seen, length(L)})
                           end),
    spawn(fun() -> monitor(process, S), y() end),
    receive {'DOWN', M, _, _, {seen, N}} -> N end.

%% outcomes: 0, 1
linked_to_the_dying() ->
    S = self(),
    {_, M} = spawn_monitor(fun() ->
                                   y(),
                                   {_, L} = process_info(S, links),
                                   exit({seen, length(L)})
                           end),
    spawn(fun() -> link(S), y() end),
    receive {'DOWN', M, _, _, {seen, N}} -> N end.

%% The one that asks may be ended before; the one asked about has an answer to take, and ends.
%% outcomes: oops, {asked, []}, {asked, undefined}
asking_or_ended() ->
    P = spawn(fun() -> monitor(process, signals_nobody), y() end),
    {Q, M} = spawn_monitor(fun() -> y(), exit({asked, links(P)}) end),
    spawn(fun() -> y(), exit(Q, oops) end),
    receive {'DOWN', M, _, _, R} -> R end.

links(P) -> case process_info(P, links) of {links, L} -> L; undefined -> undefined end.

%% The one that is killed looks at a third one, which is killed, too.
%% outcomes: [oops, {asked, undefined}], [oops, oops], [normal, oops], [normal, {asked, []}], [normal, {asked, undefined}], [oops, {asked, []}]
both_ended() ->
    {P, M} = spawn_monitor(fun() -> y() end),
    {Q, N} = spawn_monitor(fun() -> y(), exit({asked, links(P)}) end),
    y(),
    exit(P, oops),
    y(),
    exit(Q, oops),
    [receive {'DOWN', R, _, _, V} -> V end || R <- [M, N]].

%% ---- somebody knows that a process is dead ----

%% A killed process gets no name once somebody has asked whether it is alive, also if it has not begun
%% to die. Both orders were taken for the same.
%% outcomes: {false, badarg}, {false, true}
named_or_known_dead() ->
    P = spawn(fun idle/0),
    {_, M} = spawn_monitor(fun() -> exit(P, kill), y(), exit({alive, is_process_alive(P)}) end),
    {_, N} = spawn_monitor(fun() ->
                                   y(),
                                   exit({named, catch_badarg(fun() -> register(signals_b, P) end)})
                           end),
    X = receive {'DOWN', M, _, _, {alive, V}} -> V end,
    receive {'DOWN', N, _, _, {named, W}} -> {X, W} end.

%% The same with the list of all processes.
%% outcomes: {false, true}, {false, false}
listed_or_known_dead() ->
    P = spawn(fun idle/0),
    {_, M} = spawn_monitor(fun() -> exit(P, kill), y(), exit({alive, is_process_alive(P)}) end),
    {_, N} = spawn_monitor(fun() -> y(), exit({listed, lists:member(P, processes())}) end),
    X = receive {'DOWN', M, _, _, {alive, V}} -> V end,
    receive {'DOWN', N, _, _, {listed, W}} -> {X, W} end.

%% ---- control was lost ----

%% outcomes: badarg, true
asked_and_named() ->
    S = self(),
    {_, M} = spawn_monitor(fun() ->
                                   process_info(S, monitored_by),
                                   exit({left, catch_badarg(fun() -> unregister(signals_a) end)})
                           end),
    {_, N} = spawn_monitor(fun() -> register(signals_a, self()) end),
    X = receive {'DOWN', M, _, _, {left, V}} -> V end,
    receive {'DOWN', N, _, _, _} -> ok end,
    X.

catch_badarg(F) -> try F() catch error:badarg -> badarg end.

%% outcomes: true, false
alive_after_send() ->
    P = spawn(fun() -> receive x -> ok end end),
    P ! x,
    y(),
    is_process_alive(P).

%% ---- timers ----

%% A timer ends with the process that it is for.
%% outcomes: false, left
timer_of_ending_process() ->
    P = spawn(fun() -> y() end),
    T = erlang:send_after(100000, P, m),
    y(),
    case erlang:cancel_timer(T) of
        false -> false;
        _ -> left
    end.

%% outcomes: false
timer_of_ended_process() ->
    {P, M} = spawn_monitor(fun() -> ok end),
    T = erlang:send_after(100000, P, m),
    receive {'DOWN', M, process, _, _} -> erlang:read_timer(T) end.
