%% The reply to spawn_request is a message: another process sees it or not, and a receive may take
%% another message first. Both orders were one class, which was certified.
-module(reply_beside_question).
-export([run/0]).

run() ->
    S = self(),
    {P, M} = spawn_monitor(fun() ->
        spawn_request(fun() -> S ! {x, 1} end),
        receive First -> exit(element(1, First)) end end),
    {messages, L} = process_info(P, messages),
    erlang:display(length(L)),
    P ! {go, 1},
    receive {'DOWN', M, _, _, Reason} -> erlang:display(Reason) end.
