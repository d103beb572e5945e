%% A suspended process is ended by an exit signal on its way. The step that it had announced lost its
%% place among the signals, and was wanted behind the one that ended the process.
-module(suspended_and_ended).
-export([run/0]).

run() ->
    T = ets:new(t, [public]),
    {P, M} = spawn_monitor(fun() -> ets:insert(T, {k, 1}), exit(done) end),
    {_, N} = spawn_monitor(fun() -> link(P), exit(oops) end),
    catch erlang:suspend_process(P),
    erlang:display([receive {'DOWN', R, _, _, Why} -> Why end || R <- [M, N]]),
    erlang:display(ets:lookup(T, k)).
