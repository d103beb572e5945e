%% A counter in a registered process, for the state machines that tests/prop/erlang writes: each
%% starts it in a property of another form. add/0 is right; add_late/0 reads and writes in two steps.
-module(tally).
-export([start/1, stop/0, add/0, add_late/0, read/0, loop/1]).

start(N) -> true = register(?MODULE, spawn(?MODULE, loop, [N])).
stop() -> ask(stop).
add() -> ask(add).
add_late() ->
    N = read() + 1,
    ask({set, N}),
    N.
read() -> ask(read).

ask(What) ->
    ?MODULE ! {self(), What},
    receive {?MODULE, Answer} -> Answer end.

loop(N) ->
    receive
        {From, add} -> From ! {?MODULE, N + 1}, loop(N + 1);
        {From, {set, M}} -> From ! {?MODULE, ok}, loop(M);
        {From, read} -> From ! {?MODULE, N}, loop(N);
        {From, stop} -> unregister(?MODULE), From ! {?MODULE, ok}
    end.
