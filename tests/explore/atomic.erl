%% Calls into atomic_steps as one step each (--atomic), and as they are.
%%
%% Two calls are two steps, wherever they are made; a call that raises ends its step; a fun called
%% by the module is part of the call; what only touches the same table is kept apart as ever.
%%
%% expect: twice => bug,abnormal-exit
%% expect: twice --strategy dpor --atomic atomic_steps => proved,executions=6
%% expect: loop --strategy dpor --atomic atomic_steps => proved,executions=6
%% expect: raises --strategy dpor --atomic atomic_steps => proved,executions=6
%% expect: with_fun --strategy dpor --atomic atomic_steps => proved,executions=2
%% expect: with_fun --strategy dpor --atomic other,atomic_steps => proved,executions=2
%% expect: beside --strategy dpor => proved,executions=3
%% expect: beside --strategy dpor --atomic atomic_steps => proved,executions=2
%% expect: many --strategy dpor --atomic atomic_steps => proved
%% expect: many --strategy dfs --atomic atomic_steps => proved
%% expect: between --strategy dpor --atomic atomic_steps => bug,abnormal-exit
%% expect: calls --strategy dpor --atomic atomic_steps => proved,executions=2
%% expect: twice --strategy dpor --atomic atomic_step => bug,abnormal-exit
-module(atomic).
-export([twice/0, loop/0, raises/0, with_fun/0, beside/0, many/0, between/0, calls/0]).

at_once(Funs) ->
    Monitors = [spawn_monitor(Fun) || Fun <- Funs],
    [receive {'DOWN', M, process, _, Reason} -> normal = Reason end || {_, M} <- Monitors].

twice() ->
    T = atomic_steps:new(),
    at_once([fun() -> atomic_steps:increment(T), atomic_steps:increment(T) end || _ <- [1, 2]]),
    4 = atomic_steps:value(T).

%% The same call site again and again.
loop() ->
    T = atomic_steps:new(),
    at_once([fun() -> increments(2, T) end || _ <- [1, 2]]),
    4 = atomic_steps:value(T).

increments(0, _) -> ok;
increments(N, T) ->
    atomic_steps:increment(T),
    increments(N - 1, T).

raises() ->
    T = atomic_steps:new(),
    at_once([fun() ->
                     {'EXIT', _} = catch atomic_steps:increment_and_raise(T),
                     atomic_steps:increment(T)
             end || _ <- [1, 2]]),
    4 = atomic_steps:value(T).

with_fun() ->
    T = atomic_steps:new(),
    at_once([fun() -> atomic_steps:update(T, fun(N) -> ets:lookup(T, n), N + 1 end), ok end
             || _ <- [1, 2]]),
    2 = atomic_steps:value(T).

beside() ->
    T = atomic_steps:new(),
    at_once([fun() -> atomic_steps:increment(T) end, fun() -> ets:insert(T, {n, 10}) end]),
    atomic_steps:value(T).

%% More objects than an event can name.
many() ->
    T = atomic_steps:new(),
    at_once([fun() -> atomic_steps:fill(T, 6) end || _ <- [1, 2]]),
    [_] = lists:usort([ets:lookup_element(T, K, 2) || K <- lists:seq(1, 6)]).

%% Two calls are not one, however close.
between() ->
    T = atomic_steps:new(),
    at_once([fun() -> N = atomic_steps:value(T), atomic_steps:set(T, N + 1) end || _ <- [1, 2]]),
    2 = atomic_steps:value(T).

%% A call that waits for a server goes on in a new step.
calls() ->
    Server = atomic_steps:start(),
    at_once([fun() -> atomic_steps:call(Server) end || _ <- [1, 2]]),
    3 = atomic_steps:call(Server).
