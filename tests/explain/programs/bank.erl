-module(bank).
-behaviour(gen_server).
-export([start_link/1, balance/1, withdraw/2, init/1, handle_call/3, handle_cast/2]).
-export([overdraw/0, transfer_cycle/0]).

start_link(N) -> gen_server:start_link(?MODULE, N, []).
balance(B) -> gen_server:call(B, balance).
withdraw(B, N) -> gen_server:call(B, {withdraw, N}).

init(N) -> {ok, N}.
handle_call(balance, _From, N) -> {reply, N, N};
handle_call({withdraw, M}, _From, N) -> {reply, ok, N - M};
handle_call({deposit, M}, _From, N) -> {reply, ok, N + M};
handle_call({transfer, M, To}, _From, N) ->
    ok = gen_server:call(To, {deposit, M}),
    {reply, ok, N - M}.
handle_cast(_, N) -> {noreply, N}.

overdraw() ->
    {ok, B} = start_link(100),
    Clients = [spawn_monitor(fun() ->
        case balance(B) >= 80 of
            true -> withdraw(B, 80);
            false -> no
        end
    end) || _ <- lists:seq(1, 2)],
    [receive {'DOWN', R, process, P, _} -> ok end || {P, R} <- Clients],
    true = balance(B) >= 0.

transfer_cycle() ->
    {ok, A} = start_link(10),
    {ok, B} = start_link(10),
    Me = self(),
    spawn_link(fun() -> ok = gen_server:call(A, {transfer, 1, B}, infinity), Me ! done end),
    spawn_link(fun() -> ok = gen_server:call(B, {transfer, 1, A}, infinity), Me ! done end),
    receive done -> ok end,
    receive done -> ok end.
