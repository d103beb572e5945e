%% Programs of which a search within a bound once lost a class (tests/strategy/bounded).
-module(bounded_classes).
-export([suspended/0]).

%% The first process S is suspended while B waits for C. S has its message, but C does not pass it over. So
%% D writes before S within two delays: one for B that goes before S, and one for D.
suspended() ->
    S = self(),
    T = ets:new(t, [public]),
    spawn(fun() -> S ! m end),
    B = spawn(fun() ->
        erlang:suspend_process(S),
        receive go -> ok end,
        erlang:resume_process(S)
    end),
    spawn(fun() -> B ! go end),
    D = spawn(fun() ->
        receive start -> ok end,
        ets:insert(T, {k, d})
    end),
    receive m -> ok end,
    D ! start,
    ets:insert(T, {k, s}).
