%% Processes: spawning in all forms, links, exit signals, process flags, dictionary.
-module(t_process).
-export([spawn_forms/0, spawn_bad/0, spawn_bad_options/0, spawn_request_bad/0,
         spawn_request/0, spawn_request_monitor/0,
         spawn_request_options/0, spawn_request_no_reply/0, spawn_request_error_only/0,
         link_normal/0, link_reason/0, link_dead/0, link_dead_no_trap/0, link_self/0,
         link_bad/0, unlink_stops/0, unlink_flushes/0, link_twice/0, propagate_chain/0,
         normal_does_not_propagate/0, exit_reasons/0, exit_normal_ignored/0,
         exit_normal_trapped/0, exit_trapped/0, exit_kill_not_trapped/0, linked_kill_trapped/0,
         linked_killed_propagates/0, exit_self/0, exit_self_normal_untrapped/0,
         exit_self_untrapped/0, exit_dead/0, exit_bad/0, trap_exit_flag/0, process_flags/0,
         process_flag_bad/0, alive/0, alive_after_exit/0, pids_printed/0, pid_round_trip/0,
         processes_contains/0, group_leader_inherited/0, group_leader_set/0, node_names/0,
         self_in_spawn/0, dictionary/0, dictionary_all/0, dictionary_many/0,
         dictionary_not_shared/0, dictionary_exact_keys/0, dictionary_large_value/0,
         stack_of_links/0, many_processes/0, big_heap_process/0, collect_garbage/0,
         max_heap_size/0, max_heap_size_values/0,
         max_heap_size_of_child/0, suspend_resume/0, suspend_counts/0, suspend_options/0,
         suspender_ends/0, news_of_an_end/0, collection_items/0]).
-export([send_back/2, worker/1]).
-include("t.hrl").

send_back(To, X) -> To ! {back, X}.
worker(X) -> exit({worked, X}).
collect_exit(P) -> receive {'EXIT', P, R} -> R end.
trap(Fun) -> process_flag(trap_exit, true), Fun().

spawn_forms() ->
    S = self(),
    spawn(fun() -> S ! {back, 1} end),
    spawn(t_process, send_back, [S, 2]),
    spawn(node(), fun() -> S ! {back, 3} end),
    spawn(node(), t_process, send_back, [S, 4]),
    spawn_link(fun() -> S ! {back, 5} end),
    spawn_link(t_process, send_back, [S, 6]),
    spawn_opt(fun() -> S ! {back, 7} end, []),
    spawn_opt(t_process, send_back, [S, 8], [{priority, high}, {min_heap_size, 500}]),
    spawn_opt(fun() -> S ! {back, process_info(self(), priority)} end, [{priority, low}]),
    {_, _} = spawn_monitor(fun() -> S ! {back, 9} end),
    {_, _} = spawn_monitor(t_process, send_back, [S, 10]),
    {_, _} = spawn_opt(fun() -> S ! {back, 11} end, [monitor, link]),
    lists:sort([receive {back, I} -> I end || _ <- lists:seq(1, 12)]).

spawn_bad() ->
    [?TRY(spawn(?ID(a))), ?TRY(spawn(?ID(1), f, [])), ?TRY(spawn(lists, ?ID(1), [])),
     ?TRY(spawn(lists, map, ?ID(a))), ?TRY(spawn_opt(fun() -> ok end, ?ID(a))),
     ?TRY(spawn_opt(fun() -> ok end, [nosuch])), ?TRY(is_pid(spawn(?ID(fun(_) -> ok end))))].

%% Options that no monitor, reply or limit can have.
bad_options() ->
    [{reply, foo}, nosuch, {priority, no}, {monitor, [x]}, {scheduler, a}, {scheduler, 9999},
     {scheduler, -1}, {async_dist, a}, {fullsweep_after, -1}, {max_heap_size, -1},
     {min_heap_size, 1 bsl 70}, {message_queue_data, x}].

