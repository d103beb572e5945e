%% A pool of workers in the style of poolboy: checkout, checkin, a queue of waiting clients.
%%
%% lost_worker/0 is wrong: a client that is killed while it waits stays in the queue, the next
%% free worker is given to it, and nobody ever gives it back: the last client waits for ever.
%% lost_worker_fixed/0 monitors the waiting clients too.
%%
%% expect: lost_worker => bug,stuck
%% expect: lost_worker_fixed => proved
-module(pool).
-behaviour(gen_server).
-export([lost_worker/0, lost_worker_fixed/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

%% waiting: queue of {From, Monitor}; holders: monitor => worker.
-record(pool, {kind, free, waiting = queue:new(), holders = #{}}).

lost_worker() -> run(forgetful).
lost_worker_fixed() -> run(careful).

run(Kind) ->
    {ok, Pool} = gen_server:start(?MODULE, {Kind, [worker]}, []),
    worker = checkout(Pool),
    {Impatient, Monitor} = spawn_monitor(fun() -> checkin(Pool, checkout(Pool)) end),
    exit(Impatient, kill),
    receive {'DOWN', Monitor, process, _, _} -> ok end,
    checkin(Pool, worker),
    worker = checkout(Pool),
    gen_server:stop(Pool).

checkout(Pool) -> gen_server:call(Pool, checkout, infinity).
checkin(Pool, Worker) -> gen_server:cast(Pool, {checkin, self(), Worker}).

init({Kind, Workers}) -> {ok, #pool{kind = Kind, free = Workers}}.

handle_call(checkout, {Pid, _}, Pool = #pool{free = [Worker | Free]}) ->
    {reply, Worker, hold(monitor(process, Pid), Pid, Worker, Pool#pool{free = Free})};
handle_call(checkout, From, Pool = #pool{waiting = Waiting}) ->
    {noreply, Pool#pool{waiting = queue:in({From, watch(From, Pool)}, Waiting)}}.

watch(_, #pool{kind = forgetful}) -> none;
watch({Pid, _}, #pool{kind = careful}) -> monitor(process, Pid).

handle_cast({checkin, Pid, Worker}, Pool = #pool{holders = Holders}) ->
    [Monitor] = [M || {M, {P, W}} <- maps:to_list(Holders), P =:= Pid, W =:= Worker],
    demonitor(Monitor, [flush]),
    {noreply, give(Worker, Pool#pool{holders = maps:remove(Monitor, Holders)})}.

handle_info({'DOWN', Monitor, process, _, _}, Pool = #pool{holders = Holders}) ->
    case maps:take(Monitor, Holders) of
        {{_, Worker}, Left} -> {noreply, give(Worker, Pool#pool{holders = Left})};
        error -> {noreply, forget(Monitor, Pool)}
    end.

forget(Monitor, Pool = #pool{waiting = Waiting}) ->
    Pool#pool{waiting = queue:filter(fun({_, M}) -> M =/= Monitor end, Waiting)}.

%% Gives a worker to the first who waits, or puts it back.
give(Worker, Pool = #pool{waiting = Waiting, free = Free}) ->
    case queue:out(Waiting) of
        {empty, _} -> Pool#pool{free = [Worker | Free]};
        {{value, {From = {Pid, _}, Watch}}, Left} ->
            gen_server:reply(From, Worker),
            hold(holder(Watch, Pid, Pool), Pid, Worker, Pool#pool{waiting = Left})
    end.

%% The forgetful pool watches nobody who had to wait.
holder(none, _, _) -> make_ref();
holder(Watch, _, _) -> Watch.

hold(Monitor, Pid, Worker, Pool = #pool{holders = Holders}) ->
    Pool#pool{holders = Holders#{Monitor => {Pid, Worker}}}.
