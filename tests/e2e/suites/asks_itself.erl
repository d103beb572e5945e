%% A server that calls itself: gen_server refuses it in every schedule. The test sees that as the end
%% of the call or as the exit signal of the server, as the schedule decides.
-module(asks_itself).
-behaviour(gen_server).
-export([run/0, init/1, handle_call/3, handle_cast/2]).

run() ->
    {ok, Server} = gen_server:start_link(?MODULE, none, []),
    gen_server:call(Server, {ask, Server}, infinity).

init(State) -> {ok, State}.

handle_call({ask, Server}, _, State) -> {reply, gen_server:call(Server, ping, infinity), State};
handle_call(ping, _, State) -> {reply, pong, State}.

handle_cast(_, State) -> {noreply, State}.
