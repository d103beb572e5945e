%% Like server_pid_first, but the keys of clients may be those of the server.
-module(server_pid_second).
-behaviour(gen_server).
-export([start_link/0, add/1, again/1, leave/1]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

add(Key) -> gen_server:call(?MODULE, {add, Key}).

again(Key) -> gen_server:call(?MODULE, {again, Key}).

leave(Key) -> ets:delete(pid_second, {Key, self()}).

init([]) -> {ok, ets:new(pid_second, [named_table, public])}.

handle_call({add, {Kind, _} = Key}, _, State) ->
    case ets:lookup(pid_second, {Key, Kind}) of                          %% read: a
        [] -> {reply, ets:insert(pid_second, {{Key, Kind}, 1}), State};        %% write: a
        [{_, N}] -> {reply, ets:insert(pid_second, {{Key, Kind}, N + 1}), State} %% write: a
    end;
handle_call({again, {Kind, _} = Key}, _, State) ->
    [{Known, N}] = ets:lookup(pid_second, {Key, Kind}), %% read: b
    {reply, ets:insert(pid_second, {Known, N + 1}), State}. %% write: b

handle_cast(_, State) -> {noreply, State}.