spawn_bad_options() ->
    [?TRY(spawn_opt(fun() -> ok end, ?ID([Option]))) || Option <- bad_options()].

%% After an option that is wrong, those that follow say how the request is answered.
spawn_request_bad() ->
    [{Options, asked(Options)} || Options <- [[Bad, {reply_tag, z}] || Bad <- bad_options()]
        ++ [[{reply_tag, a}, x, {reply_tag, b}], [{reply_tag, a}, {reply_tag, b}],
            [x, {reply, no}], [{reply, no}, x, {reply, yes}], [{reply, success_only}, x],
            [x, {reply, success_only}], [{reply, foo}], [{reply, foo}, {reply, no}],
            [{reply, no}, {reply, foo}], [{scheduler, 0}, {reply_tag, z}],
            [x | {reply_tag, a}], [link | x], x, [{reply_tag, a} | x]]].

asked(Options) ->
    Asked = ?TRY(is_reference(spawn_request(erlang, abs, [1], Options))),
    {Asked, [{Tag, Result, is_pid(Value) orelse Value}
             || {Tag, _, Result, Value} <- tlib:drain([])]}.

spawn_request() ->
    R = erlang:spawn_request(fun() -> ok end),
    receive {spawn_reply, R, ok, P} -> is_pid(P) end.

spawn_request_monitor() ->
    R = erlang:spawn_request(t_process, worker, [1], [monitor]),
    receive {spawn_reply, R, ok, P} -> receive {'DOWN', R, process, P, X} -> X end end.

spawn_request_options() ->
    R = erlang:spawn_request(fun() -> exit(x) end, [link, {reply_tag, my_tag}]),
    process_flag(trap_exit, true),
    receive {my_tag, R, ok, P} -> collect_exit(P) end.

spawn_request_no_reply() ->
    R = erlang:spawn_request(fun() -> exit(quick) end, [monitor, {reply, no}]),
    receive {'DOWN', R, process, _, X} -> {X, tlib:drain([])} end.

spawn_request_error_only() ->
    S = self(),
    erlang:spawn_request(fun() -> S ! ran end, [{reply, error_only}]),
    receive M -> M end.

link_normal() -> trap(fun() -> collect_exit(spawn_link(fun() -> ok end)) end).

link_reason() ->
    trap(fun() -> [strip(collect_exit(spawn_link(fun() -> t_exception:fail(X) end)))
                   || X <- [1, {exit, bye}, {error, e}, {throw, t}, {exit, kill}]] end).

strip({R, [{_, _, _, _} | _]}) -> {R, stack};
strip(R) -> R.

link_dead() ->
    trap(fun() -> P = spawn(fun() -> ok end), tlib:await_down(P), R = link(P),
             {R, collect_exit(P)} end).

link_dead_no_trap() ->
    P = spawn(fun() -> ok end),
    tlib:await_down(P),
    {P2, M} = spawn_monitor(fun() -> link(P), receive after infinity -> ok end end),
    receive {'DOWN', M, _, P2, R} -> strip(R) end.

link_self() -> link(self()).
link_bad() -> [?TRY(link(?ID(a))), ?TRY(unlink(?ID(1)))].

unlink_stops() ->
    trap(fun() -> P = spawn_link(fun() -> receive go -> exit(x) end end), unlink(P),
             M = monitor(process, P), P ! go,
             receive {'DOWN', M, _, _, R} -> {R, tlib:drain([])} end end).

unlink_flushes() ->
    trap(fun() -> P = spawn_link(fun() -> exit(x) end), tlib:await_down(P), unlink(P),
             receive {'EXIT', P, R} -> {had, R} after 0 -> none end end).

link_twice() ->
    trap(fun() -> P = spawn_link(fun() -> receive go -> exit(once) end end), link(P), P ! go,
             R = collect_exit(P), {R, tlib:drain([])} end).

propagate_chain() ->
    {P, M} = spawn_monitor(fun() -> chain(5) end),
    receive {'DOWN', M, process, P, R} -> R end.

