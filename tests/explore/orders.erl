%% Small programs whose result depends on the order of things, each kind of race once. The output
%% of each is its outcome; tests/explore/outcomes checks that dpor finds exactly those of dfs.
-module(orders).
-export([all/0, senders/0, two_kinds/0, poll/0, timeout_then_poll/0, insert_new/0, register_name/0,
         kill/0, exits/0, kill_or_go/0, alive/0, timer/0, cancel/0, counter/0, server/0, nested/0,
         name_goes/0, exit_or_message/0, timed_receive/0, unlinked/0, two_keys/0, queue_length/0,
         demonitored/0, status/0, links/0, name_of/0, leader/0, loaded/0, variable/0,
         environment/0, trap_normal/0, trap_abnormal/0, one_key/0, clock/0, clock_of_receive/0,
         time_left/0, timer_to_name/0, halts/0, dropped_table/0, earlier_timer/0,
         sleepers/0, in_time/0,
         own_queue/0, own_name/0, alive_no_more/0, down_is_last/0, unlinked_in_time/0,
         told_late/0, seen_late/0, asked_after_kill/0, killed_at_its_end/0,
         killed_or_timed_out/0, trapped_for_a_while/0, killed_or_refused/0,
         name_of_the_dying/0, table_of_the_dying/0, timed_beside_clock/0,
         suspended/0, held_for_ever/0, let_go_at_end/0, told_before_let_go/0,
         suspended_by_two/0, nobody_or_message/0,
         one_name/0, two_exits/0, table_goes/0,
         taken_back/0, flushed/0, watched_last/0, linked_last/0, reply_or_down/0, down_or_reply/0,
         first_reply/0,
         killed_waiting/0, timeout_or_death/0, two_killers/0, killed_twice/0, dying_together/0,
         shown_queue/0, waits_for_ever/0,
         given_away/0, no_heir/0, heir_is_told/0, killed_asking/0,
         hibernating/0, woken/0, name_taken/0,
         unlinked_dying/0, one_after_the_other/0, left_over/0,
         two_timed_waits/0, wait_then_sleep/0, registered_or_refused/0, unregistered_in_vain/0,
         names_then_one/0, polled_then_timed/0, late_after_two_senders/0,
         own_down/0, kills_or_is_killed/0, due_earlier/0, due_for_the_dead/0,
         late_for_the_dead/0, armed_behind_rivals/0, looked_twice/0,
         alias_ends_later/0, alias_ends_with_monitor/0, alias_after_a_wait/0, own_alias_ends/0,
         own_alias_after_a_wait/0, fixation_ends/0,
         fixed_or_not/0, levels_asked/0, tables_counted/0,
         tables_counted_with_heir/0, closed_port/0,
         yields_between/0, yields_before_poll/0, yields_before_name/0,
         no_time/0, no_time_alone/0]).

all() ->
    [F || {F, 0} <- module_info(exports), F =/= all, F =/= module_info].

show(Result) -> erlang:display(Result).

collect(N) -> [receive {result, V} -> V end || _ <- lists:seq(1, N)].

flush() -> receive X -> [X | flush()] after 0 -> [] end.

run(Funs) -> [spawn(F) || F <- Funs].

senders() ->
    S = self(),
    run([fun() -> S ! {result, I} end || I <- [1, 2, 3]]),
    show(collect(3)).

two_kinds() ->
    S = self(),
    run([fun() -> S ! {I rem 2, I} end || I <- [1, 2, 3]]),
    A = receive {1, X} -> X end,
    B = receive {0, Y} -> Y end,
    show({A, B}).

poll() ->
    S = self(),
    run([fun() -> S ! a end]),
    show(receive a -> got after 0 -> none end).

timeout_then_poll() ->
    S = self(),
    run([fun() -> S ! a end]),
    A = receive a -> got after 10 -> none end,
    show({A, receive a -> got after 0 -> none end}).

insert_new() ->
    T = ets:new(t, [public]),
    S = self(),
    run([fun() -> S ! {result, {I, ets:insert_new(T, {k, I})}} end || I <- [1, 2]]),
    show({lists:sort(collect(2)), ets:lookup(T, k)}).

register_name() ->
    S = self(),
    run([fun() -> S ! {result, {I, (catch register(foo, self())) =:= true}} end || I <- [1, 2]]),
    show(lists:sort(collect(2))).

kill() ->
    S = self(),
    P = spawn(fun() -> S ! one, S ! two, receive x -> ok end end),
    M = monitor(process, P),
    exit(P, kill),
    Reason = receive {'DOWN', M, _, _, R} -> R end,
    show({Reason, flush()}).

exits() ->
    process_flag(trap_exit, true),
    [spawn_link(fun() -> exit(R) end) || R <- [a, b]],
    A = receive {'EXIT', _, X} -> X end,
    B = receive {'EXIT', _, Y} -> Y end,
    show({A, B}).

kill_or_go() ->
    S = self(),
    P = spawn(fun() -> receive go -> S ! went end end),
    run([fun() -> P ! go end, fun() -> exit(P, die) end]),
    M = monitor(process, P),
    Reason = receive {'DOWN', M, _, _, R} -> R end,
    show({Reason, flush()}).

