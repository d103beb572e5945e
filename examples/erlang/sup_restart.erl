%% A supervisor restarts a crashing child while a client calls it by name.
%%
%% call/0 is wrong: between the crash and the restart there is no such name, and the client's
%% call exits with noproc. call_fixed/0 treats an absent server as an answer. crash_is_handled/0
%% has no client: the supervisor receives the exit, so the crash is no finding.
%%
%% expect: call => bug,abnormal-exit
%% expect: call_fixed => proved
%% expect: crash_is_handled => proved
-module(sup_restart).
-behaviour(supervisor).
-export([call/0, call_fixed/0, crash_is_handled/0]).
-export([init/1, start_child/0, handle_call/3, handle_cast/2]).

call() ->
    run(fun() -> gen_server:call(sup_restart_child, value, infinity) end).

call_fixed() ->
    run(fun() ->
                try gen_server:call(sup_restart_child, value, infinity)
                catch exit:{Reason, _} when Reason =:= noproc; Reason =:= broken -> unavailable
                end
        end).

crash_is_handled() ->
    run(fun() -> ok end).

run(Client) ->
    {ok, Supervisor} = supervisor:start_link(?MODULE, supervisor),
    gen_server:cast(sup_restart_child, crash),
    {_, Monitor} = spawn_monitor(Client),
    receive {'DOWN', Monitor, process, _, Reason} -> normal = Reason end,
    unlink(Supervisor),
    Down = monitor(process, Supervisor),
    exit(Supervisor, shutdown),
    receive {'DOWN', Down, process, _, _} -> ok end.

start_child() ->
    gen_server:start_link({local, sup_restart_child}, ?MODULE, child, []).

init(supervisor) ->
    {ok, {#{intensity => 3, period => 5}, [#{id => child, start => {?MODULE, start_child, []}}]}};
init(child) ->
    {ok, 42}.

handle_call(value, _From, Value) -> {reply, Value, Value}.

handle_cast(crash, _) -> exit(broken).
