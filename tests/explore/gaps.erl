%% Programs in which a search has left classes out, each with its number of classes (dfs finds as
%% many): executions with --observers none. More executions than classes would be waste, not a gap.
%%
%% expect: fires_beside_looks --strategy dpor --observers none => proved,executions=520
%% expect: fires_beside_looks --strategy dpor => proved,executions=167
%% expect: normal_end_of_linked --strategy dpor --observers none --ignore abnormal-exit => proved,executions=8
%% expect: many_unread --strategy dpor => proved,executions=2
%% expect: linked_from_both_sides --strategy dpor --observers none --delivery async => proved,executions=12
%% expect: unlinked_from_both_sides --strategy dpor --observers none --delivery async => proved,executions=108
%% expect: unlinked_and_linked --strategy dpor --observers none --delivery async --ignore abnormal-exit => proved,executions=16
%% expect: linked_to_one_that_unlinks --strategy dpor --observers none --delivery async --ignore abnormal-exit => proved,executions=50
%% expect: demonitored_on_the_way --strategy dpor --observers none --delivery async => proved,executions=6
%% expect: monitored_by_somebody --strategy dpor --observers none --delivery async => proved,executions=30
%% expect: told_too_late --strategy dpor --delivery async => bug,abnormal-exit
%% expect: asked_and_killed --strategy dpor --observers none --delivery async --ignore abnormal-exit => proved,executions=62
%% expect: polled_or_killed --strategy dpor --delivery async --ignore abnormal-exit => proved
%% expect: timer_behind_own_down --strategy dpor --observers none => proved,executions=7
%% expect: suspend_each_other --strategy dpor --observers none --ignore abnormal-exit,stuck => proved,executions=2
%% expect: suspended_beside --strategy dpor --observers none --ignore abnormal-exit,stuck => proved,executions=14
%% expect: suspended_asker --strategy dpor --observers none --delivery async --ignore abnormal-exit,stuck => proved,executions=13
%% expect: suspended_looker --strategy dpor --ignore stuck => bug,abnormal-exit
%% expect: suspended_looker --strategy dpor --observers none --ignore stuck,abnormal-exit => proved,executions=4
%% expect: suspended_then_killed --strategy dpor --observers none --ignore abnormal-exit,stuck => proved,executions=17
%% expect: suspended_then_killed --strategy dpor --observers none --delivery async --ignore abnormal-exit,stuck => proved,executions=19
%% expect: resumed_for_nothing --strategy dpor --observers none => proved,executions=2
%% expect: suspended_twice --strategy dpor --observers none --ignore abnormal-exit,stuck => proved,executions=5
%% expect: looked_at_killed --strategy dpor --ignore abnormal-exit => proved,executions>=35,executions<=38
%% expect: suspended_or_killed --strategy dpor --observers none --ignore abnormal-exit => proved,executions=7
%% expect: suspended_or_killed --strategy dpor --observers none --delivery async --ignore abnormal-exit => proved,executions=8
%% expect: suspended_by_two --strategy dpor --observers none --ignore abnormal-exit,stuck => proved,executions=10
%% expect: renamed_at_the_end --strategy dpor --observers none --delivery async --ignore abnormal-exit => proved,executions=3
%% expect: named_beside_kill --strategy dpor --observers none --delivery async --ignore abnormal-exit => proved
%% expect: unregistered_or_not --strategy dpor --observers none => proved,executions=84
%% expect: unregistered_or_not --strategy dpor => proved,executions=56
%% expect: deleted_twice --strategy dpor --observers none --delivery async --ignore abnormal-exit => proved,executions=712
%% expect: deleted_beside_poll --strategy dpor --observers none => proved,executions=15
%% expect: deleted_beside_poll --strategy dpor => proved,executions=15
%% expect: looked_at_later --strategy dpor => proved,executions=173
%% expect: looked_at_next --strategy dpor => proved,executions=161
%% expect: demonitored_or_told --strategy dpor --observers none => proved,executions=636
%% expect: demonitored_beside_look --strategy dpor --observers none => proved,executions=18
%% expect: demonitored_beside_name --strategy dpor --observers none --ignore abnormal-exit => proved,executions=40
%% expect: polled_then_ended --strategy dpor --ignore abnormal-exit => proved,executions=11
%% expect: own_down_and_names --strategy dpor --delivery async => proved,executions=2
%% expect: heirs_beside_looks --strategy dpor => proved
%% expect: monitored_while_ending --strategy dpor --ignore abnormal-exit => proved
%% expect: late_replies --strategy dpor --timeouts any => proved
-module(gaps).
-export([fires_beside_looks/0, timer_behind_own_down/0, normal_end_of_linked/0, own_down_and_names/0,
         many_unread/0, linked_from_both_sides/0,
         unlinked_from_both_sides/0, unlinked_and_linked/0, linked_to_one_that_unlinks/0,
         demonitored_on_the_way/0, monitored_by_somebody/0, told_too_late/0,
         asked_and_killed/0, polled_or_killed/0, suspend_each_other/0, suspended_beside/0,
         looked_at_killed/0, suspended_asker/0, resumed_for_nothing/0, suspended_twice/0,
         suspended_or_killed/0, suspended_by_two/0, named_beside_kill/0,
         renamed_at_the_end/0,
         unregistered_or_not/0, deleted_twice/0, deleted_beside_poll/0, looked_at_later/0,
         looked_at_next/0, demonitored_or_told/0, suspended_looker/0, suspended_then_killed/0,
         demonitored_beside_look/0, demonitored_beside_name/0, polled_then_ended/0,
         heirs_beside_looks/0, monitored_while_ending/0, late_replies/0]).

