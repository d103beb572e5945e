%% Each call is serialised; the two together are not.
-module(ets_calls).
-behaviour(gen_server).
-export([start_link/0, inc/1, init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

inc(Key) ->
    N = gen_server:call(?MODULE, {get, Key}),
    gen_server:call(?MODULE, {put, Key, N + 1}).

init([]) ->
    ets:new(ets_calls, [named_table, public]),
    {ok, none}.

handle_call({get, Key}, _From, S) ->
    {reply, ets:lookup_element(ets_calls, Key, 2), S};           %% read: a [--calls]
handle_call({put, Key, Value}, _From, S) ->
    {reply, ets:insert(ets_calls, {Key, Value}), S}.             %% write: a [--calls]

handle_cast(_, S) -> {noreply, S}.
