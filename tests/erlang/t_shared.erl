%% Other shared state: persistent terms, atomics, counters.
-module(t_shared).
-export([persistent/0, persistent_missing/0, persistent_all/0, persistent_info/0,
         persistent_shared/0, persistent_kept_by_reader/0, atomics/0,
         atomics_compare_exchange/0, atomics_wrap_signed/0, atomics_wrap_unsigned/0,
         atomics_info/0, atomics_bad/0, atomics_shared/0, counters/0, counters_concurrent/0,
         counters_info/0, array_memory/0, counters_bad/0, counters_wrap/0, system_info/0, system_info_values/0,
         system_info_bad/0, statistics_shapes/0, environment/0, os_type/0, memory/0, dates/0]).
-include("t.hrl").

persistent() ->
    K = {?MODULE, a},
    R = {persistent_term:put(K, [1, 2]), persistent_term:get(K), persistent_term:put(K, x),
         persistent_term:get(K), persistent_term:erase(K), persistent_term:erase(K),
         persistent_term:get(K, default)},
    R.

persistent_missing() ->
    [?TRY(persistent_term:get({?MODULE, nokey})), persistent_term:get({?MODULE, nokey}, d)].

persistent_all() ->
    K = {?MODULE, b},
    persistent_term:put(K, v),
    R = [V || {Key, V} <- persistent_term:get(), Key =:= K],
    persistent_term:erase(K),
    R.

persistent_info() ->
    #{count := C, memory := M} = persistent_term:info(),
    {is_integer(C), is_integer(M)}.

persistent_shared() ->
    K = {?MODULE, c},
    persistent_term:put(K, #{a => lists:seq(1, 100)}),
    S = self(),
    spawn(fun() -> S ! {v, lists:sum(maps:get(a, persistent_term:get(K)))} end),
    R = receive {v, V} -> V end,
    persistent_term:erase(K),
    R.

persistent_kept_by_reader() ->
    K = {?MODULE, d},
    persistent_term:put(K, {old, [1, 2]}),
    V = persistent_term:get(K),
    persistent_term:put(K, new),
    R = {V, persistent_term:get(K)},
    persistent_term:erase(K),
    R.

atomics() ->
    A = atomics:new(3, []),
    {atomics:put(A, 1, 5), atomics:get(A, 1), atomics:add(A, 1, 2), atomics:add_get(A, 1, 3),
     atomics:sub(A, 1, 1), atomics:sub_get(A, 1, 1), atomics:exchange(A, 1, 100),
     atomics:get(A, 1), atomics:get(A, 2)}.

atomics_compare_exchange() ->
    A = atomics:new(1, []),
    {atomics:compare_exchange(A, 1, 0, 7), atomics:compare_exchange(A, 1, 0, 9),
     atomics:get(A, 1)}.

atomics_wrap_signed() ->
    A = atomics:new(1, [{signed, true}]),
    atomics:put(A, 1, 9223372036854775807),
    {atomics:add_get(A, 1, 1), atomics:sub_get(A, 1, 1)}.

atomics_wrap_unsigned() ->
    A = atomics:new(1, [{signed, false}]),
    {atomics:sub_get(A, 1, 1), atomics:add_get(A, 1, 1), atomics:put(A, 1, 18446744073709551615),
     atomics:get(A, 1)}.

atomics_info() ->
    [maps:without([memory], atomics:info(atomics:new(N, O)))
     || {N, O} <- [{1, []}, {5, [{signed, false}]}]].

atomics_bad() ->
    A = atomics:new(2, []),
    [?TRY(atomics:new(?ID(0), [])), ?TRY(atomics:new(1, [bad])), ?TRY(atomics:get(A, ?ID(0))),
     ?TRY(atomics:get(A, ?ID(3))), ?TRY(atomics:put(A, 1, ?ID(a))),
     ?TRY(atomics:put(A, 1, ?ID(1 bsl 64))), ?TRY(atomics:get(?ID(x), 1)),
     ?TRY(atomics:add(A, 1, ?ID(1.5)))].

atomics_shared() ->
    A = atomics:new(1, []), Ps = [spawn_monitor(fun() ->
      [atomics:add(A, 1, 1) || _ <- lists:seq(1, 50)] end) || _ <- lists:seq(1, 5)],
    [receive {'DOWN', M, _, _, _} -> ok end || {_, M} <- Ps], atomics:get(A, 1).

counters() ->
    C = counters:new(2, []),
    {counters:add(C, 1, 5), counters:sub(C, 1, 2), counters:get(C, 1), counters:put(C, 2, 9),
     counters:get(C, 2)}.

counters_concurrent() ->
    C = counters:new(1, [write_concurrency]),
    counters:add(C, 1, 7),
    counters:get(C, 1).

%% With write_concurrency the memory depends on the number of schedulers.
array_memory() ->
    [{maps:get(memory, atomics:info(atomics:new(N, []))),
      maps:get(memory, counters:info(counters:new(N, [atomics]))),
      (maps:get(memory, counters:info(counters:new(N, [write_concurrency]))) - 32) div
          (erlang:system_info(schedulers) + 1)} || N <- [1, 8, 9, 100]].

counters_info() ->
    [maps:get(size, counters:info(counters:new(3, O)))
     || O <- [[], [atomics], [write_concurrency]]].

counters_bad() ->
    C = counters:new(2, []),
    [?TRY(counters:new(?ID(0), [])), ?TRY(counters:get(C, ?ID(3))),
     ?TRY(counters:add(C, 1, ?ID(a))), ?TRY(counters:get(?ID(x), 1))].

counters_wrap() ->
    C = counters:new(1, []),
    counters:put(C, 1, 9223372036854775807),
    counters:add(C, 1, 1),
    counters:get(C, 1).

system_info() ->
    [is_integer(erlang:system_info(I))
     || I <- [schedulers, process_count, process_limit, atom_limit, wordsize]].

system_info_values() ->
    [erlang:system_info(I)
     || I <- [otp_release, wordsize, {wordsize, external}, machine, endian]].

system_info_bad() -> ?TRY(erlang:system_info(?ID(no_such_item))).

statistics_shapes() ->
    [tuple_size(erlang:statistics(I))
     || I <- [runtime, wall_clock, reductions, garbage_collection]].

environment() ->
    {os:getenv("FERMATA_NO_SUCH_VARIABLE"), os:getenv("FERMATA_NO_SUCH", "default"),
     os:putenv("FERMATA_T", "v"), os:getenv("FERMATA_T"), os:unsetenv("FERMATA_T"),
     os:getenv("FERMATA_T")}.

os_type() -> os:type().
memory() -> is_integer(erlang:memory(total)).

dates() ->
    {Y, _, _} = date(),
    {H, _, _} = time(),
    {{_, _, _}, {_, _, _}} = erlang:localtime(),
    {Y > 2000, H >= 0}.