%% Two timers that are due at the same time. Sequences with the second timer got branches of their
%% own as long as it was not known whether it can fire first; then they were explored with the timer
%% asleep, and the branch of the timer did not know of them.
fires_beside_looks() ->
    S = self(),
    {P1, M1} = spawn_monitor(fun() ->
        erlang:send_after(5, S, a),
        erlang:send_after(5, self(), b) end),
    {_, M2} = spawn_monitor(fun() -> process_info(P1, registered_name) end),
    process_info(P1, registered_name),
    receive {'DOWN', M1, _, _, _} -> ok end,
    receive {'DOWN', M2, _, _, _} -> ok end.

%% 10 classes. The news of a normal end touched the mailbox of a process that had ended, but not
%% before its end: a difference that came from no step before it.
normal_end_of_linked() ->
    {P1, _} = spawn_monitor(fun() -> process_flag(trap_exit, true) end),
    {P2, _} = spawn_monitor(fun() -> spawn_link(fun() -> exit(kill) end) end),
    is_process_alive(P2),
    receive {'DOWN', _, _, P1, _} -> ok end,
    receive {'DOWN', _, _, P2, _} -> ok end.

%% Two orders of the unregisters. The DOWN that the test's own process sends itself is delivered,
%% or the poll takes it along: the same class, which the checker took for two.
own_down_and_names() ->
    {_, M1} = spawn_monitor(fun() -> monitor(process, n) end),
    {_, M2} = spawn_monitor(fun() -> catch unregister(n) end),
    catch unregister(n),
    monitor(process, n),
    receive {'DOWN', M1, _, _, _} -> ok end,
    receive none -> ok after 0 -> ok end,
    receive {'DOWN', M2, _, _, _} -> ok end,
    whereis(n).

%% The checker demands runs with each part of the messages whose order nobody can tell.
many_unread() ->
    S = self(),
    [spawn(fun() -> S ! {unread, N} end) || N <- lists:seq(1, 11)],
    spawn(fun() -> S ! a end),
    spawn(fun() -> S ! b end),
    receive a -> ok; b -> ok end,
    receive a -> ok; b -> ok end.

%% Both ask for the link. Whether the test's own process finds the link or asks the dead depends on
%% the arrival of the other request, and of the exit signal. dpor once found 11 of 27 classes, of which
%% 13 were differences that no step had made: there were two links, and a signal ended one of them.
linked_from_both_sides() ->
    S = self(),
    process_flag(trap_exit, true),
    P = spawn(fun() -> link(S) end),
    link(P),
    receive {'EXIT', P, _} -> ok end,
    receive _ -> ok after 10 -> ok end.

%% Both link and unlink. The arrival of a request looked at the link of its sender, which may have
%% been removed meanwhile, and no access showed that: control was lost.
unlinked_from_both_sides() ->
    S = self(),
    process_flag(trap_exit, true),
    P = spawn(fun() -> process_flag(trap_exit, true), link(S), unlink(S) end),
    link(P),
    unlink(P),
    receive {'EXIT', _, R} -> R after 10 -> none end.

%% The exit signal is that of the first link, or comes as the answer to the second one, or both
%% signals have come too late.
unlinked_and_linked() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit(oops) end),
    unlink(P),
    link(P),
    receive {'EXIT', P, _} -> ok after 10 -> none end.

