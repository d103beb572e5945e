%% The client of a key-value store, one of the actor programs of the Bita paper, written anew. A
%% connection sends the requests of several users to the store and gives each reply to the user
%% whose request is the oldest.
%%
%% late_reply/0 is wrong: when the connection is closed it tells the users who wait that it is, and
%% forgets them; a reply that is still on its way then finds nobody. late_reply_fixed/0 drops such
%% a reply.
%%
%% expect: late_reply => bug
%% expect: late_reply --strategy coverage --criterion pr --max-runs 10 => bug
%% expect: late_reply_fixed => proved
-module(bita_redis).
-export([late_reply/0, late_reply_fixed/0]).

late_reply() -> run(racy).
late_reply_fixed() -> run(fixed).

run(Kind) ->
    Store = spawn(fun() -> store() end),
    {Connection, Monitor} = spawn_monitor(fun() -> connection(Kind, Store, []) end),
    Users = [spawn_monitor(fun() -> user(Connection, Key) end) || Key <- [1, 2]],
    Connection ! close,
    [receive {'DOWN', M, process, _, Reason} -> normal = Reason end || {_, M} <- Users],
    Store ! stop,
    Connection ! stop,
    receive {'DOWN', Monitor, process, _, How} -> normal = How end.

user(Connection, Key) ->
    Connection ! {get, self(), Key},
    receive
        {value, Value} -> Value = Key * 10;
        closed -> ok
    end.

%% The users wait in the order of their requests.
connection(Kind, Store, Users) ->
    receive
        {get, User, Key} ->
            Store ! {get, self(), Key},
            connection(Kind, Store, Users ++ [User]);
        {value, Value} ->
            connection(Kind, Store, reply(Kind, Value, Users));
        close ->
            [User ! closed || User <- Users],
            closed(Kind)
    end.

%% Who comes now is told at once.
closed(Kind) ->
    receive
        {get, User, _} -> User ! closed, closed(Kind);
        {value, Value} -> reply(Kind, Value, []), closed(Kind);
        stop -> ok
    end.

reply(_, Value, [User | Users]) -> User ! {value, Value}, Users;
reply(fixed, _, []) -> [].

store() ->
    receive
        {get, Connection, Key} -> Connection ! {value, Key * 10}, store();
        stop -> ok
    end.
