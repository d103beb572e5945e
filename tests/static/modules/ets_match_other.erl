%% The pattern spells another key out.
-module(ets_match_other).
-export([init/0, rename/1]).

init() -> ets:new(ets_match_other, [named_table, public]).

rename(New) ->
    case ets:match_object(ets_match_other, {name, '_'}) of
        [{name, Old}] -> ets:insert(ets_match_other, {nickname, {Old, New}});
        [] -> none
    end.
