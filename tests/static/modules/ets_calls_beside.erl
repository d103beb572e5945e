%% One race of the server with reset/1, and with --calls another one of inc/1 by the same calls of ETS.
-module(ets_calls_beside).
-behaviour(gen_server).
-export([start_link/0, inc/1, reset/1, init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

inc(Key) -> gen_server:call(?MODULE, {put, Key, value(Key) + 1}).

reset(Key) -> ets:insert(ets_calls_beside, {Key, 0}).

init([]) ->
    ets:new(ets_calls_beside, [named_table, public]),
    {ok, none}.

value(Key) -> ets:lookup_element(ets_calls_beside, Key, 2).     %% read: a %% read: b [--calls]

handle_call({put, Key, Value}, _From, S) ->
    {reply, ets:insert(ets_calls_beside, {Key, Value}), S};      %% write: b [--calls]
handle_call({inc, Key}, _From, S) ->
    {reply, ets:insert(ets_calls_beside, {Key, value(Key) + 1}), S}. %% write: a

handle_cast(_, S) -> {noreply, S}.
