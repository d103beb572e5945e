%% The first process asks for the messages of the test, and may be suspended before that. With --delivery
%% async a run was left out in which it sees both messages, the second one first: where suspending is
%% possible the question had more accesses than it has room for, and none said that it looks at them.
-module(asked_while_suspended).
-export([run/0]).

run() ->
    S = self(),
    P1 = spawn(fun() -> X = process_info(S, messages), S ! {seen, X} end),
    spawn(fun() -> erlang:suspend_process(P1), S ! a end),
    spawn(fun() -> S ! b end),
    erlang:display(receive {seen, V} -> V after 1000 -> none end).
