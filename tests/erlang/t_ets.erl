%% ETS: all table types, access, counters, iteration, ownership, info.
-module(t_ets).
-export([new_and_info/0, new_named/0, new_options/0, new_bad/0, new_name_taken/0,
         insert_lookup/0, insert_list/0, insert_same_key_in_list/0, insert_new/0, insert_bad/0,
         insert_keypos_bad/0, key_equality/0, ordered_order/0, bag_order/0,
         duplicate_bag_order/0, member/0, lookup_element/0, lookup_element_bag/0, delete_key/0,
         delete_object/0, delete_all/0, delete_table/0, take/0, update_counter/0,
         update_counter_default/0, update_counter_errors/0, update_counter_big/0,
         update_counter_bag/0, update_element/0, update_element_bag/0, first_next_ordered/0,
         last_prev_ordered/0, first_next_unordered/0, first_empty/0, next_of_missing/0,
         next_of_missing_set/0, folds/0, fold_sum/0, slots/0, slots_set/0, tab2list_large/0,
         rename/0, rename_unnamed/0, keypos/0, large_values/0, values_are_copies/0,
         protection/0, owner_dies/0, heir/0, heir_is_owner/0, setopts_heir/0, setopts_no_heir/0,
         give_away/0, give_away_bad/0, safe_fixtable/0, safe_fixed_info/0,
         fix_released_on_exit/0, insert_while_fixed/0, info_all/0, info_unknown/0,
         all_contains/0, bag_contents/0, bad_table/0, bad_table_ref/0, is_tuple_table/0,
         concurrent_counter/0, match_delete_named/0, init_table/0, test_ms/0, table_name/0,
         ordered_float_int/0, big_ordered/0, delete_all_while_fixed/0, replace_with_names/0,
         binaries_of_fixed/0, binaries_of_private/0, numbers_of_locks/0]).
-include("t.hrl").

-define(TYPES, [set, ordered_set, bag, duplicate_bag]).

with(Options, Fun) -> T = ets:new(t, Options), R = Fun(T), catch ets:delete(T), R.
each(Fun) -> [{Type, with([Type, public], Fun)} || Type <- ?TYPES].
sorted(T) -> lists:sort(ets:tab2list(T)).
fill(T) -> ets:insert(T, [{c, 3}, {a, 1}, {b, 2}, {1, int}, {1.0, float}, {"s", x}, {{t}, y}]), T.

new_and_info() ->
    each(fun(T) -> [ets:info(T, I)
                    || I <- [type, size, keypos, protection, name, named_table, heir, fixed]] end).

new_named() ->
    T = ets:new(t_ets_named, [named_table, {keypos, 2}, private]),
    R = {T, ets:whereis(T) =/= undefined, ets:info(T, named_table), ets:info(T, keypos)},
    ets:delete(T),
    {R, ets:whereis(t_ets_named)}.

%% What the other two options show depends on the number of schedulers: t_suites:concurrency.
new_options() ->
    with([set, public, {write_concurrency, true}, {read_concurrency, true}, compressed,
          {decentralized_counters, true}], fun(T) -> {ets:info(T, compressed),
                                                      ets:info(T, read_concurrency)} end).

new_bad() ->
    [?TRY(ets:new(?ID(N), ?ID(O))) || {N, O} <- [{1, []}, {t, a}, {t, [bad]}, {t, [{keypos, 0}]},
                                                 {t, [{heir, x, y}]}, {"x", []}]].

new_name_taken() ->
    ets:new(t_ets_taken, [named_table]),
    R = ?TRY(ets:new(t_ets_taken, [named_table])),
    ets:delete(t_ets_taken),
    R.

insert_lookup() ->
    each(fun(T) -> {ets:insert(T, {k, 1}), ets:insert(T, {k, 2}), ets:insert(T, {k, 1}),
                    ets:lookup(T, k), ets:lookup(T, z)} end).

insert_list() -> each(fun(T) -> fill(T), {ets:info(T, size), sorted(T)} end).