alive() ->
    P = spawn(fun() -> ok end),
    Alive = is_process_alive(P),
    M = monitor(process, P),
    show({Alive, receive {'DOWN', M, _, _, R} -> R end}).

timer() ->
    S = self(),
    erlang:send_after(10, S, tick),
    run([fun() -> S ! message end]),
    A = receive X -> X end,
    show({A, receive Y -> Y end}).

cancel() ->
    S = self(),
    R = erlang:send_after(10, S, tick),
    run([fun() -> S ! message end]),
    receive message -> ok end,
    show({erlang:cancel_timer(R) =:= false, flush()}).

counter() ->
    C = counters:new(1, []),
    S = self(),
    run([fun() ->
                 V = counters:get(C, 1),
                 counters:put(C, 1, V + I),
                 S ! {result, V}
         end || I <- [1, 2]]),
    Seen = collect(2),
    show({Seen, counters:get(C, 1)}).

server() ->
    S = self(),
    P = spawn(fun() -> serve(S, []) end),
    run([fun() -> P ! {add, 1} end, fun() -> P ! {add, 2} end, fun() -> P ! stop end]),
    show(collect(1)).

serve(S, Seen) ->
    receive
        {add, I} -> serve(S, [I | Seen]);
        stop -> S ! {result, Seen}
    end.

nested() ->
    S = self(),
    P = spawn(fun() ->
                      receive
                          a -> receive b -> S ! {result, ab} end;
                          b -> S ! {result, b}
                      end
              end),
    run([fun() -> P ! a end, fun() -> P ! b end]),
    show(collect(1)).

name_goes() ->
    S = self(),
    register(server, spawn(fun() -> receive stop -> ok end end)),
    run([fun() -> server ! stop end, fun() -> S ! {result, whereis(server) =:= undefined} end]),
    show(collect(1)).

exit_or_message() ->
    S = self(),
    P = spawn(fun() ->
                      process_flag(trap_exit, true),
                      S ! ready,
                      receive X -> S ! {result, X} after 5 -> S ! {result, late} end
              end),
    receive ready -> ok end,
    run([fun() -> exit(P, foo) end, fun() -> P ! hello end]),
    show(case collect(1) of [{'EXIT', _, R}] -> R; Other -> Other end).

timed_receive() ->
    S = self(),
    P = spawn(fun() -> receive X -> S ! {result, X} after 5 -> S ! {result, late} end end),
    run([fun() -> P ! a end, fun() -> P ! b end]),
    show(collect(1)).

unlinked() ->
    S = self(),
    P = spawn_link(fun() -> receive X -> S ! {result, X} end end),
    unlink(P),
    run([fun() -> P ! a end, fun() -> exit(P, stop) end]),
    M = monitor(process, P),
    Reason = receive {'DOWN', M, _, _, R} -> R end,
    show({Reason, flush()}).

two_keys() ->
    S = self(),
    T = ets:new(t, [public]),
    run([fun() -> ets:insert(T, {a, 1}), ets:insert(T, {b, 1}), S ! {result, 1} end,
         fun() -> ets:insert(T, {b, 2}), ets:insert(T, {a, 2}), S ! {result, 2} end]),
    collect(2),
    show({ets:lookup(T, a), ets:lookup(T, b)}).

queue_length() ->
    S = self(),
    run([fun() -> S ! {result, process_info(S, message_queue_len)} end || _ <- [1, 2]]),
    show(collect(2)).

demonitored() ->
    S = self(),
    P = spawn(fun() ->
                      M = monitor(process, S),
                      receive {x, _} -> ok after 0 -> ok end,
                      demonitor(M),
                      S ! {result, flush()}
              end),
    P ! {x, 1},
    show(collect(1)).

%% Asking for the current function of another process.
%% outcomes: 2
status() ->
    S = self(),
    P = spawn(fun() -> S ! {result, hello}, receive go -> ok end end),
    Status = process_info(P, status),
    P ! go,
    show({Status, collect(1)}).

%% outcomes: 2
links() ->
    S = self(),
    P = spawn(fun() -> receive stop -> ok end end),
    run([fun() -> link(P), S ! {result, linked}, receive stop -> ok end end]),
    {links, Links} = process_info(P, links),
    show({length(Links), collect(1)}).

%% outcomes: 2
name_of() ->
    S = self(),
    P = spawn(fun() -> receive stop -> ok end end),
    run([fun() -> register(somebody, P), S ! {result, named} end]),
    Name = process_info(P, registered_name),
    show({Name, collect(1)}).

%% outcomes: 3
leader() ->
    S = self(),
    P = spawn(fun() -> S ! ready, S ! {result, group_leader() =:= S} end),
    receive ready -> ok end,
    group_leader(S, P),
    show(collect(1)).

%% outcomes: 4
loaded() ->
    S = self(),
    _ = queue:new(),
    run([fun() -> S ! {result, erlang:module_loaded(queue)} end,
         fun() -> code:delete(queue), S ! {result, deleted} end]),
    show(collect(2)).

