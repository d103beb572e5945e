%% What must grow with the size and not with its square: bench/beam runs each beside the real erl.
-module(bench_growth).
-export([queue/1, links/1, monitors/1, aliases/1, maps_equal/1, natives/1]).

%% A thousand calls while N messages wait in the caller's queue.
queue(N) ->
    S = spawn(fun serve/0),
    [self() ! {waiting, I} || I <- lists:seq(1, N)],
    call(S, 1000),
    flush(),
    N.

serve() -> receive {From, Ref, X} -> From ! {Ref, X}, serve() end.

call(_, 0) -> ok;
call(S, N) ->
    R = erlang:monitor(process, S),
    S ! {self(), R, N},
    receive {R, N} -> erlang:demonitor(R, [flush]) end,
    call(S, N - 1).

flush() -> receive {waiting, _} -> flush() after 0 -> ok end.

links(N) ->
    Ps = [spawn_link(fun() -> receive stop -> ok end end) || _ <- lists:seq(1, N)],
    [unlink(P) || P <- Ps],
    [P ! stop || P <- Ps],
    length(Ps).

monitors(N) ->
    P = spawn(fun() -> receive stop -> ok end end),
    Rs = [monitor(process, P) || _ <- lists:seq(1, N)],
    [demonitor(R) || R <- Rs],
    P ! stop,
    length(Rs).

aliases(N) ->
    Rs = [alias() || _ <- lists:seq(1, N)],
    [unalias(R) || R <- Rs],
    length(Rs).

maps_equal(N) ->
    A = maps:from_list([{I, I} || I <- lists:seq(1, N)]),
    A =:= maps:from_list([{I, I} || I <- lists:seq(N, 1, -1)]).

%% Only native functions allocate here.
natives(0) -> 0;
natives(N) -> [_ | _] = process_info(self(), [heap_size, total_heap_size]), natives(N - 1).
