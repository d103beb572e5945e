%% Like server_own_keys, but a process may also give up a name itself: the server is not alone.
-module(server_shared_keys).
-behaviour(gen_server).
-export([start_link/0, name/2, forget/2]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

name(Type, Name) -> gen_server:call(?MODULE, {name, {Type, Name}}).

forget(Type, Name) when Type == alias; Type == property ->
    ets:delete(shared_keys, {{Type, Name}, Type}).

init([]) -> {ok, ets:new(shared_keys, [named_table, public])}.

handle_call({name, {Type, _} = Key}, {Pid, _}, State) when Type == name; Type == alias ->
    case ets:lookup(shared_keys, {Key, Type}) of %% read: a
        [] -> {reply, ets:insert(shared_keys, {{Key, Type}, Pid}), State}; %% write: a
        [_] -> {reply, false, State}
    end.

handle_cast(_, State) -> {noreply, State}.
