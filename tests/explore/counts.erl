%% Programs with a known number of classes of runs that a process can distinguish. A greater number
%% of executions is work in vain, a smaller one a class that was lost.
-module(counts).
-export([polls/0, polled_for/0, special/0, hand_out/0, lists/0, patterns/0, refused/0, dropped/0,
         two_inserts/0, sleepers/0, sleepers_in_order/0, sleepers_and_clock/0,
         sleeper_and_timeout/0, killed_by_three/0, flushed/0, flushed_late/0, not_demonitored/0,
         many_inserts/0, no_insert/0, watched_end/0, unlinks_of_two/0,
         unlinks_of_one/0, unlink_and_link/0]).

%% expect: polls --strategy dpor => proved,executions=24
%% expect: polled_for --strategy dpor => proved,executions=2
%% expect: special --strategy dpor => proved,executions>=3,executions<=5
%% expect: hand_out --strategy dpor => proved,executions=6
%% expect: lists --strategy dpor => proved,executions=4
%% expect: patterns --strategy dpor => proved,executions=2
%% expect: refused --strategy dpor => proved,executions=4
%% expect: dropped --strategy dpor --ignore abnormal-exit => proved,executions=16
%% expect: two_inserts --strategy dpor => proved,executions=2
%% expect: sleepers --strategy dpor => proved,executions=1
%% expect: sleepers --strategy dpor --delivery async => proved
%% expect: sleepers_in_order --strategy dpor => bug,abnormal-exit
%% expect: sleepers_and_clock --strategy dpor => bug,abnormal-exit
%% expect: killed_by_three --strategy dpor --ignore stuck,abnormal-exit => proved,executions=3
%% expect: flushed --strategy dpor => proved,executions=1
%% expect: flushed_late --strategy dpor => bug,abnormal-exit
%% expect: not_demonitored --strategy dpor => proved,executions=1
%% expect: many_inserts --strategy dpor => proved,executions>=2,executions<=6
%% expect: no_insert --strategy dpor => proved,executions=1
%% expect: watched_end --strategy dpor --exits any => bug,abnormal-exit,executions=1
%% expect: watched_end --strategy dpor --keep-going --exits any => bug,abnormal-exit,executions=1
%% expect: watched_end --strategy dpor --keep-going => bug,abnormal-exit,executions=2
%% expect: unlinks_of_two --strategy dpor --ignore stuck => proved,executions=1
%% expect: unlinks_of_one --strategy dpor --ignore stuck => proved,executions=1
%% expect: unlink_and_link --strategy dpor --keep-going => bug,stuck,executions=2
%% expect: sleeper_and_timeout --strategy dpor => proved,executions>=3

%% Workers ask whether they shall stop before each piece of work. Nobody tells them to until all is
%% done, so only the order in which results come in counts, and when the stop comes.
polls() ->
    register(collector, self()),
    Workers = [spawn(fun worker/0) || _ <- [1, 2]],
    [W ! {work, N} || W <- Workers, N <- [1, 2]],
    [receive {result, _, _} -> ok end || _ <- [1, 2, 3, 4]],
    [W ! stop || W <- Workers].

worker() ->
    receive stop -> exit(normal) after 0 -> ok end,
    receive
        stop -> ok;
        {work, N} -> collector ! {result, N, self()}, worker()
    end.

%% The poll can take one of the two messages.
polled_for() ->
    P = spawn(fun() ->
                      receive b -> ok after 0 -> ok end,
                      receive a -> ok end
              end),
    P ! a,
    P ! b.

%% The order of a and c counts only if the poll came before the special message: 3 classes. One of
%% them is run three times, because the order is seen to be unimportant only when the run is over.
special() ->
    P = spawn(fun() ->
                      receive
                          special -> receive a -> ok end, receive c -> ok end
                      after 0 ->
                          receive special -> ok end, receive _ -> ok end, receive _ -> ok end
                      end
              end),
    spawn(fun() -> P ! c end),
    P ! a,
    P ! special.

%% Requests are taken in any of 6 orders. The order of the results does not count, because each
%% receive takes a certain one, and neither does the order of a result and a request.
hand_out() ->
    S = self(),
    [spawn(fun() -> S ! {request, self()}, receive {job, N} -> S ! {done, N} end end)
     || _ <- [1, 2, 3]],
    Clients = [receive {request, C} -> C end || _ <- [1, 2, 3]],
    [C ! {job, N} || {C, N} <- lists:zip(Clients, [1, 2, 3])],
    [receive {done, N} -> N end || N <- [1, 2, 3]].

%% Each list has a key in common with the next one: two pairs conflict, the third pair does not.
lists() ->
    T = ets:new(t, [public]),
    all([fun() -> ets:insert(T, [{a, 1}, {b, 1}]) end,
         fun() -> ets:insert(T, [{b, 2}, {c, 2}]) end,
         fun() -> ets:insert(T, [{c, 3}, {d, 3}]) end]).

