%% What a node says of itself: items of system_info, flags, and the port that every node has.
-module(t_system).
-export([items/0, wrong_items/0, wrong_stop_status/0, allocators/0, tables/0, limits/0, flags/0, process_flags/0,
         process_items/0, ports/0, years/0, clock_moves/0, parts_of_time/0, areas/0, append_nothing/0, long_names/0,
         float_causes/0, heir_gone/0,
         wrong_hibernation/0, statistics/0, memory/0, beyond_end/0, term_types/0,
         dirty_calls/0, wrong_allocators/0,
         blocks/0, inside/0, processors/0, natives/0, chunks/0, polled/0, busy/0, stays/0]).

-include("t.hrl").

items() ->
    [{Item, erlang:system_info(Item)}
     || Item <- [context_reductions, constant_pool_support, port_tasks, ets_realloc_moves,
                 break_ignored, lock_checking, lock_counting, {wordsize, internal},
                 {wordsize, external}, {cpu_topology, defined}, beam_jump_table, io_thread,
                 delayed_node_table_gc, ethread_info, heap_sizes]].

%% A process that keeps a scheduler busy shows as running, also while it is suspended.
busy() ->
    P = spawn(fun() -> erts_debug:dirty_io(wait, 200), receive stop -> ok end end),
    receive after 50 -> ok end,
    true = erlang:suspend_process(P, [asynchronous]),
    Busy = process_info(P, [current_function, status]),
    receive after 300 -> ok end,
    Suspended = process_info(P, status),
    erlang:resume_process(P),
    receive after 50 -> ok end,
    Waits = process_info(P, status),
    exit(P, kill),
    {Busy, Suspended, Waits}.

processors() ->
    [is_integer(erlang:system_info(Item))
     || Item <- [logical_processors, logical_processors_available, logical_processors_online]].

wrong_stop_status() ->
    [?TRY(init:stop(Status)) || Status <- [?ID([65, [66]]), ?ID([65, 666]), ?ID(true), ?ID(-1)]].

wrong_items() ->
    [?TRY(erlang:system_info(Item))
     || Item <- [xyz, {wordsize, x}, {allocator_sizes, []}, {allocator_sizes, [xyz]},
                 {cpu_topology, xyz}, {xyz, 1}, allocator_sizes, 1]].

allocators() ->
    [Name || Name <- [ets_alloc, binary_alloc, eheap_alloc],
             lists:member(Name, erlang:system_info(alloc_util_allocators))].

tables() ->
    Before = erlang:system_info(ets_count),
    Table = ets:new(t, []),
    With = erlang:system_info(ets_count),
    ets:delete(Table),
    {With - Before, erlang:system_info(ets_count) - Before}.

limits() ->
    Old = erlang:system_flag(outstanding_system_requests_limit, 7),
    {erlang:system_info(outstanding_system_requests_limit),
     erlang:system_flag(outstanding_system_requests_limit, Old)}.

flags() ->
    [?TRY(erlang:system_flag(Flag, Value))
     || {Flag, Value} <- [{schedulers_online, 0}, {schedulers_online, x}, {xyz, 1},
                          {outstanding_system_requests_limit, 0}, {backtrace_depth, -1}]].

process_flags() ->
    [?TRY(process_flag(Flag, Value))
     || {Flag, Value} <- [{scheduler, 1}, {scheduler, 0}, {scheduler, -1}, {scheduler, 9999},
                          {save_calls, hmmm}, {save_calls, 10001}, {save_calls, -1}]] ++
    [?TRY(erlang:process_flag(self(), save_calls, Value)) || Value <- [0, hmmm, -1]].

process_items() ->
    Large = spawn_opt(fun() -> receive after infinity -> ok end end, [{min_heap_size, 10000}]),
    [element(2, process_info(Large, heap_size)) > 10000 |
     [?TRY(process_info(self(), Item)) || Item <- [xyz, {xyz, a}]]].

%% Every node has this port.
ports() ->
    Port = hd(erlang:ports()),
    {Port, erlang:port_info(Port, name), erlang:port_info(Port, os_pid), is_port(Port),
     list_to_port(port_to_list(Port)) =:= Port}.

years() ->
    [?TRY(erlang:universaltime_to_localtime({{Year, 7, 1}, {12, 0, 0}}))
     || Year <- [1900, 1901, 1902, 1969, 2037]].

%% A loop that waits for a time ends.
%% Programs divide by them.
parts_of_time() ->
    {Millions, Seconds, _} = erlang:timestamp(),
    {Millions > 1000, Seconds > 0}.

clock_moves() ->
    wait_until(erlang:monotonic_time() + 50000).

wait_until(End) ->
    case erlang:monotonic_time() < End of
        true -> wait_until(End);
        false -> done
    end.

%% The same object up to OTP 26, the same bytes in all.
append_nothing() ->
    Bin = ?ID(<<"123">>),
    Writable = <<(?ID(<<>>))/binary, 0, 1, 2, 3>>,
    IsOld = list_to_integer(erlang:system_info(otp_release)) =< 26,
    [{<<B/binary, (?ID(<<>>))/binary>>,
      not IsOld orelse erts_debug:same(B, <<B/binary, (?ID(<<>>))/binary>>)}
     || B <- [Bin, Writable]].

