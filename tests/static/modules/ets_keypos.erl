%% The key is the second element of the record.
-module(ets_keypos).
-export([init/0, inc/1]).
-record(c, {key, n = 0}).

init() -> ets:new(ets_keypos, [named_table, public, {keypos, #c.key}]).

inc(Key) ->
    case ets:lookup(ets_keypos, Key) of         %% read: a
        [] -> ets:insert(ets_keypos, #c{key = Key});              %% write: a
        [C] -> ets:insert(ets_keypos, C#c{n = C#c.n + 1})         %% write: a
    end.
