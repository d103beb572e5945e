%% Programs of which a search within a bound once lost a class (tests/strategy/bounded).
-module(bounded_classes).
-export([suspended/0, named/0]).

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

%% While the name is registered, both messages go to one mailbox. In the run that shows C's message first,
%% A's comes too late and goes to nobody.
named() ->
    spawn(fun() -> catch n ! a end),
    spawn(fun() -> register(n, self()) end),
    spawn(fun() -> catch n ! c end),
    ok.
