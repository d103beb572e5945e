%% A job that is cancelled never sends the answer for which its client waits.
-module(cancelled).
-export([test/0]).

serve(Running) ->
    receive
        {run, Client, Job} ->
            Server = self(),
            Worker = spawn(fun() -> Server ! {done, self(), Job()} end),
            serve(Running#{Worker => Client});
        {done, Worker, Result} ->
            maps:get(Worker, Running) ! {result, Result},
            serve(maps:remove(Worker, Running));
        {cancel_all, From} ->
            [exit(Worker, kill) || Worker <- maps:keys(Running)],
            From ! cancelled,
            serve(#{})
    end.

test() ->
    Server = spawn(fun() -> serve(#{}) end),
    Client = spawn_monitor(fun() ->
        Server ! {run, self(), fun() -> 42 end},
        receive {result, 42} -> ok end
    end),
    Server ! {cancel_all, self()},
    receive cancelled -> ok end,
    {_, Ref} = Client,
    receive {'DOWN', Ref, process, _, normal} -> ok end.
