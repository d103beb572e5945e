%% One process links with another, which unlinks it: the two steps depend on each other, although
%% each of them changed the other process only. The run with the unlink between the link and the
%% end of the linked process was left out, and the proof was certified.
-module(unlinked_from_the_other_side).
-export([run/0]).

run() ->
    S = self(),
    {P, M} = spawn_monitor(fun() -> link(S), exit(one) end),
    unlink(P),
    erlang:display(receive {'DOWN', M, _, _, Why} -> Why end).
