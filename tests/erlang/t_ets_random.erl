%% Generated sequences of operations on tables of every type, compared with the real one. What
%% depends on the order of a hash table is sorted, or reduced to whether it worked.
-module(t_ets_random).
-export([s1/0, s2/0, s3/0, s4/0, s5/0, s6/0, s7/0, s8/0, s9/0]).

s1() -> run(1).
s2() -> run(2).
s3() -> run(3).
s4() -> run(4).
s5() -> run(5).
s6() -> run(6).
s7() -> run(7).
s8() -> run(8).
s9() -> run(9).

run(Seed) ->
    rand:seed(exsss, {Seed, 11, 13}),
    [sequence(Type) || Type <- [set, ordered_set, bag, duplicate_bag], _ <- [1, 2, 3]].

u(N) -> rand:uniform(N).
pick(L) -> lists:nth(u(length(L)), L).
key() ->
    pick([1, 2, 3, 4, 1.0, 2.0, a, b, {a, 1}, {a, 1.0}, [x], "s", <<"k">>, #{k => 1}, 1 bsl 70]).
value() -> pick([0, 1, 2, -5, 1 bsl 59, 1 bsl 64, x, "text", {t, [1]}, <<0:800>>, 2.5]).
object() -> list_to_tuple([key() | [value() || _ <- lists:seq(1, u(4) - 1)]]).
position() -> pick([0, 1, 2, 2, 2, 3, 4]).
increment() -> pick([1, -1, 5, 1 bsl 60, x]).

sequence(Type) ->
    T = ets:new(t, [Type]),
    Results = [step(Type, T, u(22)) || _ <- lists:seq(1, 40)],
    Left = contents(Type, T),
    ets:delete(T),
    {Results, Left}.

step(Type, T, N) ->
    try operation(N, Type, T)
    catch error:R:S ->
        {_, _, _, I} = hd(S),
        {R, maps:get(cause, proplists:get_value(error_info, I, #{}), none)}
    end.

operation(1, _, T) -> ets:insert(T, object());
operation(2, _, T) -> ets:insert(T, object());
operation(3, _, T) -> ets:insert(T, [object() || _ <- lists:seq(1, u(4))]);
operation(4, _, T) -> ets:insert_new(T, object());
operation(5, _, T) -> ets:insert_new(T, [object(), object()]);
operation(6, _, T) -> ets:lookup(T, key());
operation(7, _, T) -> ets:member(T, key());
operation(8, _, T) -> ets:delete(T, key());
operation(9, _, T) -> ets:delete_object(T, object());
operation(10, _, T) -> ets:take(T, key());
operation(11, _, T) -> ets:update_counter(T, key(), {position(), increment()});
operation(12, _, T) -> ets:update_counter(T, key(), increment(), {k, pick([0, 7, x])});
operation(13, _, T) -> ets:update_counter(T, key(), [{2, 1}, {position(), -1, 0, 3}]);
operation(14, _, T) -> ets:update_element(T, key(), {position(), value()});
operation(15, _, T) -> ets:update_element(T, key(), [{position(), value()}, {2, y}]);
operation(16, Type, T) when Type =:= set; Type =:= ordered_set ->
    ets:lookup_element(T, key(), position());
operation(17, ordered_set, T) -> {ets:next(T, key()), ets:prev(T, key()), ets:last(T)};
operation(17, _, T) -> is_atom(ets:next(T, key())) orelse true;
operation(18, Type, T) -> contents(Type, T);
operation(19, _, T) -> ets:safe_fixtable(T, pick([true, false]));
operation(20, _, T) -> {ets:info(T, size), ets:info(T, fixed)};
operation(21, Type, T) -> {walk(Type, T, ets:first(T)), ets:info(T, size)};
operation(22, _, T) -> ets:select_delete(T, [{{key(), '_'}, [], [true]}]);
operation(_, _, T) -> ets:info(T, type).

%% All keys, deleting some on the way under a fixation.
walk(Type, T, First) ->
    ets:safe_fixtable(T, true),
    Keys = keys(T, First),
    ets:safe_fixtable(T, false),
    case Type of ordered_set -> Keys; _ -> sorted(Keys) end.
keys(_, '$end_of_table') -> [];
keys(T, K) ->
    case erlang:phash2(K, 3) of
        0 -> ets:delete(T, K);
        _ -> ok
    end,
    [K | keys(T, ets:next(T, K))].

contents(ordered_set, T) -> ets:tab2list(T);
contents(_, T) -> sorted(ets:tab2list(T)).
sorted(L) -> lists:sort(fun(A, B) -> {A, erlang:phash2(A)} =< {B, erlang:phash2(B)} end, L).
