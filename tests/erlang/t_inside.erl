%% What OTP's own tests set inside the machine, and who is told of it.
-module(t_inside).
-export([long_collections/0, memory_inside/0, system_logger/0, no_system_logger/0,
         scheduler_in_trace/0, work_in_trace/0, work_of_one/0,
         selected_sends/0, bad_message_patterns/0, links_between/0]).
-include("t.hrl").

inside(Do) ->
    Old = erts_debug:set_internal_state(available_internal_state, true),
    Result = try Do() after erts_debug:set_internal_state(available_internal_state, Old) end,
    Result.

long_collections() ->
    inside(fun() ->
        Old = erlang:system_monitor(self(), [{long_gc, 20}]),
        Set = erts_debug:set_internal_state(test_long_gc_sleep, 60),
        erlang:garbage_collect(),
        Own = receive {monitor, _, _, _} = M1 -> M1 after 50 -> none end,
        Me = self(),
        Pid = spawn_link(fun() -> erlang:garbage_collect(), Me ! done end),
        receive done -> ok end,
        Other = receive
                    {monitor, Pid, long_gc, Facts} ->
                        {[Key || {Key, _} <- Facts], proplists:get_value(timeout, Facts) >= 60}
                after 5000 -> none
                end,
        Back = erts_debug:set_internal_state(test_long_gc_sleep, 0),
        erlang:system_monitor(Old),
        {Set, Own, Other, Back}
    end).

memory_inside() ->
    inside(fun() ->
        Kinds = erts_debug:get_internal_state(memory),
        {lists:sort([Kind || {Kind, N} <- Kinds, N > 0]),
         lists:sort([Kind || {Kind, _} <- erlang:memory()])}
    end).

%% ---- who hears of a process that ends by an error ----

fail_here() ->
    {Pid, Ref} = spawn_monitor(fun() -> error(t_inside_error) end),
    receive {'DOWN', Ref, process, Pid, _} -> Pid end.

next_report(Pid) ->
    receive
        {heard, {log, Level, Format, [Pid, {Reason, Stack}], Meta}} ->
            {Level, Format, Reason, is_list(Stack), lists:sort(maps:keys(Meta))};
        {heard, Other} -> Other
    after 1000 -> none
    end.

system_logger() ->
    true = is_pid(whereis(logger_proxy)),
    Before = erlang:system_info(system_logger),
    Me = self(),
    Logger = spawn(fun Loop() -> receive M -> Me ! {heard, M}, Loop() end end),
    Same = erlang:system_flag(system_logger, Logger) =:= Before,
    Shown = erlang:system_info(system_logger) =:= Logger,
    Report = next_report(fail_here()),
    Again = erlang:system_flag(system_logger, Logger) =:= Logger,
    erlang:system_flag(system_logger, undefined),
    exit(Logger, kill),
    erlang:system_flag(system_logger, Before),
    {Same, Shown, Report, Again, erlang:system_info(system_logger) =:= Before,
     ?TRY(erlang:system_flag(system_logger, somebody)), ?TRY(erlang:system_flag(system_logger, 7))}.

no_system_logger() ->
    true = is_pid(whereis(logger_proxy)),
    Before = erlang:system_flag(system_logger, undefined),
    Pid = fail_here(),
    None = {erlang:system_info(system_logger), next_report(Pid)},
    Logger = spawn(fun() -> receive stop -> ok end end),
    undefined = erlang:system_flag(system_logger, Logger),
    Ref = monitor(process, Logger),
    Logger ! stop,
    receive {'DOWN', Ref, _, _, _} -> ok end,
    Ended = erlang:system_info(system_logger) =:= Logger,
    _ = fail_here(),
    receive after 50 -> ok end,
    Forgotten = erlang:system_info(system_logger),
    erlang:system_flag(system_logger, Before),
    {None, Ended, Forgotten}.

%% ---- more in a trace message ----

%% What a tracer gets of a process that receives two messages and sends one.
messages(Flags) ->
    Me = self(),
    Pid = spawn(fun() -> receive one -> ok end, receive two -> Me ! three end end),
    erlang:trace(Pid, true, ['receive', send | Flags]),
    Pid ! one,
    Pid ! two,
    receive three -> ok end,
    Ref = erlang:trace_delivered(Pid),
    receive {trace_delivered, Pid, Ref} -> ok end,
    Shown = element(2, erlang:trace_info(Pid, flags)),
    {Shown, all_messages(Pid)}.

