%% A receive with a time limit that had to wait used up the number of a reference, so the second
%% monitor was another object where the message had come before.
-module(numbers_of_references).
-export([run/0]).

run() ->
    {P, M} = spawn_monitor(fun() ->
        monitor(process, self()),
        receive a -> ok after 2000 -> none end,
        monitor(process, self()) end),
    P ! a,
    receive {'DOWN', M, _, _, _} -> ok end.