%% outcomes: 2
variable() ->
    S = self(),
    run([fun() -> os:putenv("ORDERS", "1"), S ! done end]),
    Value = os:getenv("ORDERS"),
    receive done -> ok end,
    show(Value).

%% outcomes: 2
environment() ->
    S = self(),
    run([fun() -> application:set_env(orders, key, 1), S ! done end]),
    Value = application:get_env(orders, key),
    receive done -> ok end,
    show(Value).

%% outcomes: 2
trap_normal() ->
    spawn_link(fun() -> ok end),
    process_flag(trap_exit, true),
    show(receive {'EXIT', _, R} -> R after 100 -> none end).

%% outcomes: 3
trap_abnormal() ->
    P = spawn(fun() ->
                      spawn_link(fun() -> exit(oops) end),
                      process_flag(trap_exit, true),
                      receive {'EXIT', _, R} -> exit({trapped, R}) end
              end),
    M = monitor(process, P),
    show(receive {'DOWN', M, _, _, R} -> R end).

%% 1 and 1.0 are one key of an ordered_set.
%% outcomes: 2
one_key() ->
    S = self(),
    T = ets:new(t, [ordered_set, public]),
    run([fun() -> ets:insert(T, {K, I}), S ! done end || {K, I} <- [{1, a}, {1.0, b}]]),
    [receive done -> ok end || _ <- [1, 2]],
    show(ets:tab2list(T)).

%% When a timer ends depends on what the clock showed when it was started.
%% outcomes: 3
clock() ->
    S = self(),
    erlang:send_after(20, S, {result, c}),
    erlang:send_after(10, S, {result, a}),
    run([fun() -> erlang:send_after(15, S, {result, b}) end]),
    show(collect(3)).

%% outcomes: 3
clock_of_receive() ->
    S = self(),
    erlang:send_after(20, S, {result, c}),
    erlang:send_after(10, S, {result, a}),
    run([fun() -> receive never -> ok after 15 -> S ! {result, b} end end]),
    show(collect(3)).

%% outcomes: 3
time_left() ->
    S = self(),
    Timer = erlang:send_after(20, S, late),
    run([fun() -> receive after 10 -> S ! done end end]),
    Left = erlang:cancel_timer(Timer),
    receive done -> ok end,
    show(Left).

%% outcomes: 4
timer_to_name() ->
    S = self(),
    erlang:send_after(10, target, {result, tick}),
    run([fun() -> register(target, S), S ! {result, registered} end]),
    A = collect(1),
    show({A, receive {result, V} -> V after 100 -> none end}).

%% outcomes: 2
halts() ->
    S = self(),
    run([fun() -> S ! go end, fun() -> halt(0) end]),
    receive go -> show(went) end,
    receive never -> ok end.

%% A table that is known by name and by reference.
%% outcomes: 2
dropped_table() ->
    S = self(),
    ets:new(dropped, [named_table, public]),
    T = ets:whereis(dropped),
    ets:insert(dropped, {k, 1}),
    run([fun() -> S ! {result, ready}, S ! {result, catch ets:lookup(T, k)} end]),
    ets:delete(dropped),
    show([case R of {'EXIT', _} -> gone; _ -> R end || R <- collect(2)]).

%% A timer that another one has to go before.
%% outcomes: 2
earlier_timer() ->
    S = self(),
    erlang:send_after(5, S, ignored),
    P = spawn(fun() -> receive x -> S ! {result, x} after 10 -> S ! {result, late} end end),
    run([fun() -> P ! x end]),
    show(collect(1)).

%% outcomes: 2
sleepers() ->
    S = self(),
    run([fun() -> timer:sleep(T), S ! {result, T} end || T <- [1, 2]]),
    show(collect(2)).

%% The reply may be there before the caller begins to wait for it, and still come too late.
%% outcomes: 2
in_time() ->
    P = spawn(fun() -> receive {call, From} -> From ! reply end end),
    P ! {call, self()},
    erlang:yield(),
    show(receive reply -> in_time after 10 -> late end).

%% outcomes: 2
own_queue() ->
    S = self(),
    run([fun() -> S ! a end]),
    show(process_info(S, message_queue_len)).

%% outcomes: 2
own_name() ->
    S = self(),
    run([fun() -> register(somebody, S) end]),
    show(process_info(S, registered_name)).

%% Asking about a process waits for what the asker has sent it.
%% outcomes: 1
alive_no_more() ->
    P = spawn(fun() -> receive stop -> ok end end),
    exit(P, kill),
    show(is_process_alive(P)).

%% Signals of one process to another keep their order, whatever they are.
%% outcomes: 1
down_is_last() ->
    S = self(),
    {_, M} = spawn_monitor(fun() -> S ! a, S ! b end),
    show([receive X when is_atom(X) -> X; {'DOWN', M, _, _, R} -> R end || _ <- [1, 2, 3]]).

%% outcomes: 2
unlinked_in_time() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit(oops) end),
    unlink(P),
    show(flush() =:= []).

