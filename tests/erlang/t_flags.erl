%% Flags of processes that only show, and names in old external formats.
-module(t_flags).
-export([heap_flags/0, spawned_flags/0, bad_flags/0, sensitive/0, old_port/0, old_ref/0,
         reserved_byte/0, indirect_read/0, multi_scheduling/0, run_queues/0, system_monitor/0, large_heap/0, internal_state/0, inside_of_real/0]).
-include("t.hrl").

shown(Pid) ->
    [process_info(Pid, Item) || Item <- [min_heap_size, min_bin_vheap_size, fullsweep_after]].

heap_flags() ->
    Self = self(),
    spawn(fun() ->
              Old = [process_flag(Flag, Value)
                     || {Flag, Value} <- [{min_heap_size, 4711}, {min_bin_vheap_size, 90000},
                                          {fullsweep_after, 17}, {min_heap_size, 100000},
                                          {min_heap_size, 1}]],
              Self ! {Old, shown(self())}
          end),
    receive Answer -> Answer end.

spawned_flags() ->
    Pid = spawn_opt(fun() -> receive stop -> ok end end,
                    [{min_heap_size, 999}, {min_bin_vheap_size, 50000}, {fullsweep_after, 3}]),
    Shown = shown(Pid),
    Pid ! stop,
    Shown.

bad_flags() ->
    [try process_flag(Flag, Value) catch error:Reason -> Reason end
     || {Flag, Value} <- [{min_heap_size, -1}, {fullsweep_after, x}, {min_bin_vheap_size, -2}]]
        ++ [try spawn_opt(fun() -> ok end, [{min_heap_size, -1}]) catch error:R -> R end].

sensitive() ->
    Self = self(),
    spawn(fun() ->
              put(key, value),
              self() ! message,
              false = process_flag(sensitive, true),
              Hidden = [process_info(self(), Item) || Item <- [dictionary, messages]],
              true = process_flag(sensitive, false),
              Self ! {Hidden, process_info(self(), messages)}
          end),
    receive Answer -> Answer end.

node_name() -> atom_to_binary(node(), utf8).

old_port() ->
    Name = node_name(),
    Port = binary_to_term(<<131, 102, 100, (byte_size(Name)):16, Name/binary, 1:32, 0>>),
    {is_port(Port), node(Port) =:= node()}.

old_ref() ->
    Name = node_name(),
    Atom = <<100, (byte_size(Name)):16, Name/binary>>,
    Refs = [binary_to_term(<<131, 114, 3:16, Atom/binary, 0, 1:32, 2:32, 3:32>>),
            binary_to_term(<<131, 101, Atom/binary, 7:32, 0>>)],
    [{is_reference(Ref), node(Ref) =:= node()} || Ref <- Refs].

reserved_byte() -> erlang:decode_packet(tpkt, <<3, 77, 9:16, 1, 2, 3, 4, 5, 6>>, []).

indirect_read() ->
    File = "/tmp/t_flags-" ++ os:getpid(),
    ok = file:write_file(File, <<3:32, 12:32, 9, 9, 9, 9, "abcd", 0:32, 1:32, 99:32, 500:32>>),
    {ok, Fd} = file:open(File, [read, raw, binary]),
    Result = [file:ipread_s32bu_p32bu(Fd, Offset, Max)
              || {Offset, Max} <- [{0, 100}, {0, 2}, {16, 100}, {24, 100}, {30, 100}, {99, 100}]],
    ok = file:close(Fd),
    ok = file:delete(File),
    Result.

%% Each process that blocks the other schedulers ends that by as many calls, or by its end.
multi_scheduling() ->
    Alone = [{Value, ?TRY(erlang:system_flag(multi_scheduling, ?ID(Value))), blockers(N, Normal)}
             || {Value, N, Normal} <- [{unblock, 0, 0}, {block, 1, 0}, {block, 1, 0}, {unblock, 1, 0},
                                       {unblock, 0, 0}, {unblock, 0, 0}, {block_normal, 0, 1},
                                       {block_normal, 0, 1}, {block, 1, 1}, {unblock_normal, 1, 1},
                                       {unblock, 0, 1}, {unblock_normal, 0, 0},
                                       {unblock_normal, 0, 0}, {foo, 0, 0}, {1, 0, 0}]],
    Self = self(),
    P = spawn(fun() ->
                  erlang:system_flag(multi_scheduling, block),
                  erlang:system_flag(multi_scheduling, block),
                  Self ! {self(), blockers(1, 0)},
                  receive stop -> ok end
              end),
    Other = receive {P, Seen} -> Seen end,
    Both = [blockers(1, 0), erlang:system_flag(multi_scheduling, block), blockers(2, 0),
            erlang:system_flag(multi_scheduling, unblock), blockers(1, 0)],
    Ref = monitor(process, P),
    exit(P, kill),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    {Alone, Other, Both, blockers(0, 0), erlang:system_flag(multi_scheduling, unblock)}.

%% With one scheduler the real machine lists nobody.
blockers(All, Normal) ->
    Numbers = [length(erlang:system_info(Item))
               || Item <- [multi_scheduling_blockers, normal_multi_scheduling_blockers]],
    {erlang:system_info(multi_scheduling),
     Numbers =:= [All, Normal] orelse erlang:system_info(schedulers) =:= 1 orelse Numbers}.

