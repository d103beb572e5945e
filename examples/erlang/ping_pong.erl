%% The running example of the Concuerror paper (its Figure 1): a process is spawned and then
%% registered; if it has ended before it is registered, register/2 raises.
%%
%% pong/0 is wrong, pong_fixed/0 lets the child wait until it is registered.
%%
%% expect: pong => bug,abnormal-exit
%% expect: pong --strategy dpor => bug,abnormal-exit
%% expect: pong --strategy dfs => bug,abnormal-exit
%% expect: pong --strategy bounded-plain --bound 0 => no-bug-found
%% expect: pong --strategy bounded --bound 1 => bug,abnormal-exit
%% expect: pong_fixed => proved
%% expect: pong_fixed --strategy dfs => proved
-module(ping_pong).
-export([pong/0, pong_fixed/0]).

pong() ->
    Self = self(),
    register(ping_pong, spawn(fun() -> ping(Self) end)),
    receive ping -> ok end.

ping(Pong) ->
    Pong ! ping.

pong_fixed() ->
    Self = self(),
    Pid = spawn(fun() -> receive registered -> ping(Self) end end),
    register(ping_pong, Pid),
    Pid ! registered,
    receive ping -> ok end.
