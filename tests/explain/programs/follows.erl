%% A process fails, and its end spreads by links, monitors and calls: the report begins with the process
%% that failed first.
-module(follows).
-behaviour(gen_server).
-export([linked/0, calls/0, by_caller/0, in_init/0, by_link/0]).
-export([init/1, handle_call/3, handle_cast/2]).

init(worker) -> {ok, #{}};
init({front, Back}) -> {ok, Back};
init({fail_if, T}) ->
    case ets:lookup(T, up) of
        [] -> {stop, not_up};
        [_] -> {ok, none}
    end.
handle_call({get, K}, _From, S) when is_map(S) -> {reply, maps:get(K, S), S};
handle_call({get, K}, _From, Back) -> {reply, gen_server:call(Back, {get, K}), Back}.
handle_cast({put, K, V}, S) -> {noreply, S#{K => V}}.

%% A linked worker ends its parent, and that the test.
linked() ->
    ets:new(t, [public, named_table]),
    ets:insert(t, {n, 0}),
    Parent = spawn_link(fun() -> parent() end),
    ets:insert(t, {n, 1}),
    receive after 1000 -> ok end,
    Parent ! stop,
    ok.

parent() ->
    spawn_link(fun() -> worker() end),
    receive stop -> ok end.

worker() ->
    [{n, N}] = ets:lookup(t, n),
    check(N).

check(0) -> error({not_ready, 0});
check(1) -> ok.

%% A server calls another one, which fails.
calls() ->
    {ok, Back} = gen_server:start(?MODULE, worker, []),
    {ok, Front} = gen_server:start_link(?MODULE, {front, Back}, []),
    spawn(fun() -> gen_server:cast(Back, {put, a, 1}) end),
    1 = gen_server:call(Front, {get, a}).

by_caller() ->
    {ok, S} = gen_server:start_link(?MODULE, worker, []),
    spawn(fun() -> gen_server:cast(S, {put, a, 1}) end),
    spawn_link(fun() -> gen_server:call(S, {get, a}) end),
    receive after 100 -> ok end.

in_init() ->
    T = ets:new(t, [public]),
    spawn(fun() -> ets:insert(T, {up, 1}) end),
    {ok, _} = gen_server:start_link(?MODULE, {fail_if, T}, []).

%% The worker is monitored, so its end is handled; but the test is linked to one that is linked to it.
by_link() ->
    Me = self(),
    spawn_link(fun() ->
        {Worker, _} = spawn_monitor(fun() -> receive {job, N} when N > 1 -> exit({too_big, N}); _ -> ok end end),
        link(Worker),
        spawn(fun() -> Worker ! {job, 1} end),
        spawn(fun() -> Worker ! {job, 2} end),
        receive {'DOWN', _, process, Worker, normal} -> Me ! ok end
    end),
    receive ok -> ok end.
