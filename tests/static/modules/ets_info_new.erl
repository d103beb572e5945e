%% Two processes find that the table does not exist, and both create it.
-module(ets_info_new).
-export([ensure/0]).

ensure() ->
    case ets:info(ets_info_new) of              %% read: a
        undefined -> ets:new(ets_info_new, [named_table, public]);  %% write: a
        _ -> ets_info_new
    end.
