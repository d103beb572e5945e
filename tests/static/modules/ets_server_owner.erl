%% A server without a name; but it creates a table with one, so a second one would fail.
-module(ets_server_owner).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link(?MODULE, [], []).

init([]) ->
    ets:new(ets_server_owner, [named_table, public]),
    {ok, none}.

handle_call({inc, Key}, _From, S) ->
    N = case ets:lookup(ets_server_owner, Key) of [] -> 0; [{_, V}] -> V end,
    ets:insert(ets_server_owner, {Key, N + 1}),
    {reply, N + 1, S}.

handle_cast(_, S) -> {noreply, S}.
