-module(ets_member_delete).
-export([init/0, drop/1]).

init() -> ets:new(ets_member_delete, [named_table, public]).

drop(Key) ->
    case ets:member(ets_member_delete, Key) of  %% read: a
        true -> ets:delete(ets_member_delete, Key); %% write: a
        false -> ok
    end.
