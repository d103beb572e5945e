%% What a verdict takes for granted is named, and nothing that the program did not rely on.
%%
%% expect: nothing_relied_on => proved,assuming nothing
%% expect: chance => proved,assuming random numbers
%% expect: given_seed => proved,assuming nothing
%% expect: strong_chance => proved,assuming random numbers
%% expect: schedulers => proved,assuming two schedulers
%% expect: asked_where_it_is => proved,assuming processes that are asked about
%% expect: asked_about_itself => proved,assuming nothing
%% expect: file_read => proved,assuming files that stay
%% expect: file_refused => proved,assuming files that cannot be written
%% expect: atom_of_another => proved,assuming atoms
%% expect: atom_of_another_in_binary => proved,assuming atoms
%% expect: old_atom => proved,assuming nothing
%% expect: shared_table => proved,assuming tables
%% expect: own_table => proved,assuming nothing
%% expect: one_key => proved,assuming nothing
%% expect: system_process => proved,assuming system processes
%% expect: nobody => proved,assuming nothing
%% expect: two_deadlines => proved,assuming timers
%% expect: two_deadlines --timeouts idle => proved,assuming long timeouts
%% expect: one_deadline => proved,assuming nothing
%% expect: suspended_timeout => proved,assuming that the timeout of a suspended
%% expect: suspended_alone => proved,assuming nothing
%% expect: long_timeout --strategy dpor => proved,assuming long timeouts
%% expect: long_timeout --strategy dpor --timeouts any => bug,abnormal-exit
%% expect: long_timeout_alone => proved,assuming nothing
%% expect: long_timeouts_at_once --strategy dpor => proved,assuming one order of long timeouts
%% expect: counted --strategy dpor => bug,assertion
%% expect: path_of_another --strategy dpor => bug,assertion
%% expect: flag_of_another --strategy dpor => bug,assertion
%% expect: clock_of_two => proved,assuming clocks as simulated
%% expect: numbers_of_two => proved,assuming the order of unique integers
%% expect: numbers_in_order => proved,assuming nothing
%% expect: pids_sorted => proved,assuming the order of unique integers
%% expect: pids_as_keys => proved,assuming the order of unique integers
%% expect: references_compared => proved,assuming the order of unique integers
%% expect: pids_of_one_family => proved,assuming nothing
%% expect: pids_differ => proved,assuming nothing
%% expect: figures => proved,assuming statistics
%% expect: size_of_memory => proved,assuming statistics
%% expect: depth_of_traces => proved,assuming the depth of stack traces
%% expect: depth_as_before => proved,assuming nothing
%% expect: priority_of_another => proved,assuming processes that are asked about
%% expect: own_priority => proved,assuming nothing
-module(assumed).
-include_lib("eunit/include/eunit.hrl").
-export([pids_sorted/0, pids_as_keys/0, references_compared/0, pids_of_one_family/0, pids_differ/0,
         nothing_relied_on/0, chance/0, given_seed/0, strong_chance/0, schedulers/0,
         asked_where_it_is/0, asked_about_itself/0, file_read/0, file_refused/0,
         atom_of_another/0, atom_of_another_in_binary/0, old_atom/0, shared_table/0, own_table/0,
         one_key/0, system_process/0, nobody/0, two_deadlines/0, one_deadline/0, long_timeout/0,
         long_timeouts_at_once/0,
         suspended_timeout/0, suspended_alone/0,
         long_timeout_alone/0, counted/0, path_of_another/0, flag_of_another/0,
         clock_of_two/0, numbers_of_two/0, numbers_in_order/0, figures/0, size_of_memory/0,
         depth_of_traces/0, depth_as_before/0,
         priority_of_another/0, own_priority/0]).

%% Runs the fun in another process, beside the second one here.
beside(There, Here) ->
    S = self(),
    spawn(fun() -> There(), S ! done end),
    Here(),
    receive done -> ok end.

nothing() -> ok.

nothing_relied_on() -> beside(fun nothing/0, fun nothing/0).

chance() -> beside(fun nothing/0, fun() -> rand:uniform(10) end).

schedulers() -> beside(fun nothing/0, fun() -> erlang:system_info(schedulers_online) end).

asked_where_it_is() ->
    S = self(),
    beside(fun() -> process_info(S, current_function) end, fun nothing/0).

asked_about_itself() ->
    beside(fun() -> process_info(self(), [dictionary, status]) end, fun nothing/0).

given_seed() ->
    beside(fun nothing/0, fun() -> rand:seed(exsss, {1, 2, 3}), rand:uniform(10) end).

strong_chance() -> beside(fun nothing/0, fun() -> crypto:strong_rand_bytes(4) end).

file_read() -> {error, enoent} = file:read_file("/no/such/file"), ok.

file_refused() -> {error, erofs} = file:write_file("/tmp/fermata-is-not-to-write-this", "x"), ok.

%% The compiler must not know the name, or it makes the atom itself.
name() -> put(name, "fermata_made_here"), get(name).

