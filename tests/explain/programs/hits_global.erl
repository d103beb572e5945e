%% A counter behind a global name; the second starter takes the name from the first.
-module(hits_global).
-export([test/0]).

counter(N) ->
    receive
        {hit, From} -> From ! {hits, N + 1}, counter(N + 1);
        stop -> ok
    end.

hit() ->
    case global:whereis_name(counter) of
        undefined ->
            Pid = spawn(fun() -> counter(0) end),
            global:register_name(counter, Pid),
            Pid ! {hit, self()};
        Pid -> Pid ! {hit, self()}
    end,
    receive {hits, N} -> N end.

test() ->
    Me = self(),
    [spawn_link(fun() -> Me ! {done, hit()} end) || _ <- [1, 2]],
    Hits = lists:sort([receive {done, N} -> N end || _ <- [1, 2]]),
    [1, 2] = Hits,
    ok.
