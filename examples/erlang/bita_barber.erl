%% The sleeping barber, one of the actor programs of the Bita paper, written anew. Customers come
%% to the waiting room; the room wakes the barber if he sleeps, else they wait; when the barber is
%% done with one he asks the room for the next, and sleeps when there is none.
%%
%% forgotten/0 is wrong: it is the barber who tells the room that he sleeps, a moment after he was
%% told that nobody waits; a customer who comes in that moment is seated and never called. In
%% forgotten_fixed/0 the room knows at once that a barber without customers sleeps.
%%
%% expect: forgotten => bug,stuck
%% expect: forgotten --strategy coverage --criterion all --max-runs 10 => bug
%% expect: forgotten_fixed => proved
-module(bita_barber).
-export([forgotten/0, forgotten_fixed/0]).

forgotten() -> open(racy, 2).
forgotten_fixed() -> open(fixed, 2).

open(Kind, Customers) ->
    Room = spawn(fun() -> room_opens(Kind) end),
    Monitors = [spawn_monitor(fun() -> customer(Room) end) || _ <- lists:seq(1, Customers)],
    [receive {'DOWN', M, process, _, Reason} -> normal = Reason end || {_, M} <- Monitors],
    Room ! close.

customer(Room) ->
    Room ! {enter, self()},
    receive shaved -> ok end.

room_opens(Kind) ->
    Room = self(),
    Barber = spawn_link(fun() -> barber_sleeps(Kind, Room) end),
    room(Kind, Barber, sleeping, []).

%% The room knows, or believes it knows, what the barber does.
room(Kind, Barber, State, Waiting) ->
    receive
        {enter, Customer} when State =:= sleeping ->
            Barber ! {shave, Customer},
            room(Kind, Barber, busy, Waiting);
        {enter, Customer} ->
            room(Kind, Barber, State, Waiting ++ [Customer]);
        next when Waiting =:= [] ->
            Barber ! nobody,
            room(Kind, Barber, after_nobody(Kind, State), []);
        next ->
            Barber ! {shave, hd(Waiting)},
            room(Kind, Barber, busy, tl(Waiting));
        asleep ->
            room(Kind, Barber, sleeping, Waiting);
        close ->
            exit(shutdown)
    end.

after_nobody(fixed, _) -> sleeping;
after_nobody(racy, State) -> State.

barber_sleeps(Kind, Room) ->
    receive {shave, Customer} -> barber_works(Kind, Room, Customer) end.

barber_works(Kind, Room, Customer) ->
    Customer ! shaved,
    Room ! next,
    receive
        {shave, Another} -> barber_works(Kind, Room, Another);
        nobody -> tell(Kind, Room), barber_sleeps(Kind, Room)
    end.

tell(racy, Room) -> Room ! asleep;
tell(fixed, _) -> ok.
