%% Without optimisations a process that has waited goes on at a jump, which stands in another line
%% than its receive: process_info could tell whether it had waited, and no step showed that.
-module(waits_behind_jump).
-compile([no_copt, no_ssa_opt, no_postopt, no_recv_opt, no_bsm_opt, no_fun_opt]).
-export([run/0]).

gather([]) -> ok;
gather([{N, M} | Rest]) ->
    Reason = receive {'DOWN', M, _, _, R} -> element(1, {R, N}) end,
    erlang:display({N, Reason, receive {seen, N, V} -> V after 0 -> nothing end}),
    gather(Rest).

run() ->
    S = self(),
    {_, M1} = spawn_monitor(fun() -> S ! {seen, 1, none} end),
    {_, M2} = spawn_monitor(fun() -> S ! {seen, 2, process_info(S, current_stacktrace)} end),
    gather([{1, M1}, {2, M2}]).
