%% No behaviour attribute: known as a server from the call that starts it.
-module(ets_server_start).
-export([start_link/0, init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

init([]) ->
    ets:new(ets_server_start, [named_table, public]),
    {ok, none}.

handle_call({inc, Key}, _From, S) ->
    N = case ets:lookup(ets_server_start, Key) of [] -> 0; [{_, V}] -> V end,
    ets:insert(ets_server_start, {Key, N + 1}),
    {reply, N + 1, S}.

handle_cast(_, S) -> {noreply, S}.