chain(0) -> exit(end_of_chain);
chain(N) -> spawn_link(fun() -> chain(N - 1) end), receive after infinity -> ok end.

normal_does_not_propagate() ->
    {P, M} = spawn_monitor(fun() -> C = spawn_link(fun() -> ok end), tlib:await_down(C),
                               exit(survived) end),
    receive {'DOWN', M, process, P, R} -> R end.

exit_reasons() ->
    trap(fun() -> [begin P = spawn_link(fun() -> receive after infinity -> ok end end),
                       exit(P, R), collect_exit(P) end
                   || R <- [x, kill, shutdown, {shutdown, y}, killed]] end).

exit_normal_ignored() ->
    P = spawn(fun() -> receive {q, F} -> F ! alive end end),
    exit(P, normal),
    P ! {q, self()},
    receive R -> R end.

exit_normal_trapped() ->
    S = self(),
    P = spawn(fun() -> process_flag(trap_exit, true), S ! ready,
                  receive {'EXIT', S, R} -> S ! {trapped, R} end end),
    receive ready -> ok end,
    exit(P, normal),
    receive X -> X end.

exit_trapped() ->
    S = self(),
    P = spawn(fun() -> process_flag(trap_exit, true), S ! ready,
                  receive {'EXIT', S, R} -> S ! {trapped, R} end end),
    receive ready -> ok end,
    exit(P, reason),
    receive X -> X end.

exit_kill_not_trapped() ->
    S = self(),
    {P, M} = spawn_monitor(fun() -> process_flag(trap_exit, true), S ! ready,
                               receive after infinity -> ok end end),
    receive ready -> ok end,
    exit(P, kill),
    receive {'DOWN', M, _, _, R} -> R end.

linked_kill_trapped() ->
    S = self(),
    P = spawn(fun() -> process_flag(trap_exit, true), C = spawn_link(fun() -> exit(kill) end),
                  receive {'EXIT', C, R} -> S ! {saw, R} end end),
    _ = P,
    receive X -> X end.

linked_killed_propagates() ->
    {P, M} = spawn_monitor(fun() -> C = spawn_link(fun() -> receive after infinity -> ok end end),
                               exit(C, kill), receive after infinity -> ok end end),
    receive {'DOWN', M, _, P, R} -> R end.

exit_self() ->
    trap(fun() -> exit(self(), r),
             receive {'EXIT', P, R} -> {P =:= self(), R} after 0 -> none end end).

exit_self_normal_untrapped() ->
    tlib:await_down(spawn(fun() -> exit(self(), normal), exit(not_reached) end)).

exit_self_untrapped() -> tlib:await_down(spawn(fun() -> exit(self(), r), exit(not_reached) end)).
exit_dead() -> P = spawn(fun() -> ok end), tlib:await_down(P), exit(P, x).
exit_bad() -> [?TRY(exit(?ID(a), x)), ?TRY(exit(?ID(1), x))].

trap_exit_flag() ->
    {process_flag(trap_exit, true), process_flag(trap_exit, false),
     ?TRY(process_flag(trap_exit, ?ID(1)))}.

process_flags() ->
    [process_flag(F, V) || {F, V} <- [{priority, high}, {priority, normal}, {min_heap_size, 1000},
                                      {message_queue_data, on_heap}, {sensitive, true},
                                      {sensitive, false}, {save_calls, 0}]] -- [233, 500].

process_flag_bad() ->
    [?TRY(process_flag(?ID(F), ?ID(V)))
     || {F, V} <- [{nosuch, 1}, {priority, silly}, {trap_exit, 1}, {error_handler, 1}]].

alive() ->
    P = spawn(fun() -> receive stop -> ok end end),
    A = is_process_alive(P),
    P ! stop,
    tlib:await_down(P),
    {A, is_process_alive(P), is_process_alive(self()), ?TRY(is_process_alive(?ID(a)))}.

