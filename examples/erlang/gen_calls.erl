%% A gen_server, from OTP's own code, with N concurrent callers.
%%
%% callers_N/0 has no bug: each order of the calls is one execution, N! in all. increment_race/0
%% is wrong: reading and writing back are two calls. increment/0 is its fix. stop_race/0 is wrong:
%% a caller may come after the server has been stopped; stop_fixed/0 waits for the callers.
%%
%% expect: callers_2 --strategy dpor => proved,executions=2
%% expect: callers_4 --strategy dpor => proved,executions=24
%% expect: callers_6 --strategy dpor => proved,executions=720
%% expect: callers_7 --strategy dpor => proved,executions=5040
%% expect: increment_race => bug,abnormal-exit
%% expect: increment => proved
%% expect: stop_race => bug,abnormal-exit
%% expect: stop_fixed => proved
-module(gen_calls).
-behaviour(gen_server).
-export([callers_2/0, callers_4/0, callers_6/0, callers_7/0, increment_race/0, increment/0,
         stop_race/0, stop_fixed/0]).
-export([init/1, handle_call/3, handle_cast/2]).

callers_2() -> callers(2).
callers_4() -> callers(4).
callers_6() -> callers(6).
callers_7() -> callers(7).

callers(N) ->
    {ok, Server} = gen_server:start(?MODULE, 0, []),
    at_once(lists:duplicate(N, fun() -> gen_server:call(Server, add) end)),
    gen_server:stop(Server).

increment_race() ->
    {ok, Server} = gen_server:start(?MODULE, 0, []),
    Add = fun() ->
                  N = gen_server:call(Server, get),
                  gen_server:call(Server, {set, N + 1})
          end,
    at_once([Add, Add]),
    2 = gen_server:call(Server, get).

increment() ->
    {ok, Server} = gen_server:start(?MODULE, 0, []),
    Add = fun() -> gen_server:call(Server, add) end,
    at_once([Add, Add]),
    2 = gen_server:call(Server, get).

stop_race() ->
    {ok, Server} = gen_server:start(?MODULE, 0, []),
    {_, Monitor} = spawn_monitor(fun() -> gen_server:call(Server, add) end),
    gen_server:stop(Server),
    receive {'DOWN', Monitor, process, _, Reason} -> normal = Reason end.

stop_fixed() ->
    {ok, Server} = gen_server:start(?MODULE, 0, []),
    {_, Monitor} = spawn_monitor(fun() -> gen_server:call(Server, add) end),
    receive {'DOWN', Monitor, process, _, Reason} -> normal = Reason end,
    gen_server:stop(Server).

%% Runs the functions at once; their ends are collected by reference, so that in which order
%% they come cannot be told.
at_once(Funs) ->
    Monitors = [spawn_monitor(Fun) || Fun <- Funs],
    [receive {'DOWN', M, process, _, Reason} -> normal = Reason end || {_, M} <- Monitors].

init(N) -> {ok, N}.

handle_call(add, _From, N) -> {reply, N + 1, N + 1};
handle_call(get, _From, N) -> {reply, N, N};
handle_call({set, N}, _From, _) -> {reply, ok, N}.

handle_cast(_, N) -> {noreply, N}.