long_names() ->
    [?TRY(binary_to_atom(?ID(Name), utf8))
     || Name <- [<<0:512/unit:8, 255>>, <<0:256/unit:8>>, <<0:100/unit:8, 255>>]].

float_causes() ->
    Huge = ?ID(1 bsl 2000),
    [try <<Value:Size/float>>
     catch error:Reason:Stack ->
         Extra = element(4, hd(Stack)),
         {Reason, maps:get(cause, proplists:get_value(error_info, Extra))}
     end || {Value, Size} <- [{42.0, ?ID(1)}, {Huge, ?ID(64)}, {?ID(a), ?ID(64)}]].

heir_gone() ->
    Heir = spawn(fun() -> ok end),
    tlib:await_down(Heir),
    ets:info(ets:new(t, [{heir, Heir, data}]), heir).

wrong_hibernation() ->
    [?TRY(erlang:hibernate(M, F, A))
     || {M, F, A} <- [{?ID(42), f, [0]}, {m, ?ID({f}), [0]}, {m, f, ?ID(glurf)},
                      {m, f, ?ID(lists:duplicate(5122, x))}]].

statistics() ->
    {Before, _} = erlang:statistics(wall_clock),
    receive after 100 -> ok end,
    {After, Since} = erlang:statistics(wall_clock),
    {reductions, R1} = process_info(self(), reductions),
    erlang:bump_reductions(500),
    {reductions, R2} = process_info(self(), reductions),
    {Since =:= After - Before, Since >= 100, R2 - R1 >= 500}.

memory() ->
    All = erlang:memory(),
    {proplists:get_value(total, All) =:=
         proplists:get_value(processes, All) + proplists:get_value(system, All),
     proplists:get_value(system, All) >=
         lists:sum([proplists:get_value(Item, All) || Item <- [atom, binary, code, ets]]),
     ?TRY(erlang:memory(xyz)), ?TRY(erlang:memory([xyz]))}.

beyond_end() ->
    [?TRY(ets:F(ets:new(t, [Type]), '$end_of_table'))
     || Type <- [set, ordered_set], F <- [next, prev]].

term_types() ->
    [erts_internal:term_type(Term) || Term <- [fun lists:sort/1, fun() -> ok end]].

dirty_calls() ->
    [{F, A, ?TRY(apply(erts_debug, F, A))}
     || {F, A} <- [{dirty, [normal, scheduler, type]}, {dirty, [dirty_io, scheduler, type]},
                   {dirty, [x, scheduler, type]}
                   | [{F, [Action, Argument]}
                      || F <- [dirty_cpu, dirty_io],
                         {Action, Argument} <-
                             [{scheduler, type}, {scheduler, x}, {x, x}, {1, x}, {error, a},
                              {error, {a}}, {error, undef}, {error, noproc}, {error, notsup},
                              {error, system_limit}, {error, badarith}, {reschedule, 1000},
                              {reschedule, 1001}, {reschedule, 1002}, {reschedule, 10000},
                              {reschedule, -1}, {reschedule, a}, {wait, 1},
                              {wait, 0}, {wait, -1}, {wait, a}]]]].

%% The sizes differ: here the allocators are switched off.
wrong_allocators() ->
    Ref = make_ref(),
    true = erlang:system_info({memory_internal, Ref, [fix_alloc]}),
    Answers = [receive {Ref, Id, _} -> Id end
               || _ <- lists:seq(2, erts_internal:no_aux_work_threads())],
    {lists:sort(Answers) =:= lists:seq(1, erlang:system_info(schedulers)),
     [?TRY(erlang:system_info({memory_internal, R, L}))
      || {R, L} <- [{a, [fix_alloc]}, {Ref, []}, {Ref, [a]}, {Ref, a}]]}.

%% Both ends of links and monitors, and processes that have ended.
inside() ->
    Old = erts_debug:set_internal_state(available_internal_state, true),
    Self = self(),
    {P, M} = spawn_opt(fun() -> receive stop -> ok end end, [link, monitor]),
    register(t_system_inside, P),
    N = monitor(process, t_system_inside),
    _ = monitor(process, Self),
    receive after 10 -> ok end,
    Links = [[T || {erl_link, process, O, linked, T} <- list(link_list, Of), O =:= Other,
                   is_integer(T)] =/= [] || {Of, Other} <- [{Self, P}, {P, Self}]],
    Monitors = [lists:sort([{Way, number(Ref, [M, N]), Other =:= P, Other =:= Self, Name}
                            || {erl_monitor, process, Way, Ref, Other, Name} <- list(monitor_list, Of),
                               lists:member(Ref, [M, N])]) || Of <- [Self, P]],
    Length = length([R || {erl_monitor, _, _, R, O, _} <- list(monitor_list, Self), O =:= Self]),
    Status = {list(process_status, P), list(process_status, Self)},
    unlink(P),
    P ! stop,
    receive {'DOWN', M, _, _, _} -> ok end,
    receive {'DOWN', N, _, _, _} -> ok end,
    receive after 10 -> ok end,
    Ended = [list(What, P) || What <- [link_list, monitor_list, process_status]],
    Wrong = [?TRY(list(What, X)) || What <- [link_list, monitor_list, process_status], X <- [1, a]],
    erts_debug:set_internal_state(available_internal_state, Old),
    {Links, Monitors, Length, Status, Ended, Wrong}.