%% Only a run in which the flag is there tells which of two messages came first, and by then both
%% are long sent.
%% outcomes: 3
told_late() ->
    T = ets:new(t, [public]),
    S = self(),
    run([fun() -> S ! {result, I} end || I <- [1, 2]]),
    receive after 10 -> ok end,
    run([fun() -> catch ets:insert(T, {flag, 1}) end]),
    case ets:lookup(T, flag) of
        [] -> show(none);
        [_] -> show(collect(1))
    end.

%% The same with two writes of one key.
%% outcomes: 4
seen_late() ->
    T = ets:new(t, [public]),
    run([fun() -> ets:insert(T, {k, I}) end || I <- [1, 2]]),
    receive after 10 -> ok end,
    run([fun() -> catch ets:insert(T, {flag, 1}) end]),
    case ets:lookup(T, flag) of
        [] -> show(none);
        [_] -> show(ets:lookup(T, k))
    end.

%% The question waits for the kill that its asker sent, also where that comes too late.
%% outcomes: 2
asked_after_kill() ->
    S = self(),
    P = spawn(fun() -> S ! here end),
    exit(P, kill),
    Queue = process_info(P, message_queue_len),
    show({Queue, flush()}).

%% A process that has nothing left to do but to end is not gone yet.
%% outcomes: 2
killed_at_its_end() ->
    {P, M} = spawn_monitor(fun() -> ok end),
    exit(P, kill),
    show(receive {'DOWN', M, _, _, Reason} -> Reason end).

%% A timer that is due before the kill comes.
%% outcomes: 3
killed_or_timed_out() ->
    S = self(),
    {P, M} = spawn_monitor(fun() -> receive go -> ok after 10 -> S ! late end end),
    exit(P, kill),
    Reason = receive {'DOWN', M, _, _, R} -> R end,
    show({Reason, flush()}).

%% A step before a step of a process that may be killed instead.
%% outcomes: 5
killed_or_refused() ->
    S = self(),
    P = spawn(fun() -> S ! here end),
    {Q, M} = spawn_monitor(fun() -> S ! ((catch register(someone, P)) =:= true) end),
    exit(Q, kill),
    Reason = receive {'DOWN', M, _, _, R} -> R end,
    show({Reason, receive Named when is_boolean(Named) -> Named after 0 -> none end}).

%% A name is taken from one that would give it up itself.
name_of_the_dying() ->
    S = self(),
    {P, M} = spawn_monitor(fun() -> ok end),
    run([fun() ->
                 catch register(mine, P),
                 S ! {result, (catch unregister(mine)) =:= true}
         end]),
    Named = (catch register(mine, P)) =:= true,
    receive {'DOWN', M, _, _, _} -> ok end,
    show({Named, collect(1), whereis(mine)}).

%% The same with a table.
table_of_the_dying() ->
    S = self(),
    {_, M} = spawn_monitor(fun() -> S ! {result, ets:new(t, [public])} end),
    [T] = collect(1),
    run([fun() -> catch ets:delete(T) end]),
    Inserted = (catch ets:insert(T, {k})) =:= true,
    receive {'DOWN', M, _, _, _} -> ok end,
    show(Inserted).

%% A look at the clock before a timer that a message may take back.
%% outcomes: 3
timed_beside_clock() ->
    S = self(),
    T = erlang:monotonic_time(millisecond),
    P = spawn(fun() -> S ! {was, receive go -> in_time after 10 -> late end} end),
    run([fun() -> P ! go end,
         fun() -> S ! {result, erlang:monotonic_time(millisecond) - T} end]),
    Passed = collect(1),
    show({Passed, receive {was, What} -> What end}).

%% Whether it ends its receiver is seen when it comes, not when it is announced.
%% outcomes: 3
trapped_for_a_while() ->
    S = self(),
    {P, M} = spawn_monitor(fun() ->
                                   process_flag(trap_exit, true),
                                   receive after 10 -> ok end,
                                   process_flag(trap_exit, false),
                                   S ! done
                           end),
    run([fun() -> exit(P, oops) end]),
    Reason = receive {'DOWN', M, _, _, R} -> R end,
    show({Reason, flush()}).

%% A process that is held does nothing until it is let go.
%% outcomes: 3
suspended() ->
    S = self(),
    P = spawn(fun() -> S ! a, S ! b, receive stop -> ok end end),
    erlang:suspend_process(P),
    Before = flush(),
    Again = flush(),
    erlang:resume_process(P),
    Rest = [receive X -> X end || _ <- [a, b] -- Before],
    show({Before, Again =:= [], lists:sort(Before ++ Rest)}),
    P ! stop.

%% outcomes: 2
held_for_ever() ->
    S = self(),
    P = spawn(fun() -> S ! a, receive stop -> ok end end),
    erlang:suspend_process(P),
    show(receive a -> went after 10 -> held end).

%% The end of a process resumes those that it has suspended, before it is told to its monitors: the
%% other process may have sent a before it was suspended, or behind the DOWN.
%% outcomes: 3
let_go_at_end() ->
    S = self(),
    P = spawn(fun() -> S ! a, S ! b end),
    {_, M} = spawn_monitor(fun() -> erlang:suspend_process(P) end),
    receive {'DOWN', M, process, _, _} -> ok end,
    show([process_info(P, status) =:= {status, suspended}, flush()]).

