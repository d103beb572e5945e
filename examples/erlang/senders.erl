%% N processes each send one message to one process. How many interleavings matter depends on
%% whether a receive can tell: all orders if it takes what comes, one if it never looks or if it
%% picks them by name. No bug; the numbers are what is asked.
%%
%% expect: all_2 --strategy dpor => proved,executions=2
%% expect: all_3 --strategy dpor => proved,executions=6
%% expect: all_4 --strategy dpor => proved,executions=24
%% expect: all_6 --strategy dpor => proved,executions=720
%% expect: all_8 --strategy dpor => proved,executions=40320
%% expect: never_4 --strategy dpor => proved,executions=1
%% expect: never_8 --strategy dpor => proved,executions=1
%% expect: named_4 --strategy dpor => proved,executions=1
%% expect: named_8 --strategy dpor => proved,executions=1
%% expect: first_3 => bug,abnormal-exit
-module(senders).
-export([all_2/0, all_3/0, all_4/0, all_6/0, all_7/0, all_8/0, never_4/0, never_8/0, named_4/0,
         named_8/0, first_3/0]).

all_2() -> all(2).
all_3() -> all(3).
all_4() -> all(4).
all_6() -> all(6).
all_7() -> all(7).
all_8() -> all(8).
never_4() -> never(4).
never_8() -> never(8).
named_4() -> named(4).
named_8() -> named(8).

spawn_senders(N) ->
    [Pid || {Pid, _} <- spawn_monitored(N, fun(Fun) -> {spawn(Fun), none} end)].

spawn_monitored(N, Spawn) ->
    Self = self(),
    [Spawn(fun() -> Self ! {message, I} end) || I <- lists:seq(1, N)].

%% Takes the messages as they come.
all(N) ->
    spawn_senders(N),
    [receive {message, I} -> I end || _ <- lists:seq(1, N)].

%% Waits for the senders to end, without a look at what they sent.
never(N) ->
    Monitors = spawn_monitored(N, fun erlang:spawn_monitor/1),
    [receive {'DOWN', M, process, _, _} -> ok end || {_, M} <- Monitors].

%% Takes them in a fixed order.
named(N) ->
    spawn_senders(N),
    [receive {message, I} -> I end || I <- lists:seq(1, N)].

%% Wrong: believes that the first one spawned is the first one heard.
first_3() ->
    [1 | _] = all(3).
