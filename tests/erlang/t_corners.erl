%% Values that were once wrong, one function each.
-module(t_corners).
-export([bad_timeout_keeps_messages/0, bad_timeout_in_fun/0, tail_larger_than_any/0,
         guard_result_behind_label/0, flags_tuned/0, queue_data/0, monitor_port/0,
         old_hello/0, http_limits/0, missing_key/0, missing_key_of_many/0, error_info_kept/0,
         error_info_ignored/0, comma_is_point/0, segment_number/0, external_fun_info/0,
         largest_integer/0, rounded_decimals/0, decimals_too_many/0, suspended_status/0,
         applied_errors/0, hibernating/0, preloaded_lines/0, info_exports/0, infos_of_system/0,
         heir_after_transfer/0, cmp_terms/0, exported/0]).
-include("t.hrl").

%% A receive that raises because of its timeout ends: the next one looks at all messages.
bad_timeout_keeps_messages() ->
    self() ! init,
    R = try receive blipp -> ok after ?ID(blupp) -> ok end catch C:E -> {C, E} end,
    {R, receive init -> got after 0 -> lost end}.

bad_timeout_in_fun() ->
    self() ! a,
    self() ! b,
    F = fun(T) -> try receive c -> ok after T -> ok end catch _:E -> E end end,
    [F(T) || T <- [-1, 1.5, 1 bsl 40]] ++ [receive a -> a end, receive b -> b end].

tail_larger_than_any() ->
    [try tail(B) catch error:function_clause -> no end || B <- [<<0:8, 0:200>>, <<>>]].