%% Links hear of the end before that.
told_before_let_go() ->
    process_flag(trap_exit, true),
    P = spawn(fun() -> receive stop -> ok end end),
    Q = spawn_link(fun() -> erlang:suspend_process(P) end),
    receive {'EXIT', Q, normal} -> ok end,
    show(process_info(P, status)),
    P ! stop.

%% Each of two processes must let go.
suspended_by_two() ->
    S = self(),
    P = spawn(fun() -> receive go -> S ! went end end),
    Q = spawn(fun() -> erlang:suspend_process(P), S ! held end),
    receive held -> ok end,
    Mine = (catch erlang:suspend_process(P)),
    [{P, 1, 0}] = element(2, process_info(S, suspending)),
    P ! go,
    Before = receive went -> went after 10 -> none end,
    erlang:resume_process(P),
    show({Mine, Before, is_process_alive(Q), receive went -> went end}).

%% A receive that does not wait takes the DOWN of a monitor of nobody along.
%% outcomes: 2
nobody_or_message() ->
    S = self(),
    spawn(fun() -> S ! x end),
    monitor(process, nobody),
    show(receive x -> x after 0 -> none end).

%% A process has one name at most.
%% outcomes: 2
one_name() ->
    S = self(),
    {_, M} = spawn_monitor(fun() -> register(n1, S) end),
    Mine = (catch register(n2, S)) =:= true,
    receive {'DOWN', M, _, _, R} -> show({Mine, R =:= normal}) end.

%% Which of two exit signals comes first, its own or another's?
%% outcomes: 2
two_exits() ->
    {P, M} = spawn_monitor(fun() -> exit(self(), normal) end),
    exit(P, oops),
    receive {'DOWN', M, _, _, R} -> show(R) end.

%% The objects that an insert touches depend on whether the table is there.
%% outcomes: 2
table_goes() ->
    T = ets:new(t, [public]),
    spawn(fun() -> ets:delete(T) end),
    receive after 10 -> ok end,
    show((catch ets:insert(T, {k, 1})) =:= true).

%% A monitor that is taken back races with the DOWN, also where that has not begun to come.
%% outcomes: 2
taken_back() ->
    {_, M} = spawn_monitor(fun() -> ok end),
    demonitor(M),
    show(receive {'DOWN', M, _, _, _} -> down after 0 -> none end).

%% A DOWN that was flushed could have come to an earlier receive.
%% outcomes: 2
flushed() ->
    S = self(),
    {_, M} = spawn_monitor(fun() -> ok end),
    Early = receive {'DOWN', M, _, _, _} -> down after 0 -> none end,
    demonitor(M, [flush]),
    run([fun() -> S ! go end]),
    receive go -> show(Early) end.

%% So could the news of an end that nobody is there to hear.
%% outcomes: 2
watched_last() ->
    {_, M} = spawn_monitor(fun() -> ok end),
    show(receive {'DOWN', M, _, _, _} -> down after 0 -> none end).

%% outcomes: 2
linked_last() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> ok end),
    show(receive {'EXIT', P, _} -> exit after 0 -> none end).

%% A reply ends the monitor, the DOWN ends the alias.
%% outcomes: 2
reply_or_down() -> first_and_second(reply_demonitor).

%% outcomes: 3
down_or_reply() -> first_and_second(demonitor).

first_and_second(Kind) ->
    M = monitor(process, spawn(fun() -> ok end), [{alias, Kind}]),
    run([fun() -> M ! reply end]),
    First = receive reply -> reply; {'DOWN', M, _, _, _} -> down end,
    show({First, receive reply -> reply; {'DOWN', M, _, _, _} -> down after 0 -> none end}).

%% outcomes: 2
first_reply() ->
    S = self(),
    A = alias([reply]),
    run([fun() -> A ! 1 end, fun() -> A ! 2, S ! go end]),
    receive go -> ok end,
    show(receive N when is_integer(N) -> N end).

%% A process that waits for a message and is killed could have got it.
%% outcomes: 3
killed_waiting() ->
    {P, M} = spawn_monitor(fun() -> receive go -> show(went) end end),
    run([fun() -> exit(P, kill) end, fun() -> P ! go end]),
    receive {'DOWN', M, _, _, R} -> show(R) end.

%% outcomes: 2
timeout_or_death() ->
    spawn_link(fun() -> exit(oops) end),
    receive go -> ok after 10 -> ok end,
    show(alive).

%% outcomes: 2
two_killers() ->
    {P, M} = spawn_monitor(fun() -> receive go -> ok end end),
    run([fun() -> exit(P, one) end, fun() -> exit(P, two) end]),
    receive {'DOWN', M, _, _, R} -> show(R) end.

%% The first signal ends it, whatever comes later.
%% outcomes: 3
killed_twice() ->
    S = self(),
    {P, M} = spawn_monitor(fun() -> S ! sent end),
    run([fun() -> exit(P, oops), exit(P, kill) end]),
    receive {'DOWN', M, _, _, R} -> show({R, flush()}) end.

