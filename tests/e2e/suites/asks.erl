%% Calls that fail in several guises: the test sees the end of the server as the end of its call, as an
%% exit signal, or as a name that is not registered.
-module(asks).
-behaviour(gen_server).
-export([itself/0, restarted/0, init/1, handle_call/3, handle_cast/2]).

%% gen_server refuses that in every schedule.
itself() ->
    {ok, Server} = gen_server:start_link(?MODULE, none, []),
    gen_server:call(Server, {ask, Server}, infinity).

%% Passes only if the second server is registered before the call.
restarted() ->
    {ok, First} = gen_server:start({local, asked}, ?MODULE, none, []),
    spawn(fun() ->
        Monitor = monitor(process, First),
        receive {'DOWN', Monitor, _, _, _} -> ok end,
        gen_server:start({local, asked}, ?MODULE, none, [])
    end),
    gen_server:cast(First, stop),
    pong = gen_server:call(asked, ping, infinity).

init(State) -> {ok, State}.

handle_call({ask, Server}, _, State) -> {reply, gen_server:call(Server, ping, infinity), State};
handle_call(ping, _, State) -> {reply, pong, State}.

handle_cast(stop, State) -> {stop, crash, State}.
