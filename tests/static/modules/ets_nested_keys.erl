%% The key that clients write was chosen by two tests, one after the other: k1 is among the choices.
-module(ets_nested_keys).
-behaviour(gen_server).
-export([start_link/0, put/3, init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

put(X, Y, V) -> write(X, Y, V).

write(X, Y, V) ->
    A = case X of 1 -> k1; 2 -> k2; _ -> k3 end,
    io:format("~p~n", [A]),
    B = case Y of 1 -> A; _ -> k9 end,
    ets:insert(ets_nested_keys, {B, V}).

init([]) ->
    ets:new(ets_nested_keys, [named_table, public]),
    {ok, none}.

handle_call(inc, _From, S) ->
    [{_, N}] = ets:lookup(ets_nested_keys, k1),      %% read: a
    ets:insert(ets_nested_keys, {k1, N + 1}),        %% write: a
    {reply, ok, S}.

handle_cast(_, S) -> {noreply, S}.
