%% Native functions that no other module of the body reaches.
-module(t_misc).
-export([is_record_functions/0, is_record_bad/0, unequal_branches/0, time_shapes/0,
         time_conversion_bad/0, local_round_trip/0, posix_times/0, posix_from_date/0,
         monotonic_never_back/0, node_functions/0, ports_list/0, sequential_trace_off/0,
         spawn_abandon/0, debug_sizes/0, debug_size_of_large/0, debug_same/0, persistent_sent/0, debug_shared/0, system_process/0, map_next/0,
         list_to_float_parts/0, printable/0, match_spec_reversed/0, buffers/0, nif_missing/0,
         loaded_modules/0, setelement_in_place/0, tuple_keys/0, unicode_atoms/0, halt_bad/0,
         get_keys_by_value/0, error_handler_flag/0, bump/0, iolist_edges/0, element_edges/0,
         list_to_existing/0, dates_of_days/0]).
-include("t.hrl").
-record(r, {a}).

is_record_functions() ->
    [{erlang:is_record(T, r), erlang:is_record(T, r, N)} || T <- [#r{}, {r}, {r, 1, 2}, r, {}],
     N <- [2, 3]].

is_record_bad() ->
    [?TRY(erlang:is_record(?ID({r}), ?ID(1))), ?TRY(erlang:is_record(?ID({r}), ?ID(r), ?ID(0)))].

unequal_branches() -> [unequal(A, B) || A <- [1, 1.0, a], B <- [1, 2.0, a]].
unequal(A, B) when A /= B -> different;
unequal(_, _) -> equal.

time_shapes() ->
    {M, S, U} = erlang:timestamp(),
    {{_, _, _}, {_, _, _}} = erlang:universaltime(),
    {is_integer(M), S >= 0, U >= 0, is_integer(erlang:monotonic_time()),
     is_integer(erlang:system_time(second)), is_integer(os:perf_counter()), is_list(os:getpid()),
     is_list(os:env())}.

time_conversion_bad() ->
    [?TRY(erlang:universaltime_to_localtime(?ID(T)))
     || T <- [a, {{2020, 13, 1}, {0, 0, 0}}, {{2020, 1, 1}, {25, 0, 0}}]].

local_round_trip() ->
    T = {{2024, 3, 4}, {5, 6, 7}},
    erlang:localtime_to_universaltime(erlang:universaltime_to_localtime(T)) =:= T.

posix_times() -> [erlang:posixtime_to_universaltime(S) || S <- [0, 1, -1, 951782400, 4102444800]].

posix_from_date() ->
    [?TRY(erlang:universaltime_to_posixtime(D)) || D <- [{{1970, 1, 1}, {0, 0, 0}},
                                                         {{2000, 2, 29}, {12, 0, 0}},
                                                         {{2024, 2, 30}, {0, 0, 0}}, x]].

monotonic_never_back() ->
    L = [erlang:monotonic_time() || _ <- lists:seq(1, 10)],
    L =:= lists:sort(L).

node_functions() ->
    {lists:member(node(), erlang:nodes(known)), erlang:nodes(visible), erlang:nodes([hidden]),
     erlang:get_cookie()}.

ports_list() -> is_list(erlang:ports()).

sequential_trace_off() ->
    {seq_trace:get_token(), seq_trace:set_token([]), erlang:seq_trace_info(send)}.

spawn_abandon() ->
    R = erlang:spawn_request(fun() -> ok end),
    receive {spawn_reply, R, ok, _} -> ok end,
    {erlang:spawn_request_abandon(R), ?TRY(erlang:spawn_request_abandon(?ID(a)))}.

debug_sizes() ->
    A = ?ID(42),
    B = ?ID([a | b]),
    M = ?ID(#{"atom" => first, i => 0}),
    Terms = [a, 1, [], {}, {a}, [a], [a, b], {a, [b]}, 1.5, {{}, [{}]}, 1 bsl 70, #{}, {#{}},
             #{b => 2, c => 3}, #{t => "hello"}, [M, M#{"atom" := other}, M#{i := 42}],
             fun() -> ok end, fun() -> A end, fun() -> {A, B} end, fun lists:sort/1, make_ref(),
             atomics:new(1, []), <<1, 2, 3>>, <<0:512>>, <<A:520>>, <<0:520>>, <<5:7>>, <<A:641>>,
             <<0:641>>, [B | B], {self(), B}, halves(<<A:800>>), halves(<<A:80>>)
             | pieces(<<A:800>>) ++ pieces(<<A:1600>>) ++ pieces(<<A:808>>) ++ pieces(<<A:801>>)],
    [{erts_debug:flat_size(T), erts_debug:size(T)} || T <- Terms].

halves(Bits) ->
    Size = bit_size(Bits) div 2,
    <<Left:Size/bitstring, Right/bitstring>> = Bits,
    [Left, Right | Left].

%% A small piece of whole bytes is a copy, a larger one refers to the whole.
pieces(Bits) ->
    <<_, Rest/bitstring>> = Bits,
    <<_:3, Odd/bitstring>> = Bits,
    <<Start:8/binary, _/bitstring>> = Bits,
    <<_:3, Shifted:8/binary, _/bitstring>> = Bits,
    <<Few:60/bitstring, _/bitstring>> = Bits,
    [Rest, Odd, Start, Shifted, Few]
        ++ [binary:part(Bits, 2, 64) || is_binary(Bits)]
        ++ [binary_part(Bits, 2, 65) || is_binary(Bits)]
        ++ [element(1, split_binary(Bits, 9)) || is_binary(Bits)]
        ++ [binary:split(Bits, <<42>>) || is_binary(Bits)].

%% The order in which a hash puts its keys is not the real one: about as many words.
debug_size_of_large() ->
    [begin
         Words = erts_debug:flat_size(maps:from_list([{I, I} || I <- lists:seq(1, N)])),
         M = maps:from_list([{I, I} || I <- lists:seq(1, N)]),
         {Words >= 3 * N, Words =< 4 * N + 20, erts_debug:size(M) =:= erts_debug:flat_size(M),
          erts_debug:size([M | M]) =:= 2 + Words, erts_debug:flat_size([M | M]) =:= 2 + 2 * Words,
          erts_debug:size({M, M#{1 := x}}) < 3 + Words + 200}
     end || N <- [40, 256, 1000]].

%% A persistent term stays where it is when it is sent, and as an argument of a new process. Exit
%% reasons, timers and what is shown of another process are copies.
persistent_sent() ->
    process_flag(trap_exit, true),
    Self = self(),
    Key = {?MODULE, sent},
    ok = persistent_term:put(Key, {list_to_tuple(?ID(lists:seq(1, 5))), [make_ref()]}),
    T = persistent_term:get(Key),
    Show = fun(X) -> Self ! {size, erts_debug:size_shared(X)} end,
    Sizes = [begin How(T), receive Message -> answer(Message) end end || How <-
        [fun(X) -> Self ! {got, X} end,
         fun(X) -> spawn(fun() -> Show(X) end) end,
         fun(X) -> spawn(erlang, apply, [Show, [[X | X]]]) end,
         fun(X) -> spawn(fun() -> receive Y -> Show(Y) end end) ! X end,
         fun(X) -> alias() ! {got, [X]} end,
         fun(_) -> spawn_monitor(fun() -> exit(persistent_term:get(Key)) end) end,
         fun(_) -> spawn_link(fun() -> exit({a, persistent_term:get(Key)}) end) end,
         fun(X) -> exit(Self, X) end,
         fun(X) -> erlang:send_after(1, Self, {got, X}) end,
         fun(X) -> erlang:start_timer(1, Self, X) end]],
    P = spawn(fun() -> put(kept, T), receive stop -> ok end end),
    P ! T,
    receive after 10 -> ok end,
    {messages, [Shown]} = process_info(P, messages),
    {dictionary, [{kept, Kept}]} = process_info(P, dictionary),
    exit(P, kill),
    erlang:garbage_collect(),
    Here = [erts_debug:size_shared(X) || X <- [Shown, Kept, T]],
    true = persistent_term:erase(Key),
    {Sizes, Here, element(1, T)}.

answer({size, Words}) -> Words;
answer({got, T}) -> erts_debug:size_shared(T);
answer({'DOWN', _, _, _, T}) -> {down, erts_debug:size_shared(T)};
answer({'EXIT', _, T}) -> {exit, erts_debug:size_shared(T)};
answer({timeout, _, T}) -> {timeout, erts_debug:size_shared(T)}.

%% An object that occurs twice counts once; a persistent term does not count.
debug_shared() ->
    X = list_to_tuple(?ID([1, 2, 3])),
    Deep = lists:foldl(fun(_, A) -> [A | A] end, [], lists:seq(1, 30)),
    Key = {?MODULE, shared},
    ok = persistent_term:put(Key, Deep),
    Stored = persistent_term:get(Key),
    Size = erts_debug:size(Stored),
    Copies = [begin
                  Copy = erts_debug:copy_shared(T, Literals),
                  {Copy =:= T, erts_debug:size_shared(Copy)}
              end || T <- [{X, X}, [X, X | X], X], Literals <- [true, false]],
    All = [erts_debug:size_shared(T)
           || T <- [a, X, {X, X}, [X, X | X], Deep, Stored, [Stored | X], 1 bsl 80, self(),
                    lists:duplicate(5, X)]],
    Kept = spawn_monitor(fun() -> exit(erts_debug:size_shared(persistent_term:get(Key))) end),
    Sent = receive {'DOWN', Ref, process, Pid, Words} when {Pid, Ref} =:= Kept -> Words end,
    true = persistent_term:erase(Key),
    {All, Size, Sent, Copies, ?TRY(erts_debug:copy_shared(X, ?ID(1))),
     erts_debug:copy_shared(lists:seq(1, 5) ++ [<<"abc">>, #{X => X}, 1.5], true)}.

debug_same() ->
    T = ?ID({a, [b]}),
    {erts_debug:same(T, T), erts_debug:same(1, 1), erts_debug:same(a, b)}.

system_process() -> erts_internal:is_system_process(self()).

map_next() ->
    {K, V, I} = maps:next(maps:iterator(#{a => 1, b => 2})),
    {K, V, element(1, maps:next(I))}.

list_to_float_parts() -> [string:list_to_float(S) || S <- ["1.5x", "x", "1", "-2.0e3", ""]].
printable() -> {io:printable_range(), file:native_name_encoding() =/= x}.

match_spec_reversed() ->
    ets:match_spec_run([{1}, {2}, {3}], ets:match_spec_compile([{{'$1'}, [], ['$1']}])).

buffers() ->
    B = prim_buffer:new(),
    prim_buffer:write(B, [<<"hello ">>, <<"world">>]),
    A = prim_buffer:size(B),
    C = prim_buffer:read(B, 5),
    {A, C, prim_buffer:find_byte_index(B, $w), prim_buffer:size(B), prim_buffer:read(B, 6)}.

nif_missing() -> element(1, erlang:load_nif("no_such_library", 0)).
loaded_modules() -> [lists:member(M, erlang:loaded()) || M <- [lists, erlang, t_misc, no_such]].

setelement_in_place() ->
    T = ?ID(list_to_tuple(lists:seq(1, 10))),
    {setelement(5, T, x), element(5, T)}.

tuple_keys() -> erts_internal:map_to_tuple_keys(#{c => 1, a => 2, b => 3}).
unicode_atoms() -> [list_to_atom([C]) || C <- [97, 233, 256, 955, 8364, 128512]].
halt_bad() -> [?TRY(halt(?ID(x))), ?TRY(halt(?ID(-1)))].
get_keys_by_value() -> erase(), put(a, 1), put(b, 2), put(c, 1), lists:sort(get_keys(1)).
error_handler_flag() -> {error_handler, M} = process_info(self(), error_handler), M.
bump() -> [erlang:bump_reductions(N) || N <- [1, 100, 10000]].

iolist_edges() ->
    [?TRY(iolist_size(?ID(L)))
     || L <- [[], <<>>, "", [[]], [<<>> | <<>>], ["a" | <<"b">>], [1 | 2], <<1:1>>]].

element_edges() ->
    T = ?ID({a, b}),
    [?TRY(element(?ID(I), T)) || I <- [0, 1, 2, 3, -1, 1.0, 1 bsl 70]].

list_to_existing() ->
    [?TRY(list_to_existing_atom(S))
     || S <- ["lists", "is_record_functions", "surely not an atom 77"]].

dates_of_days() -> [calendar:gregorian_days_to_date(D) || D <- [0, 365, 366, 738885]].
