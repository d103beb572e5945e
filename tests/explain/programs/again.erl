%% A handler whose first clause goes on with another one.
-module(again).
-behaviour(gen_server).
-export([test/0, init/1, handle_call/3, handle_cast/2]).

init(N) -> {ok, N}.

handle_call(get, _From, N) ->
    {reply, N, N};
handle_call({add, M}, From, N) ->
    handle_call({put, N + M}, From, N);
handle_call({put, M}, _From, _N) ->
    {reply, ok, lists:max([M, 0])}.

handle_cast(_, N) -> {noreply, N}.

test() ->
    {ok, P} = gen_server:start_link(?MODULE, 0, []),
    spawn(fun() -> gen_server:call(P, {add, 1}) end),
    0 = gen_server:call(P, get).
