%% Both ends run only in the callbacks of the one server of that name.
-module(ets_server).
-behaviour(gen_server).
-export([start_link/0, inc/1, init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

inc(Key) -> gen_server:call(?MODULE, {inc, Key}).

init([]) ->
    ets:new(ets_server, [named_table, public]),
    {ok, none}.

handle_call({inc, Key}, _From, S) ->
    N = case ets:lookup(ets_server, Key) of [] -> 0; [{_, V}] -> V end,
    ets:insert(ets_server, {Key, N + 1}),
    {reply, N + 1, S}.

handle_cast(_, S) -> {noreply, S}.
