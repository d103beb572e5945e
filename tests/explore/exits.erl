%% Links, exit signals and the steps of dying, as the real order guarantees allow: small programs
%% with exactly known verdicts.
%%
%% expect: whereis_after_kill => bug,abnormal-exit
%% expect: whereis_after_down => proved
%% expect: alive_after_kill => proved
%% expect: alive_after_kill --delivery async => proved
%% expect: linked_crash => bug,abnormal-exit
%% expect: trapped_crash => proved
%% expect: monitored_crash => proved
%% expect: monitored_crash --exits any => bug,abnormal-exit
%% expect: shutdown_is_normal => proved
%% expect: unwatched_crash => bug,abnormal-exit
%% expect: custom_exit => bug,abnormal-exit
%% expect: custom_exit --normal-exit planned => proved
%% expect: heir_gets_table => proved
%% expect: idle_server => proved
%% expect: idle_server --stuck any => bug,stuck
%% expect: waits_for_ever => bug,stuck
%% expect: particular_wait => bug,stuck
%% expect: assertion => bug,assertion
%% expect: left_unread => proved
%% expect: waits_for_a_worker => bug,stuck
%% expect: line_of_a_call => bug,abnormal-exit
%% expect: particular_wait --stuck test => proved
%% expect: stuck_beside_servers => bug,stuck
%% expect: watched_no_more --strategy dpor => bug,abnormal-exit
%% expect: flushed_too_early --strategy dpor => bug,abnormal-exit
%% expect: told_by_sleeper => proved
%% expect: told_by_timer => proved
%% expect: told_by_sleeper --stuck any => proved
%% expect: watchdog --stuck any => proved
%% expect: told_by_nobody => bug,stuck
%% expect: watcher_ends_first --strategy dpor => bug,abnormal-exit
%% expect: victim => proved
%% expect: victim --exits any => bug,abnormal-exit
%% expect: answered_too_late --strategy dpor => proved
%% expect: failed_too_late --strategy dpor => bug,abnormal-exit
-module(exits).
-include_lib("eunit/include/eunit.hrl").
-export([whereis_after_kill/0, whereis_after_down/0, alive_after_kill/0, linked_crash/0,
         trapped_crash/0, monitored_crash/0, shutdown_is_normal/0, unwatched_crash/0,
         custom_exit/0, heir_gets_table/0, idle_server/0, waits_for_ever/0, particular_wait/0,
         assertion/0, left_unread/0, line_of_a_call/0, watched_no_more/0, flushed_too_early/0,
         stuck_beside_servers/0, told_by_sleeper/0, told_by_timer/0, watchdog/0, told_by_nobody/0,
         victim/0, watcher_ends_first/0, waits_for_a_worker/0,
         answered_too_late/0, failed_too_late/0]).

idle() -> receive stop -> ok end.

%% A kill is taken by the receiver in its own time: its name may still be there.
whereis_after_kill() ->
    Pid = spawn(fun idle/0),
    register(victim, Pid),
    exit(Pid, kill),
    undefined = whereis(victim).

whereis_after_down() ->
    Pid = spawn(fun idle/0),
    register(victim, Pid),
    Monitor = monitor(process, Pid),
    exit(Pid, kill),
    receive {'DOWN', Monitor, process, _, killed} -> ok end,
    undefined = whereis(victim).

%% is_process_alive waits for the caller's own earlier signals.
alive_after_kill() ->
    Pid = spawn(fun idle/0),
    exit(Pid, kill),
    false = is_process_alive(Pid).

linked_crash() ->
    spawn_link(fun() -> exit(broken) end),
    receive never -> ok end.

trapped_crash() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> exit(broken) end),
    receive {'EXIT', Pid, broken} -> ok end.

monitored_crash() ->
    {_, Monitor} = spawn_monitor(fun() -> error(broken) end),
    receive {'DOWN', Monitor, process, _, _} -> ok end.

shutdown_is_normal() ->
    Pids = [spawn(fun() -> exit(Reason) end) || Reason <- [normal, shutdown, {shutdown, why}]],
    [begin M = monitor(process, P), receive {'DOWN', M, process, _, _} -> ok end end || P <- Pids].

unwatched_crash() ->
    spawn(fun() -> error(broken) end).

custom_exit() ->
    spawn(fun() -> exit(planned) end).

