%% Programs that are right or wrong by something that no schedule decides, or that the machine does
%% in a way of its own. The real erl can fail each of them; the verdict names what it takes for granted.
%%
%% expect: hashed_pid => proved,assuming that numbers do not matter
%% expect: hashed_reference => proved,assuming that numbers do not matter
%% expect: pids_as_text => proved,assuming that numbers do not matter
%% expect: pids_formatted => proved,assuming that numbers do not matter
%% expect: pids_as_binaries => proved,assuming that numbers do not matter
%% expect: references_as_text => proved,assuming that numbers do not matter
%% expect: ordered_by_pid => proved,assuming that numbers do not matter
%% expect: first_of_pids => proved,assuming that numbers do not matter
%% expect: next_of_pids => proved,assuming that numbers do not matter
%% expect: table_of_pids => proved,assuming that numbers do not matter
%% expect: slots_of_pids => proved,assuming that numbers do not matter
%% expect: large_map => proved,assuming that numbers do not matter
%% expect: old_sets => proved,assuming that numbers do not matter
%% expect: large_map_of_integers => proved,assuming nothing
%% expect: atoms_counted => proved,assuming statistics
%% expect: processes_in_order => proved,assuming that numbers do not matter
%% expect: tables_in_order => proved,assuming that numbers do not matter
%% expect: table_among_all => proved,assuming nothing
%% expect: links_in_order => proved,assuming that numbers do not matter
%% expect: settings_at_once => proved,assuming system processes that do their work at once
%% expect: processes_counted => proved,assuming nothing
%% expect: looked_up_by_pid => proved,assuming nothing
%% expect: table_of_atoms => proved,assuming nothing
%% expect: text_of_atoms => proved,assuming nothing
%% expect: time_left => proved,assuming the time that is left
%% expect: time_left_at_cancel => proved,assuming the time that is left
%% expect: counted_at_once => proved,assuming counters with write_concurrency
%% expect: put_beside_add => proved,assuming counters with write_concurrency
%% expect: counted_alone => proved,assuming nothing
%% expect: counted_exactly => proved,assuming nothing
%% expect: own_heap => proved,assuming statistics
%% expect: own_reductions => proved,assuming statistics
%% expect: loaded_by_another => proved,assuming that it does not matter which modules
%% expect: exported_by_another => proved,assuming that it does not matter which modules
%% expect: all_that_is_loaded => proved,assuming that it does not matter which modules
%% expect: loaded_by_itself => proved,assuming nothing
%% expect: loaded_by_parent => proved,assuming nothing
%% expect: level_of_module --strategy dpor => bug,abnormal-exit
%% expect: key_of_logger --strategy dpor => bug,abnormal-exit
-module(numbers).
-export([hashed_pid/0, hashed_reference/0, pids_as_text/0, pids_formatted/0, pids_as_binaries/0,
         references_as_text/0, ordered_by_pid/0, first_of_pids/0, next_of_pids/0, table_of_pids/0,
         looked_up_by_pid/0, table_of_atoms/0, text_of_atoms/0, time_left/0,
         time_left_at_cancel/0, counted_at_once/0, put_beside_add/0, counted_alone/0,
         counted_exactly/0, own_heap/0, own_reductions/0, loaded_by_another/0,
         exported_by_another/0, all_that_is_loaded/0, loaded_by_itself/0, loaded_by_parent/0,
         level_of_module/0, key_of_logger/0, slots_of_pids/0, large_map/0, old_sets/0,
         large_map_of_integers/0, atoms_counted/0, processes_in_order/0, links_in_order/0,
         settings_at_once/0, processes_counted/0,
         tables_in_order/0, table_among_all/0]).

%% Runs the fun in another process, beside the second one here.
beside(There, Here) ->
    S = self(),
    spawn(fun() -> There(), S ! done end),
    Here(),
    receive done -> ok end.

%% Processes of different parents, in the order of their parents. On the real machine it depends on
%% the schedule which of the two has the lesser number.
cousins() -> made_by(fun() -> spawn(fun() -> ok end) end).

made_by(Make) ->
    S = self(),
    [spawn(fun() -> S ! {N, Make()} end) || N <- [1, 2]],
    [receive {N, X} -> X end || N <- [1, 2]].

hashed_pid() ->
    [P, Q] = cousins(),
    true = erlang:phash2(P) =/= erlang:phash2(Q).

hashed_reference() ->
    true = erlang:phash2({x, make_ref()}, 8) < 8.

pids_as_text() ->
    Texts = [pid_to_list(P) || P <- cousins()],
    Texts = lists:sort(Texts).

pids_formatted() ->
    Texts = [lists:flatten(io_lib:format("~p", [P])) || P <- cousins()],
    Texts = lists:sort(Texts).

pids_as_binaries() ->
    Binaries = [term_to_binary([P]) || P <- cousins()],
    Binaries = lists:sort(Binaries).

references_as_text() ->
    [_, _] = lists:usort(made_by(fun() -> ref_to_list(make_ref()) end)).

table_of(Type, Keys) ->
    T = ets:new(t, [Type]),
    ets:insert(T, [{K} || K <- Keys]),
    T.

ordered_by_pid() -> [_, _] = ets:tab2list(table_of(ordered_set, [{x, P} || P <- cousins()])).

first_of_pids() -> true = is_pid(ets:first(table_of(ordered_set, cousins()))).

next_of_pids() ->
    [P, Q] = cousins(),
    Q = ets:next(table_of(ordered_set, [P, Q]), P).

table_of_pids() -> [_, _] = ets:select(table_of(set, cousins()), [{{'$1'}, [], ['$1']}]).

