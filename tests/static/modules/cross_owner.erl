%% The table is created here, public; the race is in the module that is given the table.
%% with: cross_user.erl
-module(cross_owner).
-export([run/0]).

run() ->
    T = ets:new(owned, [set, public]),
    [spawn(fun() -> cross_user:inc(T, hits) end) || _ <- [1, 2]].