%% Only the insertion of y and the second pattern have a key in common.
patterns() ->
    T = ets:new(t, [public]),
    all([fun() -> ets:insert(T, [{x, 1}, {y, 1}]) end,
         fun() -> ets:match(T, {{x, y}, '$1'}) end,
         fun() -> ets:select(T, [{{y, '$1'}, [], ['$1']}, {{z, '$1'}, [], ['$1']}]) end,
         fun() -> ets:match_delete(T, {w, '_'}) end]).

%% Operations that find nothing to change only read: the second insert_new, and delete_object, which
%% comes before or behind the first insert_new.
refused() ->
    T = ets:new(t, [public]),
    all([fun() -> ets:delete_object(T, {k, 2}) end,
         fun() -> ets:take(T, l) end,
         fun() -> ets:insert_new(T, {k, 1}) end,
         fun() -> ets:insert_new(T, {k, 3}) end]).

%% The table goes with its owner. The order of insertions that come too late does not count.
dropped() ->
    ets:new(t, [public, named_table]),
    [spawn(fun() -> ets:insert(t, {k, self()}) end) || _ <- [1, 2, 3]].

%% A key that a list names twice has the last value.
two_inserts() ->
    T = ets:new(t, [public]),
    all([fun() -> ets:insert(T, [{k, 1}, {k, 2}]) end, fun() -> ets:insert(T, {k, 2}) end]).

all(Funs) ->
    Monitors = [element(2, spawn_monitor(F)) || F <- Funs],
    [receive {'DOWN', M, _, _, _} -> ok end || M <- Monitors].

%% Each of the three sleeps twice, and no process can see when.
sleepers() ->
    Refs = [element(2, spawn_monitor(fun() -> sleep(5), sleep(N) end)) || N <- [5, 10, 15]],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs].

sleep(T) -> receive after T -> ok end.

%% The longer sleep may end first: the other process may begin to sleep late.
sleepers_in_order() ->
    Me = self(),
    [spawn(fun() -> sleep(T), Me ! T end) || T <- [5, 500]],
    5 = receive T -> T end.

%% Two sleeps beside each other take 10 ms, one after the other 20.
sleepers_and_clock() ->
    Then = erlang:monotonic_time(millisecond),
    Refs = [element(2, spawn_monitor(fun() -> sleep(10) end)) || _ <- [1, 2]],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- Refs],
    10 = erlang:monotonic_time(millisecond) - Then.

%% The timeout of 10 ms is over before the sleep of 20 ms if both began at once, and the sleeper may
%% begin before and behind the other process and its timeout.
sleeper_and_timeout() ->
    P = spawn(fun() -> receive go -> ok after 10 -> ok end end),
    sleep(20),
    P ! go.

%% One of the three signals ends the process. The other two come too late, in whatever order.
killed_by_three() ->
    P = spawn(fun() -> receive after infinity -> ok end end),
    [spawn(fun() -> exit(P, Reason) end) || Reason <- [a, b, a]].

%% The message is gone, or never came, when the process asks for it.
flushed() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    demonitor(Ref, [flush]),
    none = receive {'DOWN', Ref, _, _, _} -> down after 0 -> none end.

%% The first poll may find the message.
flushed_late() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    none = receive {'DOWN', Ref, _, _, _} -> down after 0 -> none end,
    demonitor(Ref, [flush]).

%% A call that fails ends no monitor.
not_demonitored() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    {'EXIT', {badarg, _}} = (catch demonitor(Ref, [flash])),
    receive {'DOWN', Ref, _, _, _} -> ok end.

%% A list with more objects than a step has accesses. Of ten keys that are looked up, one is among
%% them; some of the others may look like one of them, but not all.
many_inserts() ->
    T = ets:new(t, [public]),
    Me = self(),
    spawn(fun() -> ets:insert(T, [{N} || N <- [1, 2, 3, 4, 5]]), Me ! done end),
    [[] = ets:lookup(T, {other, N}) || N <- lists:seq(1, 9)],
    ets:lookup(T, 5),
    receive done -> ok end.

no_insert() ->
    T = ets:new(t, [public]),
    Me = self(),
    spawn(fun() -> ets:insert(T, []), Me ! done end),
    [] = ets:lookup(T, 1),
    receive done -> ok end.

%% Where each abnormal end is a finding, it does not matter whether another process hears of it.
watched_end() ->
    spawn_monitor(fun() -> exit(bad) end).

%% Two links of one process end, each from another side.
unlinks_of_two() ->
    S = self(),
    A = spawn_link(fun() -> receive stop -> ok end end),
    spawn_link(fun() -> unlink(S), S ! done end),
    unlink(A),
    receive done -> ok end.

%% Both sides end the link.
unlinks_of_one() ->
    S = self(),
    A = spawn_link(fun() -> unlink(S), S ! done, receive stop -> ok end end),
    unlink(A),
    receive done -> ok end.

%% They are linked, or not.
unlink_and_link() ->
    S = self(),
    A = spawn(fun() -> link(S), S ! done, receive stop -> exit(oops) end end),
    unlink(A),
    receive done -> ok end,
    A ! stop,
    receive never -> ok end.
