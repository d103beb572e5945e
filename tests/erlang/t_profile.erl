%% erlang:system_profile/0,2.
-module(t_profile).
-export([flags/0, wrong/0, profiler_ends/0, life/0, times/0, suspended/0, not_itself/0, turns/0,
         idle/0]).
-include("t.hrl").

with_profiler(Do) ->
    Pid = spawn(fun() -> profiler([]) end),
    Result = try Do(Pid) after erlang:system_profile(undefined, []), Pid ! stop end,
    Result.

profiler(Events) ->
    receive
        {get, From} -> From ! {events, lists:reverse(Events)}, profiler([]);
        stop -> ok;
        Event -> profiler([Event | Events])
    end.

events_of(Profiler, Pid) ->
    receive after 30 -> ok end,
    erlang:system_profile(undefined, []),
    Profiler ! {get, self()},
    receive {events, Events} -> [Event || Event <- Events, element(2, Event) =:= Pid] end.

acts(Events) -> [{Act, Where} || {profile, _, Act, Where, _} <- Events].

flags() ->
    with_profiler(fun(Pid) ->
        [{Flags, erlang:system_profile(Pid, Flags), shown(Pid, erlang:system_profile()),
          shown(Pid, erlang:system_profile(undefined, [])), erlang:system_profile()}
         || Flags <- [[], [runnable_procs], [runnable_ports], [scheduler], [exclusive],
                      [timestamp], [monotonic_timestamp, runnable_procs],
                      [runnable_ports, exclusive, runnable_procs, strict_monotonic_timestamp]]]
    end).

shown(Pid, {Pid, Flags}) -> Flags;
shown(_, Other) -> Other.

wrong() ->
    with_profiler(fun(Pid) ->
        Dead = spawn(fun() -> ok end),
        Ref = monitor(process, Dead),
        receive {'DOWN', Ref, _, _, _} -> ok end,
        {[?TRY(erlang:system_profile(Who, Flags))
          || {Who, Flags} <- [{Pid, [x]}, {Pid, [runnable_procs | x]}, {Pid, x}, {x, [runnable_procs]},
                              {undefined, [runnable_procs]}, {undefined, x}, {Dead, [scheduler]},
                              {Dead, []}, {1, []}]], erlang:system_profile()}
    end).

profiler_ends() ->
    with_profiler(fun(Pid) ->
        Ref = monitor(process, Pid),
        erlang:system_profile(Pid, [runnable_procs]),
        Pid ! stop,
        receive {'DOWN', Ref, _, _, _} -> ok end,
        receive after 20 -> ok end,
        erlang:system_profile()
    end).

life() ->
    with_profiler(fun(Profiler) ->
        erlang:system_profile(Profiler, [runnable_procs]),
        Pid = spawn(fun() -> wait() end),
        [begin receive after 5 -> ok end, Pid ! Message end || Message <- [a, b, stop]],
        acts(events_of(Profiler, Pid))
    end).

wait() -> receive stop -> ok; _ -> wait() end.

times() -> [with_profiler(fun(Profiler) -> times(Profiler, Flags) end)
            || Flags <- [[], [timestamp], [monotonic_timestamp], [strict_monotonic_timestamp],
                         [timestamp, monotonic_timestamp]]].

times(Profiler, Flags) ->
    erlang:system_profile(Profiler, [runnable_procs | Flags]),
    Pid = spawn(fun() -> wait() end),
    receive after 5 -> ok end,
    Pid ! stop,
    Times = [Time || {profile, _, _, _, Time} <- events_of(Profiler, Pid)],
    {Flags, [kind(Time) || Time <- Times], Times =:= lists:sort(Times)}.

kind({A, B, C}) when is_integer(A), is_integer(B), is_integer(C) -> three;
kind({A, B}) when is_integer(A), is_integer(B) -> two;
kind(A) when is_integer(A) -> one.

suspended() ->
    with_profiler(fun(Profiler) ->
        Pid = spawn(fun() -> wait() end),
        receive after 5 -> ok end,
        erlang:suspend_process(Pid),
        erlang:system_profile(Profiler, [runnable_procs]),
        Pid ! a,
        receive after 5 -> ok end,
        erlang:system_profile(undefined, []),
        erlang:resume_process(Pid),
        Events = events_of(Profiler, Pid),
        Pid ! stop,
        [Act || {Act, _} <- acts(Events)]
    end).

not_itself() ->
    with_profiler(fun(Profiler) ->
        erlang:system_profile(Profiler, [runnable_procs]),
        _ = [begin Pid = spawn(fun() -> wait() end), Pid ! stop end || _ <- lists:seq(1, 10)],
        events_of(Profiler, Profiler)
    end).

%% A process that only lets others run does not become inactive.
turns() ->
    with_profiler(fun(Profiler) ->
        erlang:system_profile(Profiler, [runnable_procs]),
        Self = self(),
        Pids = [spawn(fun() -> Self ! {self(), count(100000)} end) || _ <- "ab"],
        Results = [receive {Pid, Result} -> Result end || Pid <- Pids],
        {Results, acts(events_of(Profiler, hd(Pids)))}
    end).

count(0) -> done;
count(N) -> count(N - 1).

idle() ->
    with_profiler(fun(Profiler) ->
        erlang:system_profile(Profiler, [scheduler, monotonic_timestamp]),
        receive after 30 -> ok end,
        Events = events_of(Profiler, scheduler),
        {lists:usort([{Act, is_integer(Id), is_integer(N)}
                      || {profile, scheduler, Id, Act, N, Time} <- Events, is_integer(Time)]),
         length(Events) >= 2}
    end).
