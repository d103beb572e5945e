%% The one that loses the race for the name leaves a room behind to which nobody speaks.
-module(lobby).
-export([test/0]).

open(Name) ->
    case whereis(Name) of
        undefined ->
            Room = spawn(fun() -> room([]) end),
            register(Name, Room),
            Room;
        Room ->
            Room
    end.

room(Guests) ->
    receive
        {enter, Who, From} ->
            From ! {inside, [Who | Guests]},
            room([Who | Guests]);
        close ->
            ok
    end.

enter(Who) ->
    open(lobby) ! {enter, Who, self()},
    receive {inside, Guests} -> Guests end.

test() ->
    {_, First} = spawn_monitor(fun() -> enter(ann) end),
    {_, Second} = spawn_monitor(fun() -> enter(bob) end),
    [receive {'DOWN', Ref, process, _, _} -> ok end || Ref <- [First, Second]],
    lobby ! close.
