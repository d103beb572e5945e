%% group_leader/2 waits until the own signals have arrived (--delivery async). If its process is killed
%% while another one suspends it, the step was noted without that wait, and dpor asked for it before
%% the link request had arrived: the search lost control. seed: 871002091
-module(group_leader_while_suspended).
-export([run/0]).

run() ->
    S = self(),
    {P, M} = spawn_monitor(fun() -> catch erlang:suspend_process(S) end),
    catch link(P),
    catch group_leader(P, P),
    receive {'DOWN', M, _, _, _} -> erlang:display(down) end.
