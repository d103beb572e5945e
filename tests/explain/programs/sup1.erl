-module(sup1).
-behaviour(supervisor).
-export([init/1, start_worker/0, worker/0, restart/0]).

init([]) ->
    {ok, {#{strategy => one_for_one, intensity => 3, period => 10},
          [#{id => worker, start => {?MODULE, start_worker, []}}]}}.

start_worker() ->
    Pid = spawn_link(?MODULE, worker, []),
    register(sup1_worker, Pid),
    {ok, Pid}.

worker() ->
    receive
        {ping, From} -> From ! pong, worker();
        crash -> exit(crashed)
    end.

restart() ->
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link(?MODULE, []),
    sup1_worker ! crash,
    sup1_worker ! {ping, self()},
    receive pong -> ok end,
    exit(Sup, shutdown),
    receive {'EXIT', Sup, _} -> ok end.