%% Which binaries have blocks of their own, how large these are, and whether one can be appended to.
blocks() ->
    Old = erts_debug:set_internal_state(available_internal_state, true),
    L = lists:seq(1, 100),
    B = list_to_binary(L),
    A1 = <<(?ID(B))/binary, 1>>,
    One = block(A1),
    A2 = <<A1/binary, 2, 3>>,
    Two = [block(A2), block(A1)],
    <<_:8, Rest/binary>> = B,
    <<Start:20/binary, _/binary>> = B,
    Blocks = [block(T) || T <- [B, <<1, 2>>, << <<X:8>> || <<X>> <= B >>,
                                << <<X:3>> || X <- [1, 2, 3] >>, << <<X>> || <<X>> <= <<>> >>,
                                << <<X>> || <<X:4>> <= <<1, 2, 3>> >>, << <<X>> || X <- L, X > 7 >>,
                                <<(?ID(A2))/binary, A2/binary, A2/binary>>,
                                Rest, Start, ?ID(<<5:7>>), ?ID(<<0:801>>), iolist_to_binary([B, B]),
                                binary:copy(B, 2)]],
    Wrong = try block(a) catch error:Reason:Stack -> {Reason, element(4, hd(Stack))} end,
    erts_debug:set_internal_state(available_internal_state, Old),
    {One, Two, Blocks, Wrong}.

%% A collection makes one of two flags of an appendable binary zero.
block(Bits) ->
    case erts_debug:get_internal_state({binary_info, Bits}) of
        {refc_binary, Bytes, Block, Flags} -> {refc_binary, Bytes, Block, Flags > 0};
        heap_binary -> heap_binary
    end.

list(What, Of) -> erts_debug:get_internal_state({What, Of}).

number(Ref, [Ref | _]) -> 1;
number(Ref, [_ | Rest]) -> 1 + number(Ref, Rest).

natives() ->
    Natives = lists:sort(erlang:system_info(snifs)),
    {Natives, lists:all(fun({M, F, A}) -> erlang:is_builtin(M, F, A) end, Natives),
     [erlang:is_builtin(M, F, A)
      || {M, F, A} <- [{erlang, apply, 2}, {erlang, yield, 0}, {erlang, spawn, 1},
                       {code, ensure_loaded, 1}, {erlang, halt, 0}]]}.

chunks() ->
    {ok, B} = file:read_file(code:which(?MODULE)),
    Attributes = <<"FOR1", 16:32, "BEAMAttr", 2:32, 1, 2, 0, 0>>,
    [?TRY(code:get_chunk(Bin, Name))
     || {Bin, Name} <- [{B, "Attr"}, {B, "Zzzz"}, {<<>>, "Attr"}, {B, ?ID("Att")}, {B, ?ID(abc)},
                        {<<"FOR1", 3:32, "BEAM">>, "Attr"}, {<<"FOR1", 4:32, "BEAM">>, "Attr"},
                        {binary:part(B, 0, 100), "Attr"}, {<<B/binary, 1, 2, 3>>, "Attr"},
                        {<<"FOR1", 14:32, "BEAMAttr", 2:32, 1, 2>>, "Attr"}, {Attributes, "Attr"},
                        {?ID(<<0:1, B/binary>>), "Attr"}]].

polled() ->
    [Keys | _] = [[K || {K, _} <- Set] || Set <- erlang:system_info(check_io)],
    Old = erts_debug:set_internal_state(available_internal_state, true),
    State = erts_debug:get_internal_state(check_io_debug),
    Hash = erts_debug:get_internal_state({internal_hash, {a, 1.5}}),
    Same = Hash =:= erts_debug:get_internal_state({internal_hash, {a, 1.5}}),
    erts_debug:set_internal_state(available_internal_state, Old),
    {Keys, element(1, State), tuple_size(State), is_integer(Hash), Same,
     lists:all(fun is_list/1, erts_debug:instructions())}.

%% A native function that returns only when its process ends.
stays() ->
    Me = self(),
    {P, Ref} = spawn_monitor(fun() -> erts_debug:dirty_io(alive_waitexiting, Me) end),
    receive {alive, P} -> ok end,
    P ! message,
    receive after 20 -> ok end,
    Status = process_info(P, status),
    exit(P, enough),
    receive {'DOWN', Ref, process, P, Reason} -> {Status, Reason} end.

%% What OTP 26 and later list has not been measured.
areas() ->
    list_to_integer(erlang:system_info(otp_release)) < 26 andalso
        [{element(1, Area), tuple_size(Area), is_integer(element(2, Area))}
         || Area <- erlang:system_info(allocated_areas)].
