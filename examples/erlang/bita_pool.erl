%% A bounded pool: at most LIMIT clients hold a permit at a time; a permit is given back by a
%% message, or when its holder dies.
%%
%% too_many/0 is wrong: giving back removes the monitor but not a DOWN message that has come
%% already, so the permit of a client that gives it back and ends at once may be counted twice.
%% too_many_fixed/0 flushes.
%%
%% expect: too_many => bug,abnormal-exit
%% expect: too_many --strategy coverage --criterion all --max-runs 10 => bug
%% expect: too_many_fixed => proved
-module(bita_pool).
-export([too_many/0, too_many_fixed/0]).

-define(LIMIT, 1).

too_many() -> run([]).
too_many_fixed() -> run([flush]).

run(Options) ->
    {Pool, Monitor} = spawn_monitor(fun() -> pool(Options, ?LIMIT, []) end),
    Client = fun() ->
                     Pool ! {acquire, self()},
                     receive granted -> Pool ! {release, self()} end
             end,
    Monitors = [spawn_monitor(Client) || _ <- [1, 2]],
    [receive {'DOWN', M, process, _, Reason} -> normal = Reason end || {_, M} <- Monitors],
    Pool ! stop,
    receive {'DOWN', Monitor, process, _, Reason} -> normal = Reason end.

%% Holders are {Pid, Monitor}. There can never be more free permits than the limit.
pool(Options, Free, Holders) when Free =< ?LIMIT ->
    receive
        {acquire, Pid} when Free > 0 ->
            Pid ! granted,
            pool(Options, Free - 1, [{Pid, monitor(process, Pid)} | Holders]);
        {release, Pid} ->
            {value, {Pid, Monitor}, Left} = lists:keytake(Pid, 1, Holders),
            demonitor(Monitor, Options),
            pool(Options, Free + 1, Left);
        {'DOWN', _, process, Pid, _} ->
            pool(Options, Free + 1, lists:keydelete(Pid, 1, Holders));
        stop ->
            ok
    end.
