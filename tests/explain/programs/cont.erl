-module(cont).
-behaviour(gen_server).
-export([start/0, get/1, put/3, test/0, init/1, handle_continue/2, handle_call/3, handle_cast/2]).

start() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).
get(K) -> gen_server:call(?MODULE, {get, K}).
put(S, K, V) -> gen_server:cast(S, {put, K, V}).

init([]) ->
    T = ets:new(cont_table, [named_table, public]),
    {ok, T, {continue, load}}.

handle_continue(load, T) ->
    ets:insert(T, {colour, red}),
    {noreply, T}.

handle_call({get, K}, _From, T) ->
    [{K, V}] = ets:lookup(T, K),
    {reply, V, T}.

handle_cast({put, K, V}, T) ->
    ets:insert(T, {K, V}),
    {noreply, T}.

test() ->
    {ok, _} = start(),
    %% the reader goes past the server
    Reader = spawn_monitor(fun() -> [{colour, red}] = ets:lookup(cont_table, colour) end),
    {P, R} = Reader,
    receive {'DOWN', R, process, P, normal} -> ok end.