%% Two that are linked end on their own: who is first takes the other along.
%% outcomes: 2
dying_together() ->
    {_, M} = spawn_monitor(fun() -> spawn_link(fun() -> exit(child) end), exit(parent) end),
    receive {'DOWN', M, _, _, R} -> show(R) end.

%% Nobody takes these messages, but somebody looks at them.
%% outcomes: 3
shown_queue() ->
    S = self(),
    P = spawn(fun() -> receive stop -> ok end end),
    run([fun() -> P ! a end, fun() -> P ! b, S ! go end]),
    receive go -> ok end,
    show(process_info(P, messages)).

%% A receive without patterns takes nothing, whatever comes.
%% outcomes: 2
waits_for_ever() ->
    S = self(),
    run([fun() -> S ! a end]),
    show(receive a -> got after 0 -> none end),
    receive after infinity -> ok end.

%% outcomes: 2
given_away() ->
    T = ets:new(t, [public]),
    P = spawn(fun() -> ok end),
    show((catch ets:give_away(T, P, gift)) =:= true).

%% outcomes: 2
no_heir() ->
    P = spawn(fun() -> ok end),
    {_, M} = spawn_monitor(fun() -> ets:new(t, [named_table, {heir, P, gift}]) end),
    receive {'DOWN', M, _, _, _} -> show(ets:info(t, size)) end.

%% outcomes: 2
heir_is_told() ->
    S = self(),
    P = spawn(fun() -> ets:new(t, [{heir, S, gift}]), S ! made end),
    receive made -> ok end,
    show(receive {'ETS-TRANSFER', _, P, gift} -> heir after 0 -> none end).

%% outcomes: 3
killed_asking() ->
    S = self(),
    {P, M} = spawn_monitor(fun() -> S ! is_process_alive(S) end),
    exit(P, kill),
    receive {'DOWN', M, _, _, R} -> show({R, flush()}) end.

%% To hibernate is to wait for any message, and takes none.
%% outcomes: 2
hibernating() ->
    P = spawn(fun() -> erlang:hibernate(?MODULE, woken, []) end),
    run([fun() -> P ! I end || I <- [1, 2]]).

woken() -> show(receive N -> N after 10 -> none end).

%% A name may be taken from who has begun to end.
%% outcomes: 3
name_taken() ->
    S = self(),
    {P, M} = spawn_monitor(fun() -> ok end),
    run([fun() -> S ! {result, (catch register(n1, P)) =:= true} end]),
    Taken = (catch unregister(n1)) =:= true,
    receive {'DOWN', M, _, _, _} -> show({Taken, collect(1)}) end.

%% A link may be taken from who has begun to end.
%% outcomes: 2
unlinked_dying() ->
    S = self(),
    process_flag(trap_exit, true),
    {P, M} = spawn_monitor(fun() -> link(S), exit(oops) end),
    spawn(fun() -> receive after 5 -> S ! go end end),
    unlink(P),
    receive {'DOWN', M, _, _, _} -> show(receive {'EXIT', P, R} -> R after 0 -> none end) end.

%% A receive that has timed out, and right away another one.
%% outcomes: 1
one_after_the_other() ->
    S = self(),
    T = ets:new(t, [public]),
    run([fun() -> [receive go -> ok after 10 -> ok end || _ <- [1, 2]], S ! a end,
         fun() -> ets:insert(T, {k, 1}), receive go -> ok after 10 -> ok end, S ! b end]),
    [receive X -> ok end || X <- [a, b]],
    show(done).

%% With the test its timers end; a timeout that was left over could have come before.
%% outcomes: 2
left_over() ->
    spawn(fun() -> receive after 10 -> show(late) end end),
    show(done).

%% The step that ends one timed receive begins the next: the first timeout could have come, too.
%% outcomes: 3
two_timed_waits() ->
    S = self(),
    run([fun() -> S ! one end]),
    First = receive one -> one after 10 -> late end,
    show({First, receive X -> X after 10 -> late end}).

%% outcomes: 2
wait_then_sleep() ->
    S = self(),
    run([fun() -> S ! one end]),
    First = receive one -> one after 10 -> late end,
    receive after 10 -> ok end,
    show(First).

%% Another process may give this one a name first, and then its own register fails; a third looks
%% for the name.
%% outcomes: 3
registered_or_refused() ->
    S = self(),
    spawn(fun() -> catch register(n2, S) end),
    run([fun() -> S ! {result, whereis(n1) =/= undefined} end]),
    Taken = (catch register(n1, S)) =:= true,
    show({Taken, collect(1)}).

%% An unregister that fails only looks at the name: it may come before a register although two
%% others look there, one before and one after.
%% outcomes: 8
unregistered_in_vain() ->
    S = self(),
    Look = fun() -> whereis(n1) =/= undefined end,
    Drop = fun() -> (catch unregister(n1)) =:= true end,
    Asked = [spawn_monitor(fun() -> exit({done, F()}) end) || F <- [Look, Drop, Look]],
    register(n1, S),
    show([receive {'DOWN', M, _, _, {done, V}} -> V end || {_, M} <- Asked]).

