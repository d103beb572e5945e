-module(ends).
-export([missing/0, victim/0, sleeper/0, timer/0, watchdog/0, waits_for_watchdog/0,
         second/0, in_fun/0, served/0, bytes/0, linked/0]).

%% The module is nowhere.
missing() ->
    spawn(fun() -> nowhere_at_all:go() end),
    ok.

%% Fails with a process at its other end of a link, which ends with it.
linked() ->
    Self = self(),
    Server = spawn_link(fun() -> receive never -> ok after 1000 -> ok end end),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    receive N -> N = 1 end, % linked
    unlink(Server).

bytes() ->
    spawn(fun() -> exit({gone, <<"a name">>}) end),
    ok.

%% The worker is ended by a stray exit signal: its work is lost.
victim() ->
    Worker = spawn(fun() -> receive job -> done end end),
    spawn(fun() -> exit(Worker, oops) end),
    Worker ! job,
    ok.

%% The one that waits will get its message, half a second after the test has ended.
sleeper() ->
    Waiter = spawn(fun() -> receive cancel -> ok end end),
    spawn(fun() -> receive after 500 -> Waiter ! cancel end end),
    ok.

timer() ->
    Waiter = spawn(fun() -> receive cancel -> ok end end),
    spawn(fun() ->
              Timer = erlang:start_timer(500, self(), x),
              receive {timeout, Timer, x} -> Waiter ! cancel end
          end),
    ok.

watchdog() ->
    spawn(fun() -> receive stop -> ok after 10 -> ok end end),
    ok.

waits_for_watchdog() ->
    Dog = spawn(fun() -> receive stop -> ok after 10 -> ok end end),
    spawn(fun() -> M = monitor(process, Dog), receive {'DOWN', M, _, _, _} -> ok end end),
    ok.

%% Stuck in the second of two receives, with no call between them.
second() ->
    self() ! first,
    receive
        first -> ok
    end,
    receive % second
        {answer, X} when X > 1; X == 0 -> X;
        #{key := _} = Map -> Map;
        [1, 2 | _] -> ok
    end.

in_fun() ->
    Self = self(),
    spawn(fun() ->
              Self ! up,
              receive % in_fun
                  {never, Self} -> ok
              end
          end),
    receive up -> ok end.

served() ->
    Server = spawn(fun() -> serve(0) end),
    Server ! {get, self()},
    receive % served
        {value, V} -> V
    end.

serve(N) ->
    receive
        {fetch, From} -> From ! {value, N}, serve(N)
    end.