all_messages(Pid) ->
    receive
        M when element(2, M) =:= Pid -> [list_to_tuple([plain(T) || T <- tuple_to_list(M)])
                                         | all_messages(Pid)]
    after 0 -> []
    end.

plain(T) when is_pid(T) -> pid;
plain(T) when is_integer(T) -> number;
plain({A, B, C}) when is_integer(A), is_integer(B), is_integer(C) -> time;
plain(T) -> T.

scheduler_in_trace() ->
    {messages([scheduler_id]), messages([scheduler_id, timestamp]),
     messages([scheduler_id, arity, monotonic_timestamp])}.

%% Time that the processor has worked: less than that of the clock.
work_in_trace() ->
    On = erlang:trace(all, true, [cpu_timestamp]),
    Me = self(),
    Pid = spawn(fun() -> receive go -> Me ! gone end end),
    erlang:trace(Pid, true, [send, timestamp]),
    Pid ! go,
    receive gone -> ok end,
    Time = receive {trace_ts, Pid, send, gone, Me, T} -> T end,
    Off = erlang:trace(all, false, [cpu_timestamp]),
    {On, Off, plain(Time), timer:now_diff(Time, {0, 0, 0}) < 4 * 3600 * 1000000}.

work_of_one() ->
    [?TRY(erlang:trace(Who, true, [cpu_timestamp])) || Who <- [self(), new, existing]].

%% ---- which messages are traced ----

%% The trace messages of three sends of one process, without its pid.
sends(Spec, Name) ->
    Me = self(),
    register(t_inside_me, Me),
    Gone = spawn(fun() -> ok end),
    Ref = monitor(process, Gone),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    Result = {erlang:trace_pattern(Name, Spec(Me), []),
              {match_spec, Spec(Me)} =:= erlang:trace_info(Name, match_spec)},
    Pid = spawn(fun() -> receive {go, There} -> There ! {to, me}, t_inside_me ! named, Gone ! lost,
                                                There ! last
                         end
                end),
    erlang:trace(Pid, true, [Name]),
    Pid ! {go, Me},
    receive {to, me} -> ok end,
    receive named -> ok end,
    receive last -> ok end,
    Delivered = erlang:trace_delivered(Pid),
    receive {trace_delivered, Pid, Delivered} -> ok end,
    Messages = all_messages(Pid),
    erlang:trace_pattern(Name, true, []),
    unregister(t_inside_me),
    {Result, [[case T of {go, _} -> go; Bin when is_binary(Bin) -> binary; _ -> T end
               || T <- tuple_to_list(M)] || M <- Messages]}.

selected_sends() ->
    [sends(Spec, send)
     || Spec <- [fun(_) -> true end, fun(_) -> false end, fun(_) -> [] end,
                 fun(Me) -> [{[Me, '_'], [], []}] end,
                 fun(_) -> [{['$1', '_'], [{is_atom, '$1'}], []}] end,
                 fun(_) -> [{['_', '$1'], [{is_tuple, '$1'}], [{message, {{'$1', seen}}}]}] end,
                 fun(_) -> [{['_', lost], [], [{message, false}]}, {'_', [], []}] end,
                 fun(_) -> [{['_', '_'], [], [{silent, true}]}] end,
                 fun(_) -> [{['_', '_'], [], [{message, {process_dump}}]}] end]]
        ++ [sends(fun(_) -> Shows end, 'receive') || Shows <- [false, true]].

bad_message_patterns() ->
    [?TRY(erlang:trace_pattern(What, Spec, Flags))
     || What <- [send, 'receive'],
        {Spec, Flags} <- [{true, [global]}, {true, [local]}, {true, [meta]}, {restart, []}, {pause, []},
                          {true, [call_count]}, {[{['_', '_'], [], [{caller}]}], []},
                          {[{['_', '_'], [], [{message, {caller}}]}], []}, {7, []}, {true, x}]].

%% A link and a message of one process are shown in the order in which they came.
links_between() ->
    Pid = spawn(fun Loop() -> receive stop -> ok; _ -> Loop() end end),
    erlang:trace(Pid, true, ['receive', procs]),
    link(Pid), Pid ! one, unlink(Pid), Pid ! two, Pid ! three, link(Pid), unlink(Pid), Pid ! stop,
    Ref = monitor(process, Pid),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    Delivered = erlang:trace_delivered(Pid),
    receive {trace_delivered, Pid, Delivered} -> ok end,
    all_messages(Pid).
