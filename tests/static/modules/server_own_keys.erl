%% A registry: names are written by the server alone, properties by the process that has them, whose
%% pid is part of the key. No two processes write one key.
-module(server_own_keys).
-behaviour(gen_server).
-export([start_link/0, name/2, property/2]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

name(Type, Name) -> gen_server:call(?MODULE, {name, {Type, Name}}).

property(Name, Value) ->
    Key = {{property, Name}, self()},
    case ets:lookup(own_keys, Key) of           %% read: a [--all]
        [] -> ets:insert(own_keys, {Key, Value, 1}); %% write: a [--all]
        [{_, _, N}] -> ets:insert(own_keys, {Key, Value, N + 1}) %% write: a [--all]
    end.

init([]) -> {ok, ets:new(own_keys, [named_table, public])}.

handle_call({name, {Type, _} = Key}, {Pid, _}, State) when Type == name; Type == alias ->
    case ets:lookup(own_keys, {Key, Type}) of
        [] -> {reply, ets:insert(own_keys, {{Key, Type}, Pid}), State};
        [_] -> {reply, false, State}
    end.

handle_cast(_, State) -> {noreply, State}.