%% The request that crosses the removal is ignored.
linked_to_one_that_unlinks() ->
    S = self(),
    process_flag(trap_exit, true),
    P = spawn(fun() -> link(S), unlink(S), exit(oops) end),
    link(P),
    receive {'EXIT', P, _} -> ok after 10 -> none end.

%% The same with a monitor. The process at the other end sends its DOWN, which is dropped.
demonitored_on_the_way() ->
    P = spawn(fun() -> ok end),
    M = monitor(process, P),
    demonitor(M),
    receive _ -> ok after 10 -> ok end.

%% The third process sees the monitor, or not yet, or not any more.
monitored_by_somebody() ->
    P = spawn(fun() -> receive a -> ok end end),
    M = monitor(process, P),
    demonitor(M, [flush]),
    {_, N} = spawn_monitor(fun() -> process_info(P, monitored_by) end),
    P ! a,
    receive {'DOWN', N, _, _, _} -> ok after 10 -> ok end.

%% The test's own process may end before the DOWN arrives: then nobody hears of the abnormal end.
told_too_late() ->
    spawn_monitor(fun() -> exit(oops) end),
    receive x -> ok after 5 -> ok end.

%% The question waits until the exit signal has arrived, and its process is killed meanwhile. The
%% step that was not taken was thought to be possible behind the end of its process: control was lost.
asked_and_killed() ->
    S = self(),
    ets:new(t, [named_table, public]),
    P = spawn(fun() -> exit(S, oops), ets:lookup(t, k) end),
    spawn(fun() -> process_info(S, monitors) end),
    exit(P, kill),
    process_info(P, message_queue_len).

%% The poll does not take the DOWN of the second process, so runs with that DOWN in front of the poll
%% were left to those with the poll first. One such run was made nevertheless, and orders in which the
%% exit signal comes before its poll were left out as if they had the poll first, too.
polled_or_killed() ->
    {P1, M1} = spawn_monitor(fun() -> exit(a) end),
    {_, M2} = spawn_monitor(fun() -> catch link(P1), exit(b) end),
    catch link(P1),
    receive {'DOWN', M1, _, _, _} -> ok end,
    receive none -> ok after 0 -> ok end,
    receive {'DOWN', M2, _, _, _} -> ok end.

%% A step that suspends another process never waits for that process, but was thought not to wait while
%% its own process is suspended either.
suspend_each_other() ->
    S = self(),
    P = spawn(fun() -> erlang:suspend_process(S), S ! b end),
    erlang:suspend_process(P),
    receive b -> ok end.

suspended_beside() ->
    S = self(),
    P = spawn(fun() -> erlang:suspend_process(S), S ! a end),
    spawn(fun() -> S ! b end),
    spawn(fun() -> erlang:suspend_process(P), S ! c end),
    [receive M -> ok end || M <- [a, b, c]].

%% The question has no room for all its accesses, so it depends on every other step. That it waits while
%% its process is suspended was forgotten then.
suspended_asker() ->
    S = self(),
    P = spawn(fun() -> process_info(S, links), S ! a end),
    spawn(fun() -> erlang:suspend_process(P), S ! b end),
    receive a -> ok end.

%% A question that cannot be asked because its process is suspended was taken for one that waits for
%% signals to arrive, and was forgotten: P could not end before it is suspended, so this was proved.
suspended_looker() ->
    P = spawn(fun() -> process_info(self(), message_queue_len), process_info(self(), links) end),
    erlang:suspend_process(P),
    receive never -> ok end.

%% The step that P could not take because it was suspended was forgotten when P was killed.
suspended_then_killed() ->
    S = self(),
    P = spawn(fun() -> S ! a end),
    spawn(fun() -> exit(P, kill) end),
    spawn(fun() -> catch erlang:suspend_process(P) end),
    receive a -> ok after 0 -> ok end.

%% A process that was not suspended was thought to have waited for this: 22 of 40 classes.
resumed_for_nothing() ->
    S = self(),
    P = spawn(fun() -> S ! a end),
    spawn(fun() -> catch erlang:resume_process(P), catch erlang:resume_process(P), S ! b end),
    [receive M -> ok end || M <- [a, b]].

%% The first step of P was tried between the two.
suspended_twice() ->
    S = self(),
    P = spawn(fun() -> S ! a end),
    spawn(fun() -> S ! b end),
    catch erlang:suspend_process(P),
    catch erlang:suspend_process(P),
    receive b -> ok end.

