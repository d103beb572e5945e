%% A loop that polls, and messages that it does not take. Whether a turn of the loop was void depended on
%% whether such a message came in between, although the two are independent: dpor left out a run.
-module(polled_beside_noise).
-export([child/2, run/0]).

child(P, V) ->
    proc_lib:init_ack({ok, self()}),
    receive after 10 -> P ! {a, V, x} end.
poll(W, F) -> case F() of true -> seen; _ -> receive after W -> poll(W, F) end end.
poll(_, 0, _) -> none;
poll(W, N, F) -> case F() of true -> N; _ -> receive after W -> poll(W, N - 1, F) end end.
poll_for(G, W) -> receive {G, V, _} -> V after W -> poll_for(G, W) end.
do(Number, F) -> put(Number, try F() catch _:R when is_atom(R) -> R; _:_ -> failed end).
hit(Number) -> not lists:member(get(Number), [undefined, false, [], 0, none, badarg, true]).
plain(V) when is_reference(V) -> reference;
plain([H | T]) -> [plain(H) | plain(T)];
plain(V) when is_tuple(V) -> list_to_tuple(plain(tuple_to_list(V)));
plain(V) -> V.
seen() -> lists:sort([{N, plain(V)} || {N, V} <- get(), is_integer(N)]).
tell(S, N) -> S ! {seen, N, seen(), x}.
gather([]) -> ok;
gather([{N, M} | Rest]) ->
    Reason = receive {'DOWN', M, _, _, R} -> plain(R) end,
    erlang:display({N, Reason, receive {seen, N, V, x} -> V after 0 -> nothing end}),
    gather(Rest).
ends(Monitors) ->
    erlang:display([receive {'DOWN', M, _, _, R} -> {N, plain(R)} end || {N, M} <- Monitors]).

run() ->
    S = self(),
    T1 = ets:new(x, [bag, public]),
    {P1, M1} = spawn_monitor(fun() ->
        tell(S, 1) end),
    {P2, M2} = spawn_monitor(fun() ->
        tell(S, 2) end),
    {P3, M3} = spawn_monitor(fun() ->
        do(4, fun() -> ets:insert(T1, {k1, 2}) end),
        tell(S, 3) end),
    do(1, fun() -> poll(5, fun() -> ets:member(T1, k1) end) end),
    gather([{1, M1}, {2, M2}, {3, M3}]),
    Left = [catch lists:sort(ets:tab2list(T)) || T <- [T1]],
    erlang:display({seen(), [plain(L) || L <- Left, is_list(L)], none, none}).
