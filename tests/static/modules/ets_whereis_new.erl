-module(ets_whereis_new).
-export([ensure/0]).

ensure() ->
    case ets:whereis(ets_whereis_new) of        %% read: a
        undefined -> ets:new(ets_whereis_new, [named_table]);       %% write: a
        Tid -> Tid
    end.
