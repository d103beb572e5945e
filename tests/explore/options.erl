%% The options of `fermata test` for Erlang: each function with and without one.
%%
%% expect: prints --strategy dpor => proved,executions=1
%% expect: prints --strategy dpor --io ordered => proved,executions=2
%% expect: late_timer --timeouts idle => proved
%% expect: late_timer --timeouts idle --after-end => bug,abnormal-exit
%% expect: uses_server --setup options:start_server => proved
%% expect: uses_server => bug,abnormal-exit
%% expect: lost_update => bug,abnormal-exit
%% expect: lost_update --atomic options_counter => proved
%% expect: short_timeout => bug,abnormal-exit
%% expect: short_timeout --timeouts idle => proved
%% expect: long_timeout => proved
%% expect: long_timeout --timeouts any => bug,abnormal-exit
%% expect: long_timeout --timeouts 100000 => bug,abnormal-exit
%% expect: overtaken => proved
%% expect: overtaken --delivery async => bug,abnormal-exit
%% expect: same_pair --delivery async => proved
%% expect: lost_update --ignore abnormal-exit => proved
%% expect: lost_update --strategy random --seed 1 --max-runs 1000 => bug,abnormal-exit
%% expect: lost_update --strategy pct --seed 1 --max-runs 1000 => bug,abnormal-exit
%% expect: lost_update --strategy pos --seed 1 --max-runs 1000 => bug,abnormal-exit
%% expect: lost_update --strategy procrastinate --seed 1 --max-runs 1000 => bug,abnormal-exit
%% expect: lost_update --strategy hapset --seed 1 --max-runs 1000 => bug,abnormal-exit
-module(options).
-export([prints/0, late_timer/0, uses_server/0, start_server/0, lost_update/0, short_timeout/0,
         long_timeout/0, overtaken/0, same_pair/0]).

at_once(Funs) ->
    Monitors = [spawn_monitor(Fun) || Fun <- Funs],
    [receive {'DOWN', M, process, _, Reason} -> normal = Reason end || {_, M} <- Monitors].

%% Printing is independent unless its order is asked for.
prints() ->
    at_once([fun() -> io:put_chars("one\n") end, fun() -> io:put_chars("two\n") end]).

%% A timer that would go off after the test has ended.
late_timer() ->
    Pid = spawn(fun() -> receive tick -> exit(too_late) end end),
    erlang:send_after(50, Pid, tick),
    ok.

%% Needs a server that the set-up has started.
uses_server() ->
    options_server ! {self(), question},
    receive answer -> ok end.

start_server() ->
    register(options_server, spawn(fun serve/0)).

serve() ->
    receive {From, question} -> From ! answer, serve() end.

%% Safe only if the functions of options_counter are single steps.
lost_update() ->
    Table = options_counter:new(),
    at_once([fun() -> options_counter:increment(Table) end || _ <- [1, 2]]),
    2 = options_counter:value(Table).

short_timeout() -> answered_within(100).
long_timeout() -> answered_within(5000).

answered_within(Ms) ->
    Self = self(),
    spawn(fun() -> Self ! answer end),
    receive answer -> ok
    after Ms -> error(no_answer)
    end.

%% A message overtakes another one on a longer way.
overtaken() ->
    Self = self(),
    Relay = spawn(fun() -> receive M -> Self ! M end end),
    spawn(fun() -> Self ! first, Relay ! second end),
    receive Message -> first = Message end.

%% Two messages of one process to one other never do.
same_pair() ->
    Self = self(),
    spawn(fun() -> Self ! first, Self ! second end),
    receive Message -> first = Message end.