insert_same_key_in_list() ->
    each(fun(T) -> ets:insert(T, [{k, 1}, {k, 2}, {k, 1}]), ets:lookup(T, k) end).

insert_new() ->
    each(fun(T) -> {ets:insert_new(T, {k, 1}), ets:insert_new(T, {k, 2}),
                    ets:insert_new(T, [{a, 1}, {k, 3}]), ets:insert_new(T, [{a, 1}, {b, 2}]),
                    sorted(T)} end).

insert_bad() ->
    with([],
         fun(T) -> [?TRY(ets:insert(T, ?ID(X))) || X <- [a, {}, [{a}, b], [{a} | b], []]] end).

insert_keypos_bad() ->
    with([{keypos, 2}], fun(T) -> [?TRY(ets:insert(T, ?ID(X))) || X <- [{a}, {a, b}]] end).

key_equality() ->
    each(fun(T) -> ets:insert(T, {1, int}), ets:insert(T, {1.0, float}),
             {ets:lookup(T, 1), ets:lookup(T, 1.0), ets:member(T, 1), ets:info(T, size)} end).

ordered_order() ->
    with([ordered_set], fun(T) -> ets:insert(T, [{X} || X <- [b, 1, "l", {}, a, 2.5, <<>>, [],
                                                     #{}, -1]]), ets:tab2list(T) end).

bag_order() ->
    with([bag], fun(T) -> [ets:insert(T, {k, I}) || I <- [3, 1, 2, 3]], ets:lookup(T, k) end).

duplicate_bag_order() ->
    with([duplicate_bag],
         fun(T) -> [ets:insert(T, {k, I}) || I <- [3, 1, 2, 3]], ets:lookup(T, k) end).

member() -> each(fun(T) -> fill(T), [ets:member(T, K) || K <- [a, z, 1, 1.0, "s", {t}]] end).

lookup_element() ->
    each(fun(T) -> ets:insert(T, [{k, 1, x}, {j, 2, y}]),
             [?TRY(ets:lookup_element(T, K, P))
              || {K, P} <- [{k, 2}, {k, 3}, {k, 4}, {z, 2}, {k, 0}]] end).

lookup_element_bag() ->
    with([bag], fun(T) -> ets:insert(T, [{k, 1}, {k, 2}, {k, 3, x}]),
                    [?TRY(ets:lookup_element(T, k, P)) || P <- [1, 2, 3]] end).

delete_key() -> each(fun(T) -> fill(T), {ets:delete(T, a), ets:delete(T, nokey), sorted(T)} end).

delete_object() ->
    each(fun(T) -> ets:insert(T, [{k, 1}, {k, 2}, {j, 1}]),
             {ets:delete_object(T, {k, 2}), ets:delete_object(T, {k, 1.0}), sorted(T)} end).

delete_all() -> each(fun(T) -> fill(T), {ets:delete_all_objects(T), ets:info(T, size)} end).

delete_table() ->
    T = ets:new(t, []),
    {ets:delete(T), ets:info(T), ets:info(T, size), ?TRY(ets:lookup(T, a)), ?TRY(ets:delete(T))}.

take() ->
    each(fun(T) -> ets:insert(T, [{k, 1}, {k, 2}, {j, 1}]),
             {ets:take(T, k), ets:take(T, z), sorted(T)} end).

update_counter() ->
    with([set], fun(T) -> ets:insert(T, {c, 10, 5}), [?TRY(ets:update_counter(T, c, Op))
                                                      || Op <- [1, -3, {3, 2}, [{2, 1}, {3, 1}],
                                                          {2, 5, 12, 0}, {2, -50, 0, 7}, {4, 1},
                                                          {1, 1}, x, []]] ++ ets:lookup(T, c) end).

update_counter_default() ->
    with([set], fun(T) -> {ets:update_counter(T, k, 5, {k, 1}),
                           ets:update_counter(T, k, 5, {k, 1}),
                           ets:update_counter(T, j, {3, 1}, {x, a, 7}), sorted(T)} end).

update_counter_errors() ->
    with([set], fun(T) -> ets:insert(T, {c, a}), [?TRY(ets:update_counter(T, c, 1)),
                                                  ?TRY(ets:update_counter(T, nokey, 1)),
                                                  ?TRY(ets:update_counter(T, new, 1, {k}))] end).

update_counter_big() ->
    with([ordered_set], fun(T) -> ets:insert(T, {c, 576460752303423487}),
                            [ets:update_counter(T, c, 1), ets:update_counter(T, c, 1 bsl 64),
                             ets:update_counter(T, c, -(1 bsl 64))] end).

update_counter_bag() ->
    with([bag], fun(T) -> ets:insert(T, {c, 1}), ?TRY(ets:update_counter(T, c, 1)) end).

update_element() ->
    with([set], fun(T) -> ets:insert(T, {k, 1, 2}), {ets:update_element(T, k, {2, x}),
                                                     ets:update_element(T, k, [{2, y}, {3, z}]),
                                                     ets:update_element(T, nokey, {2, x}),
                                                     ?TRY(ets:update_element(T, k, {1, x})),
                                                     ?TRY(ets:update_element(T, k, {4, x})),
                                                     ets:lookup(T, k)} end).

update_element_bag() ->
    with([bag], fun(T) -> ets:insert(T, {c, 1}), ?TRY(ets:update_element(T, c, {2, 1})) end).

first_next_ordered() -> with([ordered_set], fun(T) -> fill(T), walk(T, ets:first(T)) end).
walk(_, '$end_of_table') -> [];
walk(T, K) -> [K | walk(T, ets:next(T, K))].
last_prev_ordered() -> with([ordered_set], fun(T) -> fill(T), walk_back(T, ets:last(T)) end).
walk_back(_, '$end_of_table') -> [];
walk_back(T, K) -> [K | walk_back(T, ets:prev(T, K))].
first_next_unordered() -> [lists:sort(keys_of(Type)) || Type <- [set, bag, duplicate_bag]].
keys_of(Type) -> with([Type], fun(T) -> [{K, is_float(K)} || K <- walk(fill(T), ets:first(T))] end).
first_empty() -> each(fun(T) -> {ets:first(T), ets:last(T)} end).

next_of_missing() ->
    with([ordered_set], fun(T) -> ets:insert(T, [{1}, {3}, {5}]),
                            {ets:next(T, 2), ets:prev(T, 4), ets:next(T, 5), ets:prev(T, 1),
                             ets:next(T, 0)} end).

next_of_missing_set() ->
    with([set], fun(T) -> ets:insert(T, {1}), {ets:next(T, 1), ?TRY(ets:next(T, 2))} end).

folds() ->
    with([ordered_set], fun(T) -> fill(T), {ets:foldl(fun(X, A) -> [X | A] end, [], T),
                                            ets:foldr(fun(X, A) -> [X | A] end, [], T)} end).

fold_sum() ->
    each(fun(T) -> ets:insert(T, [{I, I} || I <- lists:seq(1, 100)]),
             ets:foldl(fun({_, V}, A) -> V + A end, 0, T) end).

slots() ->
    with([ordered_set], fun(T) -> ets:insert(T, [{1}, {2}]),
                            {ets:slot(T, 0), ets:slot(T, 1), ets:slot(T, 2)} end).

slots_set() -> with([set], fun(T) -> fill(T), lists:sort(all_slots(T, 0)) end).
all_slots(T, N) -> case ets:slot(T, N) of '$end_of_table' -> []; L -> L ++ all_slots(T, N + 1) end.

tab2list_large() ->
    each(fun(T) -> ets:insert(T, [{I, I} || I <- lists:seq(1, 300)]),
             {ets:info(T, size), sorted(T) =:= [{I, I} || I <- lists:seq(1, 300)]} end).

rename() ->
    T = ets:new(t_ets_old, [named_table]),
    ets:insert(T, {a, 1}),
    R = ets:rename(T, t_ets_new),
    {R, ets:lookup(t_ets_new, a), ets:info(t_ets_old, size), ets:delete(t_ets_new)}.

rename_unnamed() ->
    with([], fun(T) -> R = ets:rename(T, other),
                 {R =:= other orelse is_reference(R), ets:info(T, name)} end).

keypos() ->
    with([{keypos, 2}],
         fun(T) -> ets:insert(T, [{a, k1}, {b, k2}]), {ets:lookup(T, k1), ets:lookup(T, a)} end).

large_values() ->
    with([set], fun(T) -> V = {lists:seq(1, 1000), #{a => <<"bin">>}, 1 bsl 200},
                    ets:insert(T, {k, V}), [{k, W}] = ets:lookup(T, k), W =:= V end).

values_are_copies() ->
    with([set], fun(T) -> ets:insert(T, {k, [1, 2]}), [{k, L}] = ets:lookup(T, k),
                    ets:insert(T, {k, [3]}), {L, ets:lookup(T, k)} end).

protection() ->
    S = self(),
    [begin T = ets:new(t, [P]), ets:insert(T, {k, 1}), spawn(
             fun() -> S ! {?TRY(ets:lookup(T, k)), ?TRY(ets:insert(T, {k, 2})),
                           ?TRY(ets:delete(T))} end),
         receive R -> catch ets:delete(T), {P, R} end end || P <- [private, protected, public]].

owner_dies() ->
    S = self(),
    P = spawn(fun() -> T = ets:new(t, [public]), S ! {t, T}, receive stop -> ok end end),
    T = receive {t, X} -> X end,
    A = ets:info(T, size),
    P ! stop,
    tlib:await_down(P),
    {A, ets:info(T)}.

heir() ->
    S = self(), P = spawn(fun() -> T = ets:new(t, [{heir, S, gift}]), ets:insert(T, {a, 1}),
      exit(bye) end), receive {'ETS-TRANSFER', T, P, D} ->
    {D, ets:lookup(T, a), ets:info(T, owner) =:= S} end.

heir_is_owner() ->
    with([{heir, self(), x}], fun(T) -> {heir, H} = {heir, ets:info(T, heir)}, H =:= self() end).

setopts_heir() ->
    S = self(),
    P = spawn(fun() -> T = ets:new(t, []), ets:setopts(T, {heir, S, late}), exit(bye) end),
    receive {'ETS-TRANSFER', _, P, D} -> D end.

setopts_no_heir() ->
    with([{heir, self(), x}], fun(T) -> {ets:setopts(T, {heir, none}), ets:info(T, heir)} end).

give_away() ->
    S = self(),
    P = spawn(fun() -> receive {'ETS-TRANSFER', T, F, D} ->
                           S ! {got, F =:= S, D, ets:info(T, owner) =:= self()} end end),
    T = ets:new(t, []),
    R = ets:give_away(T, P, data),
    {R, receive X -> X end}.

give_away_bad() ->
    P = spawn(fun() -> ok end),
    tlib:await_down(P),
    with([], fun(T) -> [?TRY(ets:give_away(T, P, x)), ?TRY(ets:give_away(T, self(), x)),
                        ?TRY(ets:give_away(T, ?ID(a), x))] end).

safe_fixtable() ->
    with([set], fun(T) -> ets:insert(T, [{I} || I <- lists:seq(1, 50)]),
      true = ets:safe_fixtable(T, true), F = ets:info(T, fixed),
    L = delete_while_walking(T, ets:first(T), []), true = ets:safe_fixtable(T, false),
    {F, lists:sort(L) =:= lists:seq(1, 50), ets:info(T, size), ets:info(T, fixed)} end).

delete_while_walking(_, '$end_of_table', Acc) -> Acc;
delete_while_walking(T, K, Acc) ->
    ets:delete(T, K),
    delete_while_walking(T, ets:next(T, K), [K | Acc]).

safe_fixed_info() ->
    with([set], fun(T) -> ets:safe_fixtable(T, true), ets:safe_fixtable(T, true),
                    {_, [{P, N}]} = ets:info(T, safe_fixed_monotonic_time),
                    {P =:= self(), N} end).

fix_released_on_exit() ->
    T = ets:new(t, [public]),
    P = spawn(fun() -> ets:safe_fixtable(T, true), receive stop -> ok end end),
    tlib:until(fun() -> ets:info(T, fixed) end),
    P ! stop,
    tlib:await_down(P),
    tlib:until(fun() -> not ets:info(T, fixed) end),
    ets:info(T, fixed).

insert_while_fixed() ->
    with([ordered_set], fun(T) -> ets:insert(T, [{1}, {2}, {3}]), ets:safe_fixtable(T, true),
                            ets:first(T), ets:insert(T, {1.5}), ets:delete(T, 2), R = walk(T, 1),
                            ets:safe_fixtable(T, false), R end).

info_all() ->
    with([set, public], fun(T) -> ets:insert(T, {a, 1}),
                            [{K, V} || {K, V} <- ets:info(T),
                             lists:member(K, [name, size, type, keypos, protection, compressed,
                                              named_table, node])] end).

info_unknown() ->
    {ets:info(no_such_table_here), ?TRY(ets:info(make_ref())), ?TRY(ets:info(?ID(1))),
     with([], fun(T) -> ?TRY(ets:info(T, ?ID(nosuch))) end)}.

all_contains() ->
    with([], fun(T) -> {lists:member(T, ets:all()),
                        begin ets:delete(T), lists:member(T, ets:all()) end} end).

bag_contents() -> with([bag], fun(T) -> ets:insert(T, [{a, 1}, {a, 2}]), sorted(T) end).

bad_table() ->
    [?TRY(ets:F(?ID(nope), k)) || F <- [lookup, member, delete, insert, take, next, prev]].

bad_table_ref() -> [?TRY(ets:lookup(?ID(R), k)) || R <- [1, "x", {}, make_ref()]].
is_tuple_table() -> T = ets:new(t, []), R = is_reference(T), ets:delete(T), R.

concurrent_counter() ->
    T = ets:new(t, [public]),
    ets:insert(T, {c, 0}),
    Ps = [spawn_monitor(fun() -> [ets:update_counter(T, c, 1) || _ <- lists:seq(1, 100)] end)
          || _ <- lists:seq(1, 10)],
    [receive {'DOWN', M, _, _, _} -> ok end || {_, M} <- Ps],
    ets:lookup(T, c).

match_delete_named() ->
    ets:new(t_ets_md, [named_table]),
    ets:insert(t_ets_md, [{a, 1}, {b, 2}, {c, 1}]),
    R = {ets:match_delete(t_ets_md, {'_', 1}), ets:tab2list(t_ets_md)},
    ets:delete(t_ets_md),
    R.

init_table() ->
    with([set], fun(T) -> ets:init_table(T, fun(read) ->
      {[{a, 1}, {b, 2}], fun(read) -> end_of_input; (close) -> ok end}; (close) -> ok end),
    sorted(T) end).

test_ms() ->
    {ets:test_ms({a, 1}, [{{'$1', '$2'}, [], ['$2']}]),
     ets:test_ms({a, 1}, [{{b, '_'}, [], [x]}])}.

table_name() -> T = ets:new(some_name, []), R = ets:info(T, name), ets:delete(T), R.

ordered_float_int() ->
    with([ordered_set], fun(T) -> ets:insert(T, {2, a}), ets:insert(T, {2.0, b}),
                            {ets:tab2list(T), ets:lookup(T, 2), ets:delete_object(T, {2, b}),
                             ets:tab2list(T)} end).

big_ordered() ->
    with([ordered_set], fun(T) -> L = [{(I * 7919) rem 1009, I} || I <- lists:seq(1, 1000)],
                            ets:insert(T, L), [ets:delete(T, K) || {K, I} <- L, I rem 2 =:= 0],
                            {ets:info(T, size), ets:first(T), ets:last(T),
                             ets:tab2list(T) =:= lists:sort([X || {_, I} = X <- L,
                                                                I rem 2 =:= 1])} end).

%% The keys of a fixed table stay known, and the objects that were deleted are counted.
delete_all_while_fixed() ->
    each(fun(T) -> fill(T), F = ets:first(T), ets:safe_fixtable(T, true),
                   true = ets:delete_all_objects(T), Next = ets:next(T, F), Kept = kept(T),
                   ets:insert(T, {F, again}), Again = {length(sorted(T)), kept(T)},
                   ets:safe_fixtable(T, false),
                   {Next, Kept, Again, kept(T), ets:info(T, size)} end).

kept(T) -> case ets:info(T, stats) of false -> false; Stats -> element(7, Stats) end.

%% '$_' and '$$' are plain atoms in a pattern, and not in a body.
replace_with_names() ->
    with([set], fun(T) -> [catch_class(fun() -> ets:select_replace(T, [{{K, '$1'}, [], [{{M, 2}}]}]) end)
                           || {K, M} <- [{'$_', '$_'}, {'$$', '$$'}, {'$_', {const, '$_'}}, {a, a}]] end).

catch_class(F) -> try F() catch C:R -> {C, R} end.

%% Objects that were deleted while the table was fixed still hold their binaries.
binaries_of_fixed() ->
    A = binary:copy(<<"a">>, 100 + tlib:id(0)),
    B = binary:copy(<<"b">>, 200 + tlib:id(0)),
    each(fun(T) ->
             ets:insert(T, [{1, A}, {2, {B, A}}, {3, x}]),
             Full = binaries(T),
             ets:safe_fixtable(T, true),
             Fixed = binaries(T),
             ets:delete(T, 2),
             %% A tree forgets them at once.
             Less = [X || X <- binaries(T), ets:info(T, type) =/= ordered_set],
             ets:delete(T, 1),
             Least = [X || X <- binaries(T), ets:info(T, type) =/= ordered_set],
             ets:safe_fixtable(T, false),
             {Full, Fixed, Less, Least, binaries(T), byte_size(A), byte_size(B)}
         end).

%% Another process may ask; each binary has one address.
binaries_of_private() ->
    with([private, ordered_set], fun(T) ->
        A = binary:copy(<<"a">>, 100 + tlib:id(0)),
        ets:insert(T, [{1, A}, {2, x}, {3, A}]),
        Self = self(),
        Pid = spawn_link(fun() -> Self ! {self(), ets:info(T, binary)} end),
        List = receive {Pid, L} -> L end,
        {length(lists:usort(List)), [{Size, Count} || {_, Size, Count} <- List], byte_size(A)}
    end).

binaries(T) -> lists:sort([Size || {_, Size, _} <- ets:info(T, binary)]).

%% Without effect, as the other values; with one scheduler they do not show.
numbers_of_locks() ->
    [{Type, Values, ?TRY(shown_locks(Type, Values) =:= expected_locks(Shown))}
     || Type <- [set, bag, duplicate_bag, ordered_set],
        {Values, Shown} <- [{[locks(1)], locks(64)}, {[locks(64)], locks(64)}, {[locks(127)], locks(64)},
                            {[locks(1000)], locks(512)}, {[locks(32768)], locks(32768)},
                            {[locks(32769)], x}, {[locks(0)], x}, {[locks(-1)], x}, {[locks(x)], x},
                            {[{locks, 3}], x}, {[true, locks(64)], locks(64)}, {[locks(64), auto], auto}]].

shown_locks(Type, Values) ->
    T = ets:new(t, [Type, public | [{write_concurrency, Value} || Value <- Values]]),
    Shown = {ets:info(T, write_concurrency), ets:info(T, decentralized_counters)},
    ets:delete(T),
    Shown.

expected_locks(Shown) ->
    case erlang:system_info(schedulers) > 1 of
        true -> {Shown, true};
        false -> {false, false}
    end.

locks(N) -> {debug_hash_fixed_number_of_locks, N}.
