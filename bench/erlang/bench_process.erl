%% Processes: messages, servers, births and deaths.
-module(bench_process).
-behaviour(gen_server).
-export([ping_pong/1, call/1, spawn/1]).
-export([init/1, handle_call/3, handle_cast/2]).

ping_pong(Size) ->
    Self = self(),
    Ponger = spawn_link(fun() -> pong(Self) end),
    Rounds = ping(Size, Ponger, 0),
    Ponger ! stop,
    Rounds.

ping(0, _, Rounds) ->
    Rounds;
ping(N, Ponger, Rounds) ->
    Ponger ! ping,
    receive
        pong -> ping(N - 1, Ponger, Rounds + 1)
    end.

pong(Pinger) ->
    receive
        ping ->
            Pinger ! pong,
            pong(Pinger);
        stop ->
            ok
    end.

%% With size 1 this is also the test whose start-up is measured.
call(Size) ->
    {ok, Server} = gen_server:start_link(?MODULE, 0, []),
    Count = call_often(Size, Server, 0),
    ok = gen_server:stop(Server),
    Count.

call_often(0, _, Count) -> Count;
call_often(N, Server, _) -> call_often(N - 1, Server, gen_server:call(Server, increment)).

init(Count) -> {ok, Count}.

handle_call(increment, _From, Count) -> {reply, Count + 1, Count + 1}.

handle_cast(_, Count) -> {noreply, Count}.

spawn(Size) ->
    spawn_often(Size, 0).

spawn_often(0, Deaths) ->
    Deaths;
spawn_often(N, Deaths) ->
    {Pid, Monitor} = spawn_monitor(fun() -> ok end),
    receive
        {'DOWN', Monitor, process, Pid, normal} -> spawn_often(N - 1, Deaths + 1)
    end.
