%% Sending and receiving: order, selection, timeouts, what counts as a destination.
-module(t_receive).
-export([send_self/0, send_result/0, order/0, selective/0, selective_last/0, selective_guard/0,
         selective_bound/0, selective_tuple/0, several_clauses/0, after_zero_empty/0,
         after_zero_full/0, after_zero_no_match/0, after_only/0, after_ms/0, after_variable/0,
         after_infinity/0, after_infinity_variable/0, after_bad/0, after_body_effects/0,
         timeout_then_message/0, nested_receive/0, receive_in_fun/0, ping_pong/0, ring/0,
         many_senders/0, fifo_per_pair/0, large_message/0, deep_message/0, all_kinds/0,
         sub_binary_message/0, dead_process/0, bad_destinations/0, registered_destination/0,
         unregistered_tuple_destination/0, send_nosuspend/0, yield/0, mailbox_length/0,
         counter_server/0, priority_receive/0, prio/0, rest/0, flush_until/0, binary_pattern/0,
         map_pattern/0, marker_reply/0, marker_monitor/0, parallel_map/0, recursive_fib/0,
         hibernate/0]).
-export([woken/2]).
-include("t.hrl").

send_self() -> self() ! hello, receive X -> X end.

send_result() ->
    {self() ! a, erlang:send(self(), b), erlang:send(self(), c, []),
     erlang:send(self(), d, [noconnect, nosuspend]), tlib:drain([])}.

order() -> [self() ! I || I <- [1, 2, 3]], tlib:drain([]).
selective() -> [self() ! X || X <- [a, b, c]], B = receive b -> got_b end, {B, tlib:drain([])}.

selective_last() ->
    [self() ! I || I <- lists:seq(1, 100)],
    receive 100 -> ok end,
    length(tlib:drain([])).

selective_guard() ->
    [self() ! I || I <- [1, 5, 2, 9]],
    X = receive N when N > 4 -> N end,
    Y = receive M when M > 5 -> M end,
    {X, Y, tlib:drain([])}.

selective_bound() ->
    R = make_ref(),
    self() ! {make_ref(), x},
    self() ! {R, y},
    receive {R, V} -> V end.

selective_tuple() ->
    [self() ! M || M <- [{a, 1}, {b, 2}, {a, 3}]],
    receive {b, X} -> {X, tlib:drain([])} end.

several_clauses() ->
    [self() ! M || M <- [{stop}, {add, 3}, {mul, 4}]],
    [receive {add, X} -> {add, X}; {mul, X} -> {mul, X}; {stop} -> stop end || _ <- [1, 2, 3]].

after_zero_empty() -> receive X -> X after 0 -> none end.
after_zero_full() -> self() ! m, receive X -> X after 0 -> none end.
after_zero_no_match() -> self() ! m, R = receive x -> x after 0 -> none end, {R, tlib:drain([])}.
after_only() -> receive after 1 -> woke end.
after_ms() -> receive never -> x after 5 -> timed_out end.
after_variable() -> T = ?ID(2), receive never -> x after T -> timed_out end.
after_infinity() -> self() ! x, receive x -> got after infinity -> never end.
after_infinity_variable() -> T = ?ID(infinity), self() ! x, receive x -> got after T -> never end.
after_bad() -> [?TRY(receive x -> x after ?ID(T) -> y end) || T <- [-1, a, 1.5, 1 bsl 40]].
after_body_effects() -> self() ! a, receive b -> no after 0 -> self() ! c end, tlib:drain([]).

timeout_then_message() ->
    S = self(),
    receive x -> early after 1 -> ok end,
    S ! x,
    receive x -> late end.

nested_receive() ->
    [self() ! X || X <- [1, 2, 3]],
    receive 2 -> receive 1 -> receive 3 -> nested end end end.

receive_in_fun() -> F = fun() -> receive {v, V} -> V end end, self() ! {v, 7}, F().

ping_pong() ->
    P = spawn(fun() -> pong(0) end),
    L = [begin P ! {ping, self(), I}, receive {pong, J} -> J end end || I <- [1, 2, 3]],
    P ! stop,
    L.

pong(N) -> receive {ping, From, I} -> From ! {pong, I * 10 + N}, pong(N + 1); stop -> ok end.
ring() -> ring(10, 20).
ring(N, Rounds) ->
    S = self(),
    First = lists:foldl(fun(_, Next) -> spawn(fun() -> forward(Next) end) end, S,
                        lists:seq(1, N)),
    R = rounds(First, Rounds, 0),
    First ! stop,
    receive stop -> R end.

rounds(_, 0, Acc) -> Acc;
rounds(First, N, Acc) ->
    First ! Acc + 1,
    receive X when is_integer(X) -> rounds(First, N - 1, X) end.

forward(Next) -> receive stop -> Next ! stop; X -> Next ! X, forward(Next) end.

many_senders() ->
    S = self(),
    [spawn(fun() -> S ! {from, I} end) || I <- lists:seq(1, 50)],
    lists:sort([receive {from, I} -> I end || _ <- lists:seq(1, 50)]).