%% The answer does not show the messages of a process that a signal has ended. The checker thought that
%% it shows their order, as long as that process had not taken the step that ends it.
looked_at_killed() ->
    S = self(),
    spawn(fun() -> process_info(S, message_queue_len) end),
    {_, M2} = spawn_monitor(fun() -> exit(S, kill), S ! b end),
    {_, M3} = spawn_monitor(fun() -> S ! c end),
    [receive {'DOWN', M, _, _, _} -> ok end || M <- [M2, M3]].

%% Suspending a process that a signal has ended fails, and a signal ends a suspended process. No access
%% showed either: 7 of 11 classes, and the checker did not notice.
suspended_or_killed() ->
    S = self(),
    {P, M} = spawn_monitor(fun() -> receive a -> S ! b end end),
    spawn(fun() -> erlang:suspend_process(P), P ! a, erlang:resume_process(P) end),
    spawn(fun() -> exit(P, kill) end),
    receive {'DOWN', M, _, _, _} -> ok end.

%% P can go on before the test's own process suspends it for good, between the steps of the other one.
suspended_by_two() ->
    S = self(),
    P = spawn(fun() -> S ! a, whereis(x) end),
    spawn(fun() -> erlang:suspend_process(P) end),
    erlang:suspend_process(P),
    receive b -> ok end.

%% The register has no room for its accesses and depends on every other step. So does, as far as is known
%% before a run has tried it, the monitor before the register. The order in which the exit signal arrives
%% before the register, and the process that sent the signal ends behind it, was left out.
named_beside_kill() ->
    P1 = spawn(fun() -> ok end),
    spawn(fun() -> exit(P1, oops) end),
    {P3, _} = spawn_monitor(fun() -> monitor(process, n1) end),
    catch register(n1, P3).

%% An unregister that finds no process behind the name touches less than one that finds a process.
%% In front of the step that took the name away it may depend on steps that were independent of it.
unregistered_or_not() ->
    {P1, _} = spawn_monitor(fun() -> register(n, self()) end),
    {P2, _} = spawn_monitor(fun() -> ok end),
    process_info(P1, [message_queue_len, trap_exit]),
    catch unregister(n),
    receive {'DOWN', _, _, P1, _} -> ok end,
    receive {'DOWN', _, _, P2, _} -> ok end.

%% The same with a table that is there or not.
deleted_twice() ->
    T = ets:new(t, [public]),
    {_, M1} = spawn_monitor(fun() -> spawn_link(fun() -> exit(oops) end) end),
    {_, M2} = spawn_monitor(fun() -> ok end),
    {_, M3} = spawn_monitor(fun() -> catch ets:delete(T) end),
    catch ets:delete(T),
    [receive {'DOWN', M, _, _, _} -> ok end || M <- [M1, M2, M3]].

%% Who deletes the table first changes what the other one touches: the list of accesses of the first
%% is too long, so that it depends on every event. The race was looked at in the run where the message
%% comes behind the poll, and not again where the message comes before it.
deleted_beside_poll() ->
    S = self(),
    ets:new(t, [named_table, public]),
    P = spawn(fun() -> S ! x end),
    spawn(fun() ->
        catch ets:delete(t),
        process_info(P, [message_queue_len, trap_exit]) end),
    catch ets:delete(t),
    receive x -> ok after 0 -> ok end.

%% The order of b and y is shown by the look, which the reversal of a timer does not have in it: the
%% branch that begins with b was thought to have all runs that begin with y and b.
looked_at_later() ->
    S = self(),
    {P1, M1} = spawn_monitor(fun() ->
        erlang:send_after(5, S, b),
        erlang:send_after(5, self(), a),
        process_info(S, message_queue_len) end),
    {_, M2} = spawn_monitor(fun() -> erlang:start_timer(10, P1, c), S ! y end),
    receive {'DOWN', M1, _, _, _} -> ok end,
    receive {'DOWN', M2, _, _, _} -> ok end.

%% The same where the look is the step that comes behind the reversal.
looked_at_next() ->
    S = self(),
    {_, M1} = spawn_monitor(fun() -> process_info(S, status) end),
    {_, M2} = spawn_monitor(fun() -> S ! b, S ! b end),
    {P3, M3} = spawn_monitor(fun() -> S ! c end),
    process_info(P3, status),
    [receive {'DOWN', M, _, _, _} -> ok end || M <- [M1, M2, M3]].

%% The same with a monitor: behind the demonitor the end of the process is not told.
demonitored_or_told() ->
    S = self(),
    {_, M1} = spawn_monitor(fun() -> spawn(fun() -> S ! a end) end),
    {P2, M2} = spawn_monitor(fun() -> spawn(fun() -> S ! b end) end),
    M3 = monitor(process, P2, [{alias, reply_demonitor}]),
    demonitor(M3, [info]),
    demonitor(M3, []),
    receive {'DOWN', M1, _, _, _} -> ok end,
    receive {'DOWN', M2, _, _, _} -> ok end.