tail(<<B:8, _:16#1_0000_0000_0000_0000>>) -> B.

%% The compiler knows that is_map_key cannot fail here, so it uses the result behind the label that
%% stands for a failure.
guard_result_behind_label() ->
    [keys(M) || M <- [#{abc => 0, jkl => 0}, #{abc => 0, def => 0}, #{def => 0, jkl => 0},
                      #{abc => 0, mno => 0, jkl => 0}, #{jkl => 0}, #{}]].

keys(#{} = Map) ->
    case case Abc = is_map_key(abc, Map) of
             false -> false;
             _ -> is_map_key(def, Map)
         end of
        true ->
            abc;
        false ->
            case case Jkl = is_map_key(jkl, Map) of
                     false -> false;
                     _ -> is_map_key(def, Map)
                 end of
                true ->
                    jkl;
                false ->
                    case case Abc of
                             false -> false;
                             _ -> is_map_key(mno, Map)
                         end of
                        true ->
                            mno;
                        false ->
                            case Jkl of
                                true -> only_jkl;
                                false -> error
                            end
                    end
            end
    end.

flags_tuned() ->
    [?TRY(process_flag(F, V)) || {F, V} <- [{min_heap_size, -1}, {min_heap_size, a},
        {min_heap_size, 300}, {scheduler, 1}, {scheduler, -1}, {message_queue_data, x}]].

queue_data() ->
    [process_flag(message_queue_data, V) || V <- [off_heap, on_heap, off_heap]] ++
        [process_info(self(), message_queue_data)].

monitor_port() ->
    R = monitor(port, no_such_port),
    receive {'DOWN', R, Type, Object, Why} -> {Type, Object, Why} after 0 -> missing end.

old_hello() ->
    [erlang:decode_packet(ssl_tls, B, [])
     || B <- [<<1:1, 10:15, 1, 34, 17, 1, 2, 3, 4, 5, 6, 7, 99>>, <<1:1, 10:15, 1, 34>>,
              <<1:1, 10:15, 1, 34, 17, 1>>, <<25, 34, 17, 2:16, 1, 2, 3>>]].

http_limits() ->
    P = list_to_binary(["Link: /", lists:duplicate(100, $X), "\r\n\r\n"]),
    [erlang:decode_packet(T, binary:part(P, 0, N), O)
     || T <- [httph_bin, http_bin], N <- [60, 109, 111],
        O <- [[], [{packet_size, 50}], [{packet_size, 500}], [{line_length, 50}],
              [{packet_size, 500}, {line_length, 50}]]].

missing_key() ->
    M = ?ID(#{a => 1}),
    [?TRY(M#{42.0 := v, 42 := w}), ?TRY(M#{z := 1, {b} := 2}), ?TRY(M#{"s" := 1, c := 2, a := 3})].

missing_key_of_many() -> ?TRY((?ID(#{}))#{3 := a, 1 := b, 2 := c}).

error_info_kept() ->
    try erlang:error(oops, [x], [{error_info, #{cause => why, module => m}}])
    catch error:oops:S -> {_, F, A, I} = hd(S), {F, A, proplists:get_value(error_info, I)}
    end.

error_info_ignored() ->
    try erlang:error(oops, [x], [{error_info, not_a_map}])
    catch error:oops:S -> {_, F, A, I} = hd(S), {F, A, proplists:get_value(error_info, I)}
    end.

comma_is_point() -> [string:to_float(T) || T <- ["1,2", "-1,53e1foo", "1,", ",1", "1.,2"]].

segment_number() ->
    A = ?ID(some_atom),
    B = ?ID(<<"abc">>),
    try <<1:32, "xyz", B/binary, A/binary>>
    catch error:_:S -> maps:get(cause, proplists:get_value(error_info, element(4, hd(S))))
    end.

external_fun_info() -> erlang:fun_info_mfa(?ID(fun lists:map/2)).

%% OTP 27 allows integers of fewer bits than earlier releases.
largest_integer() ->
    [try (?ID(1) bsl N) > 0 catch error:E -> E end
     || N <- [4194238, 4194239, 4194240, 33554366, 33554367, 33554368]].

rounded_decimals() ->
    [float_to_list(X, [{decimals, D}])
     || X <- [-2.25, 2.25, 2.5, 0.125, 0.5, 1.5, 2.675, 1.005, 9.9999, -0.0, 1.0e22, 123456.789],
        D <- [0, 1, 2, 3, 15, 18, 19]].

decimals_too_many() ->
    [?TRY(length(float_to_list(X, [{decimals, D}])))
     || {X, D} <- [{1.0e300, 1}, {1.0e250, 1}, {1.0, 252}, {1.0, 253}, {1.0e200, 100}]].

suspended_status() ->
    P = spawn(fun() -> receive stop -> ok end end),
    erlang:yield(),
    true = erlang:suspend_process(P),
    A = process_info(P, status),
    true = erlang:resume_process(P),
    exit(P, kill),
    A.

%% The frames of erlang:error that apply calls in tail position.
applied_errors() ->
    [{T, try frames([a], T)
         catch error:oops:S ->
             [{F, if is_list(A) -> length(A); true -> A end} || {?MODULE, F, A, _} <- S]
         end} || T <- [const_last, last, const, only, double, call, call_last, one_last, one_const,
                       one_double]].

frames([_ | L], T) -> frames(L, T), ?ID(ok);
frames([], T) -> put(erlang, erlang), put(tail, []), applied(T), ?ID(ok).

applied(const_last) -> erlang:apply(erlang, error, [oops, [x]]);
applied(last) -> erlang:apply(?ID(erlang), ?ID(error), ?ID([oops, [x]]));
applied(const) -> erlang:apply(erlang, error, [oops, [x]]), ok;
applied(only) -> E = get(erlang), T = get(tail), apply(E, error, [oops, [x | T]]);
applied(double) ->
    erlang:apply(?ID(erlang), ?ID(apply), [?ID(erlang), ?ID(error), ?ID([oops, [x]])]);
applied(call) -> erlang:error(?ID(oops), ?ID([x])), ok;
applied(call_last) -> erlang:error(?ID(oops), ?ID([x]));
applied(one_last) -> erlang:apply(?ID(erlang), ?ID(error), ?ID([oops]));
applied(one_const) -> erlang:apply(erlang, error, [oops]);
applied(one_double) -> erlang:apply(erlang, apply, [erlang, error, [oops]]).

hibernating() ->
    P = spawn(fun() -> erlang:hibernate(?MODULE, hibernating, []) end),
    receive after 50 -> ok end,
    R = process_info(P, [current_function, status]),
    exit(P, kill),
    R.

%% Modules that the emulator contains do not have lines.
preloaded_lines() ->
    try group_leader(?ID(undefined), self())
    catch error:R:S -> {R, [I || {erlang, _, _, I} <- S]}
    end.

info_exports() -> lists:sublist(?MODULE:module_info(exports), 5).

infos_of_system() ->
    [{I, ?TRY(erlang:system_info(I))}
     || I <- [min_heap_size, min_bin_vheap_size, fullsweep_after, message_queue_data, dist_ctrl,
              modified_timing_level, time_offset, dynamic_trace, update_cpu_info, heap_type,
              port_parallelism, no_such_item, scheduler_bind_type, taints, {no, such},
              garbage_collection, multi_scheduling_blockers, trace_control_word]].

heir_after_transfer() ->
    S = self(),
    P = spawn(fun() -> S ! {t, ets:new(t, [{heir, S, data}])}, receive stop -> ok end end),
    T = receive {t, T0} -> T0 end,
    A = ets:info(T, heir) =:= S,
    exit(P, kill),
    receive {'ETS-TRANSFER', T, P, data} -> {A, ets:info(T, heir) =:= S} end.

cmp_terms() ->
    [erts_internal:cmp_term(A, B) || {A, B} <- [{1, 1.0}, {1.0, 1}, {a, a}, {2, 1}, {1.5, 1}]].

exported() ->
    [erlang:function_exported(M, F, A)
     || {M, F, A} <- [{lists, map, 2}, {erlang, self, 0}, {lists, nosuch, 1}, {erlang, apply, 3},
                      {erlang, '+', 2}, {lists, member, 2}, {no_such_module, f, 0}]].
