%% Servers without a name: there can be many, all on one table.
-module(ets_server_many).
-behaviour(gen_server).
-export([start_link/0, create/0, init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link(?MODULE, [], []).

create() -> ets:new(ets_server_many, [named_table, public]).

init([]) -> {ok, none}.

handle_call({inc, Key}, _From, S) ->
    N = case ets:lookup(ets_server_many, Key) of [] -> 0; [{_, V}] -> V end,    %% read: a
    ets:insert(ets_server_many, {Key, N + 1}),                                  %% write: a
    {reply, N + 1, S}.

handle_cast(_, S) -> {noreply, S}.
