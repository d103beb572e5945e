%% The pattern spells the key out.
-module(ets_match).
-export([init/0, rename/2]).

init() -> ets:new(ets_match, [named_table, public]).

rename(Key, New) ->
    case ets:match_object(ets_match, {Key, '_'}) of %% read: a
        [{Key, _Old}] -> ets:insert(ets_match, {Key, New});  %% write: a
        [] -> none
    end.
