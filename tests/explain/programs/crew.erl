-module(crew).
-behaviour(supervisor).
-export([init/1, start_worker/0, test/0]).
init([]) ->
    {ok, {#{strategy => one_for_one, intensity => 1, period => 5},
          [#{id => worker, start => {?MODULE, start_worker, []}}]}}.
start_worker() ->
    {ok, spawn_link(fun() -> register(crew_worker, self()), loop(0) end)}.
loop(N) -> receive {add, M} -> loop(N + M); {get, From} -> From ! {value, N}, loop(N); crash -> exit(oops) end.
test() ->
    process_flag(trap_exit, true),
    {ok, _} = supervisor:start_link({local, crew}, ?MODULE, []),
    crew_worker ! crash,
    crew_worker ! {add, 1},
    crew_worker ! {get, self()},
    receive {value, 1} -> ok end.