%% All names, then one of them; the process that is to have it may be gone by then.
names_then_one() ->
    {_, M} = spawn_monitor(fun() -> N = length([X || X <- registered(), X =:= n1 orelse X =:= n2]),
                                    exit({done, N, whereis(n1) =/= undefined}) end),
    P = spawn(fun() -> ok end),
    catch register(n1, P),
    register(n2, self()),
    receive {'DOWN', M, _, _, {done, N, There}} -> show({N, There}) end.

%% A message may come after a poll and after the timed wait behind it.
%% outcomes: 3
polled_then_timed() ->
    {P, M} = spawn_monitor(fun() ->
        First = receive x -> polled after 0 -> no end,
        exit({done, case First of polled -> polled; no -> receive x -> got after 10 -> late end end})
    end),
    {_, Other} = spawn_monitor(fun() -> ok end),
    P ! x,
    receive {'DOWN', Other, _, _, _} -> ok end,
    receive {'DOWN', M, _, _, {done, V}} -> show(V) end.

%% The first message in the queue says who sent first; the timeout is another question.
%% outcomes: 4
late_after_two_senders() ->
    S = self(),
    {P, M} = spawn_monitor(fun() -> S ! a, exit({done, receive V -> V after 10 -> late end}) end),
    {_, Other} = spawn_monitor(fun() -> S ! b, P ! c end),
    Got = receive {'DOWN', M, _, _, {done, R}} -> R end,
    receive {'DOWN', Other, _, _, _} -> ok end,
    show({Got, receive a -> a; b -> b end}).

%% The DOWN for a name that no process has comes from the process itself: a receive that finds
%% nothing takes it first.
%% outcomes: 1
own_down() ->
    {_, M} = spawn_monitor(fun() -> ok end),
    monitor(process, nobody),
    receive {'DOWN', M, _, _, _} -> ok end,
    show(receive seen -> seen after 0 -> none end).

%% A process that is killed before it kills. The table says who wrote first, whether or not the
%% kill came.
kills_or_is_killed() ->
    S = self(),
    T = ets:new(t, [public]),
    P = spawn(fun() -> exit(S, kill) end),
    {_, M} = spawn_monitor(fun() -> ets:insert_new(T, {k, 2}), exit(P, kill) end),
    ets:insert_new(T, {k, 3}),
    receive {'DOWN', M, _, _, _} -> show(ets:lookup(T, k)) end.

%% Two timers that the end of the test may stop, one due before the other.
due_earlier() ->
    S = self(),
    {_, M} = spawn_monitor(fun() -> erlang:start_timer(5, S, first) end),
    erlang:start_timer(10, S, second),
    receive {'DOWN', M, _, _, _} -> show([X || {timeout, _, X} <- flush()]) end.

%% The same; the first is for a process that may have ended.
due_for_the_dead() ->
    S = self(),
    {P, M1} = spawn_monitor(fun() -> ok end),
    {_, M2} = spawn_monitor(fun() -> erlang:start_timer(5, P, first), S ! x end),
    erlang:start_timer(10, S, second),
    receive {'DOWN', M1, _, _, _} -> ok end,
    receive {'DOWN', M2, _, _, _} -> show([X || {timeout, _, X} <- flush()]) end.

%% A message that a poll does not take may come before the poll or when its process has ended.
late_for_the_dead() ->
    S = self(),
    {P, M1} = spawn_monitor(fun() -> erlang:start_timer(10, S, second),
                                     exit({done, receive x -> got after 0 -> none end}) end),
    {_, M2} = spawn_monitor(fun() -> erlang:start_timer(5, P, first) end),
    Got = receive {'DOWN', M1, _, _, {done, V}} -> V end,
    receive {'DOWN', M2, _, _, _} -> show({Got, [X || {timeout, _, X} <- flush()]}) end.

%% To arm a timer is a look at the clock, which other timers move.
armed_behind_rivals() ->
    S = self(),
    {_, M1} = spawn_monitor(fun() -> erlang:send_after(5, S, a), S ! b end),
    {_, M2} = spawn_monitor(fun() -> receive never -> ok after 10 -> ok end, self() ! c end),
    Got = receive a -> a; b -> b after 10 -> none end,
    [receive {'DOWN', M, _, _, _} -> ok end || M <- [M1, M2]],
    show(Got).

%% How many messages are left, seen by two processes, between receives that do not wait.
looked_twice() ->
    S = self(),
    Left = fun() -> element(2, process_info(S, message_queue_len)) end,
    {_, M1} = spawn_monitor(fun() -> S ! x end),
    {_, M2} = spawn_monitor(fun() -> N = Left(), S ! y, exit({done, N}) end),
    {_, M3} = spawn_monitor(fun() -> exit({done, Left()}) end),
    receive {'DOWN', M1, _, _, _} -> ok end,
    receive x -> ok after 0 -> ok end,
    Second = receive {'DOWN', M2, _, _, {done, N2}} -> N2 end,
    receive y -> ok after 0 -> ok end,
    receive {'DOWN', M3, _, _, {done, N3}} -> show({Second, N3}) end.

