%% Loops that look at intervals: receive ... after 50 -> loop() end. A turn that changed nothing is not
%% explored again, so these are proofs, and a loop that nobody can end is a livelock. A loop that
%% counts its turns, takes a message or looks at the clock makes progress.
%%
%% expect: table => proved,executions=2,assuming nothing
%% expect: table --strategy dfs => proved
%% expect: table --delivery async => proved
%% expect: table --timeouts idle => proved
%% expect: table --strategy random --max-runs 50 => no-bug-found
%% expect: name => proved,executions=2
%% expect: life => proved,executions=2
%% expect: message => proved,executions=1
%% expect: server => proved,executions=1
%% expect: two_waits => proved,executions=2
%% expect: each_other => proved
%% expect: attempts => proved,executions=6
%% expect: no_attempt_left => bug,abnormal-exit
%% expect: attempts_without_end --max-runs 20 --max-steps 500 => no-bug-found
%% expect: until_deadline => proved
%% expect: behind_a_timer => proved
%% expect: behind_a_long_timer => proved
%% expect: long_waits => proved
%% expect: between_timers => bug,abnormal-exit
%% expect: between_timers --strategy dfs => bug,abnormal-exit
%% expect: takes_messages => bug,stuck
%% expect: told_to_stop => proved
%% expect: killed => proved
%% expect: other_receives => proved
%% expect: either => proved
%% expect: either --delivery async => proved
%% expect: either --strategy dfs => proved
%% expect: either --strategy random --max-runs 50 => no-bug-found
%% expect: neither => bug,livelock
%% expect: neither --strategy random => bug,livelock
%% expect: first_or_second => bug,abnormal-exit
%% expect: looks_without_waiting => proved,executions=3
%% expect: looks_without_waiting --delivery async => proved
%% expect: looks_for_ever => bug,livelock
%% expect: asked_meanwhile => proved
%% expect: asked_meanwhile --strategy dfs => proved
%% expect: asked_meanwhile --delivery async => proved
%% expect: life --delivery async => proved
%% expect: killed --delivery async => proved
%% expect: beside_noise => proved
%% expect: beside_noise --delivery async => proved
%% expect: never => bug,livelock
%% expect: never --strategy random => bug,livelock
%% expect: never --timeouts idle => bug,livelock
%% expect: nobody_sends => bug,livelock
%% expect: last_look_too_early => bug,livelock
%% expect: only_noise => bug,livelock
%% expect: both_for_ever => bug,livelock
%% expect: both_for_ever_with_deadlines => bug,livelock
%% expect: waits_for_a_poller => bug,stuck
%% expect: polls_for_a_waiter => bug,stuck
%% expect: goes_on_after_the_end => proved
-module(polling).
-export([table/0, name/0, life/0, message/0, server/0, two_waits/0, each_other/0, attempts/0,
         no_attempt_left/0, attempts_without_end/0, until_deadline/0, behind_a_timer/0,
         behind_a_long_timer/0, long_waits/0, between_timers/0, takes_messages/0, told_to_stop/0,
         killed/0,
         other_receives/0, either/0, neither/0, first_or_second/0, looks_without_waiting/0,
         looks_for_ever/0, asked_meanwhile/0, beside_noise/0, never/0, nobody_sends/0,
         last_look_too_early/0, only_noise/0, both_for_ever/0,
         both_for_ever_with_deadlines/0, waits_for_a_poller/0, polls_for_a_waiter/0,
         goes_on_after_the_end/0]).

new_table() -> ets:new(t, [named_table, public]).

poll(F) -> poll(50, F).

poll(Ms, F) ->
    case F() of
        true -> ok;
        false -> receive after Ms -> poll(Ms, F) end
    end.

has(Key) -> fun() -> ets:member(t, Key) end.

table() ->
    new_table(),
    spawn(fun() -> ets:insert(t, {done, 1}) end),
    poll(has(done)).

name() ->
    spawn(fun() -> register(worker, self()), receive stop -> ok end end),
    poll(fun() -> whereis(worker) =/= undefined end),
    worker ! stop.

life() ->
    P = spawn(fun() -> ok end),
    poll(fun() -> not is_process_alive(P) end).

message() ->
    S = self(),
    spawn(fun() -> S ! go end),
    wait_for_go().

wait_for_go() -> receive go -> ok after 50 -> wait_for_go() end.

server() ->
    P = spawn(fun tick/0),
    P ! {self(), hello},
    receive hi -> ok end,
    P ! stop.

tick() ->
    receive
        {From, hello} -> From ! hi, tick();
        stop -> ok
    after 50 -> tick()
    end.

%% The turn has two waits.
two_waits() ->
    new_table(),
    spawn(fun() -> ets:insert(t, {done, 1}) end),
    odd_wait().

odd_wait() ->
    case ets:member(t, done) of true -> ok; false -> timer:sleep(10), even_wait() end.
even_wait() ->
    case ets:member(t, other) of true -> ok; false -> timer:sleep(20), odd_wait() end.

each_other() ->
    new_table(),
    S = self(),
    spawn(fun() -> poll(has(a)), ets:insert(t, {b, 1}), S ! done end),
    spawn(fun() -> ets:insert(t, {a, 1}), poll(has(b)), S ! done end),
    receive done -> ok end,
    receive done -> ok end.

%% Each number of looks is another end of the run.
attempts() ->
    new_table(),
    S = self(),
    spawn(fun() -> ets:insert(t, {done, 1}), S ! inserted end),
    try_for(0, 5),
    receive inserted -> ok end.

