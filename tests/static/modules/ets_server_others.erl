%% The same, but clients write the table, too.
-module(ets_server_others).
-behaviour(gen_server).
-export([start_link/0, reset/1, init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

reset(Key) -> ets:insert(ets_server_others, {Key, 0}).

init([]) ->
    ets:new(ets_server_others, [named_table, public]),
    {ok, none}.

handle_call({inc, Key}, _From, S) ->
    N = case ets:lookup(ets_server_others, Key) of [] -> 0; [{_, V}] -> V end,  %% read: a
    ets:insert(ets_server_others, {Key, N + 1}),                                %% write: a
    {reply, N + 1, S}.

handle_cast(_, S) -> {noreply, S}.
