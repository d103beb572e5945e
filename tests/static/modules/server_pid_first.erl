%% Clients delete keys that begin with their pid. Those of the server begin with a tuple, which is
%% seen from its first element, and in the second function from the key of the object read.
-module(server_pid_first).
-behaviour(gen_server).
-export([start_link/0, add/1, again/1, leave/1]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

add(Key) -> gen_server:call(?MODULE, {add, Key}).

again(Key) -> gen_server:call(?MODULE, {again, Key}).

leave(Key) -> ets:delete(pid_first, {self(), Key}).

init([]) -> {ok, ets:new(pid_first, [named_table, public])}.

handle_call({add, {Kind, _} = Key}, _, State) ->
    case ets:lookup(pid_first, {Key, Kind}) of
        [] -> {reply, ets:insert(pid_first, {{Key, Kind}, 1}), State};
        [{_, N}] -> {reply, ets:insert(pid_first, {{Key, Kind}, N + 1}), State}
    end;
handle_call({again, {Kind, _} = Key}, _, State) ->
    [{Known, N}] = ets:lookup(pid_first, {Key, Kind}),
    {reply, ets:insert(pid_first, {Known, N + 1}), State}.

handle_cast(_, State) -> {noreply, State}.