no_attempt_left() ->
    new_table(),
    S = self(),
    spawn(fun() -> ets:insert(t, {done, 1}), S ! inserted end),
    found = try_for(0, 3),
    receive inserted -> ok end.

try_for(Max, Max) -> none;
try_for(N, Max) ->
    case ets:member(t, done) of
        true -> found;
        false -> receive after 50 -> try_for(N + 1, Max) end
    end.

attempts_without_end() ->
    new_table(),
    spawn(fun() -> ets:insert(t, {done, 1}) end),
    try_for(0, infinity).

%% Time passes with each turn.
until_deadline() ->
    new_table(),
    look_until(erlang:monotonic_time(millisecond) + 200).

look_until(Deadline) ->
    case ets:member(t, done) orelse erlang:monotonic_time(millisecond) >= Deadline of
        true -> ok;
        false -> receive after 50 -> look_until(Deadline) end
    end.

%% The first timeout of the loop is always before that of the other process.
behind_a_timer() -> behind(500, 50).
behind_a_long_timer() -> behind(5000, 50).
long_waits() -> behind(60000, 5000).

behind(Late, Ms) ->
    new_table(),
    spawn(fun() -> receive never -> ok after Late -> ets:insert(t, {done, 1}) end end),
    poll(Ms, has(done)).

%% The loop may look between the two, or behind both.
between_timers() ->
    new_table(),
    S = self(),
    [spawn(fun() -> receive never -> ok after 500 -> ets:insert(t, {done, N}), S ! in end end)
     || N <- [1, 2]],
    poll(has(done)),
    Seen = ets:lookup(t, done),
    receive in -> ok end,
    receive in -> ok end,
    Seen =:= ets:lookup(t, done) orelse exit(overwritten).

%% A loop that takes messages changes what others can do.
takes_messages() ->
    S = self(),
    P = spawn(fun() -> drain() end),
    P ! noise,
    P ! {S, last},
    receive answer -> ok end.

drain() -> receive _ -> drain() after 50 -> drain() end.

told_to_stop() ->
    P = spawn(fun tick/0),
    M = monitor(process, P),
    P ! stop,
    receive {'DOWN', M, _, _, normal} -> ok end.

killed() ->
    new_table(),
    {P, M} = spawn_monitor(fun() -> poll(has(never)) end),
    exit(P, kill),
    receive {'DOWN', M, _, _, killed} -> ok end.

%% The message comes while the process waits for another one.
other_receives() ->
    S = self(),
    spawn(fun() -> S ! b end),
    wait_for_a(3).

wait_for_a(0) -> receive b -> ok end;
wait_for_a(N) -> receive a -> ok after 10 -> wait_for_b(N) end.
wait_for_b(N) -> receive b -> ok after 10 -> wait_for_a(N - 1) end.

%% The turn has two receives with different patterns, of which one takes the message.
either() ->
    S = self(),
    spawn(fun() -> S ! b end),
    b = wait_for_either().

wait_for_either() ->
    receive a -> a after 10 -> receive b -> b after 20 -> wait_for_either() end end.

neither() ->
    S = self(),
    spawn(fun() -> S ! c end),
    wait_for_either().

%% Whoever sends first need not be the one whose message is taken first.
first_or_second() ->
    S = self(),
    spawn(fun() -> S ! b, S ! a end),
    a = wait_for_either().

looks_without_waiting() ->
    S = self(),
    spawn(fun() -> S ! stop end),
    look_for_stop().

looks_for_ever() ->
    S = self(),
    spawn(fun() -> S ! go end),
    look_for_stop().

look_for_stop() -> receive stop -> ok after 0 -> timer:sleep(10), look_for_stop() end.

%% Where somebody asks what a process is doing, each of its steps matters.
asked_meanwhile() ->
    new_table(),
    S = self(),
    spawn(fun() -> process_info(S, current_function), ets:insert(t, {done, 1}) end),
    poll(has(done)).

%% Messages that the loop does not take come before, between and behind its looks.
beside_noise() ->
    new_table(),
    S = self(),
    [spawn(fun() -> S ! {noise, N} end) || N <- [1, 2]],
    spawn(fun() -> ets:insert(t, {done, 1}) end),
    poll(has(done)),
    receive {noise, 2} -> ok end.

never() ->
    new_table(),
    spawn(fun() -> ets:insert(t, {other, 1}) end),
    poll(has(done)).

nobody_sends() -> wait_for_go().

%% Only if the value is deleted before the loop looks.
last_look_too_early() ->
    new_table(),
    spawn(fun() -> ets:insert(t, {done, 1}), ets:delete(t, done) end),
    poll(has(done)).

%% A message that the loop does not take ends nothing.
only_noise() ->
    S = self(),
    spawn(fun() -> S ! noise end),
    wait_for_go().

both_for_ever() ->
    new_table(),
    spawn(fun() -> poll(has(a)), ets:insert(t, {b, 1}) end),
    poll(has(b)),
    ets:insert(t, {a, 1}).

both_for_ever_with_deadlines() ->
    new_table(),
    spawn(fun wait_for_go/0),
    poll(has(b)).

waits_for_a_poller() ->
    new_table(),
    S = self(),
    spawn(fun() -> poll(has(done)), S ! done end),
    receive done -> ok end.

polls_for_a_waiter() ->
    new_table(),
    spawn(fun() -> receive go -> ets:insert(t, {done, 1}) end end),
    poll(has(done)).

%% Nobody waits for the loop when the test has ended.
goes_on_after_the_end() ->
    spawn(fun tick/0),
    ok.