%% A message that has come through an alias stays when the alias ends later, whether a receive has
%% looked at it or not.
%% outcomes: 2
alias_ends_later() ->
    A = alias(),
    run([fun() -> A ! one, A ! two end]),
    receive one -> ok end,
    unalias(A),
    show(receive two -> two after 0 -> none end).

%% outcomes: 2
alias_ends_with_monitor() ->
    P = spawn(fun() -> receive {ask, A} -> A ! {A, reply}, receive stop -> ok end end end),
    M = monitor(process, P, [{alias, demonitor}]),
    P ! {ask, M},
    receive foo -> ok after 10 -> ok end,
    demonitor(M, [flush]),
    show(receive {M, reply} -> late after 0 -> none end).

%% outcomes: 2
alias_after_a_wait() ->
    A = alias(),
    run([fun() -> A ! one end]),
    receive after 10 -> ok end,
    unalias(A),
    show(receive one -> one after 0 -> none end).

%% Of its own messages a process has taken in those before its last receive.
%% outcomes: 1
own_alias_ends() ->
    A = alias(),
    A ! one,
    unalias(A),
    show(receive one -> one after 0 -> none end).

%% outcomes: 1
own_alias_after_a_wait() ->
    A = alias(),
    A ! one,
    receive after 1 -> ok end,
    A ! two,
    unalias(A),
    show(flush()).

%% A fixation ends with its process, and with it the place of an object that was deleted meanwhile.
%% outcomes: 2
fixation_ends() ->
    S = self(),
    T = ets:new(t, [public]),
    ets:insert(T, [{1}, {2}, {3}]),
    P = spawn(fun() -> ets:safe_fixtable(T, true), S ! fixed, receive go -> ok end end),
    receive fixed -> ok end,
    F = ets:first(T),
    ets:delete(T, F),
    P ! go,
    show(try ets:next(T, F) of _ -> next catch error:badarg -> gone end).

%% Deleting the table takes the fixation away, too: a process that fixes it ends all the same.
%% outcomes: 3
fixed_or_not() ->
    S = self(),
    T = ets:new(t, [public]),
    {P, M} = spawn_monitor(fun() ->
        ets:safe_fixtable(T, true),
        S ! fixed,
        receive go -> ok end end),
    receive fixed -> ok end,
    run([fun() -> ets:delete(T) end]),
    P ! go,
    Fixed = ets:info(T, fixed),
    receive {'DOWN', M, _, _, _} -> show(Fixed) end.

%% The first to ask for the level of a module fills a cache of OTP's. The others find it there, and take
%% as many steps.
levels_asked() ->
    S = self(),
    run([fun() -> S ! {result, one}, logger:allow(error, m) end,
         fun() -> logger:allow(error, m), S ! {result, two} end]),
    show(collect(2)).

%% A process that asks for all tables sees those without a name come and go, too.
%% outcomes: 3
tables_counted() ->
    {_, M} = spawn_monitor(fun() -> ets:new(t, []), ets:new(t, [named_table]) end),
    Before = length(ets:all()),
    receive {'DOWN', M, _, _, _} -> ok end,
    show(Before - length(ets:all())).

%% The heir may end before it inherits.
%% outcomes: 3
tables_counted_with_heir() ->
    Heir = spawn(fun() -> ok end),
    {_, M} = spawn_monitor(fun() -> ets:new(t, [{heir, Heir, x}]) end),
    Before = length(ets:all()),
    receive {'DOWN', M, _, _, _} -> ok end,
    show(Before - length(ets:all())).

%% Monitoring a port that nobody has brings the DOWN message at once.
%% outcomes: 3
closed_port() ->
    S = self(),
    run([fun() -> S ! one end]),
    [monitor(port, P) || P <- [nobody, list_to_port("#Port<0.99>")]],
    show([receive {'DOWN', _, port, _, R} -> R; X -> X end || _ <- [1, 2, 3]]).

%% The step behind a yield is one of its own: others may go before it.
%% outcomes: 2
yields_between() ->
    A = atomics:new(1, []),
    S = self(),
    run([fun() ->
                 V = atomics:get(A, 1),
                 erlang:yield(),
                 atomics:put(A, 1, V + 1),
                 S ! {result, done}
         end || _ <- [1, 2]]),
    collect(2),
    show(atomics:get(A, 1)).

%% outcomes: 2
yields_before_poll() ->
    S = self(),
    run([fun() -> S ! a end]),
    erlang:yield(),
    show(receive a -> got after 0 -> none end).

%% outcomes: 2
yields_before_name() ->
    S = self(),
    register(orders_name, S),
    run([fun() -> unregister(orders_name) end]),
    erlang:yield(),
    show(whereis(orders_name) =:= S).

%% A receive whose time is not a time does not wait: it takes what is there, or raises an error.
%% outcomes: 2
no_time() ->
    S = self(),
    run([fun() -> S ! a end]),
    show(try receive a -> got after soon -> late end catch error:E -> E end).

%% outcomes: 2
no_time_alone() ->
    register(orders_name, self()),
    run([fun() -> unregister(orders_name) end]),
    V = try receive after -1 -> late end catch error:E -> E end,
    show({V, whereis(orders_name) =:= self()}).