alive_after_exit() ->
    P = spawn(fun() -> receive after infinity -> ok end end),
    exit(P, kill),
    is_process_alive(P).

pids_printed() ->
    L = pid_to_list(self()),
    {hd(L), lists:last(L), length(string:split(L, ".", all))}.

pid_round_trip() ->
    P = self(),
    {list_to_pid(pid_to_list(P)) =:= P, ?TRY(list_to_pid(?ID("x"))), ?TRY(pid_to_list(?ID(a)))}.

processes_contains() ->
    P = spawn(fun() -> receive after infinity -> ok end end),
    {lists:member(P, processes()), lists:member(self(), processes())}.

group_leader_inherited() ->
    S = self(),
    spawn(fun() -> S ! {gl, group_leader()} end),
    receive {gl, G} -> G =:= group_leader() end.

group_leader_set() ->
    S = self(),
    G = spawn(fun() -> receive after infinity -> ok end end),
    P = spawn(fun() -> receive go -> S ! {gl, group_leader()} end end),
    group_leader(G, P),
    P ! go,
    receive {gl, X} -> X =:= G end.

node_names() -> {node(), node(self()), erlang:nodes(), erlang:is_alive(), node(make_ref())}.
self_in_spawn() -> S = self(), P = spawn(fun() -> S ! self() end), receive Q -> P =:= Q end.

dictionary() -> {put(k, 1), put(k, 2), get(k), get(nokey), erase(k), erase(k), get(k)}.

dictionary_all() ->
    erase(),
    [put(K, V) || {K, V} <- [{a, 1}, {b, 2}, {"c", 3}, {{d}, 4}]],
    {lists:sort(get()), lists:sort(get_keys()), get_keys(2), lists:sort(erase()), get()}.

dictionary_many() ->
    erase(),
    [put(I, I * I) || I <- lists:seq(1, 500)],
    [erase(I) || I <- lists:seq(1, 500, 2)],
    {length(get()), get(2), get(3), lists:sum([V || {_, V} <- get()])}.

dictionary_not_shared() ->
    put(mine, 1),
    S = self(),
    spawn(fun() -> S ! {v, get(mine)} end),
    receive {v, V} -> V end.

dictionary_exact_keys() -> erase(), put(1, int), put(1.0, float), {get(1), get(1.0), length(get())}.
dictionary_large_value() -> put(v, lists:seq(1, 1000)), lists:sum(get(v)).

stack_of_links() ->
    trap(fun() -> Ps = [spawn_link(fun() -> receive stop -> exit({stopped, I}) end end)
                        || I <- lists:seq(1, 10)], [P ! stop || P <- Ps],
             [collect_exit(P) || P <- Ps] end).

many_processes() ->
    Ps = [spawn_monitor(fun() -> exit(I) end) || I <- lists:seq(1, 500)],
    lists:sum([receive {'DOWN', M, process, P, R} -> R end || {P, M} <- Ps]).

big_heap_process() ->
    {P, M} = spawn_monitor(fun() -> L = lists:seq(1, 5000), exit(lists:sum(L)) end),
    receive {'DOWN', M, process, P, R} -> R end.

collect_garbage() ->
    {garbage_collect(), garbage_collect(self()), garbage_collect(self(), [{type, minor}])}.

max_heap_size() ->
    {P, M} = spawn_monitor(fun() -> process_flag(max_heap_size,
                                                 #{size => 1000, kill => true,
                                                  error_logger => false}),
                               lists:sum(lists:seq(1, 10000)),
                               lists:reverse(lists:seq(1, 10000)) end),
    receive {'DOWN', M, process, P, R} -> R end.

