%% Calls that fail in several guises: the test sees the end of the server as the end of its call, as an
%% exit signal, or as a name that is not registered.
-module(asks).
-behaviour(gen_server).
-export([itself/0, restarted/0, wrong/0, relayed/0, late/0, clock/0]).
-export([init/1, handle_call/3, handle_cast/2]).

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

%% The answer is another one in every schedule.
wrong() ->
    {ok, Server} = gen_server:start(?MODULE, none, []),
    ping = gen_server:call(Server, ping).

%% The first message can come after the second one only if delivery takes time.
relayed() ->
    Self = self(),
    Other = spawn(fun() -> receive go -> Self ! second end end),
    spawn(fun() -> Self ! first, Other ! go end),
    receive Message -> second = Message end.

%% A timeout ends together with a sleep.
late() ->
    Self = self(),
    spawn(fun() -> timer:sleep(2000), Self ! done end),
    receive done -> ok after 2000 -> exit(late) end.

%% The clock stands still as long as nobody waits for it.
clock() ->
    Self = self(),
    Begin = erlang:monotonic_time(),
    spawn(fun() -> Self ! done end),
    receive done -> true = erlang:monotonic_time() > Begin end.

init(State) -> {ok, State}.

handle_call({ask, Server}, _, State) -> {reply, gen_server:call(Server, ping, infinity), State};
handle_call(ping, _, State) -> {reply, pong, State}.

handle_cast(stop, State) -> {stop, crash, State}.