system_monitor() ->
    Self = self(),
    Dead = spawn(fun() -> ok end),
    receive after 10 -> ok end,
    Set = [{How, mine(?TRY(erlang:system_monitor(Self, ?ID(How)))), mine(erlang:system_monitor())}
           || How <- [[{long_gc, 10}, {large_heap, 100000}, busy_port, busy_dist_port,
                       {long_schedule, 50}],
                      [], x, [x], [{long_gc, 0}], [{long_gc, -1}], [{long_gc, a}],
                      [{long_gc, 1 bsl 70}], [{large_heap, 0}], [{large_heap, 1}],
                      [{large_heap, 1 bsl 60}], [{long_schedule, 0}], [busy_port | x],
                      [busy_port, busy_port], [{long_gc, 5}, {long_gc, 6}],
                      [{busy_port, true}]]],
    Others = [{mine(?TRY(Call())), mine(erlang:system_monitor())}
              || Call <- [fun() -> erlang:system_monitor({Self, [busy_port]}) end,
                          fun() -> erlang:system_monitor(Dead, [busy_port]) end,
                          fun() -> erlang:system_monitor(x, [busy_port]) end,
                          fun() -> erlang:system_monitor({Self}) end,
                          fun() -> erlang:system_monitor(undefined, [busy_port]) end,
                          fun() -> erlang:system_monitor(Self, [busy_port]) end,
                          fun() -> erlang:system_monitor(undefined) end]],
    P = spawn(fun() -> erlang:system_monitor(self(), [busy_port]), receive stop -> ok end end),
    receive after 10 -> ok end,
    {Who, Kept} = erlang:system_monitor(),
    exit(P, kill),
    receive after 10 -> ok end,
    {Set, Others, Who =:= P, Kept, erlang:system_monitor()}.

mine({Pid, Options}) when Pid =:= self() -> {me, Options};
mine(Other) -> Other.

%% The monitor is told of processes that a collection finds large, but not of itself.
large_heap() ->
    Self = self(),
    undefined = erlang:system_monitor(Self, [{large_heap, 65535}]),
    Grown = [told(spawn(fun() ->
                            T = erlang:make_tuple(N, x),
                            garbage_collect(),
                            Self ! {done, self(), tuple_size(T)}
                        end)) || N <- [10, 200000]],
    Tuned = told(spawn_opt(fun() -> garbage_collect(), Self ! {done, self(), 0} end,
                           [{min_heap_size, 2 * 65535}])),
    T = erlang:make_tuple(200000, x),
    garbage_collect(),
    Own = {tuple_size(T), told(none)},
    erlang:system_monitor(undefined),
    {Grown, Tuned, Own}.

told(P) ->
    is_pid(P) andalso receive {done, P, _} -> ok end,
    lists:usort(told_more()).

told_more() ->
    receive {monitor, _, What, Facts} ->
        [{What, [Key || {Key, Value} <- Facts, is_integer(Value)]} | told_more()]
    after 50 -> []
    end.

%% Processes that are ready to run are in a queue, and those that run are active, too.
run_queues() ->
    Ps = [spawn_opt(fun busy/0, [{priority, low}]) || _ <- lists:seq(1, 20)],
    receive after 50 -> ok end,
    Sums = [statistics(Item) || Item <- [total_run_queue_lengths, total_run_queue_lengths_all,
                                         run_queue, total_active_tasks, total_active_tasks_all]],
    Lists = [statistics(Item) || Item <- [run_queue_lengths, run_queue_lengths_all, active_tasks,
                                          active_tasks_all]],
    [exit(P, kill) || P <- Ps],
    Schedulers = erlang:system_info(schedulers),
    {[N >= 10 || N <- Sums], [{length(L) - Schedulers, lists:sum(L) >= 10} || L <- Lists]}.

busy() -> busy().

internal_state() ->
    Hidden = try erts_debug:get_internal_state(available_internal_state) catch error:E -> E end,
    Old = erts_debug:set_internal_state(available_internal_state, true),
    Waited = [erts_debug:set_internal_state(wait, deallocations),
              erts_debug:set_internal_state(fill_heap, false),
              erts_debug:set_internal_state(mbuf, [a, {b}])],
    Names = erts_debug:set_internal_state(colliding_names, {t_flags_name, 5}),
    Reductions = is_integer(erts_debug:get_internal_state(reds_left)),
    {Hidden, Old, Waited, Reductions, [is_atom(Name) || Name <- Names], length(lists:usort(Names)),
     erts_debug:set_internal_state(available_internal_state, false)}.

inside_of_real() ->
    Old = erts_debug:set_internal_state(available_internal_state, true),
    Info = erts_debug:get_internal_state(processes_bif_info),
    Before = erlang:monotonic_time(millisecond),
    Set = [?TRY(erts_debug:set_internal_state(Item, Value))
           || {Item, Value} <- [{proc_sig_buffers, true}, {sleep, 20}, {sleep, -1}, {sleep, x},
                                {multizero_timeout_in_timeout, x},
                                {multizero_timeout_in_timeout, 10}]],
    Message = receive Any -> Any after 5000 -> none end,
    Results = {tuple_size(Info), element(1, Info), is_boolean(hd(Set)), tl(Set), Message,
               erlang:monotonic_time(millisecond) - Before >= 20,
               erts_debug:get_internal_state(lc_graph),
               erts_debug:get_internal_state(stack_check) > 10000},
    erts_debug:set_internal_state(available_internal_state, Old),
    Results.