heir_gets_table() ->
    Self = self(),
    Pid = spawn(fun() -> ets:insert(ets:new(t, [{heir, Self, gift}]), {k, 1}) end),
    receive {'ETS-TRANSFER', Table, Pid, gift} -> [{k, 1}] = ets:lookup(Table, k) end.

%% A server at rest when the test has ended is not a finding.
idle_server() ->
    Server = spawn(fun serve/0),
    Server ! {self(), hello},
    receive {Server, hello} -> ok end.

serve() ->
    receive {From, What} -> From ! {self(), What}, serve() end.

waits_for_ever() ->
    receive never -> ok end.

particular_wait() ->
    spawn(fun() -> receive {reply, 42} -> ok end end).

assertion() ->
    Self = self(),
    [spawn(fun() -> Self ! I end) || I <- [1, 2]],
    ?assertEqual(1, receive First -> First end).

%% Only a warning.
left_unread() ->
    Pid = spawn(fun() -> receive go -> ok end end),
    Pid ! go,
    Pid ! late.

%% The test waits for the end of a worker, and the worker for a message that never comes.
waits_for_a_worker() ->
    Worker = spawn(fun worker/0),
    spawn(fun() -> Worker ! {ready, 1} end),
    Monitor = monitor(process, Worker),
    receive {'DOWN', Monitor, process, Worker, _} -> ok end.

worker() ->
    receive {ready, X} when X > 1 -> ok end.

%% Its end is told to nobody if the watcher ceases to watch in time.
watched_no_more() -> crash_while_watched([]).
flushed_too_early() -> crash_while_watched([flush]).

crash_while_watched(Options) ->
    S = self(),
    {P, M} = spawn_monitor(fun() -> receive go -> exit(oops) end end),
    spawn(fun() -> S ! enough end),
    P ! go,
    receive enough -> demonitor(M, Options) end.

%% Two servers that would hear of each other's end do not wait for it.
stuck_beside_servers() ->
    spawn(fun() ->
              process_flag(trap_exit, true),
              spawn_link(fun() -> process_flag(trap_exit, true), serve_linked() end),
              serve_linked()
          end),
    spawn(fun idle/0).

serve_linked() ->
    receive
        {'EXIT', _, _} -> serve_linked();
        _ -> serve_linked()
    end.

%% spawn/1 is a call of Erlang code: its line is that of the call, not of what comes after it.
line_of_a_call() ->
    spawn(fun() -> ok end),
    give_up().

give_up() -> exit({line, before_the_next_call}).

%% Timers do not fire when the test has ended; those who would be woken by one are not stuck.
told_by_sleeper() ->
    C = spawn(fun() -> receive cancel -> ok end end),
    spawn(fun() -> receive after 500 -> C ! cancel end end),
    ok.

told_by_timer() ->
    C = spawn(fun() -> receive cancel -> ok end end),
    spawn(fun() ->
                  R = erlang:start_timer(500, self(), x),
                  receive {timeout, R, x} -> C ! cancel end
          end),
    ok.

watchdog() ->
    spawn(fun() -> receive done -> ok after 10 -> ok end end),
    ok.

%% The process that sleeps does not know the one that waits.
told_by_nobody() ->
    spawn(fun() -> receive after 500 -> ok end end),
    spawn(fun() -> receive cancel -> ok end end),
    ok.

%% The worker does not end by itself: another process ends it, and its work is lost.
victim() ->
    W = spawn(fun() -> receive job -> done end end),
    spawn(fun() -> exit(W, oops) end),
    W ! job,
    ok.

%% The second worker takes the test's process with it, which then does not hear of the first.
watcher_ends_first() ->
    Me = self(),
    {_, M} = spawn_monitor(fun() -> exit(foo) end),
    {_, N} = spawn_monitor(fun() -> (catch link(Me)), exit({shutdown, x}) end),
    receive {'DOWN', M, _, _, _} -> ok end,
    receive {'DOWN', N, _, _, _} -> ok end.

%% The worker of an erpc call hands over its result by its end. A caller that does not wait for the
%% result is not a fault; a call that fails is one.
answered_too_late() ->
    erpc:wait_response(erpc:send_request(node(), fun() -> 5 end), 0).

failed_too_late() ->
    erpc:wait_response(erpc:send_request(node(), fun() -> error(oops) end), 0).
