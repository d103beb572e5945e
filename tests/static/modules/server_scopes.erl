%% Client and server write one table, but their keys differ in the scope, which each of them tests.
-module(server_scopes).
-behaviour(gen_server).
-export([start_link/0, add/1, mark/1]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

add(Key) -> gen_server:call(?MODULE, {add, Key}).

mark({global, _} = Key) -> ets:insert(scopes, {Key, 0}).

init([]) -> {ok, ets:new(scopes, [named_table, public])}.

handle_call({add, {local, _} = Key}, _, State) ->
    case ets:lookup(scopes, Key) of
        [] -> {reply, ets:insert(scopes, {Key, 1}), State};
        [{_, N}] -> {reply, ets:insert(scopes, {Key, N + 1}), State}
    end.

handle_cast(_, State) -> {noreply, State}.
