%% A test with alternatives on the way: of the two that outer/1 lets pass, the only caller gives the
%% one with which nothing is written.
-module(ets_alternatives).
-export([start/0, reached/0]).

start() ->
    ets:new(alternatives, [named_table, public]),
    outer(look).

reached() -> outer_too(count).

outer(How) when How == count; How == look -> inner(How).

inner(How) ->
    [{_, N}] = ets:lookup(alternatives, key),
    case How of
        count -> ets:insert(alternatives, {key, N + 1});
        _ -> N
    end.

outer_too(How) when How == count; How == look -> inner_too(How).

inner_too(How) ->
    [{_, N}] = ets:lookup(alternatives, key),   %% read: a
    case How of
        count -> ets:insert(alternatives, {key, N + 1}); %% write: a
        _ -> N
    end.
