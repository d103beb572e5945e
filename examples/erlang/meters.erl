%% Numbers without a table: the highest load seen so far in an atomics array, the pending requests
%% in counters.
%%
%% peak/2 reads and puts: a higher value that another process put in between is lost. done/1
%% takes one off by get and put instead of counters:sub/3. peak_fixed/2 puts only over what it
%% has seen and looks again otherwise.
%%
%% expect: highest => bug,abnormal-exit
%% expect: highest_fixed => proved
%% expect: none_pending => bug,abnormal-exit
%% confirm: highest => atomics get put confirmed
%% confirm: highest_fixed => atomics get put not-reached
%% confirm: none_pending => counters get put confirmed
%% confirm: - => atomics get put not-reached
-module(meters).
-export([new/0, peak/2, peak_fixed/2, done/1, highest/0, highest_fixed/0, none_pending/0]).

new() ->
    Meters = {atomics:new(1, []), counters:new(1, [])},
    persistent_term:put(meters, Meters),
    Meters.

peak(Atomics, Load) ->
    case atomics:get(Atomics, 1) of
        Highest when Highest < Load -> atomics:put(Atomics, 1, Load);
        _ -> ok
    end.

peak_fixed(Atomics, Load) ->
    case atomics:get(Atomics, 1) of
        Highest when Highest < Load ->
            case atomics:compare_exchange(Atomics, 1, Highest, Load) of
                ok -> ok;
                _ -> peak_fixed(Atomics, Load)
            end;
        _ -> ok
    end.

done(Counters) ->
    counters:put(Counters, 1, counters:get(Counters, 1) - 1).

highest() ->
    {Atomics, _} = new(),
    both(fun() -> peak(Atomics, 7) end, fun() -> peak(Atomics, 5) end),
    7 = atomics:get(Atomics, 1).

highest_fixed() ->
    {Atomics, _} = new(),
    both(fun() -> peak_fixed(Atomics, 7) end, fun() -> peak_fixed(Atomics, 5) end),
    7 = atomics:get(Atomics, 1).

none_pending() ->
    {_, Counters} = new(),
    counters:put(Counters, 1, 2),
    both(fun() -> done(Counters) end, fun() -> done(Counters) end),
    0 = counters:get(Counters, 1).

both(F, G) ->
    {_, M} = spawn_monitor(F),
    G(),
    receive {'DOWN', M, process, _, normal} -> ok end.
