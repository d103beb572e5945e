%% Both the server and its clients can call drop/2, but a client gets there only in a clause after
%% those of the kinds that the server keeps to itself.
-module(server_last_clause).
-behaviour(gen_server).
-export([start_link/0, add/1, forget/1]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

add(Key) -> gen_server:call(?MODULE, {add, Key}).

forget({Kind, _} = Key) ->
    case Kind of
        name -> gen_server:call(?MODULE, {drop, Key});
        alias -> gen_server:call(?MODULE, {drop, Key});
        _ -> drop(Kind, Key)
    end.

drop(name, Key) -> ets:delete(last_clause, {Key, name});
drop(alias, Key) -> ets:delete(last_clause, {Key, alias});
drop(_, Key) -> ets:delete(last_clause, {Key, other}).

init([]) -> {ok, ets:new(last_clause, [named_table, public])}.

handle_call({add, Key}, _, State) ->
    case ets:lookup(last_clause, {Key, name}) of
        [] -> {reply, ets:insert(last_clause, {{Key, name}, 1}), State};
        [{_, N}] -> {reply, ets:insert(last_clause, {{Key, name}, N + 1}), State}
    end;
handle_call({drop, {Kind, _} = Key}, _, State) ->
    {reply, drop(Kind, Key), State}.

handle_cast(_, State) -> {noreply, State}.
