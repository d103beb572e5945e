%% Stock asks billing for the price, billing asks stock for the amount.
-module(orders).
-behaviour(gen_server).
-export([test/0, init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, _} = gen_server:start_link({local, stock}, ?MODULE, stock, []),
    {ok, _} = gen_server:start_link({local, billing}, ?MODULE, billing, []),
    Me = self(),
    spawn_link(fun() -> gen_server:call(stock, {order, pen}), Me ! done end),
    spawn_link(fun() -> gen_server:call(billing, {invoice, pen}), Me ! done end),
    receive done -> ok end,
    receive done -> ok end.

init(Who) -> {ok, Who}.

handle_call({order, Item}, _, stock) ->
    Price = gen_server:call(billing, {price, Item}, infinity),
    {reply, Price, stock};
handle_call({amount, _}, _, stock) ->
    {reply, 3, stock};
handle_call({invoice, Item}, _, billing) ->
    Amount = gen_server:call(stock, {amount, Item}, infinity),
    {reply, Amount * 2, billing};
handle_call({price, _}, _, billing) ->
    {reply, 2, billing}.

handle_cast(_, S) -> {noreply, S}.
