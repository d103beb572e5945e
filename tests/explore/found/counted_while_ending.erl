%% system_info(process_count) counted processes that had ended and still sent their DOWN messages, and
%% those steps are not steps on the set of processes: one class had two outcomes.
-module(counted_while_ending).
-export([run/0]).

run() ->
    {_, M} = spawn_monitor(fun() -> ok end),
    {_, N} = spawn_monitor(fun() -> exit(erlang:system_info(process_count)) end),
    erlang:display([receive {'DOWN', R, _, _, Why} -> Why end || R <- [M, N]]).