%% A demonitor behind the news of the end does not touch the process that was monitored; before the
%% news it does, so that its order to a look at that process counts.
demonitored_beside_look() ->
    P = spawn(fun() -> ok end),
    spawn(fun() -> M = monitor(process, P), demonitor(M, [flush, info]) end),
    spawn(fun() -> process_info(P, monitored_by) end).

%% The same where the news comes late, because the process had ended before the monitor. Two of the
%% runs are waste: there are 38 classes.
demonitored_beside_name() ->
    S = self(),
    P = spawn(fun() -> link(S), exit(oops) end),
    Q = spawn(fun() -> M = monitor(process, P), demonitor(M, [flush, info]) end),
    register(n1, Q).

%% The poll and the second signal show their order if the process has not ended when the signal comes.
%% With or without that it is one class, because of the first signal; the certificate took it for two.
polled_then_ended() ->
    P = spawn(fun() -> receive {'EXIT', _, V} -> V after 0 -> none end end),
    spawn(fun() -> process_info(P, message_queue_len) end),
    exit(P, oops),
    exit(P, normal).

%% The table of a process that ends is renamed just before it is deleted.
renamed_at_the_end() ->
    S = self(),
    ets:new(first_name, [public, named_table]),
    spawn(fun() -> S ! (catch ets:rename(first_name, second_name)) end),
    spawn(fun() -> S ! done end),
    receive done -> ok end.

%% Two tables whose heirs may end before they inherit. The search left out classes in which a message
%% had woken a sleeper.
heirs_beside_looks() ->
    S = self(),
    {P, M1} = spawn_monitor(fun() -> S ! {seen, 1, x} end),
    {_, M2} = spawn_monitor(fun() ->
        spawn_monitor(fun() -> ets:new(t, [{heir, P, x}]) end),
        S ! {seen, 2, x} end),
    {_, M3} = spawn_monitor(fun() ->
        spawn_monitor(fun() -> ets:new(t, [{heir, S, x}]) end),
        S ! {seen, 3, x} end),
    look_after([{M1, 1}, {M2, 2}, {M3, 3}]).

%% The answer of a process that is still ending is not taken along by a poll. The checker thought so, and
%% missed runs that cannot be.
monitored_while_ending() ->
    S = self(),
    {P1, M1} = spawn_monitor(fun() -> spawn(fun() -> exit(S, normal) end), exit(x) end),
    {P2, M2} = spawn_monitor(fun() -> catch link(P1), exit(y) end),
    {_, M3} = spawn_monitor(fun() -> monitor(process, P1), exit(z) end),
    monitor(process, P1),
    receive {'EXIT', _, _} -> exit after 0 -> none end,
    catch link(P2),
    [receive {'DOWN', M, _, _, _} -> ok end || M <- [M1, M2, M3]].

%% Calls whose time may be over, as gen_server:call makes them. A reply that comes behind unalias/1 is lost.
%% It depended on the receive behind unalias/1 if the caller had ended, and not otherwise; so the search
%% left out runs with late replies.
late_replies() ->
    Server = spawn(fun serve/0),
    spawn(fun() -> ask_by_alias(Server) end),
    ask_by_alias(Server),
    Ref = make_ref(),
    Server ! {get, self(), Ref},
    receive {Ref, _} -> ok after 5000 -> ok end,
    ask_by_alias(Server).

serve() -> receive {get, From, Ref} -> From ! {Ref, 0}, serve() end.

ask_by_alias(Server) ->
    Ref = alias(),
    Server ! {get, Ref, Ref},
    receive {Ref, _} -> ok
    after 5000 ->
        unalias(Ref),
        receive {Ref, _} -> ok after 0 -> ok end
    end.

look_after([]) -> ok;
look_after([{M, N} | Rest]) ->
    receive {'DOWN', M, _, _, _} -> ok end,
    receive {seen, N, _} -> ok after 0 -> ok end,
    look_after(Rest).

%% The time-out is over only behind the DOWN, which the process has sent itself; it need not wait for
%% the group leader that another process gives it.
timer_behind_own_down() ->
    Self = self(),
    {_, Monitor} = spawn_monitor(fun() -> group_leader(Self, Self) end),
    monitor(process, nobody),
    receive after 5 -> ok end,
    receive {'DOWN', Monitor, process, _, _} -> ok end.
