%% A process whose child has linked with it links with the child. This fails as soon as the child is
%% ending. It succeeded until the link had ended, which by the reason normal is not a step: one class
%% had two outcomes.
-module(linked_twice).
-export([run/0]).

run() ->
    S = self(),
    {P, M} = spawn_monitor(fun() -> register(n, self()), link(S) end),
    Linked = try link(P) catch _:R -> R end,
    receive {'DOWN', M, _, _, Why} -> erlang:display({Linked, Why}) end.
