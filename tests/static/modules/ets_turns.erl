%% A loop that looks in one turn and writes in another, with a key that stays the same: what one turn
%% has seen is not what the next one relies on.
-module(ets_turns).
-export([open/0, run/2]).

open() -> ets:new(turns, [named_table, public]).

run([], _) ->
    ok;
run([look | Rest], Key) ->
    io:format("~p~n", [ets:lookup(turns, Key)]), %% read: a [--all]
    io:format("~p~n", [ets:member(turns, Key)]), %% read: a [--all]
    run(Rest, Key);
run([_ | Rest], Key) ->
    ets:insert(turns, {Key, Rest}),             %% write: a [--all]
    run(Rest, Key).
