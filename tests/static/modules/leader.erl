%% A server of a behaviour that is known by the call that starts it: the module does not name it.
-module(leader).
-export([start_link/0, init/1, handle_leader_call/4, handle_leader_cast/3]).

start_link() -> gen_leader:start_link(leader, [node()], [], ?MODULE, [], []).

init([]) -> {ok, ets:new(leader, [named_table, public])}.

handle_leader_call({inc, Key}, _, State, _) ->
    [{_, N}] = ets:lookup(leader, Key),
    ets:insert(leader, {Key, N + 1}),
    {reply, N, State}.

handle_leader_cast({drop, Key}, State, _) ->
    ets:delete(leader, Key),
    {ok, State}.
