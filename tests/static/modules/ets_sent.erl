%% The table is sent to another process.
-module(ets_sent).
-export([start/1]).

start(Other) ->
    T = ets:new(shared, [public]),
    Other ! {table, T},
    case ets:lookup(T, x) of                    %% read: a
        [] -> ets:insert(T, {x, 1});            %% write: a
        _ -> ok
    end.
