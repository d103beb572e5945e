-module(sess).
-export([expire/0, stale/0, lock/0, pubsub/0, ack/0]).

%% ETS session store: read-then-write loses an update
expire() ->
    ets:new(sessions, [named_table, public]),
    ets:insert(sessions, {bob, 0, active}),
    Me = self(),
    spawn_link(fun() ->
        [{bob, N, S}] = ets:lookup(sessions, bob),
        ets:insert(sessions, {bob, N + 1, S}),
        Me ! ok end),
    spawn_link(fun() ->
        [{bob, N, _}] = ets:lookup(sessions, bob),
        ets:insert(sessions, {bob, N, closed}),
        Me ! ok end),
    [receive ok -> ok end || _ <- [1, 2]],
    [{bob, 1, closed}] = ets:lookup(sessions, bob).

%% Stale timer message
stale() ->
    Ref = erlang:send_after(10, self(), tick),
    receive
        tick -> first
    after 10 ->
        erlang:cancel_timer(Ref)
    end,
    receive tick -> exit(ticked_twice) after 0 -> ok end.

%% A lock server that forgets to monitor its holder
lock() ->
    L = spawn(fun() -> free() end),
    Me = self(),
    P1 = spawn(fun() -> L ! {lock, self()}, receive locked -> ok end, L ! {unlock, self()}, Me ! done end),
    spawn(fun() -> exit(P1, kill) end),
    spawn(fun() -> L ! {lock, self()}, receive locked -> ok end, L ! {unlock, self()}, Me ! done end),
    receive done -> ok end.

free() -> receive {lock, P} -> P ! locked, held(P) end.
held(P) -> receive {unlock, P} -> free() end.

%% Subscribe after publish: lost event
pubsub() ->
    Bus = spawn(fun() -> bus([]) end),
    Me = self(),
    spawn(fun() -> Bus ! {publish, hello} end),
    Bus ! {subscribe, Me},
    receive {event, hello} -> ok end.

bus(Subs) ->
    receive
        {subscribe, P} -> bus([P | Subs]);
        {publish, E} -> [P ! {event, E} || P <- Subs], bus(Subs)
    end.

%% Acknowledgements matched in a fixed order with a catch-all that drops
ack() ->
    Me = self(),
    [spawn(fun() -> Me ! {ack, N} end) || N <- [1, 2]],
    wait_ack(1),
    wait_ack(2).

wait_ack(N) ->
    receive
        {ack, N} -> ok;
        Other -> logger_drop(Other), wait_ack(N)
    end.

logger_drop(_) -> ok.
