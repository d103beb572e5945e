%% Processes that never wait: the others get their turn all the same.
-module(t_turns).
-export([loop_beside_timer/0, loop_is_killed/0, two_loops/0, poll_a_table/0, poll_alive/0,
         loop_by_fun/0, loop_by_apply/0, loop_by_export/0, recursion_beside/0,
         deep_fun_loop/0]).
-export([again/1, by_apply/3, count_down/2]).

again(X) -> ?MODULE:again(X).

end_of(P, M) ->
    exit(P, kill),
    receive {'DOWN', M, process, P, R} -> R end.

loop_beside_timer() ->
    {P, M} = spawn_monitor(fun() -> again(1) end),
    T = receive nothing -> early after 20 -> late end,
    {T, end_of(P, M)}.

loop_is_killed() ->
    {P, M} = spawn_monitor(fun Loop() -> Loop() end),
    end_of(P, M).

two_loops() ->
    A = spawn_monitor(fun Loop() -> Loop() end),
    B = spawn_monitor(fun Loop() -> Loop() end),
    [end_of(P, M) || {P, M} <- [A, B]].

poll_a_table() ->
    T = ets:new(t, [public]),
    ets:insert(T, {flag, down}),
    spawn(fun() -> ets:insert(T, {flag, up}) end),
    poll(T).

poll(T) ->
    case ets:lookup(T, flag) of
        [{flag, up}] -> up;
        _ -> poll(T)
    end.

poll_alive() ->
    P = spawn(fun() -> lists:seq(1, 1000) end),
    wait_for_end(P).

wait_for_end(P) ->
    case is_process_alive(P) of
        true -> wait_for_end(P);
        false -> gone
    end.

loop_by_fun() ->
    F = fun(G) -> G(G) end,
    {P, M} = spawn_monitor(fun() -> F(F) end),
    end_of(P, M).

loop_by_apply() ->
    {P, M} = spawn_monitor(fun() -> by_apply(?MODULE, by_apply, []) end),
    receive after 1 -> ok end,
    end_of(P, M).

by_apply(M, F, A) -> apply(M, F, [M, F, A]).

loop_by_export() ->
    {P, M} = spawn_monitor(?MODULE, again, [x]),
    receive after 1 -> ok end,
    end_of(P, M).

recursion_beside() ->
    S = self(),
    P = spawn_link(fun() -> S ! {self(), fib(18)} end),
    Q = spawn_link(fun() -> S ! {self(), fib(5)} end),
    [receive {X, R} -> R end || X <- [P, Q]].

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).

%% A tail call of a fun takes no memory, however often.
deep_fun_loop() ->
    F = fun(_, 0) -> done; (G, N) -> G(G, N - 1) end,
    {F(F, 1000000), by_export(fun ?MODULE:count_down/2, 1000000)}.

by_export(F, N) -> F(F, N).

count_down(_, 0) -> done;
count_down(F, N) -> F(F, N - 1).
