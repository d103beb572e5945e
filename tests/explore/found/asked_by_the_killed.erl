%% The first process asks for the monitors of the test, if the second one does not kill it before by its
%% link. Runs were left out in which it asks behind both messages of the second process: a message of a
%% process that was killed counted as covered, because nothing in that run could tell its order.
-module(asked_by_the_killed).
-export([run/0]).

run() ->
    S = self(),
    {P1, M1} = spawn_monitor(fun() -> S ! {m, 1}, try_to(fun() -> process_info(S, monitors) end), exit(x) end),
    {P2, M2} = spawn_monitor(fun() -> S ! {m, 2}, try_to(fun() -> link(P1) end), exit(y) end),
    try_to(fun() -> process_info(P2, monitors) end),
    try_to(fun() -> link(P1) end),
    [receive {'DOWN', M, _, _, R} -> R end || M <- [M1, M2]].

try_to(F) -> try F() catch _:_ -> failed end.
