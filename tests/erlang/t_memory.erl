%% Programs that allocate a lot while much is alive: what a collector must not get wrong.
-module(t_memory).
-export([collected_at_once/0, survivors/0, deep_stack_with_terms/0, growing_list/0, growing_map/0, growing_tuple/0,
         growing_binary/0, binaries_kept/0, small_binaries/0, bignums_kept/0, floats_kept/0,
         closures_kept/0, messages_kept/0, dictionary_kept/0, big_messages/0,
         many_small_processes/0, exceptions_with_state/0, match_context_across_gc/0,
         comprehension_with_garbage/0, sort_large/0, ets_copies/0, explicit_collections/0,
         shared_subterms/0, cyclic_growth/0,
         results_without_allocation/0]).
-include("t.hrl").

%% Keeps a tree of all kinds of terms while garbage is made around it.
survivors() ->
    Keep = [{I, [I, I + 0.5], <<I:32>>, #{I => I}, 1 bsl (I rem 200), fun(X) -> X + I end}
            || I <- lists:seq(1, 200)],
    churn(200),
    lists:sum([begin {I, [I, F], <<I:32>>, #{I := I}, B, Fun} = T, trunc(F) + Fun(1) + B rem 7 end
               || {I, _, _, _, _, _} = T <- Keep]).

churn(0) -> ok;
churn(N) -> _ = [{N, X, [X | N], <<X:16>>} || X <- lists:seq(1, 200)], churn(N - 1).
deep_stack_with_terms() -> deep(1000, []).
deep(0, Acc) -> length(Acc);
deep(N, Acc) -> T = {N, [N | Acc]}, R = deep(N - 1, [N | Acc]), {N, [_ | _]} = T, R.
growing_list() -> L = grow(5000, []), {length(L), hd(L), lists:last(L)}.
grow(0, L) -> L;
grow(N, L) -> grow(N - 1, [{N} | L]).

growing_map() ->
    M = lists:foldl(fun(I, A) -> A#{I => {I, integer_to_binary(I)}} end, #{}, lists:seq(1, 800)),
    {map_size(M), maps:get(321, M)}.

growing_tuple() ->
    lists:foldl(fun(I, T) -> setelement(1 + I rem 50, T, {I, element(1, T)}) end,
                erlang:make_tuple(50, none), lists:seq(1, 60)) =/= x.

growing_binary() ->
    B = lists:foldl(fun(I, A) -> <<A/binary, I:24>> end, <<>>, lists:seq(1, 2000)),
    {byte_size(B), erlang:md5(B)}.

binaries_kept() ->
    Big = binary:copy(<<"0123456789">>, 1000),
    Subs = [binary:part(Big, I * 10, 10) || I <- lists:seq(0, 999)],
    churn(50),
    {lists:usort(Subs), length(Subs)}.

small_binaries() ->
    L = [integer_to_binary(I) || I <- lists:seq(1, 800)],
    churn(20),
    lists:sum([binary_to_integer(B) || B <- L]).

bignums_kept() -> L = [I * (1 bsl 100) + I || I <- lists:seq(1, 2000)], churn(20), lists:sum(L).
floats_kept() -> L = [I / 7 || I <- lists:seq(1, 800)], churn(20), lists:sum(L).

closures_kept() ->
    L = [begin T = {I, [I]}, fun() -> element(1, T) + hd(element(2, T)) end end
         || I <- lists:seq(1, 1000)],
    churn(20),
    lists:sum([F() || F <- L]).

messages_kept() ->
    [self() ! {I, lists:seq(1, I rem 20), <<I:64>>} || I <- lists:seq(1, 500)],
    churn(50),
    receive {250, L, _} -> ok end,
    {length(L), length(tlib:drain([]))}.

dictionary_kept() ->
    [put({key, I}, lists:seq(1, I rem 30)) || I <- lists:seq(1, 300)],
    churn(50),
    R = lists:sum([length(get({key, I})) || I <- lists:seq(1, 300)]),
    erase(),
    R.

big_messages() ->
    S = self(),
    P = spawn(fun() -> echo(S) end),
    R = [begin P ! lists:seq(1, N), receive L -> length(L) end end || N <- [1, 100, 3000]],
    P ! stop,
    R.

echo(S) -> receive stop -> ok; M -> S ! M, echo(S) end.

many_small_processes() ->
    S = self(),
    [spawn(fun() -> S ! {I, lists:sum(lists:seq(1, I))} end) || I <- lists:seq(1, 300)],
    lists:sum([receive {I, V} -> V end || I <- lists:seq(1, 300)]).

exceptions_with_state() ->
    lists:sum([try raise_with({I, lists:seq(1, 20)}) catch throw:{I, L} -> churn(1),
                   length(L) + I end || I <- lists:seq(1, 100)]).

raise_with(T) -> throw(T).
match_context_across_gc() -> sum(binary:copy(<<1, 2, 3, 4>>, 2000), [], 0).
sum(<<A:16, B:16, R/binary>>, Keep, S) -> sum(R, [{A, B} | Keep], S + A * B);
sum(<<>>, Keep, S) -> {length(Keep), S}.

comprehension_with_garbage() ->
    length([{X, Y} || X <- lists:seq(1, 150), Y <- lists:seq(1, 150), (X * Y) rem 7 =:= 0]).

sort_large() ->
    L = [{erlang:phash2(I), integer_to_list(I)} || I <- lists:seq(1, 800)],
    S = lists:sort(L),
    {hd(S), lists:last(S)}.

ets_copies() ->
    T = ets:new(t, []),
    [ets:insert(T, {I, {lists:seq(1, I rem 20), <<I:128>>}}) || I <- lists:seq(1, 1000)],
    churn(20),
    R = lists:sum([length(element(1, element(2, hd(ets:lookup(T, I)))))
                   || I <- lists:seq(1, 1000)]),
    ets:delete(T),
    R.

explicit_collections() ->
    L = [begin T = {I, [I]}, I rem 10 =:= 0 andalso garbage_collect(), T end
         || I <- lists:seq(1, 100)],
    L =:= [{I, [I]} || I <- lists:seq(1, 100)].

shared_subterms() ->
    A = lists:seq(1, 100),
    B = [A, A, {A, A}],
    garbage_collect(),
    {length(lists:flatten(B, [])) , B =:= [A, A, {A, A}]}.

cyclic_growth() -> loop(500, {[], <<>>, #{}, 0}).
loop(0, {L, B, M, N}) -> {length(L), byte_size(B), map_size(M), N};
loop(I, {L, B, M, N}) ->
    loop(I - 1, {[I | lists:sublist(L, 50)], binary:part(<<B/binary, I:16>>,
                                                         max(0, byte_size(B) + 2 - 64),
                                                         min(64, byte_size(B) + 2)),
                 maps:remove(I + 100, M#{I => {I, N}}), N + I * I}).

%% garbage_collect/0 collects before it returns, and the binaries that stay keep their order.
collected_at_once() ->
    Table = ets:new(collected, []),
    Long = [binary:copy(<<N>>, 100 + N) || N <- [1, 2, 3]],
    garbage_collect(),
    {binary, Before} = process_info(self(), binary),
    looked_up(Table, hd(Long)),
    garbage_collect(),
    {binary, After} = process_info(self(), binary),
    garbage_collect(),
    {binary, Again} = process_info(self(), binary),
    true = ets:delete(Table),
    {[Size || {_, Size, _} <- Before], Before =:= After, After =:= Again, length(Long)}.

looked_up(Table, Binary) ->
    [begin ets:insert(Table, {N, Binary}), [{N, Binary}] = ets:lookup(Table, N) end
     || N <- lists:seq(1, 5)],
    true = ets:delete_all_objects(Table).

%% Nothing but a native function allocates: 5 GB in one turn if nothing collected them.
results_without_allocation() -> convert(binary:copy(<<"a">>, 200000), 1500).

convert(_, 0) -> ok;
convert(Binary, N) ->
    _ = binary_to_list(tlib:id(Binary)),
    convert(Binary, N - 1).
