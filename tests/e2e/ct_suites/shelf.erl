%% Things on a shelf. add/2 loses an addition if another one comes between; put/2 does not.
-module(shelf).
-export([start/0, start_link/0, add/2, put/2, count/1, init/1]).

start() -> {ok, spawn(?MODULE, init, [0])}.
start_link() -> {ok, spawn_link(?MODULE, init, [0])}.

init(Count) ->
    receive
        {From, Ref, count} -> From ! {Ref, Count}, init(Count);
        {From, Ref, {set, New}} -> From ! {Ref, ok}, init(New);
        {From, Ref, {put, More}} -> From ! {Ref, ok}, init(Count + More);
        _ -> init(Count)
    end.

call(Shelf, Request) ->
    Ref = make_ref(),
    Shelf ! {self(), Ref, Request},
    receive {Ref, Answer} -> Answer end.

add(Shelf, More) -> call(Shelf, {set, count(Shelf) + More}).
put(Shelf, More) -> call(Shelf, {put, More}).
count(Shelf) -> call(Shelf, count).
