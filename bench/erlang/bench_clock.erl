%% Runs a row of the table: the same call on the real VM and on ours.
%%
%% A row is a function of one argument, its size. repeat/4 is what both run. spend/5 is for
%% the real one only, whose start and code loading are not to be counted: it looks at the
%% clock inside, prints the best CPU milliseconds of one call, then the value.
-module(bench_clock).
-export([repeat/4, spend/5]).

repeat(Module, Function, Size, 1) ->
    Module:Function(Size);
repeat(Module, Function, Size, Times) ->
    Module:Function(Size),
    repeat(Module, Function, Size, Times - 1).

spend(Module, Function, Size, Times, Rounds) ->
    _ = repeat(Module, Function, 1, 1),
    Spent = [spend_round(Module, Function, Size, Times) || _ <- lists:seq(1, Rounds)],
    {Best, Value} = lists:min(Spent),
    io:format("~p~n~0p~n", [Best / Times, Value]).

%% A process of its own, so that no round inherits the heap of the one before.
spend_round(Module, Function, Size, Times) ->
    {Pid, Monitor} = spawn_monitor(fun() ->
        {Before, _} = statistics(runtime),
        Value = repeat(Module, Function, Size, Times),
        {After, _} = statistics(runtime),
        exit({spent, After - Before, Value})
    end),
    receive
        {'DOWN', Monitor, process, Pid, {spent, Ms, Value}} -> {Ms, Value};
        {'DOWN', Monitor, process, Pid, Reason} -> exit(Reason)
    end.
