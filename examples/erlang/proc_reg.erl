%% A process registry with a server and an ETS table, written anew from the description in
%% section 4 of the PULSE procrastination paper: the server serialises the writes, but, to be
%% fast, clients look into the table, and first try to insert, by themselves. Only live processes
%% are to be found in it; to register a dead one is to return true and to do nothing.
%%
%% The race: a dead process stays in the table until its DOWN message has been handled. Whoever
%% registers under that name in between is sent to the server, which sees that the name is free
%% (a dead process does not count), tries to insert, finds the old entry, and says no: register
%% raises instead of returning true.
%%
%% dead_twice/0: a dead process is registered twice in parallel. dead_later/0: the same, but the
%% second makes sure that it is dead, which mostly gives the server time to see it, too.
%% after_kill/0: sequential; a registered process is killed and its name given to another one. All
%% have fixed versions, in which the server takes the dead entry out first.
%%
%% expect: dead_twice => bug,abnormal-exit
%% expect: dead_twice --strategy dpor => bug,abnormal-exit
%% expect: dead_twice_fixed => proved
%% expect: dead_later => bug,abnormal-exit
%% expect: dead_later_fixed => proved
%% expect: after_kill => bug,abnormal-exit
%% expect: after_kill_fixed => proved
%% expect: alive_twice => proved
-module(proc_reg).
-behaviour(gen_server).
-export([dead_twice/0, dead_twice_fixed/0, dead_later/0, dead_later_fixed/0, after_kill/0, after_kill_fixed/0, alive_twice/0]).
-export([start/1, stop/0, reg/2, unreg/1, where/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

dead_twice() -> dead_twice(racy).
dead_twice_fixed() -> dead_twice(fixed).
dead_later() -> dead_later(racy).
dead_later_fixed() -> dead_later(fixed).
after_kill() -> after_kill(racy).
after_kill_fixed() -> after_kill(fixed).

dead_twice(Kind) ->
    start(Kind),
    Dead = dead(spawn(fun() -> ok end)),
    at_once([fun() -> true = reg(a, Dead) end, fun() -> true = reg(a, Dead) end]),
    stop().

dead_later(Kind) ->
    start(Kind),
    Dead = dead(spawn(fun() -> ok end)),
    at_once([fun() -> true = reg(a, Dead) end,
             fun() -> true = reg(a, dead(Dead)) end]),
    stop().

after_kill(Kind) ->
    start(Kind),
    P = spawn(fun idle/0),
    Q = spawn(fun idle/0),
    true = reg(a, P),
    exit(P, kill),
    dead(P),
    true = reg(a, Q),
    exit(Q, kill),
    stop().

%% Of two that register live processes under one name, exactly one succeeds.
alive_twice() ->
    start(racy),
    Pids = [spawn(fun idle/0), spawn(fun idle/0)],
    Self = self(),
    at_once([fun() -> Self ! {P, catch_badarg(fun() -> reg(a, P) end)} end || P <- Pids]),
    [badarg, true] = lists:sort([receive {P, Result} -> Result end || P <- Pids]),
    [exit(P, kill) || P <- Pids],
    stop().

catch_badarg(Fun) -> try Fun() catch error:badarg -> badarg end.

idle() -> receive stop -> ok end.

%% Waits until a process is dead.
dead(Pid) ->
    Monitor = monitor(process, Pid),
    receive {'DOWN', Monitor, process, Pid, _} -> Pid end.

at_once(Funs) ->
    Monitors = [spawn_monitor(Fun) || Fun <- Funs],
    [receive {'DOWN', M, process, _, Reason} -> normal = Reason end || {_, M} <- Monitors].

%% The registry's interface. The first attempt to insert is the client's own.
start(Kind) -> {ok, _} = gen_server:start({local, proc_reg}, ?MODULE, Kind, []).
stop() -> gen_server:stop(proc_reg).

reg(Name, Pid) ->
    case ets:insert_new(proc_reg, {Name, Pid}) of
        true ->
            gen_server:call(proc_reg, {monitor, Pid}, infinity);
        false ->
            gen_server:call(proc_reg, {reg, Name, Pid}, infinity) orelse error(badarg)
    end.

unreg(Name) ->
    (where(Name) =/= undefined andalso gen_server:call(proc_reg, {unreg, Name}, infinity))
        orelse error(badarg).

where(Name) ->
    case ets:lookup(proc_reg, Name) of
        [{Name, Pid}] -> alive(is_process_alive(Pid), Pid);
        [] -> undefined
    end.

alive(true, Pid) -> Pid;
alive(false, _) -> undefined.

init(Kind) ->
    ets:new(proc_reg, [named_table, public]),
    {ok, Kind}.

handle_call({monitor, Pid}, _From, Kind) ->
    monitor(process, Pid),
    {reply, true, Kind};
handle_call({reg, Name, Pid}, _From, Kind) ->
    {reply, insert(Kind, Name, Pid), Kind};
handle_call({unreg, Name}, _From, Kind) ->
    {reply, ets:take(proc_reg, Name) =/= [], Kind}.

insert(racy, Name, Pid) ->
    where(Name) =:= undefined andalso try_insert(Name, Pid);
insert(fixed, Name, Pid) ->
    take_out_dead(Name),
    try_insert(Name, Pid) orelse (where(Name) =:= undefined andalso insert(fixed, Name, Pid)).

try_insert(Name, Pid) ->
    ets:insert_new(proc_reg, {Name, Pid}) andalso is_reference(monitor(process, Pid)).

%% Only the very entry that is known to be dead: a client may insert a live one at any time. It may
%% also insert another dead one, which is why insert/3 tries again.
take_out_dead(Name) ->
    [ets:delete_object(proc_reg, Entry) || Entry = {_, Pid} <- ets:lookup(proc_reg, Name),
                                           not is_process_alive(Pid)].

handle_cast(_, Kind) -> {noreply, Kind}.

handle_info({'DOWN', _, process, Pid, _}, Kind) ->
    ets:match_delete(proc_reg, {'_', Pid}),
    {noreply, Kind}.
