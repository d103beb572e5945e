%% Calls behind which nothing comes leave no frame on the stack. A report has their lines all the same, and those of the
%% handlers that take a message.
-module(tails).
-behaviour(gen_server).
-export([bump/0, gone/0, stops/0, members/0, ask/1, add_one/1, init/1, handle_call/3, handle_cast/2, handle_info/2]).

init(State) -> {ok, State}.

handle_call(get, _From, N) -> {reply, N, N};
handle_call({put, N}, _From, _) -> {reply, ok, N};
handle_call(stop, _From, N) -> {stop, normal, ok, N};
handle_call({join, Pid}, _From, Members) ->
    _ = monitor(process, Pid),
    {reply, ok, [Pid | Members]};
handle_call(members, _From, Members) ->
    {reply, length(Members), Members}.

handle_cast(leave, N) ->
    not_ready(N).

handle_info({'DOWN', _, process, Pid, _}, Members) ->
    {noreply, lists:delete(Pid, Members)}.

not_ready(N) ->
    {stop, lists:nth(1, [not_ready]), N}.

add_one(S) ->
    N = gen_server:call(S, get),
    gen_server:call(S, {put, N + 1}).

bump() ->
    {ok, S} = gen_server:start_link(?MODULE, 0, []),
    Clients = [spawn_monitor(fun() -> add_one(S) end) || _ <- [1, 2]],
    [receive {'DOWN', R, process, P, _} -> ok end || {P, R} <- Clients],
    2 = gen_server:call(S, get).

%% The server is gone when the second call comes.
ask(S) ->
    ok = gen_server:call(S, {put, 1}),
    gen_server:call(S, get).

gone() ->
    {ok, S} = gen_server:start(?MODULE, 0, []),
    P = spawn_link(?MODULE, ask, [S]),
    R = monitor(process, P),
    receive {'DOWN', R, _, _, _} -> ok after 10 -> gen_server:call(S, stop) end.

%% The handler has returned before the server ends.
stops() ->
    {ok, S} = gen_server:start_link(?MODULE, 0, []),
    spawn(fun() -> gen_server:cast(S, leave) end),
    0 = gen_server:call(S, get).

members() ->
    {ok, S} = gen_server:start_link(?MODULE, [], []),
    P = spawn(fun() -> receive stop -> ok end end),
    ok = gen_server:call(S, {join, P}),
    P ! stop,
    1 = gen_server:call(S, members).
