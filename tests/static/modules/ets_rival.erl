%% A server with two ways to do its work: ets_rival_other creates a table of the same name, so the
%% two are never there at once, and what the other one writes is not written in between.
%% with: ets_rival_other.erl
-module(ets_rival).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

init([]) ->
    ets:new(ets_rival, [named_table, public]),
    {ok, none}.

handle_call({inc, Key}, _From, S) ->
    N = case ets:lookup(ets_rival, Key) of [] -> 0; [{_, V}] -> V end,
    ets:insert(ets_rival, {Key, N + 1}),
    {reply, N + 1, S}.

handle_cast(_, S) -> {noreply, S}.
