%% "World hello", after Figure 1 of the PULSE procrastination paper: A sends hello to C and then
%% world to B, from where it travels through a chain of N proxies to C. The program believes that
%% hello comes first.
%%
%% On one node, where a message is in the mailbox when the send returns, it does. With
%% asynchronous delivery it may come last, but a random schedule would have to put off one
%% delivery N times in a row.
%%
%% As a property (fermata prop world_hello): delivery is asynchronous there by default.
%%
%% expect: chain_3 => proved
%% expect: chain_3 --delivery async => bug,abnormal-exit
%% expect: chain_3 --delivery async --strategy dpor => bug,abnormal-exit
%% expect: chain_10 => proved
%% expect: chain_100 --delivery async --strategy procrastinate --max-runs 10 => bug,abnormal-exit
%% expect: chain_100 --delivery async --strategy random --max-runs 1000 => no-bug-found
-module(world_hello).
-export([chain_3/0, chain_10/0, chain_100/0, prop_in_order/0]).

chain_3() -> in_order(3).
chain_10() -> in_order(10).
chain_100() -> in_order(100).

%% ?FORALL(N, range(90, 100), …), without the header of PropEr
prop_in_order() ->
    proper:forall(proper_types:range(90, 100), fun(N) -> example(N) =:= {hello, world} end).

in_order(N) ->
    {hello, world} = example(N).

example(N) ->
    C = self(),
    B = proxies(N, C),
    spawn(fun() -> C ! hello, B ! world end),
    First = receive M1 -> M1 end,
    Second = receive M2 -> M2 end,
    {First, Second}.

proxies(0, Pid) -> Pid;
proxies(N, Pid) -> proxy(proxies(N - 1, Pid)).

proxy(Next) ->
    spawn(fun() -> receive Message -> Next ! Message end end).