looked_up_by_pid() ->
    [P, Q] = cousins(),
    T = table_of(ordered_set, [P, Q]),
    [{P}] = ets:lookup(T, P),
    2 = ets:info(T, size),
    [[]] = ets:match(table_of(set, [P]), {P}).

table_of_atoms() ->
    [_, _] = ets:tab2list(table_of(set, [a, {b, 1}])),
    a = ets:first(table_of(ordered_set, [a, b])).

text_of_atoms() ->
    beside(fun() -> io_lib:format("~p", [{a, 1}]) end, fun() -> term_to_binary([a, "b"]) end).

time_left() ->
    R = erlang:send_after(5000, self(), late),
    5000 = erlang:read_timer(R).

time_left_at_cancel() ->
    R = erlang:send_after(5000, self(), late),
    beside(fun() -> ok end, fun() -> 5000 = erlang:cancel_timer(R) end).

%% The real machine has such a counter once for each scheduler.
counted_at_once() ->
    C = counters:new(2, [write_concurrency]),
    beside(fun() -> counters:add(C, 1, 1), counters:add(C, 2, 1) end,
           fun() -> Second = counters:get(C, 2), true = counters:get(C, 1) >= Second end).

put_beside_add() ->
    C = counters:new(1, [write_concurrency]),
    beside(fun() -> counters:add(C, 1, 1) end, fun() -> counters:put(C, 1, 5) end).

counted_alone() ->
    C = counters:new(1, [write_concurrency]),
    beside(fun() -> ok end, fun() -> counters:add(C, 1, 1), 1 = counters:get(C, 1) end).

counted_exactly() ->
    C = counters:new(2, []),
    beside(fun() -> counters:add(C, 1, 1), counters:add(C, 2, 1) end,
           fun() -> Second = counters:get(C, 2), true = counters:get(C, 1) >= Second end).

own_heap() ->
    Size = process_info(self(), total_heap_size),
    put(x, lists:seq(1, 10000)),
    Size = process_info(self(), total_heap_size).

own_reductions() ->
    [{reductions, N}] = process_info(self(), [reductions]),
    lists:seq(1, 10000),
    {reductions, N} = process_info(self(), reductions).

%% On the real machine only if the other process has called the module before.
loaded_by_another() ->
    beside(fun() -> digraph:new() end, fun() -> {file, _} = code:is_loaded(digraph) end).

exported_by_another() ->
    beside(fun() -> digraph:new() end,
           fun() -> true = erlang:function_exported(digraph, new, 0) end).

all_that_is_loaded() ->
    beside(fun() -> digraph:new() end,
           fun() -> true = lists:keymember(digraph, 1, code:all_loaded()) end).

loaded_by_itself() ->
    beside(fun() -> ok end,
           fun() -> digraph:new(), true = erlang:function_exported(digraph, new, 0) end).

loaded_by_parent() ->
    digraph:new(),
    beside(fun() -> true = erlang:module_loaded(digraph) end, fun() -> ok end).

%% The levels of modules were thought to be a cache that nobody changes.
level_of_module() ->
    logger:set_module_level(?MODULE, debug),
    true = logger:allow(debug, ?MODULE),
    beside(fun() -> logger:set_module_level(?MODULE, none) end,
           fun() -> true = logger:allow(debug, ?MODULE) end).

%% Keys that look like those of the logger.
key_of_logger() ->
    beside(fun() -> persistent_term:put({logger_config, mine}, 1) end,
           fun() -> none = persistent_term:get({logger_config, mine}, none) end).

slots_of_pids() ->
    T = table_of(set, cousins()),
    true = ets:slot(T, 0) =/= ets:slot(T, 1).

%% More than 32 keys are in the order of their hashes.
large_map() ->
    Map = maps:from_list([{{make_ref(), N}, N} || N <- lists:seq(1, 40)]),
    true = hd(maps:values(Map)) < 41.

large_map_of_integers() ->
    Map = maps:from_list([{N, N} || N <- lists:seq(1, 40)]),
    40 = length(maps:keys(Map)).

old_sets() -> [_, _] = sets:to_list(sets:from_list(cousins())).

atoms_counted() ->
    N = erlang:system_info(atom_count),
    beside(fun() -> list_to_atom(integer_to_list(N)) end,
           fun() -> N = erlang:system_info(atom_count) end).

waiting_cousins() -> made_by(fun() -> spawn(fun() -> receive go -> ok end end) end).

processes_in_order() ->
    [P, Q] = waiting_cousins(),
    [P, Q] = [X || X <- processes(), X =:= P orelse X =:= Q],
    [X ! go || X <- [P, Q]].

links_in_order() ->
    [P, Q] = waiting_cousins(),
    link(Q),
    link(P),
    {links, [P, Q]} = process_info(self(), links),
    [X ! go || X <- [P, Q]].

%% On the real machine they are in the order in which they were made, or that of the schedulers.
tables_in_order() ->
    S = self(),
    Keep = fun() -> T = ets:new(t, []), S ! {self(), T}, receive go -> ok end end,
    [P, Q] = [spawn(Keep), spawn(Keep)],
    [T, U] = [receive {X, V} -> V end || X <- [P, Q]],
    [T, U] = [X || X <- ets:all(), X =:= T orelse X =:= U],
    [X ! go || X <- [P, Q]].

table_among_all() ->
    T = ets:new(t, []),
    beside(fun() -> ok end, fun() -> true = lists:member(T, ets:all()) end).

processes_counted() -> beside(fun() -> ok end, fun() -> true = length(processes()) > 1 end).

%% On the real machine the other process can see the first of the two without the second.
settings_at_once() ->
    beside(fun() -> application:set_env([{kernel, [{a, 1}, {b, 1}]}]) end,
           fun() ->
                   A = application:get_env(kernel, a),
                   true = A =:= undefined orelse application:get_env(kernel, b) =/= undefined
           end).