atom_of_another() ->
    beside(fun() -> list_to_atom(name()) end, fun() -> catch list_to_existing_atom(name()) end).

%% The external format of an atom.
atom_of_another_in_binary() ->
    Name = list_to_binary(name()),
    beside(fun() -> binary_to_atom(Name) end,
           fun() -> catch binary_to_term(<<131, 119, (byte_size(Name)), Name/binary>>, [safe]) end).

old_atom() -> beside(fun nothing/0, fun() -> list_to_existing_atom("ok") end).

shared_table() ->
    T = ets:new(t, [public]),
    beside(fun() -> ets:insert(T, {1, 2}) end, fun() -> ets:tab2list(T) end).

own_table() ->
    T = ets:new(t, []),
    beside(fun nothing/0, fun() -> ets:tab2list(T) end).

one_key() ->
    T = ets:new(t, [public]),
    beside(fun() -> ets:insert(T, {1, 2}) end, fun() -> ets:match_object(T, {1, '_'}) end).

system_process() -> whereis(inet_db), ok.

nobody() -> undefined = whereis(nobody_at_all), ok.

two_deadlines() ->
    erlang:start_timer(10, self(), x),
    receive {timeout, _, x} -> ok after 20 -> ok end.

one_deadline() ->
    beside(fun nothing/0, fun() -> receive after 10 -> ok end end).

%% On the real machine the timeout ends while the process is suspended, perhaps before the timer.
suspended_timeout() ->
    S = self(),
    beside(fun() -> erlang:send_after(10, self(), x), erlang:suspend_process(S) end,
           fun() -> receive after 5 -> ok end end).

suspended_alone() ->
    S = self(),
    beside(fun() -> erlang:suspend_process(S) end, fun() -> receive after 5 -> ok end end).

%% The process may have ended before it gets its name.
long_timeout() ->
    S = self(),
    register(assumed_late, spawn(fun() -> receive after 5000 -> ok end, S ! ping end)),
    receive ping -> ok end.

long_timeout_alone() -> receive after 5000 -> ok end.

%% Both end at the same moment, so either message may be the first.
long_timeouts_at_once() ->
    S = self(),
    [spawn(fun() -> receive after 5000 -> S ! V end end) || V <- [a, b]],
    a = receive First -> First end.

counted() ->
    N = erlang:system_info(process_count),
    spawn(fun() -> ok end),
    ?assertEqual(N + 1, erlang:system_info(process_count)).

path_of_another() ->
    beside(fun() -> code:add_path("/tmp") end,
           fun() -> ?assertNot(lists:member("/tmp", code:get_path())) end).

flag_of_another() ->
    beside(fun() -> erlang:system_flag(backtrace_depth, 3) end,
           fun() -> ?assertNotEqual(3, erlang:system_flag(backtrace_depth, 5)) end).

clock_of_two() ->
    beside(fun erlang:monotonic_time/0, fun erlang:system_time/0).

numbers_of_two() ->
    beside(fun erlang:unique_integer/0, fun erlang:unique_integer/0).

%% Each is a step on one counter.
numbers_in_order() ->
    Next = fun() -> erlang:unique_integer([monotonic]) end,
    beside(Next, Next).

figures() -> beside(fun nothing/0, fun() -> erlang:statistics(run_queue) end).

size_of_memory() -> beside(fun nothing/0, fun() -> erlang:memory(total) end).

%% The number of frames depends on who comes first.
depth_of_traces() ->
    beside(fun() -> erlang:system_flag(backtrace_depth, 1) end,
           fun() -> try binary_to_atom(<<300:16>>) catch _:_:Frames -> length(Frames) end end).

depth_as_before() -> beside(fun nothing/0, fun() -> erlang:system_flag(backtrace_depth, 8) end).

priority_of_another() ->
    P = spawn(fun() -> process_flag(priority, high) end),
    process_info(P, priority).

own_priority() ->
    process_flag(priority, high),
    {priority, high} = process_info(self(), priority).

%% On the real machine it depends on the schedule which of the two has the lesser pid.
pids_sorted() -> [_, _] = lists:sort(cousins()).

pids_as_keys() -> [_, _] = maps:to_list(maps:from_keys(cousins(), x)).

cousins() ->
    S = self(),
    [spawn(fun() -> S ! spawn(fun() -> ok end) end) || _ <- [1, 2]],
    [receive P -> P end || _ <- [1, 2]].

references_compared() ->
    S = self(),
    spawn(fun() -> S ! make_ref() end),
    receive R -> true = lists:member(R < make_ref(), [true, false]) end.

%% In the order in which they were made, here and there.
pids_of_one_family() ->
    A = spawn(fun() -> ok end),
    B = spawn(fun() -> ok end),
    true = self() < A,
    true = A < B,
    [A, B] = maps:keys(#{A => 1, B => 2}).

pids_differ() ->
    [A, B] = cousins(),
    false = A == B.
