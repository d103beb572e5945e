%% Small programs whose result depends on the order of things, each kind of race once. What each
%% prints is its outcome; tests/explore/outcomes checks that dpor finds exactly those of dfs.
-module(orders).
-export([all/0, senders/0, two_kinds/0, poll/0, timeout_then_poll/0, insert_new/0, register_name/0,
         kill/0, exits/0, kill_or_go/0, alive/0, timer/0, cancel/0, counter/0, server/0, nested/0,
         name_goes/0, exit_or_message/0, timed_receive/0, unlinked/0, two_keys/0, queue_length/0,
         demonitored/0]).

all() ->
    [F || {F, 0} <- module_info(exports), F =/= all, F =/= module_info].

show(Result) -> erlang:display(Result).

collect(N) -> [receive {result, V} -> V end || _ <- lists:seq(1, N)].

flush() -> receive X -> [X | flush()] after 0 -> [] end.

run(Funs) -> [spawn(F) || F <- Funs].

senders() ->
    S = self(),
    run([fun() -> S ! {result, I} end || I <- [1, 2, 3]]),
    show(collect(3)).

two_kinds() ->
    S = self(),
    run([fun() -> S ! {I rem 2, I} end || I <- [1, 2, 3]]),
    A = receive {1, X} -> X end,
    B = receive {0, Y} -> Y end,
    show({A, B}).

poll() ->
    S = self(),
    run([fun() -> S ! a end]),
    show(receive a -> got after 0 -> none end).

timeout_then_poll() ->
    S = self(),
    run([fun() -> S ! a end]),
    A = receive a -> got after 10 -> none end,
    show({A, receive a -> got after 0 -> none end}).

insert_new() ->
    T = ets:new(t, [public]),
    S = self(),
    run([fun() -> S ! {result, {I, ets:insert_new(T, {k, I})}} end || I <- [1, 2]]),
    show({lists:sort(collect(2)), ets:lookup(T, k)}).

register_name() ->
    S = self(),
    run([fun() -> S ! {result, {I, (catch register(foo, self())) =:= true}} end || I <- [1, 2]]),
    show(lists:sort(collect(2))).

kill() ->
    S = self(),
    P = spawn(fun() -> S ! one, S ! two, receive x -> ok end end),
    M = monitor(process, P),
    exit(P, kill),
    Reason = receive {'DOWN', M, _, _, R} -> R end,
    show({Reason, flush()}).

exits() ->
    process_flag(trap_exit, true),
    [spawn_link(fun() -> exit(R) end) || R <- [a, b]],
    A = receive {'EXIT', _, X} -> X end,
    B = receive {'EXIT', _, Y} -> Y end,
    show({A, B}).

kill_or_go() ->
    S = self(),
    P = spawn(fun() -> receive go -> S ! went end end),
    run([fun() -> P ! go end, fun() -> exit(P, die) end]),
    M = monitor(process, P),
    Reason = receive {'DOWN', M, _, _, R} -> R end,
    show({Reason, flush()}).

alive() ->
    P = spawn(fun() -> ok end),
    Alive = is_process_alive(P),
    M = monitor(process, P),
    show({Alive, receive {'DOWN', M, _, _, R} -> R end}).

timer() ->
    S = self(),
    erlang:send_after(10, S, tick),
    run([fun() -> S ! message end]),
    A = receive X -> X end,
    show({A, receive Y -> Y end}).

cancel() ->
    S = self(),
    R = erlang:send_after(10, S, tick),
    run([fun() -> S ! message end]),
    receive message -> ok end,
    show({erlang:cancel_timer(R) =:= false, flush()}).

counter() ->
    C = counters:new(1, []),
    S = self(),
    run([fun() ->
                 V = counters:get(C, 1),
                 counters:put(C, 1, V + I),
                 S ! {result, V}
         end || I <- [1, 2]]),
    Seen = collect(2),
    show({Seen, counters:get(C, 1)}).

server() ->
    S = self(),
    P = spawn(fun() -> serve(S, []) end),
    run([fun() -> P ! {add, 1} end, fun() -> P ! {add, 2} end, fun() -> P ! stop end]),
    show(collect(1)).

serve(S, Seen) ->
    receive
        {add, I} -> serve(S, [I | Seen]);
        stop -> S ! {result, Seen}
    end.

nested() ->
    S = self(),
    P = spawn(fun() ->
                      receive
                          a -> receive b -> S ! {result, ab} end;
                          b -> S ! {result, b}
                      end
              end),
    run([fun() -> P ! a end, fun() -> P ! b end]),
    show(collect(1)).

name_goes() ->
    S = self(),
    register(server, spawn(fun() -> receive stop -> ok end end)),
    run([fun() -> server ! stop end, fun() -> S ! {result, whereis(server) =:= undefined} end]),
    show(collect(1)).

exit_or_message() ->
    S = self(),
    P = spawn(fun() ->
                      process_flag(trap_exit, true),
                      S ! ready,
                      receive X -> S ! {result, X} after 5 -> S ! {result, late} end
              end),
    receive ready -> ok end,
    run([fun() -> exit(P, foo) end, fun() -> P ! hello end]),
    show(case collect(1) of [{'EXIT', _, R}] -> R; Other -> Other end).

timed_receive() ->
    S = self(),
    P = spawn(fun() -> receive X -> S ! {result, X} after 5 -> S ! {result, late} end end),
    run([fun() -> P ! a end, fun() -> P ! b end]),
    show(collect(1)).

unlinked() ->
    S = self(),
    P = spawn_link(fun() -> receive X -> S ! {result, X} end end),
    unlink(P),
    run([fun() -> P ! a end, fun() -> exit(P, stop) end]),
    M = monitor(process, P),
    Reason = receive {'DOWN', M, _, _, R} -> R end,
    show({Reason, flush()}).

two_keys() ->
    S = self(),
    T = ets:new(t, [public]),
    run([fun() -> ets:insert(T, {a, 1}), ets:insert(T, {b, 1}), S ! {result, 1} end,
         fun() -> ets:insert(T, {b, 2}), ets:insert(T, {a, 2}), S ! {result, 2} end]),
    collect(2),
    show({ets:lookup(T, a), ets:lookup(T, b)}).

queue_length() ->
    S = self(),
    run([fun() -> S ! {result, process_info(S, message_queue_len)} end || _ <- [1, 2]]),
    show(collect(2)).

demonitored() ->
    S = self(),
    P = spawn(fun() ->
                      M = monitor(process, S),
                      receive {x, _} -> ok after 0 -> ok end,
                      demonitor(M),
                      S ! {result, flush()}
              end),
    P ! {x, 1},
    show(collect(1)).