max_heap_size_values() ->
    Old = process_flag(max_heap_size, #{size => 100000, kill => false}),
    {Old, process_flag(max_heap_size, 50000), process_info(self(), max_heap_size),
     process_flag(max_heap_size, 0),
     [try process_flag(max_heap_size, X) catch error:R -> R end
      || X <- [#{size => 1}, -1, a, #{}, #{size => 5000, kill => 'maybe'}]]}.

max_heap_size_of_child() ->
    {P, M} = spawn_opt(fun() -> length(lists:seq(1, 100000)) end,
                       [monitor, {max_heap_size, #{size => 2000, error_logger => false}}]),
    {Q, N} = spawn_opt(fun() -> exit(length(lists:seq(1, 100000))) end,
                       [monitor, {max_heap_size, #{size => 2000, kill => false,
                                                   error_logger => false}}]),
    [receive {'DOWN', X, process, Y, R} -> R end || {Y, X} <- [{P, M}, {Q, N}]].

suspend_resume() ->
    S = self(),
    P = spawn(fun() -> receive X -> S ! {got, X} end end),
    erlang:suspend_process(P),
    P ! m,
    R = receive {got, _} -> early after 5 -> quiet end,
    erlang:resume_process(P),
    receive {got, Y} -> {R, Y} end.

suspend_counts() ->
    P = spawn(fun() -> receive stop -> ok end end),
    Resume = fun() -> try erlang:resume_process(P) catch error:E -> E end end,
    Refused = Resume(),
    true = erlang:suspend_process(P),
    Second = erlang:suspend_process(P, [unless_suspending]),
    true = erlang:suspend_process(P, []),
    {suspending, [{P, Twice, _}]} = process_info(self(), suspending),
    Resumed = [Resume(), Resume(), Resume()],
    exit(P, kill),
    {Refused, Second, Twice, Resumed, process_info(self(), suspending)}.

suspend_options() ->
    P = spawn(fun() -> receive stop -> ok end end),
    {Dead, Monitor} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Monitor, _, _, _} -> ok end,
    Suspend = fun(Q, Options) -> ?TRY(erlang:suspend_process(Q, Options)) end,
    Results = [Suspend(Q, Options)
               || Q <- [P, Dead, self(), ?ID(no_pid)],
                  Options <- [[{asynchronous, tag}], [{asynchronous, once}, unless_suspending],
                              [asynchronous], ?ID([unknown]), ?ID(no_list),
                              ?ID([asynchronous | end_])]],
    %% The messages about several processes come in any order.
    News = lists:sort(all_messages()),
    exit(P, kill),
    {Results, News}.

all_messages() -> receive X -> [X | all_messages()] after 50 -> [] end.

%% Each of two processes suspends a third one: it goes on when both have ended.
suspender_ends() ->
    S = self(),
    P = spawn(fun() -> receive X -> S ! {got, X} end end),
    Suspend = fun() -> true = erlang:suspend_process(P), S ! held, receive stop -> ok end end,
    {Q, M} = spawn_monitor(Suspend),
    {R, N} = spawn_monitor(Suspend),
    [receive held -> ok end || _ <- [Q, R]],
    P ! m,
    Q ! stop,
    receive {'DOWN', M, _, _, _} -> ok end,
    Status = process_info(P, status),
    Quiet = receive {got, _} -> early after 5 -> quiet end,
    exit(R, kill),
    receive {'DOWN', N, _, _, Reason} -> ok end,
    receive {got, Y} -> {Status, Quiet, Reason, Y} end.

%% Links hear of an end before monitors, and older monitors before younger ones.
news_of_an_end() ->
    trap(fun() ->
        P = spawn(fun() -> receive go -> ok end end),
        M1 = monitor(process, P),
        M2 = monitor(process, P),
        link(P),
        M3 = monitor(process, P),
        P ! go,
        [receive
             {'DOWN', M1, _, _, _} -> first;
             {'DOWN', M2, _, _, _} -> second;
             {'DOWN', M3, _, _, _} -> third;
             {'EXIT', P, _} -> link
         end || _ <- lists:seq(1, 4)]
    end).

collection_items() ->
    {garbage_collection, Items} = process_info(self(), garbage_collection),
    [{K, V} || {K, V} <- Items, K =/= minor_gcs].
