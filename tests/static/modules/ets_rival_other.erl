%% The same with workers: they write while the server reads and writes.
-module(ets_rival_other).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

init([]) ->
    ets:new(ets_rival, [named_table, public]),
    {ok, none}.

handle_call({inc, Key}, _From, S) ->
    N = case ets:lookup(ets_rival, Key) of [] -> 0; [{_, V}] -> V end,  %% read: a
    ets:insert(ets_rival, {Key, N + 1}),                                %% write: a
    {reply, N + 1, S}.

handle_cast({reset, Key, How}, S) ->
    spawn(fun() -> reset(How, Key) end),
    {noreply, S}.

reset(now, Key) -> ets:insert(ets_rival, {Key, 0});
reset(never, _) -> ok.
