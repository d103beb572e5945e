%% Like server_last_clause, but a client drops names, too.
-module(server_first_clause).
-behaviour(gen_server).
-export([start_link/0, add/1, forget/1]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

add(Key) -> gen_server:call(?MODULE, {add, Key}).

forget({Kind, _} = Key) ->
    case Kind of
        alias -> gen_server:call(?MODULE, {drop, Key});
        _ -> drop(Kind, Key)
    end.

drop(name, Key) -> ets:delete(first_clause, {Key, name});
drop(alias, Key) -> ets:delete(first_clause, {Key, alias});
drop(_, Key) -> ets:delete(first_clause, {Key, other}).

init([]) -> {ok, ets:new(first_clause, [named_table, public])}.

handle_call({add, Key}, _, State) ->
    case ets:lookup(first_clause, {Key, name}) of                             %% read: a
        [] -> {reply, ets:insert(first_clause, {{Key, name}, 1}), State};        %% write: a
        [{_, N}] -> {reply, ets:insert(first_clause, {{Key, name}, N + 1}), State} %% write: a
    end;
handle_call({drop, {Kind, _} = Key}, _, State) ->
    {reply, drop(Kind, Key), State}.

handle_cast(_, State) -> {noreply, State}.