fifo_per_pair() ->
    S = self(),
    spawn(fun() -> [S ! I || I <- lists:seq(1, 200)] end),
    [receive X -> X end || _ <- lists:seq(1, 200)] =:= lists:seq(1, 200).

large_message() ->
    S = self(),
    T = lists:seq(1, 10000),
    spawn(fun() -> S ! {T, self()} end),
    receive {L, P} -> {L =:= T, is_pid(P)} end.

deep_message() ->
    S = self(),
    T = lists:foldl(fun(I, A) -> {I, [A]} end, [], lists:seq(1, 1000)),
    spawn(fun() -> S ! T end),
    receive M -> M =:= T end.

all_kinds() ->
    T = {1, 1 bsl 70, 1.5, a, "l", <<"bin">>, <<1:3>>, #{k => [v]}, {}, [], fun lists:map/2},
    S = self(),
    spawn(fun() -> S ! T end),
    receive M -> M end.

sub_binary_message() ->
    <<_, R/binary>> = binary:copy(<<"abcdefgh">>, 20),
    S = self(),
    spawn(fun() -> S ! R end),
    receive M -> {byte_size(M), M =:= R} end.

dead_process() -> P = spawn(fun() -> ok end), tlib:await_down(P), P ! hello.
bad_destinations() -> [?TRY(?ID(D) ! x) || D <- [1, "a", {}, nosuch, {a, b, c}, {1, node()}, <<>>]].

registered_destination() ->
    register(t_receive_name, self()),
    t_receive_name ! a,
    {t_receive_name, node()} ! b,
    erlang:send(t_receive_name, c),
    unregister(t_receive_name),
    tlib:drain([]).

unregistered_tuple_destination() -> {no_such_name_here, node()} ! x.

send_nosuspend() ->
    {erlang:send_nosuspend(self(), a), erlang:send_nosuspend(self(), b, []), tlib:drain([])}.

yield() -> {erlang:yield(), erlang:bump_reductions(100)}.

mailbox_length() ->
    [self() ! x || _ <- [1, 2, 3]],
    {message_queue_len, N} = process_info(self(), message_queue_len),
    {N, length(tlib:drain([]))}.

counter_server() ->
    P = spawn(fun() -> counter(0) end),
    [P ! inc || _ <- lists:seq(1, 100)],
    P ! {get, self()},
    receive {value, V} -> V end.

counter(N) -> receive inc -> counter(N + 1); {get, P} -> P ! {value, N}, counter(N) end.

priority_receive() ->
    [self() ! M || M <- [{low, 1}, {low, 2}, {high, 3}, {low, 4}, {high, 5}]],
    prio().

prio() -> receive {high, X} -> [X | prio()] after 0 -> rest() end.
rest() -> receive {low, X} -> [X | rest()] after 0 -> [] end.

flush_until() ->
    [self() ! I || I <- lists:seq(1, 5)],
    self() ! stop,
    self() ! 6,
    R = until_stop([]),
    {R, tlib:drain([])}.

until_stop(Acc) -> receive stop -> lists:reverse(Acc); X -> until_stop([X | Acc]) end.

binary_pattern() ->
    self() ! <<"ab">>,
    self() ! <<"xy">>,
    receive <<"x", R/binary>> -> {R, tlib:drain([])} end.

map_pattern() ->
    self() ! #{a => 1},
    self() ! #{b => 2},
    receive #{b := X} -> {X, tlib:drain([])} end.

marker_reply() ->
    P = spawn(fun() -> receive {F, R, X} -> F ! {R, X + 1} end end),
    [self() ! noise || _ <- lists:seq(1, 50)],
    R = make_ref(),
    P ! {self(), R, 41},
    V = receive {R, X} -> X end,
    {V, length(tlib:drain([]))}.

marker_monitor() ->
    [self() ! noise || _ <- lists:seq(1, 50)],
    {P, M} = spawn_monitor(fun() -> exit(done) end),
    R = receive {'DOWN', M, process, P, X} -> X end,
    {R, length(tlib:drain([]))}.

parallel_map() ->
    S = self(),
    Rs = [begin R = make_ref(), spawn(fun() -> S ! {R, X * X} end), R end
          || X <- lists:seq(1, 20)],
    [receive {R, V} -> V end || R <- Rs].

recursive_fib() -> pfib(8).
pfib(N) when N < 2 -> N;
pfib(N) ->
    S = self(),
    A = spawn(fun() -> S ! {self(), pfib(N - 1)} end),
    B = spawn(fun() -> S ! {self(), pfib(N - 2)} end),
    receive {A, X} -> receive {B, Y} -> X + Y end end.

hibernate() ->
    S = self(),
    P = spawn(fun() -> proc_hib(S) end),
    receive ready -> ok end,
    P ! wake,
    receive R -> R end.

proc_hib(S) -> S ! ready, erlang:hibernate(?MODULE, woken, [S, x]).
woken(S, X) -> receive wake -> S ! {woken, X} end.
