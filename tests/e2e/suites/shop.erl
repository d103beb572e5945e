%% A small application: a supervisor with one server, configured by its environment.
-module(shop).
-behaviour(application).
-behaviour(gen_server).
-export([start/2, stop/1, start_link/0, init/1, handle_call/3, handle_cast/2]).
-export([price_is_configured/0, two_sales/0, fill/0, bad_fill/0, is_filled/0]).

start(_, _) -> supervisor:start_link({local, shop_sup}, ?MODULE, sup).
stop(_) -> ok.

start_link() -> gen_server:start_link({local, shop}, ?MODULE, server, []).

init(sup) ->
    {ok, {#{}, [#{id => server, start => {?MODULE, start_link, []}}]}};
init(server) ->
    {ok, 0}.

handle_call(sell, _, Sold) -> {reply, Sold + 1, Sold + 1}.
handle_cast(_, Sold) -> {noreply, Sold}.

price_is_configured() -> {ok, 42} = application:get_env(shop, price).

two_sales() ->
    Self = self(),
    [spawn(fun() -> Self ! {sold, gen_server:call(shop, sell)} end) || _ <- [1, 2]],
    [1, 2] = lists:sort([receive {sold, N} -> N end || _ <- [1, 2]]).

fill() -> ets:new(stock, [named_table, public]).
bad_fill() -> error(nothing_there).
is_filled() -> stock = ets:info(stock, name).
